use std::path::PathBuf;

use lodger_quota::QuotaLimits;
use url::Url;

use crate::dataset::{DatasetError, DatasetWriter};

/// A source to read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SourceSpec {
    /// A file or a folder, whose kind is detected from its content.
    Path(PathBuf),
    /// A database: `mysql://` or `postgres://`.
    Database(Url),
}

/// Options of an ingest.
#[derive(Clone, Copy, Debug)]
pub struct IngestOptions {
    /// Whether to store names and descriptions, which are personal data.
    pub with_names: bool,
    /// The quota of each file, asset or object.
    pub limits: QuotaLimits,
    /// The limit of rows of a Parquet file, and so the number of rows that a crash loses.
    pub file_rows: usize,
}

impl Default for IngestOptions {
    /// No names, and lodger's usual limits.
    fn default() -> Self {
        let limits = QuotaLimits::default();
        Self { with_names: false, limits, file_rows: DatasetWriter::FILE_ROWS }
    }
}

/// Progress of an ingest.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum IngestProgress {
    /// A source begins.
    Source {
        /// The name of the source.
        name: String,
        /// The number of its assets and objects, if known.
        total: Option<u64>,
    },
    /// A number of further assets and objects are done.
    Done(u64),
}

/// Counts of an ingest.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
#[non_exhaustive]
pub struct IngestSummary {
    /// Rows added to `assets`.
    pub assets: u64,
    /// Assets with an error: new ones, and known ones that were tried again.
    pub bad: u64,
    /// Objects whose parts were added.
    pub objects: u64,
    /// Rows added to `parts`.
    pub parts: u64,
    /// Assets and objects that the dataset contained already.
    pub known: u64,
    /// Files, assets and objects of other kinds.
    pub passed_over: u64,
}

/// A source cannot be read, or the dataset cannot be written.
#[derive(Debug, thiserror::Error)]
#[error("{name}: {problem}")]
#[non_exhaustive]
pub struct IngestError {
    /// The source without its password, or a file of the dataset.
    pub name: String,
    /// The problem and its remedy, in one line.
    pub problem: String,
}

impl IngestError {
    pub(super) fn new(name: impl Into<String>, problem: impl Into<String>) -> Self {
        Self { name: name.into(), problem: problem.into() }
    }
}

impl From<DatasetError> for IngestError {
    fn from(error: DatasetError) -> Self {
        Self::new(error.path.display().to_string(), error.problem)
    }
}
