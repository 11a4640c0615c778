//! The bytes of buffers: in the .glb file, in a `uri`, or in another file. Each is read when it is first
//! needed, and once.

use std::borrow::Cow;
use std::cell::{OnceCell, RefCell};
use std::io;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_PAD_INDIFFERENT;
use lodger_quota::QuotaExceeded;

use crate::error::GltfFileError;
use crate::file_quota::Purse;
use crate::lenient::Blocks;
use crate::raw::Buffer;

/// Gives the first bytes, at most so many, of the file that a `uri` names.
pub type Outside<'a> = &'a mut dyn FnMut(&str, u64) -> io::Result<Vec<u8>>;

/// The bytes of a buffer, or why it cannot be read, once that is known.
type Cell<'a> = OnceCell<Result<Cow<'a, [u8]>, Box<GltfFileError>>>;

/// All buffers of a file.
pub struct Buffers<'a> {
    all: &'a Blocks<Buffer<'a>>,
    /// The binary chunk of a .glb file.
    bin: Option<&'a [u8]>,
    outside: RefCell<Outside<'a>>,
    purse: &'a Purse<'a>,
    read: Vec<Cell<'a>>,
}

impl<'a> Buffers<'a> {
    /// Buffers of which none is read yet.
    pub fn new(
        all: &'a Blocks<Buffer<'a>>,
        bin: Option<&'a [u8]>,
        outside: Outside<'a>,
        purse: &'a Purse<'a>,
    ) -> Self {
        let read = (0..all.len()).map(|_| OnceCell::new()).collect();
        Self { all, bin, outside: RefCell::new(outside), purse, read }
    }

    /// The bytes of a buffer: at most as many as the file gives it, and maybe fewer.
    ///
    /// # Errors
    /// An error that names the buffer and says why it cannot be read.
    pub fn bytes(&self, index: usize) -> Result<&[u8], GltfFileError> {
        let (Some(buffer), Some(cell)) = (self.all.get(index), self.read.get(index)) else {
            return Err(GltfFileError::new(format!("buffer {index} does not exist")));
        };
        match cell.get_or_init(|| self.read(index, buffer).map_err(Box::new)) {
            Ok(bytes) => {
                let length = usize::try_from(buffer.byte_length.0).unwrap_or(usize::MAX);
                Ok(bytes.get(..length).unwrap_or(bytes))
            }
            Err(error) => Err((**error).clone().within(&format!("buffer {index}"))),
        }
    }

    /// Whether a buffer is nowhere, as that of what is only there compressed.
    #[must_use]
    pub fn is_nowhere(&self, index: usize) -> bool {
        let has_uri = self.all.get(index).is_some_and(|buffer| buffer.uri.get().is_some());
        !has_uri && (index > 0 || self.bin.is_none())
    }

    /// Reads a buffer; its errors are the end of a sentence about it.
    fn read(&self, index: usize, buffer: &'a Buffer<'a>) -> Result<Cow<'a, [u8]>, GltfFileError> {
        match (buffer.uri.get(), self.bin) {
            (Some(uri), _) => match data_uri(uri, self.purse) {
                Some(decoded) => decoded.map(Cow::Owned),
                None => self.read_outside(uri, buffer.byte_length.0).map(Cow::Owned),
            },
            (None, Some(bin)) if index == 0 => Ok(Cow::Borrowed(bin)),
            (None, _) => {
                Err(GltfFileError::new("has no `uri`, and there is no binary chunk for it"))
            }
        }
    }

    fn read_outside(&self, uri: &str, length: u64) -> Result<Vec<u8>, GltfFileError> {
        self.purse.keep(length).map_err(unpaid)?;
        self.ask(uri, length)
    }

    /// The first bytes, at most so many, of another file. Whoever asks has paid for them.
    ///
    /// # Errors
    /// The end of a sentence about the buffer: which file cannot be read, and why.
    pub fn ask(&self, uri: &str, most: u64) -> Result<Vec<u8>, GltfFileError> {
        let read = (self.outside.borrow_mut())(uri, most);
        read.map_err(|error| GltfFileError::external(uri, error))
    }
}

/// The bytes that a `data:` URI holds; none if it is another one.
pub fn data_uri(uri: &str, purse: &Purse<'_>) -> Option<Result<Vec<u8>, GltfFileError>> {
    let scheme = uri.get(..5)?;
    scheme.eq_ignore_ascii_case("data:").then(|| decode(&uri[5..], purse))
}

/// The bytes of a `data:` URI, whose scheme is taken off.
fn decode(uri: &str, purse: &Purse<'_>) -> Result<Vec<u8>, GltfFileError> {
    let (kind, data) = uri.split_once(',').ok_or_else(not_base64)?;
    let kind = kind.as_bytes();
    let is_base64 = kind.last_chunk::<7>().is_some_and(|end| end.eq_ignore_ascii_case(b";base64"));
    if !is_base64 {
        return Err(not_base64());
    }
    purse.keep(data.len() as u64).map_err(unpaid)?;
    STANDARD_PAD_INDIFFERENT.decode(data.trim()).map_err(|_| not_base64())
}

fn not_base64() -> GltfFileError {
    GltfFileError::new("holds its data in its `uri`, but not as base64")
}

fn unpaid(spent: QuotaExceeded) -> GltfFileError {
    GltfFileError::caused_by(format!("cannot be read: {spent}"), spent)
}

#[cfg(test)]
mod tests {
    use lodger_quota::{Quota, QuotaLimits};

    use super::data_uri;
    use crate::file_quota::Purse;

    #[test]
    fn what_a_uri_holds_is_paid() {
        let read = |memory| {
            let quota = Quota::new(QuotaLimits { memory, ..QuotaLimits::default() });
            data_uri("data:;base64,AAAAAAAA", &Purse::new(&quota)).expect("a data URI")
        };
        assert_eq!(read(8).expect("it is paid"), [0; 6]);
        let error = read(7).expect_err("too much").to_string();
        assert_eq!(error, "cannot be read: it needs more than 0 MiB of memory");
    }
}
