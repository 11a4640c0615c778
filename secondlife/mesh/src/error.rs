//! Errors of mesh assets, with block and face.

use crate::llsd;

const MAX_NAME: usize = 160;

pub(crate) fn ellipsized(text: &str) -> String {
    match text.char_indices().nth(MAX_NAME) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// The kind of an [`AssetError`].
///
/// # Examples
/// ```
/// use lodger_mesh_asset::{Asset, AssetErrorKind};
///
/// let other = Asset::parse(b"\x89PNG\r\n\x1a\n").unwrap_err();
/// assert_eq!(other.kind(), &AssetErrorKind::NotAnAsset);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AssetErrorKind {
    /// The file is empty.
    #[error("it is empty")]
    Empty,
    /// The file does not begin with a map of binary LLSD.
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
    /// The size of a field is not a multiple of the size of its elements.
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
    /// lodger-core rejects a number.
    #[error("{0}")]
    Invalid(#[source] lodger_core::ValueError),
    /// The asset has 2 GiB or more, but offsets are signed 32-bit integers.
    #[error("an asset must be smaller than 2 GiB")]
    TooLong,
}

/// An error of a mesh asset, with block and face.
///
/// # Examples
/// ```
/// use lodger_mesh_asset::{Asset, AssetBuilder};
///
/// let file = AssetBuilder::new().set_raw("skin", &b"no zlib"[..]).encode()?;
/// let error = Asset::parse(&file)?.verify().unwrap_err();
/// assert_eq!(error.block(), Some("skin"));
/// assert!(error.to_string().contains("the zlib stream is damaged"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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
    /// The kind of the error.
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::*;
    /// assert_eq!(Asset::parse(b"").unwrap_err().kind(), &AssetErrorKind::Empty);
    /// ```
    #[must_use]
    pub const fn kind(&self) -> &AssetErrorKind {
        &self.kind
    }

    /// The name of the block in the file, truncated to 160 characters; `None` for the header, or a value outside of a
    /// file.
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::Asset;
    /// let file = std::fs::read("samples/strip.llmesh")?;
    /// let cut = Asset::parse(&file[..file.len() - 1]).unwrap_err();
    /// assert_eq!(cut.block(), Some("novelty"), "the last block");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn block(&self) -> Option<&str> {
        self.block.as_deref()
    }

    /// The offset of the block in the file, in bytes.
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::*;
    /// let file = AssetBuilder::new().set_raw("skin", &b"no zlib"[..]).encode()?;
    /// let error = Asset::parse(&file)?.verify().unwrap_err();
    /// assert_eq!(error.offset(), Some(file.len() - 7));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub const fn offset(&self) -> Option<usize> {
        self.offset
    }

    /// The index of the face.
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::*;
    /// let faces = [Face::NoGeometry.to_value(), 7.into()].into_iter().collect();
    /// assert_eq!(Faces::from_value(&faces).unwrap_err().face(), Some(1));
    /// ```
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

    pub(crate) fn in_header(mut self, name: &str) -> Self {
        self.block = Some(ellipsized(name));
        self
    }
}

impl<K: Into<AssetErrorKind>> From<K> for AssetError {
    fn from(kind: K) -> Self {
        Self { block: None, offset: None, face: None, kind: kind.into() }
    }
}

fn location(block: Option<&str>, offset: Option<usize>, face: Option<usize>) -> String {
    let offset = offset.map(|offset| format!(" (from byte {offset} of the file)"));
    let block = block.map(|block| block.to_owned() + &offset.unwrap_or_default());
    let face = face.map(|face| format!("face {face}"));
    let places: Vec<_> = [block, face].into_iter().flatten().collect();
    if places.is_empty() { String::new() } else { places.join(", ") + ": " }
}
