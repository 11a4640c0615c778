//! Which files of a dataset count, and what they were made from.

use std::fmt;
use std::fs::{self, File};
use std::io::{ErrorKind, Read as _, Write as _};
use std::path::{Component, Path, PathBuf};

use serde::{Deserialize, Serialize};

/// What this version writes, and the latest that it reads.
const SCHEMA: u32 = 1;
/// The most bytes of a manifest that are read: a hundred for each of some million files.
const MOST_BYTES: u64 = 256 << 20;

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
    /// A database of `MySQL` or `PostgreSQL`.
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

impl ManifestError {
    /// A problem with a file.
    pub(crate) fn new(path: &Path, problem: String) -> Self {
        Self { path: path.to_owned(), problem }
    }
}

impl fmt::Display for ManifestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path.display(), self.problem)
    }
}

impl std::error::Error for ManifestError {}

impl Table {
    /// The folder of its files.
    #[must_use]
    pub const fn folder(self) -> &'static str {
        match self {
            Self::Assets => "assets",
            Self::Parts => "parts",
        }
    }
}

/// Whether a file lies where those of its table do.
fn is_inside(file: &DataFile) -> bool {
    let name = file.path.strip_prefix(file.table.folder()).and_then(|rest| rest.strip_prefix('/'));
    let is_name = |name: &str| {
        let mut words = Path::new(name).components();
        matches!(words.next(), Some(Component::Normal(word)) if word == name)
            && words.next().is_none()
    };
    name.is_some_and(|name| is_name(name) && !name.contains(['\\', ':']))
}

/// Has the names in a folder on disk.
#[cfg(unix)]
pub(super) fn sync_folder(folder: &Path) -> std::io::Result<()> {
    File::open(folder)?.sync_all()
}

/// Nothing: here, a folder cannot be opened.
#[cfg(not(unix))]
pub(super) fn sync_folder(_: &Path) -> std::io::Result<()> {
    Ok(())
}

impl Manifest {
    /// The name of the file.
    pub const FILE: &str = "lodger-grid.json";
    /// The name of the file while it is written.
    pub(super) const TEMPORARY: &str = "lodger-grid.json.new";

    /// A manifest without files.
    #[must_use]
    pub const fn new(with_names: bool) -> Self {
        Self { schema: SCHEMA, with_names, sources: Vec::new(), files: Vec::new() }
    }

    /// Reads the manifest of a dataset; `None` if the folder has none, or there is no folder.
    ///
    /// # Errors
    /// It is there and cannot be read, is of a later schema, or names a file outside of the dataset.
    pub fn read(dataset: &Path) -> Result<Option<Self>, ManifestError> {
        let path = dataset.join(Self::FILE);
        let told = |problem: String| ManifestError { path: path.clone(), problem };
        let file = match File::open(&path) {
            Ok(file) => file,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(told(format!("it cannot be read: {error}"))),
        };
        let mut bytes = Vec::new();
        file.take(MOST_BYTES + 1)
            .read_to_end(&mut bytes)
            .map_err(|error| told(format!("it cannot be read: {error}")))?;
        if bytes.len() as u64 > MOST_BYTES {
            return Err(told("it is larger than any manifest".to_owned()));
        }
        Self::parse(&bytes).map(Some).map_err(told)
    }

    /// Reads the bytes of a manifest.
    pub(crate) fn parse(bytes: &[u8]) -> Result<Self, String> {
        #[derive(Deserialize)]
        struct Version {
            schema: u32,
        }
        let none = |error| format!("it is no manifest of a dataset: {error}");
        let Version { schema } = serde_json::from_slice(bytes).map_err(none)?;
        if schema != SCHEMA {
            return Err(format!(
                "it is of schema {schema}, and this version of lodger-grid reads {SCHEMA}; use one of the same age"
            ));
        }
        let manifest: Self = serde_json::from_slice(bytes).map_err(none)?;
        manifest.check()?;
        Ok(manifest)
    }

    /// Refuses what could lead out of the dataset.
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

    /// Replaces the manifest of a dataset as a whole, on disk before it returns.
    ///
    /// # Errors
    /// It cannot be written, or names a file outside of the dataset.
    pub fn write(&self, dataset: &Path) -> Result<(), ManifestError> {
        let path = dataset.join(Self::FILE);
        let told = |problem: String| ManifestError { path: path.clone(), problem };
        self.check().map_err(told)?;
        let temporary = dataset.join(Self::TEMPORARY);
        let replace = || {
            let mut file = File::create(&temporary)?;
            file.write_all(&serde_json::to_vec_pretty(self)?)?;
            file.write_all(b"\n")?;
            file.sync_all()?;
            fs::rename(&temporary, &path)?;
            sync_folder(dataset)
        };
        replace().map_err(|error: std::io::Error| told(format!("it cannot be written: {error}")))
    }

    /// The paths of a table's files below a dataset's folder.
    pub fn paths(&self, table: Table) -> impl Iterator<Item = &str> {
        self.files.iter().filter(move |file| file.table == table).map(|file| file.path.as_str())
    }
}
