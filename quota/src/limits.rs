//! How much one input may take, and why an input is not worked on to its end.

use std::error::Error;
use std::fmt;
use std::io;

/// How much one input may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QuotaLimits {
    /// Bytes of memory at a time.
    pub memory: u64,
    /// Units of work in all.
    pub work: u64,
}

impl Default for QuotaLimits {
    /// 1 GiB, and 32 billion units: a region of 29 GiB, inflated, can be looked through.
    fn default() -> Self {
        Self { memory: 1 << 30, work: 32_000_000_000 }
    }
}

/// Why an input is not worked on to its end; its `Display` is a sentence about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum QuotaExceeded {
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
    Contended,
}

impl QuotaExceeded {
    /// Writes the sentence with `it` as the input that it is about.
    ///
    /// # Errors
    /// Those of the formatter.
    pub fn about(&self, it: &dyn fmt::Display, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Memory { limit } => write!(f, "{it} needs more than {} of memory", Mib(*limit)),
            Self::Work { limit } => {
                write!(f, "{it} needs more than {} million units of work", limit / 1_000_000)
            }
            Self::Rows { limit } => {
                write!(f, "{it} and what comes before need more than {} of memory", Mib(*limit))
            }
            Self::Contended => write!(f, "{it} has no room beside the others"),
        }
    }
}

/// Bytes in MiB.
struct Mib(u64);

impl fmt::Display for Mib {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} MiB", self.0 >> 20)
    }
}

impl fmt::Display for QuotaExceeded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.about(&"it", f)
    }
}

impl Error for QuotaExceeded {}

/// So that readers can fail with it.
impl From<QuotaExceeded> for io::Error {
    fn from(spent: QuotaExceeded) -> Self {
        Self::other(spent)
    }
}
