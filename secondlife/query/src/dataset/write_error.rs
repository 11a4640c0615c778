//! Why a dataset cannot be written.

use std::fmt;
use std::path::{Path, PathBuf};

use super::manifest::ManifestError;

/// Why a dataset cannot be written.
#[derive(Debug)]
#[non_exhaustive]
pub struct WriteError {
    /// The file or folder.
    pub path: PathBuf,
    /// What is wrong, in one line.
    pub problem: String,
}

impl WriteError {
    /// A problem with a file or folder.
    pub(super) fn new(path: &Path, problem: impl Into<String>) -> Self {
        Self { path: path.to_owned(), problem: problem.into() }
    }

    /// That something cannot be done.
    pub(super) fn io(path: &Path, what: &str, error: &dyn fmt::Display) -> Self {
        Self::new(path, format!("it cannot {what}: {error}"))
    }
}

impl From<ManifestError> for WriteError {
    fn from(ManifestError { path, problem, .. }: ManifestError) -> Self {
        Self { path, problem }
    }
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path.display(), self.problem)
    }
}

impl std::error::Error for WriteError {}
