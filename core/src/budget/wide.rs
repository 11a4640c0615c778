//! The ledger where a scene has very many actors: the same plans, asked of parts of the columns.
//!
//! Who owns columns of a million actors lets [`decide`](super::decide) ask [`Question`]s of them, part by
//! part: in any order, on any thread, compiled for any vectors. Answers add up to the same in any order,
//! so the plan is the one of the forms that look at a book as a whole, bit for bit.
//!
//! Rows come in groups of [`GROUP`]. The loops over them have no branch, so that compilers make vectors
//! of them; what is rare is found for a group and looked at afterwards.

// Or a loop is not compiled for the vectors of its caller.
#![allow(clippy::inline_always)]

mod assign;
mod claims;
mod flips;
mod general;
mod group;
mod leftovers;
mod optimal;
mod place;
mod proportional;
mod question;
mod raise;
mod served;
mod steps;
mod tally;

pub(super) use general::keep_all_of;
pub use group::{Crowd, Draft, GROUP, Group};
pub(super) use optimal::optimal;
pub use place::Source;
pub(super) use proportional::proportional;
pub use question::{Answer, Question};
