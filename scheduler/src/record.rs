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
//! The bytes `lodger log`, the schema as a number of two bytes (least first), then one zlib stream.
//! In it each tick is a length of four bytes (least first) and so many bytes of postcard; a length of 0 ends
//! the log. Columns are differences to those of the tick before, so what stays the same takes next to
//! nothing.

mod error;
mod limits;
mod recorder;
mod replay;
mod shadow;
mod tick;

pub use error::LogError;
pub use limits::Limits;
pub use recorder::Recorder;
pub use replay::{Difference, Part, Replay, Replayed};

/// What a log begins with.
const MAGIC: &[u8; 10] = b"lodger log";

/// The schema that is written, and read.
pub const SCHEMA: u16 = 1;
