//! Instructions of a processor behind safe functions: the square root of an `f32` without std, and the widest vectors.
//!
//! The package is apart from its users, `lodger-core`, `lodger-scheduler` and `lodger-mesh-asset`, which have no `unsafe`.
//! All results have the same bits on every processor: roots are those of IEEE 754, and integers, and floats without
//! fused multiply-add, are the same with all kinds of vectors.
//!
//! # Examples
//! ```
//! # #[cfg(feature = "vectors")] {
//! use lodger_cpu::{SimdKernel, SimdLevel};
//!
//! struct Sum<'a>(&'a [u32]);
//!
//! impl SimdKernel for Sum<'_> {
//!     type Output = u32;
//!
//!     #[inline(always)]
//!     fn run(self) -> u32 {
//!         self.0.iter().fold(0, |sum, number| sum.wrapping_add(*number))
//!     }
//! }
//!
//! assert_eq!(SimdLevel::Widest.run(Sum(&[1, 2, 3])), 6);
//! # }
//! ```
#![no_std]

#[cfg(feature = "vectors")]
extern crate std;

mod sqrt;
#[cfg(feature = "vectors")]
mod vectors;

pub use sqrt::sqrt_f32;
#[cfg(feature = "vectors")]
pub use vectors::{SimdKernel, SimdLevel};

/// Compiles the examples of the README.
#[cfg(all(doctest, feature = "vectors"))]
#[doc = include_str!("../README.md")]
struct Readme;
