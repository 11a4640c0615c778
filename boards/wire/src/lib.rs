//! Messages between a board and its host.
//!
//! Messages are postcard in COBS frames, over any [`Transport`]: semihosting or a UART in QEMU, RTT through a debug
//! probe.
//!
//! - [`conform`]: the host sends test vectors, and the results of the board must be bit-identical to its own;
//! - [`telemetry`]: the board reports the budget, levels and times of each frame.
//!
//! Two features are for hosts and need `std`: `boards` is the table of boards, and `scheduler` runs whole scenes in
//! lodger-scheduler (`conform::SchedulerBackend`).
#![no_std]

#[cfg(any(test, feature = "boards", feature = "scheduler"))]
extern crate std;

#[cfg(feature = "boards")]
pub mod boards;
pub mod conform;
mod frames;
pub mod telemetry;

pub use frames::{FRAME, FramedTransport, Transport, WireError};

/// The RTT up channel of the log, which defmt encodes.
pub const LOG: usize = 0;
/// The RTT channel, up and down, of this crate's messages.
pub const MESSAGES: usize = 1;

/// Compiles the examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
