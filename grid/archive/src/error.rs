//! What could not be read of an archive, and where.

use std::fmt;

use lodger_allowance::Spent;

use crate::clip::clipped;
use crate::problem::Problem;

/// A part of an object.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PartPlace {
    /// Its number in the order of the document, counted from 1.
    pub number: usize,
    /// Its name, or the beginning of a long one.
    pub name: String,
}

/// Something in an archive that could not be read, and where.
#[derive(Debug)]
pub struct Error {
    entry: Option<String>,
    part: Option<PartPlace>,
    problem: Problem,
}

impl Error {
    /// What is wrong.
    #[must_use]
    pub const fn problem(&self) -> &Problem {
        &self.problem
    }

    /// The path of the entry, or the beginning of a long one; `None` for the archive as a whole.
    #[must_use]
    pub fn entry(&self) -> Option<&str> {
        self.entry.as_deref()
    }

    /// The part of the object.
    #[must_use]
    pub const fn part(&self) -> Option<&PartPlace> {
        self.part.as_ref()
    }

    /// Whether a limit was met, for the whole archive or for one entry.
    #[must_use]
    pub const fn is_limit(&self) -> bool {
        matches!(
            self.problem,
            Problem::Spent(_) | Problem::TooManyEntries { .. } | Problem::EntryTooLarge { .. }
        )
    }

    /// What the archive needs more of than it may take, if that is what is wrong.
    #[must_use]
    pub const fn spent(&self) -> Option<Spent> {
        match self.problem {
            Problem::Spent(spent) => Some(spent),
            _ => None,
        }
    }

    /// Whether there may be more in the archive, which was not read.
    #[must_use]
    pub const fn ends_reading(&self) -> bool {
        matches!(
            self.problem,
            Problem::NotAnArchive(_)
                | Problem::Broken { .. }
                | Problem::Spent(_)
                | Problem::TooManyEntries { .. }
        )
    }

    /// Says which entry it is about.
    pub(crate) fn in_entry(mut self, path: &str) -> Self {
        self.entry = Some(clipped(path));
        self
    }

    /// Says which part it is about.
    pub(crate) fn in_part(mut self, number: usize, name: &str) -> Self {
        self.part = Some(PartPlace { number, name: clipped(name) });
        self
    }
}

impl From<Spent> for Error {
    fn from(spent: Spent) -> Self {
        Problem::Spent(spent).into()
    }
}

impl From<Problem> for Error {
    fn from(problem: Problem) -> Self {
        Self { entry: None, part: None, problem }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(entry) = &self.entry {
            write!(f, "{entry}: ")?;
        }
        if let Some(PartPlace { number, name }) = &self.part {
            write!(f, "part {number} `{name}`: ")?;
        }
        self.problem.fmt(f)
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.problem)
    }
}
