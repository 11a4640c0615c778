//! Why a log could not be read.

use std::{fmt, io};

use super::{FIRST_SCHEMA, SCHEMA};

/// Why a log could not be read.
#[derive(Debug)]
#[non_exhaustive]
pub enum LogError {
    /// Reading failed.
    Io(io::Error),
    /// It is no log.
    NotALog,
    /// It is of another schema.
    Schema {
        /// That of the log.
        found: u16,
    },
    /// It breaks off in this tick, counted from 0, or before it.
    BreaksOff {
        /// The tick.
        tick: u64,
    },
    /// Bytes follow its end.
    BytesAfterEnd {
        /// The number of ticks before the end.
        ticks: u64,
    },
    /// It needs more memory than it may take.
    Memory {
        /// The tick, counted from 0.
        tick: u64,
        /// How many bytes it may take.
        limit: u64,
    },
    /// It needs more work than it may take.
    Work {
        /// The tick, counted from 0.
        tick: u64,
        /// How many units it may take.
        limit: u64,
    },
    /// A tick is not what it should be.
    Damaged {
        /// The tick, counted from 0.
        tick: u64,
        /// What is wrong with it.
        what: &'static str,
    },
}

impl From<io::Error> for LogError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl fmt::Display for LogError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => error.fmt(f),
            Self::NotALog => f.write_str("it is no log of lodger's"),
            Self::Schema { found } => {
                write!(
                    f,
                    "it is a log of schema {found}, and this program reads schemas {FIRST_SCHEMA} and {SCHEMA}"
                )
            }
            Self::BreaksOff { tick } => write!(f, "it breaks off at tick {tick}"),
            Self::BytesAfterEnd { ticks } => write!(f, "bytes follow its end, after {ticks} ticks"),
            Self::Memory { tick, limit } => {
                write!(f, "up to tick {tick} it needs more than {limit} bytes of memory")
            }
            Self::Work { tick, limit } => {
                write!(f, "up to tick {tick} it needs more than {limit} units of work")
            }
            Self::Damaged { tick, what } => write!(f, "tick {tick} is damaged: {what}"),
        }
    }
}

impl std::error::Error for LogError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io(error) => Some(error),
            _ => None,
        }
    }
}
