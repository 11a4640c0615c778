//! The error of the crate: what was wrong, and where in the asset.

use std::fmt;

use crate::clip::clipped;
use crate::llsd;

/// What was wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Problem {
    /// A file has no bytes.
    Empty,
    /// A file does not begin as a map of binary LLSD, which a mesh asset is: it is something else.
    NotAnAsset,
    /// The LLSD of the header, or of an inflated block, is malformed; its bytes count from there.
    Llsd(llsd::Error),
    /// A block is not within the file.
    OutOfBounds {
        /// Bytes from the end of the header, as the header says.
        offset: i32,
        /// Bytes of the block, as the header says.
        size: i32,
        /// How many bytes there are after the header.
        available: usize,
    },
    /// A block is not a whole zlib stream.
    Damaged {
        /// Bytes of the block up to where the stream could not go on.
        at: usize,
    },
    /// A block inflates to more than it may.
    TooLarge {
        /// How many bytes it may inflate to.
        limit: usize,
    },
    /// A field that is needed is missing.
    Missing(&'static str),
    /// A field has another type or shape than it should.
    WrongType {
        /// The field.
        field: &'static str,
        /// What it should be.
        expected: &'static str,
    },
    /// A number is infinite or not a number, or a domain is wider than `f32`.
    NotFinite(&'static str),
    /// A cost is below 0.
    Negative(&'static str),
    /// The bytes of a field are not a multiple of an element's.
    Length {
        /// The field.
        field: &'static str,
        /// How many bytes it has.
        bytes: usize,
        /// How many an element has.
        element: usize,
    },
    /// A field has another number of elements than another field says.
    Count {
        /// The field.
        field: &'static str,
        /// How many elements it has.
        found: usize,
        /// How many it should have.
        expected: usize,
    },
    /// A triangle names a vertex that does not exist.
    Index {
        /// The triangle.
        triangle: usize,
        /// The vertex it names.
        index: u16,
        /// How many vertices there are.
        vertices: usize,
    },
    /// A number that core's cost functions do not take.
    Refused(lodger_core::Error),
    /// An asset of 2 GiB or more cannot be written: offsets are signed 32-bit integers.
    TooLong,
}

/// What was wrong, and in which block and face.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error {
    block: Option<String>,
    offset: Option<usize>,
    face: Option<usize>,
    problem: Problem,
}

impl Error {
    /// What was wrong.
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
        self.block = Some(clipped(name));
        self.offset = Some(offset);
        self
    }

    /// An error about an entry of the header.
    pub(crate) fn in_header(mut self, name: &str) -> Self {
        self.block = Some(clipped(name));
        self
    }
}

impl From<Problem> for Error {
    fn from(problem: Problem) -> Self {
        Self { block: None, offset: None, face: None, problem }
    }
}

impl From<llsd::Error> for Error {
    fn from(error: llsd::Error) -> Self {
        Problem::Llsd(error).into()
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

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("it is empty"),
            Self::NotAnAsset => f.write_str("it does not begin as a mesh asset does"),
            Self::Llsd(error) => error.fmt(f),
            Self::OutOfBounds { offset, size, available } => write!(
                f,
                "{size} bytes from {offset} are not within the {available} after the header"
            ),
            Self::Damaged { at } => write!(f, "the zlib stream is damaged or cut at its byte {at}"),
            Self::TooLarge { limit } => write!(f, "inflates to more than {limit} bytes"),
            Self::Missing(field) => write!(f, "{field} is missing"),
            Self::WrongType { field, expected } => write!(f, "{field} must be {expected}"),
            Self::NotFinite(field) => write!(f, "{field} must be finite numbers"),
            Self::Negative(field) => write!(f, "{field} must not be negative"),
            Self::Length { field, bytes, element } => {
                write!(f, "{field} has {bytes} bytes, not a multiple of {element}")
            }
            Self::Count { field, found, expected } => {
                write!(f, "{field} has {found} elements instead of {expected}")
            }
            Self::Index { triangle, index, vertices } => {
                write!(f, "triangle {triangle} names vertex {index}, but there are {vertices}")
            }
            Self::Refused(error) => error.fmt(f),
            Self::TooLong => f.write_str("an asset must be smaller than 2 GiB"),
        }
    }
}

impl std::error::Error for Problem {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Llsd(error) => Some(error),
            Self::Refused(error) => Some(error),
            _ => None,
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.problem)
    }
}
