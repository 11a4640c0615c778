//! What can be wrong with an archive.

use std::fmt;
use std::io;

use lodger_allowance::Spent;
use uuid::Uuid;

use crate::xml_problem::XmlProblem;

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
    /// The archive needs more memory or work than it may take.
    Spent(Spent),
    /// The archive has more entries than it may; the rest was not read.
    TooManyEntries {
        /// How many it may have.
        limit: u64,
    },
    /// A mesh or object is larger than it may be, and is left out.
    EntryTooLarge {
        /// Its bytes.
        size: u64,
        /// The bytes that it may have.
        limit: u64,
    },
    /// An entry is stored without its holes, as some tar programs do where they are asked to, and is left
    /// out.
    Sparse,
    /// An entry that comes from elsewhere than an archive cannot be read.
    Unreadable(io::Error),
    /// The name of a mesh asset does not begin with a UUID.
    NamelessMesh,
    /// An earlier mesh has the same UUID and other bytes; this one is left out.
    SameUuid,
    /// An earlier object asset has the same UUID and is another; this one is left out.
    SameObject,
    /// An item of an inventory is an object whose asset is not in the archive.
    MissingObject {
        /// The asset.
        id: Uuid,
    },
    /// The XML of an entry is in UTF-16.
    Utf16,
    /// The XML of an entry cannot be read.
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
    /// The XML of an item or of a parcel is that of something else.
    WrongRoot {
        /// The name of its root element.
        root: String,
        /// What it should be.
        expected: &'static str,
    },
    /// The bitmap of a parcel is no square of at most 16 384 m a side, with a bit for each 4 m.
    Bitmap {
        /// Its bytes.
        bytes: usize,
    },
    /// Several objects should be together, and there is none.
    NoObject,
    /// An object has no parts.
    NoParts,
    /// A value of a part, an item or a parcel is missing, or is not what it must be.
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

impl From<Spent> for Problem {
    fn from(spent: Spent) -> Self {
        Self::Spent(spent)
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAnArchive(error) => match of_the_system(error) {
                Some(error) => write!(f, "it cannot be read: {error}"),
                None => f.write_str("this is not a .tar or .tar.gz archive"),
            },
            Self::Broken { entry, bytes, error } => write!(
                f,
                "the archive breaks off in or behind this entry, number {entry}, \
                 {bytes} bytes in: {}",
                Cause(error)
            ),
            Self::Spent(spent) => spent.fmt(f),
            Self::TooManyEntries { limit } => {
                write!(f, "the archive has more than {limit} entries; the rest was not read")
            }
            Self::EntryTooLarge { size, limit } => {
                write!(f, "it is left out: it has {size} bytes, more than {limit}")
            }
            Self::Sparse => f.write_str("it is left out: it is stored as a sparse file"),
            Self::Unreadable(error) => write!(f, "it cannot be read: {}", Cause(error)),
            Self::NamelessMesh => {
                f.write_str("the name of this mesh asset does not begin with a UUID")
            }
            Self::SameUuid => f.write_str("it is left out: an earlier mesh has the same UUID"),
            Self::SameObject => {
                f.write_str("it is left out: an earlier object asset has the same UUID")
            }
            Self::MissingObject { id } => {
                write!(f, "the object that it refers to, {id}, is not in the archive")
            }
            Self::Utf16 => f.write_str("it is UTF-16, and OpenSimulator writes UTF-8"),
            Self::Xml { at, problem } => {
                write!(f, "its XML cannot be read at byte {at}: {problem}")
            }
            Self::NotAnObject { root } => write!(f, "it is a `{root}`, and no `SceneObjectGroup`"),
            Self::WrongRoot { root, expected } => {
                write!(f, "it is a `{root}`, and no `{expected}`")
            }
            Self::Bitmap { bytes } => write!(
                f,
                "`Bitmap` has {bytes} bytes, but must be a square of bits, one for each 4 m, of at \
                 most 16384 m a side"
            ),
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

impl std::error::Error for Problem {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::NotAnArchive(error) | Self::Broken { error, .. } | Self::Unreadable(error) => {
                Some(error)
            }
            Self::Spent(spent) => Some(spent),
            Self::Xml { problem, .. } => Some(problem),
            _ => None,
        }
    }
}

/// Why reading ended, without the words of those who noticed.
struct Cause<'e>(&'e io::Error);

impl fmt::Display for Cause<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (of_the_system(self.0), self.0.kind()) {
            (Some(error), _) => error.fmt(f),
            (None, io::ErrorKind::UnexpectedEof) => f.write_str("it is cut short"),
            (None, _) => f.write_str("it is corrupt"),
        }
    }
}

/// What the operating system said, if it is behind an error.
fn of_the_system(error: &io::Error) -> Option<&io::Error> {
    let mut causes =
        std::iter::successors(Some(error as &dyn std::error::Error), |error| error.source());
    causes.find_map(|error| {
        error.downcast_ref::<io::Error>().filter(|error| error.raw_os_error().is_some())
    })
}
