//! The bytes of buffers: in the .glb file, in a `uri`, or in another file. Each is read when it is first
//! needed, and once.

use std::borrow::Cow;
use std::cell::{OnceCell, RefCell};
use std::io;
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_PAD_INDIFFERENT;

use crate::clip::clipped;
use crate::error::{BufferError, OutsideError};
use crate::purse::Purse;
use crate::raw::Buffer;

/// Gives the first bytes, at most so many, of the file that a `uri` names.
pub type Outside<'a> = &'a mut dyn FnMut(&str, u64) -> io::Result<Vec<u8>>;

/// All buffers of a file.
pub struct Buffers<'a> {
    all: &'a [Buffer<'a>],
    /// The binary chunk of a .glb file.
    bin: Option<&'a [u8]>,
    outside: RefCell<Outside<'a>>,
    purse: &'a Purse<'a>,
    read: Vec<OnceCell<Result<Cow<'a, [u8]>, BufferError>>>,
}

impl<'a> Buffers<'a> {
    /// Buffers of which none is read yet.
    pub fn new(
        all: &'a [Buffer<'a>],
        bin: Option<&'a [u8]>,
        outside: Outside<'a>,
        purse: &'a Purse<'a>,
    ) -> Self {
        let read = all.iter().map(|_| OnceCell::new()).collect();
        Self { all, bin, outside: RefCell::new(outside), purse, read }
    }

    /// The bytes of a buffer: at most as many as the file gives it, and maybe fewer.
    ///
    /// # Errors
    /// [`BufferError`].
    pub fn bytes(&self, index: usize) -> Result<&[u8], BufferError> {
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
    #[must_use]
    pub fn is_nowhere(&self, index: usize) -> bool {
        let has_uri = self.all.get(index).is_some_and(|buffer| buffer.uri.get().is_some());
        !has_uri && (index > 0 || self.bin.is_none())
    }

    fn read(&self, index: usize, buffer: &'a Buffer<'a>) -> Result<Cow<'a, [u8]>, BufferError> {
        match (buffer.uri.get(), self.bin) {
            (Some(uri), _) => match data_uri(uri, self.purse) {
                Some(decoded) => decoded.map(Cow::Owned),
                None => self.read_outside(uri, buffer.byte_length.0).map(Cow::Owned),
            },
            (None, Some(bin)) if index == 0 => Ok(Cow::Borrowed(bin)),
            (None, _) => Err(BufferError::NoUri),
        }
    }

    fn read_outside(&self, uri: &str, length: u64) -> Result<Vec<u8>, BufferError> {
        self.purse.keep(length)?;
        self.ask(uri, length)
    }

    /// The first bytes, at most so many, of another file. Whoever asks has paid for them.
    ///
    /// # Errors
    /// [`BufferError::Outside`].
    pub fn ask(&self, uri: &str, most: u64) -> Result<Vec<u8>, BufferError> {
        let read = (self.outside.borrow_mut())(uri, most);
        read.map_err(|error| {
            let uri = clipped(uri).into_owned();
            BufferError::Outside(OutsideError { uri, error: Arc::new(error) })
        })
    }
}

/// The bytes that a `data:` URI holds; none if it is another one.
pub fn data_uri(uri: &str, purse: &Purse<'_>) -> Option<Result<Vec<u8>, BufferError>> {
    let scheme = uri.get(..5)?;
    scheme.eq_ignore_ascii_case("data:").then(|| decode(&uri[5..], purse))
}

/// The bytes of a `data:` URI, whose scheme is taken off.
fn decode(uri: &str, purse: &Purse<'_>) -> Result<Vec<u8>, BufferError> {
    let (kind, data) = uri.split_once(',').ok_or(BufferError::NotBase64)?;
    let kind = kind.as_bytes();
    let is_base64 = kind.last_chunk::<7>().is_some_and(|end| end.eq_ignore_ascii_case(b";base64"));
    if !is_base64 {
        return Err(BufferError::NotBase64);
    }
    purse.keep(data.len() as u64)?;
    STANDARD_PAD_INDIFFERENT.decode(data.trim()).map_err(|_| BufferError::NotBase64)
}
