//! Messages between a board and its host: test vectors, and telemetry of each frame.
//!
//! ```
//! use lodger_wire::telemetry::{SIZE, TelemetryFrame};
//! use lodger_wire::{FramedTransport, WireError};
//! # struct Received<'a>(&'a [u8]);
//! # impl lodger_wire::Transport for Received<'_> {
//! #     type Error = ();
//! #     fn receive(&mut self, buffer: &mut [u8]) -> Result<usize, ()> {
//! #         let (now, later) = self.0.split_at(self.0.len().min(buffer.len()));
//! #         buffer[..now.len()].copy_from_slice(now);
//! #         self.0 = later;
//! #         Ok(now.len())
//! #     }
//! #     fn send(&mut self, _: &[u8]) -> Result<(), ()> {
//! #         Err(())
//! #     }
//! # }
//!
//! // The board encodes frame 7, with a budget of 2 ms.
//! let frame = TelemetryFrame { number: 7, budget: Some(2_000_000), ..TelemetryFrame::default() };
//! let mut buffer = [0; SIZE];
//! let bytes = frame.encode(&mut buffer).expect("every valid frame fits");
//!
//! // The host receives it over a `Transport`, here one that has these bytes.
//! let mut host = FramedTransport::new(Received(bytes));
//! assert_eq!(host.receive(), Ok(frame));
//! assert_eq!(host.receive::<TelemetryFrame>(), Err(WireError::Gone));
//! ```
//!
//! | task | start at |
//! |---|---|
//! | Compare the results of a board with the host's, bit for bit | [`conform::serve`] on the board, [`conform::compare`] on the host |
//! | Send budget, levels and times of each frame | [`telemetry::TelemetryFrame`] |
//! | Send messages over semihosting, a UART or RTT | [`Transport`], [`FramedTransport`] |
//! | Memory, target, chip and QEMU machine of a board | `boards` (feature `boards`) |
//!
//! Messages are postcard in COBS frames, each terminated by a 0. The crate is `no_std` and allocates nothing. Times are
//! nanoseconds of the board's clock.
//!
//! # Errors
//!
//! [`WireError`] is an error of the transport, the end of the stream, or a frame that is too long or no message.
//!
//! # Features
//!
//! All are off by default. `boards` and `scheduler` need `std`, for hosts.
//!
//! - `boards`: the table of boards.
//! - `heapless`: whole scenes of test vectors run in lodger-heapless (`conform::HeaplessBackend`).
//! - `scheduler`: whole scenes of test vectors run in lodger-scheduler (`conform::SchedulerBackend`).
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
