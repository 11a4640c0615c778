//! Decisions for scenes with very many actors: the same plans, by [`Kernel`]s on parts of columns, in any order, on any
//! thread, compiled for any vector instructions.
//!
//! Rows come in blocks of [`ROWS_PER_BLOCK`]. Loops over them have no branch, so that compilers vectorize them; rare
//! cases are marked and processed afterwards.

// A function that is not inlined is not compiled for the vectors of its caller.
#![allow(clippy::inline_always)]

mod assign;
mod claims;
mod general;
mod group;
mod leftovers;
mod optimal;
mod place;
mod proportional;
mod raise;
mod steps;
mod tally;

pub(super) use general::keep_all_of;
pub use group::{CachedAssignment, ROWS_PER_BLOCK, RowBlock, WideState};
pub(super) use group::{split, split_mut};
pub(super) use optimal::optimal;
pub use place::BenefitSource;
pub(super) use proportional::proportional;
