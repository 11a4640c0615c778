//! The questions that both policies ask of a module, and their answers in two forms with the same result.
//!
//! Of very many actors, a [`Kernel`](super::Kernel) processes blocks of [`ROWS_PER_BLOCK`] rows with tables of their ladders,
//! on parts of columns, in any order, on any thread, compiled for any vector instructions. The loops have no branch, so
//! that compilers vectorize them; rare cases are marked and processed afterwards.
//!
//! On boards, of continuous modules, and of ladders that fit no table, it processes row by row ([`rows`]).

// A function that is not inlined is not compiled for the vectors of its caller.
#![allow(clippy::inline_always)]

mod assign;
pub(super) mod block;
mod claims;
pub(super) mod group;
pub(super) mod rows;
pub(super) mod tables;
pub(super) mod terms;

pub(super) use assign::assign;
pub use block::BenefitSource;
pub(super) use claims::{BenefitSumKernel, DemandKernel, MinimumKernel, SwitchKernel};
pub use group::{BlockTotals, CachedAssignment, ROWS_PER_BLOCK, RowBlock, WideState};
pub(super) use group::{split_off, split_off_mut};
pub use terms::LastKernel;
