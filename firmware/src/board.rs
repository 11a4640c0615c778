//! The board that the build is for: the only place that names hardware.
//!
//! A board is a feature, a row of boards.toml and a file here. It has a name, a number type for its
//! app, and what the programs in `src/bin` call: an exit, a way to talk to the host, and a counter of
//! instructions where there is one.

#[cfg(feature = "microbit")]
mod microbit;
#[cfg(feature = "mps2-an385")]
mod mps2_an385;
#[cfg(feature = "mps2-an386")]
mod mps2_an386;
#[cfg(feature = "mps2-an505")]
mod mps2_an505;
mod qemu;

#[cfg(feature = "microbit")]
pub use microbit::{NAME, Number, TICKS_PER_1000_INSTRUCTIONS};
#[cfg(feature = "mps2-an385")]
pub use mps2_an385::{NAME, Number, TICKS_PER_1000_INSTRUCTIONS};
#[cfg(feature = "mps2-an386")]
pub use mps2_an386::{NAME, Number, TICKS_PER_1000_INSTRUCTIONS};
#[cfg(feature = "mps2-an505")]
pub use mps2_an505::{NAME, Number, TICKS_PER_1000_INSTRUCTIONS};

pub use qemu::{Host, InstructionCounter, exit, finish};
