//! Why the data of a glTF file cannot be read.

use std::error::Error as StdError;
use std::fmt;
use std::io;
use std::sync::Arc;

use lodger_allowance::Spent;

/// Why the data of an accessor cannot be read.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum DataError {
    /// The accessor does not exist.
    NoSuchAccessor(usize),
    /// It has no buffer view.
    NoView {
        /// The accessor.
        accessor: usize,
    },
    /// Its buffer view does not exist.
    NoSuchView {
        /// The accessor.
        accessor: usize,
        /// The buffer view.
        view: usize,
    },
    /// Its numbers are of another type than they may be.
    Type {
        /// The accessor.
        accessor: usize,
        /// What they may be.
        wanted: &'static str,
    },
    /// It is compressed in a way that is not read.
    Compressed {
        /// The extension that says so.
        extension: &'static str,
    },
    /// It goes on beyond the end of its buffer view, or that beyond the end of its buffer.
    TooLong {
        /// The accessor.
        accessor: usize,
        /// The buffer.
        buffer: usize,
    },
    /// The indices of a sparse accessor do not rise, or are none of its elements.
    Sparse {
        /// The accessor.
        accessor: usize,
    },
    /// Reading it takes more than the file may.
    Spent(Spent),
    /// Its buffer cannot be read.
    Buffer {
        /// The buffer.
        index: usize,
        /// Why it cannot.
        error: BufferError,
    },
}

/// Why a buffer cannot be read.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum BufferError {
    /// It does not exist.
    Missing,
    /// It has no `uri`, and is not the binary chunk of a .glb file.
    NoUri,
    /// Its `uri` holds its data, but not as base64.
    NotBase64,
    /// Reading it takes more than the file may.
    Spent(Spent),
    /// It is in another file, which cannot be read.
    Outside(OutsideError),
}

/// Another file that cannot be read.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct OutsideError {
    /// The file, as the glTF file spells it.
    pub uri: String,
    /// Why it cannot.
    pub error: Arc<io::Error>,
}

/// The same file, for a reason of the same kind.
impl PartialEq for OutsideError {
    fn eq(&self, other: &Self) -> bool {
        self.uri == other.uri && self.error.kind() == other.error.kind()
    }
}

impl From<Spent> for DataError {
    fn from(spent: Spent) -> Self {
        Self::Spent(spent)
    }
}

impl From<Spent> for BufferError {
    fn from(spent: Spent) -> Self {
        Self::Spent(spent)
    }
}

impl fmt::Display for DataError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSuchAccessor(accessor) => write!(f, "there is no accessor {accessor}"),
            Self::NoView { accessor } => write!(f, "accessor {accessor} has no data"),
            Self::NoSuchView { accessor, view } => {
                write!(f, "accessor {accessor} is in buffer view {view}, which does not exist")
            }
            Self::Type { accessor, wanted } => {
                write!(f, "accessor {accessor} is not of the type {wanted}")
            }
            Self::Compressed { extension } => {
                write!(f, "it is compressed with {extension}, which lodger does not read")
            }
            Self::TooLong { accessor, buffer } => {
                write!(f, "accessor {accessor} ends beyond buffer {buffer}, or its part of it")
            }
            Self::Sparse { accessor } => {
                write!(f, "the sparse indices of accessor {accessor} do not rise within it")
            }
            Self::Spent(spent) => spent.fmt(f),
            Self::Buffer { index, error } => write!(f, "buffer {index} {error}"),
        }
    }
}

/// The end of a sentence that begins with the buffer.
impl fmt::Display for BufferError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing => f.write_str("does not exist"),
            Self::NoUri => f.write_str("has no `uri`, and there is no binary chunk for it"),
            Self::NotBase64 => f.write_str("holds its data in its `uri`, but not as base64"),
            Self::Spent(spent) => write!(f, "cannot be read: {spent}"),
            Self::Outside(OutsideError { uri, error }) => {
                write!(f, "is in `{uri}`, which cannot be read: {error}")
            }
        }
    }
}

impl StdError for DataError {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        match self {
            Self::Buffer { error, .. } => Some(error),
            Self::Spent(spent) => Some(spent),
            _ => None,
        }
    }
}

impl StdError for BufferError {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        match self {
            Self::Outside(outside) => Some(&*outside.error),
            Self::Spent(spent) => Some(spent),
            _ => None,
        }
    }
}
