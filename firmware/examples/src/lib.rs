//! What the three programs share: a machine, something to hear and see, and a trial that judges them.
//!
//! Twelve voices and six emitters of sparks have five levels of quality each, and one budget, which
//! halves twice. [`cast`] tells the ledger of them, [`voice`] and [`emitter`] do their work, and
//! [`trial`] says whether the budget held. How they take turns is what the programs differ in: a plain
//! loop, embassy's tasks, or RTIC's.
#![cfg_attr(target_os = "none", no_std)]

pub mod cast;
pub mod emitter;
#[cfg(target_os = "none")]
mod fault;
#[cfg(target_os = "none")]
pub mod mps2;
mod noise;
pub mod stage;
#[cfg(target_os = "none")]
pub mod stall;
pub mod trial;
pub mod voice;

pub use noise::Noise;
