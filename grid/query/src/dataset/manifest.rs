//! Which files of a dataset count, and what they were made from.

use std::fmt;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// A table of a dataset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Table {
    /// `assets`
    Assets,
    /// `parts`
    Parts,
}

/// A Parquet file of a dataset.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DataFile {
    /// The table that it is of.
    pub table: Table,
    /// Its path from the dataset's folder, with `/`.
    pub path: String,
    /// Its rows.
    pub rows: u64,
    /// The place in [`Manifest::sources`] of what it was made from.
    pub source: usize,
}

/// What a source is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SourceKind {
    /// A `.oar`, an `.iar`, a folder that one was unpacked into, a mesh asset or object XML.
    Files,
    /// A tree of files named by their hashes.
    FsAssets,
    /// A database of MySQL or `PostgreSQL`.
    Database,
    /// Tables as CSV.
    Csv,
}

/// What a dataset was made from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceEntry {
    /// What reports call it: a path, or a URL without its password.
    pub name: String,
    /// What it is.
    pub kind: SourceKind,
    /// Whether all of it was read; if not, the next `ingest` goes on.
    pub whole: bool,
}

/// What is in a dataset: the file `lodger-grid.json`. It is replaced as a whole, so that a dataset is valid at any time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// 1.
    pub schema: u32,
    /// Whether names and descriptions were taken in.
    pub with_names: bool,
    /// What it was made from, in the order of `ingest`.
    pub sources: Vec<SourceEntry>,
    /// The files that count.
    pub files: Vec<DataFile>,
}

/// A manifest that cannot be read or written.
#[derive(Debug)]
#[non_exhaustive]
pub struct ManifestError {
    /// Where it is.
    pub path: PathBuf,
    /// What is wrong.
    pub problem: String,
}

impl fmt::Display for ManifestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path.display(), self.problem)
    }
}

impl std::error::Error for ManifestError {}

impl Manifest {
    /// Reads what a manifest says.
    pub(crate) fn parse(bytes: &[u8]) -> Result<Self, String> {
        serde_json::from_slice(bytes).map_err(|error| error.to_string())
    }

    /// The name of the file.
    pub const FILE: &str = "lodger-grid.json";

    /// Reads the manifest of a dataset; `None` if the folder has none.
    ///
    /// # Errors
    /// It is there and cannot be read, is of a later schema, or names a file outside of the dataset.
    pub fn read(_dataset: &Path) -> Result<Option<Self>, ManifestError> {
        todo!()
    }

    /// Replaces the manifest of a dataset as a whole, on disk before it returns.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn write(&self, _dataset: &Path) -> Result<(), ManifestError> {
        todo!()
    }

    /// The paths of a table's files below a dataset's folder.
    pub fn paths(&self, table: Table) -> impl Iterator<Item = &str> {
        self.files.iter().filter(move |file| file.table == table).map(|file| file.path.as_str())
    }
}
