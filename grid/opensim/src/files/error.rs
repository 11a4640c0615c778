//! Errors of files, and the candidates of an ambiguous choice.

use std::collections::HashSet;
use std::sync::Arc;
use std::{fmt, io};

use lodger_allowance::Spent;
use uuid::Uuid;

use crate::archive::{Object, Place};
use crate::files::kind::Kind;

/// A kind of error. Displayed, it is a sentence about `it`, or about `this folder`.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// A folder has nothing that is searched for.
    #[error("this folder has no file of the kinds {}", .endings.join(", "))]
    NothingInFolder {
        /// The ends of the names of those files.
        endings: &'static [&'static str],
    },
    /// stdin is named a second time, and can be read only once.
    #[error("it is named twice, and stdin is read once")]
    StdinTwice,
    /// It cannot be read.
    #[error("it cannot be read: {0}")]
    Unreadable(#[source] io::Error),
    /// It exceeds its quota of memory or work.
    #[error(transparent)]
    Spent(#[from] Spent),
    /// It is compressed with gzip, and cut short or damaged.
    #[error("it is a gzip file that is cut short or damaged: {0}")]
    Inflate(#[source] io::Error),
    /// It is compressed with gzip twice.
    #[error("it is a gzip file inside a gzip file; inflate it once")]
    GzipInGzip,
    /// It is of a kind that is not wanted.
    #[error("it is {}{}", .0, unwanted(.0))]
    Unwanted(Kind),
    /// It should be an archive, and is none.
    #[error("{0}")]
    Archive(#[source] Box<crate::archive::Error>),
    /// Objects should be chosen from something that has none, as a mesh asset.
    #[error("it is {0}, and has no objects to choose from")]
    NoChoice(Kind),
    /// It has no object of that name or identifier.
    #[error("it has no object called `{wanted}` or with this UUID{}", nearest_names(.nearest))]
    NoSuchObject {
        /// The name or identifier that was asked for.
        wanted: String,
        /// The names that come nearest, the nearest first.
        nearest: Vec<String>,
    },
    /// There is no object in it.
    #[error("it has no objects")]
    NoObjects,
    /// One object is wanted, and there are several.
    #[error("it means {} objects; choose one by its {}", .candidates.len(), distinction(.archive, .candidates))]
    Several {
        /// The name of the archive, without a choice.
        archive: String,
        /// All of them, with what tells them apart.
        candidates: Vec<Candidate>,
    },
}

/// An archive that exceeds its quota is a file that does.
impl From<crate::archive::Error> for Problem {
    fn from(error: crate::archive::Error) -> Self {
        error.spent().map_or_else(|| Self::Archive(error.into()), Self::Spent)
    }
}

impl Problem {
    /// The quota that the file exceeds, if that is the error.
    #[must_use]
    pub const fn spent(&self) -> Option<Spent> {
        match self {
            Self::Spent(spent) => Some(*spent),
            _ => None,
        }
    }
}

/// The end of a sentence about a kind; an empty file is not contrasted with others.
fn unwanted(kind: &Kind) -> &'static str {
    if *kind == Kind::Empty { "" } else { ", not a mesh asset or archive" }
}

/// The end of a sentence with the nearest names, if there are any.
fn nearest_names(nearest: &[String]) -> String {
    let are = if nearest.len() == 1 { "name is" } else { "names are" };
    let names: Vec<_> = nearest.iter().map(|name| format!("`{name}`")).collect();
    if names.is_empty() {
        String::new()
    } else {
        format!("; the nearest {are} {}", names.join(", "))
    }
}

/// How one of several candidates is chosen.
fn distinction(archive: &str, candidates: &[Candidate]) -> String {
    let ids: HashSet<_> = candidates.iter().map(|candidate| candidate.id).collect();
    let (what, written) =
        if ids.len() == candidates.len() { ("UUID", "UUID") } else { ("path", "PATH") };
    format!("{what}, as `{archive}:{written}`")
}

/// Something that could not be read, and what the user calls it. Displayed, it is a sentence about it:
/// `x.llmesh` is a PNG image, not a mesh asset or archive.
#[derive(Debug)]
pub struct FileError {
    name: String,
    problem: Problem,
}

impl FileError {
    /// A problem of something that is called so.
    #[must_use]
    pub fn new(name: impl Into<String>, problem: Problem) -> Self {
        Self { name: name.into(), problem }
    }

    /// What the user calls it.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What is wrong with it. Displayed, it is the sentence with `it` in place of the name.
    #[must_use]
    pub const fn problem(&self) -> &Problem {
        &self.problem
    }
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, text) = (&self.name, self.problem.to_string());
        let predicate = ["it ", "this folder "].iter().find_map(|it| text.strip_prefix(it));
        match (&self.problem, predicate) {
            (Problem::Archive(_), _) | (_, None) => write!(f, "`{name}`: {text}"),
            (_, Some(predicate)) => write!(f, "`{name}` {predicate}"),
        }
    }
}

impl std::error::Error for FileError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.problem)
    }
}

/// An object by what tells it apart from others of its name. Displayed, it is one line, the UUID first.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Candidate {
    /// The UUID of its root, or else of its entry; `None` if it has neither.
    pub id: Option<Uuid>,
    /// Its name.
    pub name: Arc<str>,
    /// The path of its entry.
    pub entry: Arc<str>,
    /// Where it is.
    pub place: Place,
}

impl Candidate {
    /// An object of an archive.
    #[must_use]
    pub fn of(object: &Object) -> Self {
        let own = Some(object.id).filter(|id| !id.is_nil());
        Self {
            id: own.or_else(|| entry_id(&object.source)),
            name: Arc::clone(&object.root.name),
            entry: Arc::clone(&object.source),
            place: object.place.clone(),
        }
    }
}

impl fmt::Display for Candidate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.id {
            Some(id) => write!(f, "{id}")?,
            None => f.write_str(&self.entry)?,
        }
        write!(f, "  `{}`", self.name)?;
        match &self.place {
            Place::Region { position: [x, y, z], region } => {
                write!(f, " at {x:.1}, {y:.1}, {z:.1}")?;
                region.iter().try_for_each(|region| write!(f, " in {region}"))
            }
            Place::Inventory { path } => write!(f, " in {path}"),
            _ => Ok(()),
        }
    }
}

/// The UUID in the name of an entry: at its beginning, as assets have it, or before its ending.
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
