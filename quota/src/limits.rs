//! Limits of one input, and the error for an input that exceeds them.

use std::error::Error;
use std::fmt;
use std::io;

/// The limits of one input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QuotaLimits {
    /// Bytes of memory at a time.
    pub memory: u64,
    /// Units of work in total.
    pub work: u64,
}

impl Default for QuotaLimits {
    /// 1 GiB and 32 billion units: enough to search a region of 29 GiB, inflated.
    fn default() -> Self {
        Self { memory: 1 << 30, work: 32_000_000_000 }
    }
}

/// The error for an input that exceeds its quota; its `Display` is a sentence about the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum QuotaExceeded {
    /// The input needs more memory than its limit.
    Memory {
        /// Bytes.
        limit: u64,
    },
    /// The input needs more work than its limit.
    Work {
        /// Units.
        limit: u64,
    },
    /// The rows of the inputs up to this one need more memory than the limit.
    Rows {
        /// Bytes.
        limit: u64,
    },
    /// Too little memory is left beside other inputs. [`QuotaPool::run_each`](crate::QuotaPool::run_each) processes such
    /// an input alone and never returns this error.
    Contended,
}

impl QuotaExceeded {
    /// Writes the sentence with `it` as its subject.
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

/// Lets readers fail with it.
impl From<QuotaExceeded> for io::Error {
    fn from(spent: QuotaExceeded) -> Self {
        Self::other(spent)
    }
}
