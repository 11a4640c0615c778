//! What can be wrong with an archive, and where.

use std::fmt;
use std::io;

/// The most characters of a stranger's name in a message.
const LONGEST_NAME: usize = 160;

/// What is wrong.
#[derive(Debug)]
#[non_exhaustive]
pub enum Problem {
    /// There is nothing in it that is an archive.
    NotAnArchive(io::Error),
    /// It is cut short or corrupt; what came before is kept.
    Broken {
        /// The number of the entry in or behind which it breaks off, counted from 1.
        entry: u64,
        /// How many bytes of the inflated archive came before.
        bytes: u64,
        /// Why no more can be read.
        error: io::Error,
    },
    /// The archive inflates to more than it may; the rest was not read.
    InflatesTooMuch {
        /// Bytes.
        limit: u64,
    },
    /// The archive has more entries than it may; the rest was not read.
    TooManyEntries {
        /// How many it may have.
        limit: u64,
    },
    /// All meshes and objects together are larger than they may be; the rest was not read.
    TooMuchToKeep {
        /// Bytes.
        limit: u64,
    },
    /// A mesh or object is larger than it may be, and is left out.
    EntryTooLarge {
        /// Its bytes.
        size: u64,
        /// The bytes that it may have.
        limit: u64,
    },
    /// The name of a mesh asset does not begin with a UUID.
    NamelessMesh,
    /// An earlier mesh has the same UUID and other bytes; this one is left out.
    SameUuid,
    /// The XML of an object is in UTF-16.
    Utf16,
    /// The XML of an object cannot be read.
    Xml {
        /// The byte at which reading ended.
        at: u64,
        /// Why.
        problem: XmlProblem,
    },
    /// The XML is that of something else.
    NotAnObject {
        /// The name of its root element.
        root: String,
    },
    /// Several objects should be together, and there is none.
    NoObject,
    /// An object has no parts.
    NoParts,
    /// A value of a part is missing, or is not what it must be.
    Value {
        /// The XML element, or an element and one in it: `Scale.X`.
        field: &'static str,
        /// Its text; `None` if it is missing.
        found: Option<String>,
        /// What it must be.
        expected: &'static str,
    },
    /// There are more errors than are told one by one.
    More {
        /// How many more.
        errors: usize,
    },
}

/// Why XML cannot be read.
#[derive(Debug)]
#[non_exhaustive]
pub enum XmlProblem {
    /// There is no element in it.
    Empty,
    /// There is something before the first element.
    NotXml,
    /// Elements are nested deeper than [`Limits::nesting`](crate::Limits::nesting).
    TooDeep,
    /// It ends within an element.
    CutShort,
    /// It uses an entity of its own: those are not expanded.
    Entity,
    /// It breaks the rules of XML.
    Syntax(Box<dyn std::error::Error + Send + Sync>),
}

/// A part of an object.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PartPlace {
    /// Its number in the order of the document, counted from 1.
    pub number: usize,
    /// Its name, or the beginning of a long one.
    pub name: String,
}

/// Something in an archive that could not be read, and where.
#[derive(Debug)]
pub struct Error {
    entry: Option<String>,
    part: Option<PartPlace>,
    problem: Problem,
}

impl Error {
    /// What is wrong.
    #[must_use]
    pub const fn problem(&self) -> &Problem {
        &self.problem
    }

    /// The path of the entry, or the beginning of a long one; `None` for the archive as a whole.
    #[must_use]
    pub fn entry(&self) -> Option<&str> {
        self.entry.as_deref()
    }

    /// The part of the object.
    #[must_use]
    pub const fn part(&self) -> Option<&PartPlace> {
        self.part.as_ref()
    }

    /// Whether a limit was met, for the whole archive or for one entry.
    #[must_use]
    pub const fn is_limit(&self) -> bool {
        matches!(
            self.problem,
            Problem::InflatesTooMuch { .. }
                | Problem::TooManyEntries { .. }
                | Problem::TooMuchToKeep { .. }
                | Problem::EntryTooLarge { .. }
        )
    }

    /// Says which entry it is about.
    pub(crate) fn in_entry(mut self, path: &str) -> Self {
        self.entry = Some(clipped(path));
        self
    }

    /// Says which part it is about.
    pub(crate) fn in_part(mut self, number: usize, name: &str) -> Self {
        self.part = Some(PartPlace { number, name: clipped(name) });
        self
    }
}

impl From<Problem> for Error {
    fn from(problem: Problem) -> Self {
        Self { entry: None, part: None, problem }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(entry) = &self.entry {
            write!(f, "{entry}: ")?;
        }
        if let Some(PartPlace { number, name }) = &self.part {
            write!(f, "part {number} `{name}`: ")?;
        }
        self.problem.fmt(f)
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAnArchive(error) => {
                write!(f, "this is not a .tar or .tar.gz archive: {error}")
            }
            Self::Broken { entry, bytes, error } => write!(
                f,
                "the archive breaks off in or behind this entry, number {entry}, \
                 {bytes} bytes in: {error}"
            ),
            Self::InflatesTooMuch { limit } => {
                write!(f, "the archive inflates to more than {limit} bytes; the rest was not read")
            }
            Self::TooManyEntries { limit } => {
                write!(f, "the archive has more than {limit} entries; the rest was not read")
            }
            Self::TooMuchToKeep { limit } => write!(
                f,
                "the meshes and objects take more than {limit} bytes; the rest was not read"
            ),
            Self::EntryTooLarge { size, limit } => {
                write!(f, "it is left out: it has {size} bytes, more than {limit}")
            }
            Self::NamelessMesh => {
                f.write_str("the name of this mesh asset does not begin with a UUID")
            }
            Self::SameUuid => f.write_str("it is left out: an earlier mesh has the same UUID"),
            Self::Utf16 => f.write_str("it is UTF-16, and OpenSimulator writes UTF-8"),
            Self::Xml { at, problem } => {
                write!(f, "its XML cannot be read at byte {at}: {problem}")
            }
            Self::NotAnObject { root } => write!(f, "it is a `{root}`, and no `SceneObjectGroup`"),
            Self::NoObject => f.write_str("there is no object in it"),
            Self::NoParts => f.write_str("it is an object without parts"),
            Self::Value { field, found: Some(text), expected } => {
                write!(f, "`{field}` is `{text}`, but must be {expected}")
            }
            Self::Value { field, found: None, .. } => write!(f, "`{field}` is missing"),
            Self::More { errors } => write!(f, "there are {errors} more errors like these"),
        }
    }
}

impl fmt::Display for XmlProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("there is nothing in it"),
            Self::NotXml => f.write_str("this is not XML"),
            Self::TooDeep => f.write_str("its elements are nested too deeply"),
            Self::CutShort => f.write_str("it is cut short"),
            Self::Entity => f.write_str("it uses an entity, and entities are not expanded"),
            Self::Syntax(error) => f.write_str(&clipped(&error.to_string())),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.problem)
    }
}

impl std::error::Error for Problem {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::NotAnArchive(error) | Self::Broken { error, .. } => Some(error),
            Self::Xml { problem, .. } => Some(problem),
            _ => None,
        }
    }
}

impl std::error::Error for XmlProblem {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Syntax(error) => Some(&**error),
            _ => None,
        }
    }
}

/// The beginning of a stranger's text.
pub(crate) fn clipped(text: &str) -> String {
    match text.char_indices().nth(LONGEST_NAME) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
