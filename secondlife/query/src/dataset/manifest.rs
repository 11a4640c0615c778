//! The manifest of a dataset: its valid files and their sources.

use std::fmt::Display;
use std::fs::{self, File};
use std::io::{ErrorKind, Read as _, Write as _};
use std::path::{Component, Path, PathBuf};

use arrow::datatypes::SchemaRef;
use serde::{Deserialize, Serialize};

use super::rows::{AssetRowColumns, PartColumns};

const SCHEMA: u32 = 1;
const MAX_BYTES: u64 = 256 << 20;

/// A table of a dataset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DatasetTable {
    /// The table `assets`.
    Assets,
    /// The table `parts`.
    Parts,
}

/// A Parquet file of a dataset.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DataFile {
    /// The table of the file.
    pub table: DatasetTable,
    /// The path relative to the dataset, with `/`.
    pub path: String,
    /// The number of rows.
    pub rows: u64,
    /// The index of its source in [`DatasetManifest::sources`].
    pub source: usize,
}

/// The kind of a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SourceKind {
    /// A `.oar`, an `.iar`, an unpacked archive, a mesh asset or object XML.
    Files,
    /// A tree of files named by their hashes.
    FsAssets,
    /// A database of `MySQL` or `PostgreSQL`.
    Database,
    /// Tables as CSV.
    Csv,
}

/// A source of a dataset.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceEntry {
    /// The name in reports: a path, or a URL without its password.
    pub name: String,
    /// The kind of the source.
    pub kind: SourceKind,
    /// Whether all of the source was read; if not, the next `ingest` continues.
    pub whole: bool,
}

/// The file `lodger-grid.json` of a dataset, which is replaced atomically.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DatasetManifest {
    /// The schema version, 1.
    pub schema: u32,
    /// Whether rows have names and descriptions.
    pub with_names: bool,
    /// The sources, in the order of `ingest`.
    pub sources: Vec<SourceEntry>,
    /// The valid files.
    pub files: Vec<DataFile>,
}

/// A dataset, or a file of it, cannot be read or written.
#[derive(Debug, thiserror::Error)]
#[error("{}: {problem}", .path.display())]
#[non_exhaustive]
pub struct DatasetError {
    /// The file or folder.
    pub path: PathBuf,
    /// The problem, in one line.
    pub problem: String,
}

impl DatasetError {
    pub(crate) fn new(path: &Path, problem: impl Into<String>) -> Self {
        Self { path: path.to_owned(), problem: problem.into() }
    }

    pub(super) fn io(path: &Path, operation: &str, error: &dyn Display) -> Self {
        Self::new(path, format!("it cannot {operation}: {error}"))
    }
}

impl DatasetTable {
    pub(crate) const ALL: [Self; 2] = [Self::Assets, Self::Parts];

    /// The columns of the table.
    #[must_use]
    pub fn schema(self) -> SchemaRef {
        match self {
            Self::Assets => AssetRowColumns::schema(),
            Self::Parts => PartColumns::schema(),
        }
    }

    /// The name of the table and of the folder of its files.
    #[must_use]
    pub const fn folder(self) -> &'static str {
        match self {
            Self::Assets => "assets",
            Self::Parts => "parts",
        }
    }
}

fn is_inside(file: &DataFile) -> bool {
    let name = file.path.strip_prefix(file.table.folder()).and_then(|rest| rest.strip_prefix('/'));
    let is_name = |name: &str| {
        let mut parts = Path::new(name).components();
        matches!(parts.next(), Some(Component::Normal(part)) if part == name)
            && parts.next().is_none()
    };
    name.is_some_and(|name| is_name(name) && !name.contains(['\\', ':']))
}

pub(super) fn sync_folder(folder: &Path) -> std::io::Result<()> {
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}

impl DatasetManifest {
    /// The name of the file.
    pub const FILE: &str = "lodger-grid.json";
    pub(super) const TEMPORARY: &str = "lodger-grid.json.new";

    /// Creates a manifest without files.
    #[must_use]
    pub const fn new(with_names: bool) -> Self {
        Self { schema: SCHEMA, with_names, sources: Vec::new(), files: Vec::new() }
    }

    /// Reads the manifest of a dataset; `None` if the folder or the manifest does not exist.
    ///
    /// # Errors
    ///
    /// The manifest cannot be read, has another schema, or names a file outside of the dataset.
    pub fn read(dataset: &Path) -> Result<Option<Self>, DatasetError> {
        let path = dataset.join(Self::FILE);
        let fail = |problem: String| DatasetError::new(&path, problem);
        let file = match File::open(&path) {
            Ok(file) => file,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(fail(format!("it cannot be read: {error}"))),
        };
        let mut bytes = Vec::new();
        file.take(MAX_BYTES + 1)
            .read_to_end(&mut bytes)
            .map_err(|error| fail(format!("it cannot be read: {error}")))?;
        if bytes.len() as u64 > MAX_BYTES {
            return Err(fail("it is larger than any manifest".to_owned()));
        }
        Self::parse(&bytes).map(Some).map_err(fail)
    }

    pub(crate) fn parse(bytes: &[u8]) -> Result<Self, String> {
        #[derive(Deserialize)]
        struct Version {
            schema: u32,
        }
        let invalid = |error| format!("it is no manifest of a dataset: {error}");
        let Version { schema } = serde_json::from_slice(bytes).map_err(invalid)?;
        if schema != SCHEMA {
            return Err(format!(
                "it is of schema {schema}, but this version of lodger-grid reads schema {SCHEMA}; use the version that wrote it"
            ));
        }
        let manifest: Self = serde_json::from_slice(bytes).map_err(invalid)?;
        manifest.check()?;
        Ok(manifest)
    }

    /// Rejects paths outside of the dataset and unknown sources.
    fn check(&self) -> Result<(), String> {
        for file in &self.files {
            if !is_inside(file) {
                let path: String = file.path.chars().take(200).collect();
                return Err(format!("it names `{path}`, which is no file of the dataset"));
            }
            if file.source >= self.sources.len() {
                return Err(format!("`{}` is of a source that it does not name", file.path));
            }
        }
        Ok(())
    }

    /// Replaces the manifest of a dataset atomically, and syncs it to disk.
    ///
    /// # Errors
    ///
    /// The manifest cannot be written, or names a file outside of the dataset.
    pub fn write(&self, dataset: &Path) -> Result<(), DatasetError> {
        let path = dataset.join(Self::FILE);
        let fail = |problem: String| DatasetError::new(&path, problem);
        self.check().map_err(fail)?;
        let temporary = dataset.join(Self::TEMPORARY);
        let replace = || {
            let mut file = File::create(&temporary)?;
            file.write_all(&serde_json::to_vec_pretty(self)?)?;
            file.write_all(b"\n")?;
            file.sync_all()?;
            fs::rename(&temporary, &path)?;
            sync_folder(dataset)
        };
        replace().map_err(|error: std::io::Error| fail(format!("it cannot be written: {error}")))
    }

    /// The paths of a table's files, relative to the dataset.
    pub fn paths(&self, table: DatasetTable) -> impl Iterator<Item = &str> {
        self.files.iter().filter(move |file| file.table == table).map(|file| file.path.as_str())
    }
}
