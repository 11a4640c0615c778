//! What can be wrong with binary LLSD, and where.

use std::fmt;

use super::limits::{HEADER_LINE, MAX_DEPTH};

/// What was wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Problem {
    /// The input ends before what was expected.
    Ends {
        /// What was expected.
        expected: &'static str,
        /// How many bytes it needs.
        needed: usize,
        /// How many bytes there are.
        left: usize,
    },
    /// Another byte stands where a certain one was expected.
    Unexpected {
        /// What was expected.
        expected: &'static str,
        /// The byte that was found.
        found: u8,
    },
    /// A string or key is not UTF-8.
    NotUtf8,
    /// The `<?` line is not that of binary LLSD.
    NotBinary,
    /// Arrays and maps nest deeper than [`MAX_DEPTH`].
    TooDeep,
    /// There are more values than were allowed.
    TooMany {
        /// How many values were allowed.
        limit: usize,
    },
    /// A string, binary, array or map is too long to be written: 4 GiB or 2³² items.
    TooLong,
}

/// What was wrong with binary LLSD, and at which byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Error {
    offset: usize,
    problem: Problem,
}

impl Error {
    pub(super) const fn new(offset: usize, problem: Problem) -> Self {
        Self { offset, problem }
    }

    /// The byte, counted from the start of what was read or written.
    #[must_use]
    pub const fn offset(&self) -> usize {
        self.offset
    }

    /// What was wrong.
    #[must_use]
    pub const fn problem(&self) -> Problem {
        self.problem
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "byte {}: ", self.offset)?;
        match self.problem {
            Problem::Ends { expected, needed, left } => {
                write!(f, "expected {expected} of {needed} bytes, but {left} are left")
            }
            Problem::Unexpected { expected, found } => {
                write!(f, "expected {expected}, found {:?}", char::from(found))
            }
            Problem::NotUtf8 => f.write_str("expected a string in UTF-8"),
            Problem::NotBinary => write!(f, "expected the line \"{HEADER_LINE}\""),
            Problem::TooDeep => {
                write!(f, "arrays and maps nest deeper than {MAX_DEPTH} levels")
            }
            Problem::TooMany { limit } => write!(f, "more than {limit} values"),
            Problem::TooLong => f.write_str("too long to be written: lengths have 32 bits"),
        }
    }
}

impl std::error::Error for Error {}
