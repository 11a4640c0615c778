//! Errors of an archive, each with its entry and part, and the log that holds a limited number of them.

use std::fmt;
use std::io;

use lodger_allowance::Spent;
use quick_xml::Error as XmlError;
use quick_xml::errors::{IllFormedError, SyntaxError};
use uuid::Uuid;

/// The most characters of a name from an archive in a message.
const MAX_NAME: usize = 160;

/// The beginning of a text from an archive, with `…` behind it if it is cut.
pub(crate) fn ellipsized(text: &str) -> String {
    lodger_allowance::ellipsized(text, MAX_NAME).into_owned()
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

/// Something in an archive that could not be read, with its entry and part.
#[derive(Debug)]
pub struct Error {
    entry: Option<String>,
    part: Option<PartPlace>,
    problem: Problem,
}

impl Error {
    /// The kind of the error.
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
            Problem::Spent(_) | Problem::TooManyEntries { .. } | Problem::EntryTooLarge { .. }
        )
    }

    /// The quota that the archive exceeds, if that is the error.
    #[must_use]
    pub const fn spent(&self) -> Option<Spent> {
        match self.problem {
            Problem::Spent(spent) => Some(spent),
            _ => None,
        }
    }

    /// Whether there may be more in the archive, which was not read.
    #[must_use]
    pub const fn ends_reading(&self) -> bool {
        matches!(
            self.problem,
            Problem::NotAnArchive(_)
                | Problem::Broken { .. }
                | Problem::Spent(_)
                | Problem::TooManyEntries { .. }
        )
    }

    /// Sets the entry that the error is about.
    pub(crate) fn in_entry(mut self, path: &str) -> Self {
        self.entry = Some(ellipsized(path));
        self
    }

    /// Sets the part that the error is about.
    pub(crate) fn in_part(mut self, number: usize, name: &str) -> Self {
        self.part = Some(PartPlace { number, name: ellipsized(name) });
        self
    }
}

impl<P: Into<Problem>> From<P> for Error {
    fn from(problem: P) -> Self {
        Self { entry: None, part: None, problem: problem.into() }
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

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.problem)
    }
}

/// A kind of error.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// There is nothing in it that is an archive.
    #[error("{}", not_an_archive(.0))]
    NotAnArchive(#[source] io::Error),
    /// It is cut short or corrupt; the entries before are kept.
    #[error(
        "the archive breaks off in or behind this entry, number {entry}, {bytes} bytes in: {}",
        cause(.error)
    )]
    Broken {
        /// The number of the entry in or behind which it breaks off, counted from 1.
        entry: u64,
        /// The bytes of the inflated archive before that place.
        bytes: u64,
        /// The error of the reader.
        #[source]
        error: io::Error,
    },
    /// The archive exceeds its quota of memory or work.
    #[error(transparent)]
    Spent(#[from] Spent),
    /// The archive has more entries than it may; the rest was not read.
    #[error("the archive has more than {limit} entries; the rest was not read")]
    TooManyEntries {
        /// The most entries that it may have.
        limit: u64,
    },
    /// A mesh or object is larger than it may be, and is left out.
    #[error("it is left out: it has {size} bytes, more than {limit}")]
    EntryTooLarge {
        /// Its bytes.
        size: u64,
        /// The bytes that it may have.
        limit: u64,
    },
    /// An entry is stored without its holes, as some tar programs do on request, and is left out.
    #[error("it is left out: it is stored as a sparse file")]
    Sparse,
    /// An entry that comes from elsewhere than an archive cannot be read.
    #[error("it cannot be read: {}", cause(.0))]
    Unreadable(#[source] io::Error),
    /// An entry is of no use for another reason: its name, its encoding, or an earlier entry with its UUID.
    #[error("{0}")]
    Unusable(&'static str),
    /// An item of an inventory is an object whose asset is not in the archive.
    #[error("the object that it refers to, {id}, is not in the archive")]
    MissingObject {
        /// The asset.
        id: Uuid,
    },
    /// The XML of an entry cannot be read.
    #[error("its XML cannot be read at byte {at}: {problem}")]
    Xml {
        /// The byte at which reading ended.
        at: u64,
        /// The reason.
        #[source]
        problem: XmlProblem,
    },
    /// The root element is not that of an object.
    #[error("it is a `{root}`, and no `SceneObjectGroup`")]
    NotAnObject {
        /// The name of the root element.
        root: String,
    },
    /// The root element is not that of an item or of a parcel.
    #[error("it is a `{root}`, and no `{expected}`")]
    WrongRoot {
        /// The name of the root element.
        root: String,
        /// The name that it must have.
        expected: &'static str,
    },
    /// The bitmap of a parcel is no square of at most 16 384 m a side, with a bit for each 4 m.
    #[error(
        "`Bitmap` has {bytes} bytes, but must be a square of bits, one for each 4 m, of at most 16384 m a side"
    )]
    Bitmap {
        /// Its bytes.
        bytes: usize,
    },
    /// An object has no parts.
    #[error("it is an object without parts")]
    NoParts,
    /// A value of a part, an item or a parcel is missing, or is not valid.
    #[error("{}", value(.field, .found.as_deref(), .expected))]
    Value {
        /// The XML element, or an element and one in it: `Scale.X`.
        field: &'static str,
        /// Its text; `None` if it is missing.
        found: Option<String>,
        /// The values that are valid.
        expected: &'static str,
    },
    /// There are more errors than the log holds.
    #[error("there are {errors} more errors like these")]
    More {
        /// How many more.
        errors: usize,
    },
}

fn not_an_archive(error: &io::Error) -> String {
    match os_error(error) {
        Some(error) => format!("it cannot be read: {error}"),
        None => "this is not a .tar or .tar.gz archive".to_owned(),
    }
}

fn value(field: &str, found: Option<&str>, expected: &str) -> String {
    match found {
        Some(text) => format!("`{field}` is `{text}`, but must be {expected}"),
        None => format!("`{field}` is missing"),
    }
}

/// Why reading ended, without the words of the readers in between.
fn cause(error: &io::Error) -> String {
    match (os_error(error), error.kind()) {
        (Some(error), _) => error.to_string(),
        (None, io::ErrorKind::UnexpectedEof) => "it is cut short".to_owned(),
        (None, _) => "it is corrupt".to_owned(),
    }
}

/// The error of the operating system behind an error, if there is one.
fn os_error(error: &io::Error) -> Option<&io::Error> {
    let mut causes =
        std::iter::successors(Some(error as &dyn std::error::Error), |error| error.source());
    causes.find_map(|error| {
        error.downcast_ref::<io::Error>().filter(|error| error.raw_os_error().is_some())
    })
}

/// Why XML cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum XmlProblem {
    /// There is no element in it.
    #[error("there is nothing in it")]
    Empty,
    /// There is something before the first element.
    #[error("this is not XML")]
    NotXml,
    /// Elements are nested deeper than [`Limits::nesting`](crate::archive::Limits::nesting).
    #[error("its elements are nested too deeply")]
    TooDeep,
    /// It ends within an element.
    #[error("it is cut short")]
    CutShort,
    /// It uses an entity of its own: those are not expanded.
    #[error("it uses an entity, and entities are not expanded")]
    Entity,
    /// It breaks the rules of XML.
    #[error("{}", syntax(.0.as_ref()))]
    Syntax(#[source] Box<dyn std::error::Error + Send + Sync>),
}

fn syntax(error: &(dyn std::error::Error + 'static)) -> String {
    match error.downcast_ref() {
        Some(XmlError::IllFormed(error)) => ill_formed(error),
        Some(XmlError::Syntax(error)) => unclosed(*error).to_owned(),
        _ => "this is not well-formed XML".to_owned(),
    }
}

fn ill_formed(error: &IllFormedError) -> String {
    match error {
        IllFormedError::MismatchedEndTag { expected, found } => {
            format!("`{}` is closed where `{}` is open", ellipsized(found), ellipsized(expected))
        }
        IllFormedError::UnmatchedEndTag(name) => {
            format!("`{}` is closed, but was not opened", ellipsized(name))
        }
        IllFormedError::MissingEndTag(name) => format!("`{}` is not closed", ellipsized(name)),
        IllFormedError::UnclosedReference => "a `&` begins no entity; it is `&amp;`".to_owned(),
        IllFormedError::DoubleHyphenInComment => "there is `--` in a comment".to_owned(),
        _ => "this is not well-formed XML".to_owned(),
    }
}

const fn unclosed(error: SyntaxError) -> &'static str {
    match error {
        SyntaxError::UnclosedTag
        | SyntaxError::UnclosedSingleQuotedAttributeValue
        | SyntaxError::UnclosedDoubleQuotedAttributeValue => "it ends within a tag",
        SyntaxError::UnclosedComment => "a comment does not end",
        SyntaxError::UnclosedCData => "a `<![CDATA[` does not end",
        SyntaxError::UnclosedDoctype => "a `<!DOCTYPE` does not end",
        SyntaxError::UnclosedPI | SyntaxError::UnclosedXmlDecl => "a `<?` does not end",
        SyntaxError::InvalidBangMarkup => "there is a `<!` that begins nothing",
    }
}

/// A list of errors with a maximum length, and the number of errors beyond it.
#[derive(Debug)]
pub(crate) struct ErrorLog {
    errors: Vec<Error>,
    max: usize,
    others: usize,
}

impl ErrorLog {
    /// An empty log of at most that many errors.
    pub(crate) fn new(max: usize) -> Self {
        Self { errors: Vec::new(), max, others: 0 }
    }

    /// Adds an error.
    pub(crate) fn add(&mut self, error: Error) {
        if self.errors.len() < self.max {
            self.errors.push(error);
        } else {
            self.others += 1;
        }
    }

    /// All errors of the log, then one with the number of others.
    pub(crate) fn finish(mut self) -> Vec<Error> {
        if self.others > 0 {
            self.errors.push(Problem::More { errors: self.others }.into());
        }
        self.errors
    }
}
