//! What can be wrong with an archive, and where.

use std::fmt;

/// The most characters of a stranger's name in a message.
const LONGEST_NAME: usize = 160;

/// What kind of thing went wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// There is nothing in it that is an archive.
    NotAnArchive,
    /// It is cut short or corrupt; what came before is kept.
    Broken,
    /// A limit was met: one entry was left out, or all that follows.
    TooLarge,
    /// One entry cannot be used.
    Entry,
    /// One object cannot be used.
    Object,
}

/// Something in an archive that could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ArchiveError {
    /// What kind of thing went wrong.
    pub(crate) fault: Fault,
    /// The path of the entry.
    pub(crate) entry: Option<String>,
    /// The part of the object, by number and name.
    pub(crate) part: Option<String>,
    /// The XML element at fault.
    pub(crate) field: Option<&'static str>,
    /// What is wrong.
    pub(crate) message: String,
}

impl ArchiveError {
    /// An error about no entry in particular.
    pub(super) fn new(fault: Fault, message: impl Into<String>) -> Self {
        Self { fault, entry: None, part: None, field: None, message: message.into() }
    }

    /// Says which entry it is about.
    pub(super) fn in_entry(mut self, path: &str) -> Self {
        self.entry = Some(clipped(path));
        self
    }
}

impl fmt::Display for ArchiveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(entry) = &self.entry {
            write!(f, "{entry}: ")?;
        }
        if let Some(part) = &self.part {
            write!(f, "{part}: ")?;
        }
        if let Some(field) = self.field {
            write!(f, "`{field}` ")?;
        }
        f.write_str(&self.message)
    }
}

impl std::error::Error for ArchiveError {}

/// The beginning of a stranger's text.
pub(super) fn clipped(text: &str) -> String {
    match text.char_indices().nth(LONGEST_NAME) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
