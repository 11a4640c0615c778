//! Why nothing more can be read or written.

use std::fmt;

use super::tables::TableError;
use crate::dataset::{ManifestError, WriteError};

/// Why nothing more can be read or written.
#[derive(Debug)]
#[non_exhaustive]
pub enum IngestError {
    /// A source cannot be opened, or is nothing that can be read.
    #[non_exhaustive]
    Source {
        /// Its name.
        name: String,
        /// What is wrong and what to do, in one line.
        problem: String,
    },
    /// A database or its dump cannot be read.
    Table(TableError),
    /// The dataset cannot be read or written.
    Dataset(WriteError),
}

impl IngestError {
    /// A problem of a source.
    pub(super) fn source(name: impl Into<String>, problem: impl Into<String>) -> Self {
        Self::Source { name: name.into(), problem: problem.into() }
    }
}

impl From<TableError> for IngestError {
    fn from(error: TableError) -> Self {
        Self::Table(error)
    }
}

impl From<WriteError> for IngestError {
    fn from(error: WriteError) -> Self {
        Self::Dataset(error)
    }
}

impl From<ManifestError> for IngestError {
    fn from(error: ManifestError) -> Self {
        Self::Dataset(error.into())
    }
}

impl fmt::Display for IngestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Source { name, problem } => write!(f, "{name}: {problem}"),
            Self::Table(error) => error.fmt(f),
            Self::Dataset(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for IngestError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Source { .. } => None,
            Self::Table(error) => Some(error),
            Self::Dataset(error) => Some(error),
        }
    }
}
