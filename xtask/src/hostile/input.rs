//! What lies in the folder of a run.

use std::ffi::OsString;
use std::sync::Arc;

/// Something that lies in the folder.
#[derive(Clone, Debug)]
pub(super) struct Input {
    pub(super) path: OsString,
    pub(super) kind: Kind,
}

/// What an input is.
#[derive(Clone, Debug)]
pub(super) enum Kind {
    File(Content),
    /// A file that nobody may read; only who is not root notices.
    Unreadable(Content),
    Folder,
    Fifo,
    /// A symbolic link to this path.
    Link(OsString),
    /// Another name of an input before it.
    HardLink(OsString),
}

/// The bytes of a file.
#[derive(Clone, Debug)]
pub(super) enum Content {
    Bytes(Arc<Vec<u8>>),
    /// One byte, so many times; zeros take no room on the disk.
    Repeated(u8, usize),
    /// So many bytes of noise.
    Noise(usize),
}

impl Content {
    /// The bytes themselves.
    pub(super) fn of(bytes: impl Into<Vec<u8>>) -> Self {
        Self::Bytes(Arc::new(bytes.into()))
    }

    /// How many bytes there are.
    pub(super) fn len(&self) -> u64 {
        match self {
            Self::Bytes(bytes) => bytes.len() as u64,
            Self::Repeated(_, count) | Self::Noise(count) => *count as u64,
        }
    }
}
