//! Logs of ticks: what the ledger was asked and what it decided, and whether it decides the same again.
//!
//! A [`Recorder`] stands around a scene's ticks and writes each of them; a [`Replay`] reads them, asks the
//! ledger the same once more and tells the first thing that differs. As the ledger counts in integers,
//! nothing may: on no machine, with no number type.
//!
//! # What is in a log
//!
//! For each tick all that its decision depends on (the budget, the policy and its settings, what the tick
//! before left, and for each module the ladders, benefits and last levels of the actors that the ledger
//! decides for), what was decided for the scene and each of them, and what was known of the modules' costs.
//! Positions are not in it: a log begins where benefits are integers.
//!
//! # The format
//!
//! A log begins with the bytes `lodger log` and the schema, a number of two bytes. A frame for each tick follows:
//!
//! - the length of its third part, four bytes,
//! - a checksum,
//! - the tick in postcard, compressed by DEFLATE and flushed; later ticks refer back to it,
//! - a checksum.
//!
//! A length of 0 with its checksum ends the log. A checksum is the CRC-32 of all lengths and compressed ticks
//! before it, in four bytes. So a log that was cut short after its first twelve bytes is told from a damaged one, and
//! damage is found before the tick is decided. Numbers have the least byte first.
//!
//! In a tick columns are differences to those of the tick before, so what stays the same takes next to nothing.
//!
//! Logs of schema 1 are read, too. They have no checksums: a length of four bytes and so many bytes of
//! postcard for each tick, and a length of 0, all of it in one zlib stream.

mod frames;
mod limits;
mod recorder;
mod replay;
mod tick;

pub use limits::{Limits, LogError};
pub use recorder::Recorder;
pub use replay::{Difference, Part, Replay, Replayed};

/// What a log begins with.
const MAGIC: &[u8; 10] = b"lodger log";

/// The schema that is written.
pub const SCHEMA: u16 = 2;

/// The schema without checksums, which is read as well.
const FIRST_SCHEMA: u16 = 1;
