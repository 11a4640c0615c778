//! Logs of ticks, to verify that the same inputs give the same decisions again.
//!
//! A [`Recorder`] ticks a scene and writes the tick; a [`Replay`] reads it, decides it again and reports
//! the first difference. Decisions use integers only, so there is none, on any machine and with any number
//! type.
//!
//! # Contents
//! For each tick a log contains
//!
//! - the inputs of the decision: the budget, the policy and its settings, the state of the tick before, and
//!   for each module the ladders, and the benefits and previous levels of the automatic actors,
//! - the decision for the scene and for each of these actors,
//! - the unit costs of the modules.
//!
//! It contains no positions: a log begins where benefits are integers.
//!
//! # The format
//!
//! A log begins with the bytes `lodger log` and the schema, a number of two bytes. A frame for each tick follows:
//!
//! - the length of its third part, four bytes,
//! - a checksum,
//! - the tick in postcard, and the numbers of the modules that start cautiously if there are any, compressed by DEFLATE and
//!   flushed; later ticks refer back to it,
//! - a checksum.
//!
//! A length of 0 with its checksum ends the log. A checksum is the CRC-32 of all lengths and compressed ticks
//! before it, in four bytes. So a log that was cut off after its first twelve bytes is distinguished from a
//! damaged one, and damage is found before the tick is decided. The schema has no checksum. Numbers have the least byte
//! first.
//!
//! Columns of a tick are differences to the tick before.
//!
//! Older logs can be read, too. Their decisions differ where hysteresis is on and an actor is new, or had a level
//! inside a run of equal costs: since schema 4, such an actor counts as at the top of its range or of the run. Logs of
//! schema 1 have no checksums: a length of four bytes and as many bytes of postcard for each tick, and a length of
//! 0, all in one zlib stream.

mod frames;
mod limits;
mod recorder;
mod replay;
mod tick;

pub use limits::{LogError, RecordLimits};
pub use recorder::Recorder;
pub use replay::{Replay, ReplayDifference, ReplayPart, ReplayedTick};

const MAGIC: &[u8; 10] = b"lodger log";

/// The schema of new logs. No bit distinguishes it from an older one, as from 2 to 3.
pub const SCHEMA: u16 = 4;

/// The schema without checksums.
const FIRST_SCHEMA: u16 = 1;

/// The schema with other rules for hysteresis.
const SECOND_SCHEMA: u16 = 2;
