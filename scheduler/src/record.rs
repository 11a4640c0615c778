//! Logs of ticks: their inputs and decisions, to verify that the same inputs give the same decisions again.
//!
//! A [`Recorder`] runs a scene's ticks and writes each of them; a [`Replay`] reads them, decides them
//! again and reports the first difference. As decisions use integers only, there must be none, on any
//! machine and with any number type.
//!
//! # Contents
//! A log contains for each tick all inputs of its decision (the budget, the policy and its settings, the
//! state that the tick before carried over, and for each module the ladders, benefits and previous levels of
//! the automatic actors), the decision for the scene and for each of these actors, and the unit costs of the
//! modules. It contains no positions: a log begins where benefits are integers.
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
//! before it, in four bytes. So a log that was cut off after its first twelve bytes is distinguished from a damaged
//! one, and damage is found before the tick is decided. Numbers have the least byte first.
//!
//! Columns of a tick are differences to the tick before, so unchanged columns take hardly any space.
//!
//! Logs of schema 1 can be read, too. They have no checksums: a length of four bytes and as many bytes of
//! postcard for each tick, and a length of 0, all in one zlib stream.

mod frames;
mod limits;
mod recorder;
mod replay;
mod tick;

pub use limits::{LogError, RecordLimits};
pub use recorder::Recorder;
pub use replay::{Replay, ReplayDifference, ReplayPart, ReplayedTick};

/// The first bytes of a log.
const MAGIC: &[u8; 10] = b"lodger log";

/// The schema that is written.
pub const SCHEMA: u16 = 2;

/// The schema without checksums, which can be read as well.
const FIRST_SCHEMA: u16 = 1;
