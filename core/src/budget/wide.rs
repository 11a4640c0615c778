//! Decisions for scenes with very many actors: the same plans, by [`Kernel`]s on parts of columns, in any order, on any
//! thread, compiled for any vector instructions.
//!
//! Rows come in blocks of [`ROWS_PER_BLOCK`]. Loops over them have no branch, so that compilers vectorize them; rare
//! cases are marked and processed afterwards.

// A function that is not inlined is not compiled for the vectors of its caller.
#![allow(clippy::inline_always)]

mod assign;
mod block;
mod claims;
mod general;
mod group;
mod leftovers;
mod optimal;
mod proportional;
mod rows;
mod tables;
mod terms;

pub use block::BenefitSource;
pub use group::{CachedAssignment, ROWS_PER_BLOCK, RowBlock, WideState};
pub(super) use group::{split, split_mut};
pub(super) use optimal::optimal;
pub(super) use proportional::proportional;
