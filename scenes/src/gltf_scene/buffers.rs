//! The bytes of buffers: in the .glb file, in a `uri`, or in another file. Each is read when it is first
//! needed, and once.

use std::borrow::Cow;
use std::cell::{OnceCell, RefCell};
use std::io;
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_PAD_INDIFFERENT;

use super::purse::Purse;
use super::raw::Buffer;
use crate::clip::clipped;
use crate::gltf_error::{BufferError, OutsideError};

/// Gives the first bytes, at most so many, of the file that a `uri` names.
pub(super) type Outside<'a> = &'a mut dyn FnMut(&str, u64) -> io::Result<Vec<u8>>;

/// All buffers of a file.
pub(super) struct Buffers<'a> {
    all: &'a [Buffer<'a>],
    /// The binary chunk of a .glb file.
    bin: Option<&'a [u8]>,
    outside: RefCell<Outside<'a>>,
    purse: &'a Purse<'a>,
    read: Vec<OnceCell<Result<Cow<'a, [u8]>, BufferError>>>,
}

impl<'a> Buffers<'a> {
    /// Buffers of which none is read yet.
    pub(super) fn new(
        all: &'a [Buffer<'a>],
        bin: Option<&'a [u8]>,
        outside: Outside<'a>,
        purse: &'a Purse<'a>,
    ) -> Self {
        let read = all.iter().map(|_| OnceCell::new()).collect();
        Self { all, bin, outside: RefCell::new(outside), purse, read }
    }

    /// The bytes of a buffer: at most as many as the file gives it, and maybe fewer.
    pub(super) fn bytes(&self, index: usize) -> Result<&[u8], BufferError> {
        let (Some(buffer), Some(cell)) = (self.all.get(index), self.read.get(index)) else {
            return Err(BufferError::Missing);
        };
        match cell.get_or_init(|| self.read(index, buffer)) {
            Ok(bytes) => {
                let length = usize::try_from(buffer.byte_length.0).unwrap_or(usize::MAX);
                Ok(bytes.get(..length).unwrap_or(bytes))
            }
            Err(error) => Err(error.clone()),
        }
    }

    /// Whether a buffer is nowhere, as that of what is only there compressed.
    pub(super) fn is_nowhere(&self, index: usize) -> bool {
        let has_uri = self.all.get(index).is_some_and(|buffer| buffer.uri.get().is_some());
        !has_uri && (index > 0 || self.bin.is_none())
    }

    fn read(&self, index: usize, buffer: &'a Buffer<'a>) -> Result<Cow<'a, [u8]>, BufferError> {
        match (buffer.uri.get(), self.bin) {
            (Some(uri), _) => match uri.get(..5) {
                Some(scheme) if scheme.eq_ignore_ascii_case("data:") => {
                    self.decode(&uri[5..]).map(Cow::Owned)
                }
                _ => self.read_outside(uri, buffer.byte_length.0).map(Cow::Owned),
            },
            (None, Some(bin)) if index == 0 => Ok(Cow::Borrowed(bin)),
            (None, _) => Err(BufferError::NoUri),
        }
    }

    fn read_outside(&self, uri: &str, length: u64) -> Result<Vec<u8>, BufferError> {
        self.purse.keep(length)?;
        let read = (self.outside.borrow_mut())(uri, length);
        read.map_err(|error| {
            let uri = clipped(uri).into_owned();
            BufferError::Outside(OutsideError { uri, error: Arc::new(error) })
        })
    }

    /// The bytes of a `data:` URI, whose scheme is taken off.
    fn decode(&self, uri: &str) -> Result<Vec<u8>, BufferError> {
        let (kind, data) = uri.split_once(',').ok_or(BufferError::NotBase64)?;
        let kind = kind.as_bytes();
        let is_base64 =
            kind.last_chunk::<7>().is_some_and(|end| end.eq_ignore_ascii_case(b";base64"));
        if !is_base64 {
            return Err(BufferError::NotBase64);
        }
        self.purse.keep(data.len() as u64)?;
        STANDARD_PAD_INDIFFERENT.decode(data.trim()).map_err(|_| BufferError::NotBase64)
    }
}
