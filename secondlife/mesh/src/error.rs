//! Errors of mesh assets, with block and face.

use crate::llsd;

/// Maximum characters of a name from a file in a message.
const MAX_NAME: usize = 160;

/// Truncates a text from a file and appends `…` if it is too long.
pub(crate) fn ellipsized(text: &str) -> String {
    match text.char_indices().nth(MAX_NAME) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// Kind of an error.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AssetErrorKind {
    /// The file is empty.
    #[error("it is empty")]
    Empty,
    /// The file is not a mesh asset: it does not begin with a map of binary LLSD.
    #[error("it does not begin as a mesh asset does")]
    NotAnAsset,
    /// The LLSD of the header or of an inflated block is malformed; bytes count from its start.
    #[error(transparent)]
    Llsd(#[from] llsd::LlsdError),
    /// A block is outside of the file.
    #[error("{size} bytes from {offset} are not within the {available} after the header")]
    OutOfBounds {
        /// Stated offset from the end of the header, in bytes.
        offset: i32,
        /// Stated size of the block in bytes.
        size: i32,
        /// Number of bytes after the header.
        available: usize,
    },
    /// A block is not a complete zlib stream.
    #[error("the zlib stream is damaged or cut at its byte {at}")]
    Damaged {
        /// Byte of the block at which inflating ended.
        at: usize,
    },
    /// A block inflates to too many bytes.
    #[error("inflates to more than {limit} bytes")]
    TooLarge {
        /// Maximum in bytes.
        limit: usize,
    },
    /// A required field is missing.
    #[error("{0} is missing")]
    Missing(&'static str),
    /// A field has the wrong type or shape.
    #[error("{field} must be {expected}")]
    WrongType {
        /// Name of the field.
        field: &'static str,
        /// Expected type or shape.
        expected: &'static str,
    },
    /// A number is infinite or not a number, or a domain is wider than `f32`.
    #[error("{0} must be finite numbers")]
    NotFinite(&'static str),
    /// A cost is below 0.
    #[error("{0} must not be negative")]
    Negative(&'static str),
    /// A field contains a partial element.
    #[error("{field} has {bytes} bytes, not a multiple of {element}")]
    Length {
        /// Name of the field.
        field: &'static str,
        /// Size of the field in bytes.
        bytes: usize,
        /// Size of an element in bytes.
        element: usize,
    },
    /// A field has another number of elements than another field states.
    #[error("{field} has {found} elements instead of {expected}")]
    Count {
        /// Name of the field.
        field: &'static str,
        /// Number of elements.
        found: usize,
        /// Stated number of elements.
        expected: usize,
    },
    /// A triangle refers to a vertex that does not exist.
    #[error("triangle {triangle} names vertex {index}, but there are {vertices}")]
    Index {
        /// Index of the triangle.
        triangle: usize,
        /// Index of the vertex.
        index: u16,
        /// Number of vertices.
        vertices: usize,
    },
    /// A number that core rejects.
    #[error("{0}")]
    Invalid(#[source] lodger_core::ValueError),
    /// The asset has 2 GiB or more, but offsets are signed 32-bit integers.
    #[error("an asset must be smaller than 2 GiB")]
    TooLong,
}

/// An error of a mesh asset, with block and face.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}{kind}", location(.block.as_deref(), *.offset, *.face))]
pub struct AssetError {
    block: Option<String>,
    offset: Option<usize>,
    face: Option<usize>,
    #[source]
    kind: AssetErrorKind,
}

impl AssetError {
    /// Kind of the error.
    #[must_use]
    pub const fn kind(&self) -> &AssetErrorKind {
        &self.kind
    }

    /// Name of the block in the file, truncated to 160 characters; `None` for the header, or a value outside of a file.
    #[must_use]
    pub fn block(&self) -> Option<&str> {
        self.block.as_deref()
    }

    /// Offset of the block in the file, in bytes.
    #[must_use]
    pub const fn offset(&self) -> Option<usize> {
        self.offset
    }

    /// Index of the face.
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

    /// Sets an entry of the header.
    pub(crate) fn in_header(mut self, name: &str) -> Self {
        self.block = Some(ellipsized(name));
        self
    }
}

impl<P: Into<AssetErrorKind>> From<P> for AssetError {
    fn from(problem: P) -> Self {
        Self { block: None, offset: None, face: None, kind: problem.into() }
    }
}

fn location(block: Option<&str>, offset: Option<usize>, face: Option<usize>) -> String {
    let offset = offset.map(|offset| format!(" (from byte {offset} of the file)"));
    let block = block.map(|block| block.to_owned() + &offset.unwrap_or_default());
    let face = face.map(|face| format!("face {face}"));
    let places: Vec<_> = [block, face].into_iter().flatten().collect();
    if places.is_empty() { String::new() } else { places.join(", ") + ": " }
}
