//! Firmware of other people, for QEMU's `mps2-an386`: a plain loop, embassy and RTIC (`src/bin/plain.rs`, `embassy`,
//! `rtic.rs`), with the feature `examples`.
//!
//! Twelve voices and six emitters of sparks have five levels each, and one budget, which halves twice.
//! [`scene`] is what the scheduler knows of them, [`modules`] is their work, and [`budget_test`] tests whether the
//! budget holds. The module `mps2` takes the place of a board support crate.

pub mod budget_test;
pub mod modules;
#[cfg(target_os = "none")]
pub mod mps2;
pub mod scene;
#[cfg(target_os = "none")]
mod stall;

#[cfg(target_os = "none")]
pub use stall::Stall;
