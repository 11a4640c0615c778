//! Why an input is not worked on to its end.

use std::error::Error;
use std::fmt;
use std::io;

/// Why an input is not worked on to its end; its `Display` is a sentence about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Spent {
    /// It needs more memory than it may take.
    Memory {
        /// Bytes.
        limit: u64,
    },
    /// It needs more work than it may take.
    Work {
        /// Units.
        limit: u64,
    },
    /// The rows of the inputs up to this one need more memory than they may take.
    Rows {
        /// Bytes.
        limit: u64,
    },
    /// There is no room beside other inputs, and there may be alone. [`Pool::each`](crate::Pool::each)
    /// tries that and never returns this.
    Crowded,
}

impl Spent {
    /// The reason, where a reader failed with it.
    #[must_use]
    pub fn of(error: &io::Error) -> Option<Self> {
        error.get_ref()?.downcast_ref().copied()
    }
}

impl fmt::Display for Spent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Memory { limit } => write!(f, "it needs more than {} MiB of memory", limit >> 20),
            Self::Work { limit } => {
                write!(f, "it needs more than {} million units of work", limit / 1_000_000)
            }
            Self::Rows { limit } => {
                write!(f, "what is reported up to here needs more than {} MiB", limit >> 20)
            }
            Self::Crowded => f.write_str("there is no room for it beside the others"),
        }
    }
}

impl Error for Spent {}

/// So that readers can fail with it, and [`Spent::of`] finds it again.
impl From<Spent> for io::Error {
    fn from(spent: Spent) -> Self {
        Self::other(spent)
    }
}
