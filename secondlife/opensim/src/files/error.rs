//! Errors of files, and the candidates of an ambiguous selection.

use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;
use std::{fmt, io};

use lodger_quota::QuotaExceeded;
use uuid::Uuid;

use crate::archive::{Object, ObjectLocation};
use crate::files::kind::FileKind;

/// The kind of a [`FileError`]. Its message is a sentence about `it`, or about `this folder`.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FileErrorKind {
    /// A folder has no matching file.
    #[error("this folder has no file of the kinds {}", .endings.join(", "))]
    NothingInFolder {
        /// File name endings that match.
        endings: &'static [&'static str],
    },
    /// stdin is named a second time.
    #[error("it is named twice, and stdin is read once")]
    StdinTwice,
    /// The file cannot be read.
    #[error("it cannot be read: {0}")]
    Unreadable(#[source] io::Error),
    /// The file exceeds its quota of memory or work.
    #[error(transparent)]
    QuotaExceeded(#[from] QuotaExceeded),
    /// A gzip file is truncated or corrupt.
    #[error("it is a gzip file that is cut short or damaged: {0}")]
    Inflate(#[source] io::Error),
    /// A gzip file contains a gzip file.
    #[error("it is a gzip file inside a gzip file; inflate it once")]
    GzipInGzip,
    /// The kind of the file is not supported.
    #[error("it is {}{}", .0, supported_kinds(.0))]
    Unsupported(FileKind),
    /// The archive cannot be read.
    #[error("{0}")]
    Archive(#[source] Box<crate::archive::ArchiveError>),
    /// Objects are selected from a file without objects, such as a mesh asset.
    #[error("it is {0}, and has no objects to choose from")]
    NotSelectable(FileKind),
    /// No object has this name or UUID.
    #[error("it has no object called `{wanted}` or with this UUID{}", nearest_names(.nearest))]
    NoSuchObject {
        /// Requested name or UUID.
        wanted: String,
        /// Most similar names, best first.
        nearest: Vec<String>,
    },
    /// The file has no objects.
    #[error("it has no objects")]
    NoObjects,
    /// One object is required, but there are several.
    #[error("it means {} objects; choose one by its {}", .candidates.len(), distinction(.archive, .candidates))]
    Several {
        /// Name of the archive, without the selection.
        archive: String,
        /// All selected objects.
        candidates: Vec<ObjectCandidate>,
    },
}

impl From<crate::archive::ArchiveError> for FileErrorKind {
    fn from(error: crate::archive::ArchiveError) -> Self {
        error.quota_exceeded().map_or_else(|| Self::Archive(error.into()), Self::QuotaExceeded)
    }
}

impl FileErrorKind {
    /// The quota that the file exceeds, if this is the error.
    #[must_use]
    pub const fn quota_exceeded(&self) -> Option<QuotaExceeded> {
        match self {
            Self::QuotaExceeded(exceeded) => Some(*exceeded),
            _ => None,
        }
    }
}

fn supported_kinds(kind: &FileKind) -> &'static str {
    if *kind == FileKind::Empty { "" } else { ", not a mesh asset or archive" }
}

fn nearest_names(nearest: &[String]) -> String {
    let are = if nearest.len() == 1 { "name is" } else { "names are" };
    let names: Vec<_> = nearest.iter().map(|name| format!("`{name}`")).collect();
    if names.is_empty() {
        String::new()
    } else {
        format!("; the nearest {are} {}", names.join(", "))
    }
}

fn distinction(archive: &str, candidates: &[ObjectCandidate]) -> String {
    let ids: HashSet<_> = candidates.iter().map(|candidate| candidate.id).collect();
    let (what, written) =
        if ids.len() == candidates.len() { ("UUID", "UUID") } else { ("path", "PATH") };
    format!("{what}, as `{archive}:{written}`")
}

/// An error of a file, with its name. The message is a sentence: `x.llmesh` is a PNG image, not a mesh asset or
/// archive.
#[derive(Debug, thiserror::Error)]
#[error("{}", sentence(.name, .kind))]
pub struct FileError {
    name: String,
    #[source]
    kind: FileErrorKind,
}

impl FileError {
    /// Creates an error of the file with this name.
    #[must_use]
    pub fn new(name: impl Into<String>, kind: FileErrorKind) -> Self {
        Self { name: name.into(), kind }
    }

    pub(crate) fn unreadable(path: &Path, error: io::Error) -> Self {
        Self::new(path.display().to_string(), FileErrorKind::Unreadable(error))
    }

    /// The name of the file, as the user calls it.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The kind of the error; its message has `it` in place of the name.
    #[must_use]
    pub const fn kind(&self) -> &FileErrorKind {
        &self.kind
    }
}

fn sentence(name: &str, kind: &FileErrorKind) -> String {
    let text = kind.to_string();
    let predicate = ["it ", "this folder "].iter().find_map(|it| text.strip_prefix(it));
    match (kind, predicate) {
        (FileErrorKind::Archive(_), _) | (_, None) => format!("`{name}`: {text}"),
        (_, Some(predicate)) => format!("`{name}` {predicate}"),
    }
}

/// An object with the properties that distinguish it from others of its name. The text is one line, the UUID first.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ObjectCandidate {
    /// UUID of the object's root, or else of its entry; `None` without either.
    pub id: Option<Uuid>,
    /// Name of the object.
    pub name: Arc<str>,
    /// Path of the object's entry.
    pub entry: Arc<str>,
    /// Location of the object.
    pub location: ObjectLocation,
}

impl ObjectCandidate {
    /// Creates the candidate for an object.
    #[must_use]
    pub fn from_object(object: &Object) -> Self {
        let own = Some(object.id).filter(|id| !id.is_nil());
        Self {
            id: own.or_else(|| entry_id(&object.source)),
            name: Arc::clone(&object.root.name),
            entry: Arc::clone(&object.source),
            location: object.location.clone(),
        }
    }
}

impl fmt::Display for ObjectCandidate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.id {
            Some(id) => write!(f, "{id}")?,
            None => f.write_str(&self.entry)?,
        }
        write!(f, "  `{}`", self.name)?;
        match &self.location {
            ObjectLocation::Region { position: [x, y, z], region } => {
                write!(f, " at {x:.1}, {y:.1}, {z:.1}")?;
                region.iter().try_for_each(|region| write!(f, " in {region}"))
            }
            ObjectLocation::Inventory { path } => write!(f, " in {path}"),
            _ => Ok(()),
        }
    }
}

/// The UUID in the file name of an entry: at its beginning, as in assets, or before its extension.
///
/// Source: `OpenSimulator`, `ArchiveConstants.cs` (`CreateOarObjectFilename`) and `AssetsArchiver.cs`:
/// `objects/NAME_X-Y-Z__UUID.xml` and `assets/UUID_object.xml`.
#[must_use]
pub fn entry_id(path: &str) -> Option<Uuid> {
    let name = path.rsplit_once('/').map_or(path, |(_, name)| name);
    name.split(['_', '.']).find_map(|word| {
        let is_long = word.len() == uuid::fmt::Hyphenated::LENGTH;
        Uuid::try_parse(word).ok().filter(|_| is_long)
    })
}

#[cfg(test)]
mod tests {
    use super::entry_id;

    #[test]
    fn entries_have_identifiers() {
        let id = "a96a5b8d-5b93-4d9e-9c5e-000000000007";
        for path in [
            format!("assets/{id}_object.xml"),
            format!("objects/A_table_128-128-021__{id}.xml"),
            format!("{id}.xml"),
        ] {
            assert_eq!(entry_id(&path).map(|id| id.to_string()).as_deref(), Some(id), "{path}");
        }
        for path in ["objects/table.xml", "", "objects/", &format!("{id}/table.xml")] {
            assert_eq!(entry_id(path), None, "{path}");
        }
    }
}
