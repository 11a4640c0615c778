//! The whole way: sources in, a dataset out.

use std::fmt;
use std::path::{Path, PathBuf};

use url::Url;

/// Something to be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SourceSpec {
    /// A file or a folder; what it is, its content says.
    Path(PathBuf),
    /// `mysql://` or `postgres://`.
    Database(Url),
}

/// How a dataset is made.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Whether names and descriptions are taken in; they are personal data.
    pub with_names: bool,
    /// What each file, asset or object may take.
    pub limits: lodger_allowance::Limits,
}

/// How far the work has come.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Step {
    /// A source begins, with so many assets and objects in it, if that is known.
    Source {
        /// Its name.
        name: String,
        /// Assets and objects.
        total: Option<u64>,
    },
    /// So many more assets and objects are done.
    Done(u64),
}

/// What was made.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
#[non_exhaustive]
pub struct Summary {
    /// Rows that were added to `assets`.
    pub assets: u64,
    /// Of those, with an error.
    pub bad: u64,
    /// Objects whose parts were added.
    pub objects: u64,
    /// Rows that were added to `parts`.
    pub parts: u64,
    /// Assets and objects that were there before.
    pub known: u64,
    /// Files, assets and objects that are of no kind that counts.
    pub passed_over: u64,
}

/// Why nothing more can be read or written.
#[derive(Debug)]
#[non_exhaustive]
pub enum IngestError {}

impl fmt::Display for IngestError {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {}
    }
}

impl std::error::Error for IngestError {}

/// Reads sources into the dataset in a folder, which is made if it is not there. What is there and whole is not read
/// again. `stop` is asked often; once it is true, what is whole is kept and the work ends.
///
/// # Errors
/// A source cannot be opened, or the dataset cannot be written. What was read until then is kept.
pub fn ingest(
    _sources: &[SourceSpec],
    _dataset: &Path,
    _options: Options,
    _watch: &(dyn Fn(Step) + Sync),
    _stop: &(dyn Fn() -> bool + Sync),
) -> Result<Summary, IngestError> {
    todo!()
}
