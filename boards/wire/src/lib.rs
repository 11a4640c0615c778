//! What a board and its host say to each other.
//!
//! Messages are postcard in COBS frames, over any [`Transport`]: semihosting or a UART in QEMU, RTT
//! through a debug probe. There are two conversations:
//!
//! - [`conform`]: the host asks, the board answers, and the bits must be those of the host;
//! - [`telemetry`]: the board tells what each frame of its loop was given and what it took.
//!
//! A host has two features, which need `std`: `boards` is the table of boards, and `scheduler` answers questions about
//! whole ledgers by scenes of lodger-scheduler (`conform::SchedulerBackend`).
//!
//! A board owns both ends of its RTT channels by their numbers: [`LOG`] carries defmt, [`MESSAGES`]
//! the frames of this crate, in both directions.
#![no_std]

#[cfg(any(test, feature = "boards", feature = "scheduler"))]
extern crate std;

#[cfg(feature = "boards")]
pub mod boards;
pub mod conform;
mod frames;
pub mod telemetry;

pub use frames::{FRAME, Fault, Frames, Transport};

/// The RTT up channel of the log, which defmt encodes.
pub const LOG: usize = 0;
/// The RTT up channel, and the number of the down channel, of the messages of this crate.
pub const MESSAGES: usize = 1;

/// The examples of the README are compiled.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
