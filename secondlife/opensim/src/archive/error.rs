//! Errors of archives with entry and part, and a bounded log of errors.

use std::borrow::Cow;
use std::io;

use lodger_quota::QuotaExceeded;

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
    /// An entry from another source than an archive cannot be read.
    #[error("it cannot be read: {}", cause(.0))]
    Unreadable(#[source] io::Error),
    /// An entry, or a value in it, is invalid, or the asset of an item is missing.
    #[error("{message}")]
    Invalid {
        /// Message.
        message: Cow<'static, str>,
        /// Message without names and values of the archive, if `message` quotes some.
        unquoted: Option<Cow<'static, str>>,
        /// Error of the XML reader.
        source: Option<Box<dyn std::error::Error + Send + Sync>>,
    },
}

impl ArchiveErrorKind {
    /// The message without names and values of the archive, which may be personal data.
    #[must_use]
    pub fn unquoted(&self) -> String {
        match self {
            Self::Invalid { unquoted: Some(message), .. } => message.clone().into_owned(),
            other => other.to_string(),
        }
    }

    pub(crate) fn invalid(message: impl Into<Cow<'static, str>>) -> Self {
        Self::Invalid { message: message.into(), unquoted: None, source: None }
    }

    pub(crate) fn quoting(message: String, unquoted: String) -> Self {
        Self::Invalid { message: message.into(), unquoted: Some(unquoted.into()), source: None }
    }

    pub(crate) fn wrong_root(root: &str, expected: &str) -> Self {
        let message = format!("it is a `{}`, and no `{expected}`", ellipsized(root));
        Self::quoting(message, format!("it is no `{expected}`"))
    }
}

fn not_an_archive(error: &io::Error) -> String {
    match os_error(error) {
        Some(error) => format!("it cannot be read: {error}"),
        None => "this is not a .tar or .tar.gz archive".to_owned(),
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
            let message = format!("there are {} more errors like these", self.others);
            self.errors.push(ArchiveErrorKind::invalid(message).into());
        }
        self.errors
    }
}
