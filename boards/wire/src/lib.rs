//! Messages between a board and its host.
//!
//! Messages are postcard in COBS frames, over any [`Transport`]: semihosting or a UART in QEMU, RTT
//! through a debug probe. There are two conversations:
//!
//! - [`conform`]: the host sends test vectors, and the results of the board must be bit-identical to its own;
//! - [`telemetry`]: the board reports the budget, levels and times of each frame.
//!
//! Two features are for hosts and need `std`: `boards` is the table of boards, and `scheduler` runs whole scenes of test
//! vectors in lodger-scheduler (`conform::SchedulerBackend`).
//!
//! RTT channels have fixed numbers: [`LOG`] carries defmt, and [`MESSAGES`] the frames of this crate in both directions.
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
/// The RTT up channel, and the number of the down channel, of the messages of this crate.
pub const MESSAGES: usize = 1;

/// The examples of the README are compiled.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
