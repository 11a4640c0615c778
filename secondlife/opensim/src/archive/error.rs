//! Errors of archives with entry and part, and a bounded log of errors.

use std::io;

use lodger_quota::QuotaExceeded;
use quick_xml::Error as XmlError;
use quick_xml::errors::{IllFormedError, SyntaxError};
use uuid::Uuid;

const MAX_NAME: usize = 160;

pub(crate) fn ellipsized(text: &str) -> String {
    lodger_quota::ellipsized(text, MAX_NAME).into_owned()
}

/// A reference to a part of an object.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PartRef {
    /// Position of the part in the document, counted from 1.
    pub number: usize,
    /// Name of the part, truncated if long.
    pub name: String,
}

/// An error in an archive, with its entry and part.
#[derive(Debug, thiserror::Error)]
#[error("{}{kind}", location(.entry.as_deref(), .part.as_ref()))]
pub struct ArchiveError {
    entry: Option<String>,
    part: Option<PartRef>,
    #[source]
    kind: ArchiveErrorKind,
}

impl ArchiveError {
    /// The kind of the error.
    #[must_use]
    pub const fn kind(&self) -> &ArchiveErrorKind {
        &self.kind
    }

    /// The path of the entry, truncated if long; `None` for the archive as a whole.
    #[must_use]
    pub fn entry(&self) -> Option<&str> {
        self.entry.as_deref()
    }

    /// The part of the object, if the error is in a part.
    #[must_use]
    pub const fn part(&self) -> Option<&PartRef> {
        self.part.as_ref()
    }

    /// Whether the archive or an entry exceeds a limit.
    #[must_use]
    pub const fn is_limit(&self) -> bool {
        matches!(
            self.kind,
            ArchiveErrorKind::QuotaExceeded(_)
                | ArchiveErrorKind::TooManyEntries { .. }
                | ArchiveErrorKind::EntryTooLarge { .. }
        )
    }

    /// The quota that the archive exceeds, if this is the error.
    #[must_use]
    pub const fn quota_exceeded(&self) -> Option<QuotaExceeded> {
        match self.kind {
            ArchiveErrorKind::QuotaExceeded(exceeded) => Some(exceeded),
            _ => None,
        }
    }

    /// Whether the rest of the archive was not read.
    #[must_use]
    pub const fn ends_reading(&self) -> bool {
        matches!(
            self.kind,
            ArchiveErrorKind::NotAnArchive(_)
                | ArchiveErrorKind::Broken { .. }
                | ArchiveErrorKind::QuotaExceeded(_)
                | ArchiveErrorKind::TooManyEntries { .. }
        )
    }

    pub(crate) fn in_entry(mut self, path: &str) -> Self {
        self.entry = Some(ellipsized(path));
        self
    }

    pub(crate) fn in_part(mut self, number: usize, name: &str) -> Self {
        self.part = Some(PartRef { number, name: ellipsized(name) });
        self
    }
}

impl<K: Into<ArchiveErrorKind>> From<K> for ArchiveError {
    fn from(kind: K) -> Self {
        Self { entry: None, part: None, kind: kind.into() }
    }
}

fn location(entry: Option<&str>, part: Option<&PartRef>) -> String {
    let entry = entry.map(|entry| format!("{entry}: ")).unwrap_or_default();
    let part = part.map(|part| format!("part {} `{}`: ", part.number, part.name));
    entry + &part.unwrap_or_default()
}

/// The kind of an [`ArchiveError`].
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ArchiveErrorKind {
    /// The input is no archive.
    #[error("{}", not_an_archive(.0))]
    NotAnArchive(#[source] io::Error),
    /// The archive is truncated or corrupt; the entries before the break are kept.
    #[error(
        "the archive breaks off in or behind this entry, number {entry}, {bytes} bytes in: {}",
        cause(.error)
    )]
    Broken {
        /// Number of the entry in or behind which the archive breaks off, counted from 1.
        entry: u64,
        /// Inflated bytes before the break.
        bytes: u64,
        /// The error of the reader.
        #[source]
        error: io::Error,
    },
    /// The archive exceeds its quota of memory or work.
    #[error(transparent)]
    QuotaExceeded(#[from] QuotaExceeded),
    /// The archive has too many entries; the rest was not read.
    #[error("the archive has more than {limit} entries; the rest was not read")]
    TooManyEntries {
        /// Maximum number of entries.
        limit: u64,
    },
    /// A mesh or object is too large and left out.
    #[error("it is left out: it has {size} bytes, more than {limit}")]
    EntryTooLarge {
        /// Size in bytes.
        size: u64,
        /// Maximum in bytes.
        limit: u64,
    },
    /// An entry is stored as a sparse file and left out.
    #[error("it is left out: it is stored as a sparse file")]
    Sparse,
    /// An entry from another source than an archive cannot be read.
    #[error("it cannot be read: {}", cause(.0))]
    Unreadable(#[source] io::Error),
    /// An entry has an invalid name or encoding, or the UUID of an earlier entry.
    #[error("{0}")]
    Unusable(&'static str),
    /// The asset of an inventory item is not in the archive.
    #[error("the object that it refers to, {id}, is not in the archive")]
    MissingObject {
        /// UUID of the asset.
        id: Uuid,
    },
    /// The XML of an entry is invalid.
    #[error("its XML cannot be read at byte {at}: {kind}")]
    Xml {
        /// Byte at which parsing ended.
        at: u64,
        /// Reason.
        #[source]
        kind: XmlErrorKind,
    },
    /// The root element is not an object.
    #[error("it is a `{root}`, and no `SceneObjectGroup`")]
    NotAnObject {
        /// Name of the root element.
        root: String,
    },
    /// The root element is not an item or a parcel.
    #[error("it is a `{root}`, and no `{expected}`")]
    WrongRoot {
        /// Name of the root element.
        root: String,
        /// Expected name.
        expected: &'static str,
    },
    /// The bitmap of a parcel is not a square of at most 16 384 m a side with a bit for each 4 m.
    #[error(
        "`Bitmap` has {bytes} bytes, but must be a square of bits, one for each 4 m, of at most 16384 m a side"
    )]
    Bitmap {
        /// Size in bytes.
        bytes: usize,
    },
    /// An object has no parts.
    #[error("it is an object without parts")]
    NoParts,
    /// A value of a part, an item or a parcel is missing or invalid.
    #[error("{}", value(.field, .found.as_deref(), .expected))]
    Value {
        /// XML element, possibly with an inner one: `Scale.X`.
        field: &'static str,
        /// Text of the element; `None` if it is missing.
        found: Option<String>,
        /// Valid values.
        expected: &'static str,
    },
    /// The archive has more errors than the log holds.
    #[error("there are {errors} more errors like these")]
    More {
        /// Number of errors beyond the log.
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

/// The cause of an I/O error, without the messages of intermediate readers.
fn cause(error: &io::Error) -> String {
    match (os_error(error), error.kind()) {
        (Some(error), _) => error.to_string(),
        (None, io::ErrorKind::UnexpectedEof) => "it is cut short".to_owned(),
        (None, _) => "it is corrupt".to_owned(),
    }
}

fn os_error(error: &io::Error) -> Option<&io::Error> {
    let mut causes =
        std::iter::successors(Some(error as &dyn std::error::Error), |error| error.source());
    causes.find_map(|error| {
        error.downcast_ref::<io::Error>().filter(|error| error.raw_os_error().is_some())
    })
}

/// The reason why XML cannot be parsed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum XmlErrorKind {
    /// The XML has no element.
    #[error("there is nothing in it")]
    Empty,
    /// Text precedes the first element.
    #[error("this is not XML")]
    NotXml,
    /// Elements nest deeper than [`ArchiveLimits::nesting`](crate::archive::ArchiveLimits::nesting).
    #[error("its elements are nested too deeply")]
    TooDeep,
    /// The XML ends inside an element.
    #[error("it is cut short")]
    CutShort,
    /// The XML uses a custom entity; these are not expanded.
    #[error("it uses an entity, and entities are not expanded")]
    Entity,
    /// The XML is not well-formed.
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

#[derive(Debug)]
pub(crate) struct ErrorLog {
    errors: Vec<ArchiveError>,
    max: usize,
    others: usize,
}

impl ErrorLog {
    pub(crate) fn new(max: usize) -> Self {
        Self { errors: Vec::new(), max, others: 0 }
    }

    pub(crate) fn add(&mut self, error: ArchiveError) {
        if self.errors.len() < self.max {
            self.errors.push(error);
        } else {
            self.others += 1;
        }
    }

    pub(crate) fn finish(mut self) -> Vec<ArchiveError> {
        if self.others > 0 {
            self.errors.push(ArchiveErrorKind::More { errors: self.others }.into());
        }
        self.errors
    }
}
