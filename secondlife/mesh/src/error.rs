//! The error of the crate, with its block and face.

use std::fmt;

use crate::llsd;

/// The most characters of a name from a file in a message.
const MAX_NAME: usize = 160;

/// The beginning of a text from a file, with `…` behind it if it is cut.
pub(crate) fn ellipsized(text: &str) -> String {
    match text.char_indices().nth(MAX_NAME) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// A kind of error.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// A file has no bytes.
    #[error("it is empty")]
    Empty,
    /// A file does not begin as a map of binary LLSD, which a mesh asset is: it is something else.
    #[error("it does not begin as a mesh asset does")]
    NotAnAsset,
    /// The LLSD of the header, or of an inflated block, is malformed; its bytes count from there.
    #[error(transparent)]
    Llsd(#[from] llsd::Error),
    /// A block is not within the file.
    #[error("{size} bytes from {offset} are not within the {available} after the header")]
    OutOfBounds {
        /// Bytes from the end of the header, as the header says.
        offset: i32,
        /// Bytes of the block, as the header says.
        size: i32,
        /// How many bytes there are after the header.
        available: usize,
    },
    /// A block is not a whole zlib stream.
    #[error("the zlib stream is damaged or cut at its byte {at}")]
    Damaged {
        /// Bytes of the block up to where the stream could not go on.
        at: usize,
    },
    /// A block inflates to more than it may.
    #[error("inflates to more than {limit} bytes")]
    TooLarge {
        /// How many bytes it may inflate to.
        limit: usize,
    },
    /// A field that is needed is missing.
    #[error("{0} is missing")]
    Missing(&'static str),
    /// A field has another type or shape than it should.
    #[error("{field} must be {expected}")]
    WrongType {
        /// The field.
        field: &'static str,
        /// What it should be.
        expected: &'static str,
    },
    /// A number is infinite or not a number, or a domain is wider than `f32`.
    #[error("{0} must be finite numbers")]
    NotFinite(&'static str),
    /// A cost is below 0.
    #[error("{0} must not be negative")]
    Negative(&'static str),
    /// The bytes of a field are not a multiple of an element's.
    #[error("{field} has {bytes} bytes, not a multiple of {element}")]
    Length {
        /// The field.
        field: &'static str,
        /// How many bytes it has.
        bytes: usize,
        /// How many an element has.
        element: usize,
    },
    /// A field has another number of elements than another field says.
    #[error("{field} has {found} elements instead of {expected}")]
    Count {
        /// The field.
        field: &'static str,
        /// How many elements it has.
        found: usize,
        /// How many it should have.
        expected: usize,
    },
    /// A triangle names a vertex that does not exist.
    #[error("triangle {triangle} names vertex {index}, but there are {vertices}")]
    Index {
        /// The triangle.
        triangle: usize,
        /// The vertex it names.
        index: u16,
        /// How many vertices there are.
        vertices: usize,
    },
    /// A number that core's cost functions do not take.
    #[error("{0}")]
    Refused(#[source] lodger_core::Error),
    /// An asset of 2 GiB or more cannot be written: offsets are signed 32-bit integers.
    #[error("an asset must be smaller than 2 GiB")]
    TooLong,
}

/// An error of a mesh asset, with its block and face.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error {
    block: Option<String>,
    offset: Option<usize>,
    face: Option<usize>,
    problem: Problem,
}

impl Error {
    /// The kind of the error.
    #[must_use]
    pub const fn problem(&self) -> &Problem {
        &self.problem
    }

    /// The block as the file names it, or the first 160 characters of a longer name; `None` for the header, or for a value that is in no file.
    #[must_use]
    pub fn block(&self) -> Option<&str> {
        self.block.as_deref()
    }

    /// The byte of the file where the block begins.
    #[must_use]
    pub const fn offset(&self) -> Option<usize> {
        self.offset
    }

    /// The face, counted from 0.
    #[must_use]
    pub const fn face(&self) -> Option<usize> {
        self.face
    }

    pub(crate) fn in_face(mut self, face: usize) -> Self {
        self.face = Some(face);
        self
    }

    pub(crate) fn in_block(mut self, name: &str, offset: usize) -> Self {
        self.block = Some(ellipsized(name));
        self.offset = Some(offset);
        self
    }

    /// An error about an entry of the header.
    pub(crate) fn in_header(mut self, name: &str) -> Self {
        self.block = Some(ellipsized(name));
        self
    }
}

impl<P: Into<Problem>> From<P> for Error {
    fn from(problem: P) -> Self {
        Self { block: None, offset: None, face: None, problem: problem.into() }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(block) = &self.block {
            write!(f, "{block}")?;
            if let Some(offset) = self.offset {
                write!(f, " (from byte {offset} of the file)")?;
            }
            if let Some(face) = self.face {
                write!(f, ", face {face}")?;
            }
            f.write_str(": ")?;
        } else if let Some(face) = self.face {
            write!(f, "face {face}: ")?;
        }
        self.problem.fmt(f)
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.problem)
    }
}
