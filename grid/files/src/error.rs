//! What can be wrong with what a path names.

use std::collections::HashSet;
use std::error::Error;
use std::fmt;
use std::io;

use lodger_allowance::Spent;

use crate::candidate::Candidate;
use crate::kind::Kind;

/// What is wrong.
#[derive(Debug)]
#[non_exhaustive]
pub enum Problem {
    /// A folder has nothing that is searched for.
    NothingInFolder {
        /// How the names of those files end.
        endings: &'static [&'static str],
    },
    /// stdin is named a second time, and can be read only once.
    StdinTwice,
    /// It cannot be read.
    Unreadable(io::Error),
    /// It needs more memory or work than it may take.
    Spent(Spent),
    /// It is compressed with gzip, and cut short or damaged.
    Inflate(io::Error),
    /// It is compressed with gzip twice.
    GzipInGzip,
    /// It is of a kind that is not wanted.
    Unwanted(Kind),
    /// It should be an archive, and is none.
    Archive(Box<lodger_archive::Error>),
    /// Objects should be chosen from something that has none, as a mesh asset.
    NoChoice(Kind),
    /// It has no object of that name or identifier.
    NoSuchObject {
        /// What was asked for.
        wanted: String,
        /// The names that come nearest, the nearest first.
        nearest: Vec<String>,
    },
    /// There is no object in it.
    NoObjects,
    /// One object is wanted, and there are several.
    Several {
        /// What the archive is called, without a choice.
        archive: String,
        /// All of them, with what tells them apart.
        candidates: Vec<Candidate>,
    },
}

impl From<Spent> for Problem {
    fn from(spent: Spent) -> Self {
        Self::Spent(spent)
    }
}

/// An archive that needs more than it may take is a file that does.
impl From<lodger_archive::Error> for Problem {
    fn from(error: lodger_archive::Error) -> Self {
        error.spent().map_or_else(|| Self::Archive(error.into()), Self::Spent)
    }
}

impl Problem {
    /// What the file needs more of than it may take, if that is what is wrong.
    #[must_use]
    pub const fn spent(&self) -> Option<Spent> {
        match self {
            Self::Spent(spent) => Some(*spent),
            _ => None,
        }
    }

    /// The whole sentence, about somebody.
    fn tell(&self, it: &dyn fmt::Display, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NothingInFolder { endings } => {
                write!(f, "{it} has no file of the kinds {}", endings.join(", "))
            }
            Self::StdinTwice => write!(f, "{it} is named twice, and stdin is read once"),
            Self::Unreadable(error) => write!(f, "{it} cannot be read: {error}"),
            Self::Spent(spent) => spent.about(it, f),
            Self::Inflate(error) => {
                write!(f, "{it} is a gzip file that is cut short or damaged: {error}")
            }
            Self::GzipInGzip => {
                write!(f, "{it} is a gzip file inside a gzip file; inflate it once")
            }
            Self::Unwanted(kind @ Kind::Empty) => write!(f, "{it} is {kind}"),
            Self::Unwanted(kind) => write!(f, "{it} is {kind}, not a mesh asset or archive"),
            Self::Archive(error) => write!(f, "{error}"),
            Self::NoChoice(kind) => write!(f, "{it} is {kind}, and has no objects to choose from"),
            Self::NoSuchObject { wanted, nearest } => no_such_object(it, wanted, nearest, f),
            Self::NoObjects => write!(f, "{it} has no objects"),
            Self::Several { archive, candidates } => {
                let count = candidates.len();
                let ids: HashSet<_> = candidates.iter().map(|candidate| candidate.id).collect();
                let (what, written) =
                    if ids.len() == count { ("UUID", "UUID") } else { ("path", "PATH") };
                write!(
                    f,
                    "{it} means {count} objects; choose one by its {what}, as `{archive}:{written}`"
                )
            }
        }
    }
}

fn no_such_object(
    it: &dyn fmt::Display,
    wanted: &str,
    nearest: &[String],
    f: &mut fmt::Formatter<'_>,
) -> fmt::Result {
    write!(f, "{it} has no object called `{wanted}` or with this UUID")?;
    let Some((last, others)) = nearest.split_last() else { return Ok(()) };
    let are = if others.is_empty() { "name is" } else { "names are" };
    write!(f, "; the nearest {are} ")?;
    others.iter().try_for_each(|name| write!(f, "`{name}`, "))?;
    write!(f, "`{last}`")
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let it = match self {
            Self::NothingInFolder { .. } => "this folder",
            _ => "it",
        };
        self.tell(&it, f)
    }
}

impl Error for Problem {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Unreadable(error) | Self::Inflate(error) => Some(error),
            Self::Spent(spent) => Some(spent),
            Self::Archive(error) => Some(&**error),
            _ => None,
        }
    }
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
        match &self.problem {
            Problem::Archive(error) => write!(f, "`{}`: {error}", self.name),
            problem => problem.tell(&format_args!("`{}`", self.name), f),
        }
    }
}

impl Error for FileError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&self.problem)
    }
}
