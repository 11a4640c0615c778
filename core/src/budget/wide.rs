//! Decisions for scenes with very many actors: the same plans, computed by kernels on parts of columns.
//!
//! An owner of columns with a million actors lets [`decide`](super::decide) run [`Kernel`]s on them,
//! part by part: in any order, on any thread, compiled for any vectors. Partial results add up to the
//! same sums in any order, so the plan equals the sequential plan, bit for bit.
//!
//! Rows come in blocks of [`ROWS_PER_BLOCK`]. The loops over them have no branch, so that compilers vectorize
//! them; rare cases are marked in a block and processed afterwards.

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
