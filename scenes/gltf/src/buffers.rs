//! The quota of one file, and the bytes of its buffers, each read when it is first needed.

use std::borrow::Cow;
use std::cell::{Cell, OnceCell, RefCell};
use std::io;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_PAD_INDIFFERENT;
use lodger_quota::{Quota, QuotaExceeded};

use crate::error::GltfFileError;
use crate::lenient::ChunkedVec;
use crate::raw::Buffer;

/// Returns at most the given number of first bytes of the file of a `uri`.
pub type ExternalFiles<'a> = &'a mut dyn FnMut(&str, u64) -> io::Result<Vec<u8>>;

type BufferCell<'a> = OnceCell<Result<Cow<'a, [u8]>, Box<GltfFileError>>>;

/// The buffers of a file, each read when it is first needed.
pub struct Buffers<'a> {
    all: &'a ChunkedVec<Buffer<'a>>,
    /// The binary chunk of a .glb file.
    bin: Option<&'a [u8]>,
    external: RefCell<ExternalFiles<'a>>,
    file_quota: &'a FileQuota<'a>,
    read: Vec<BufferCell<'a>>,
}

impl<'a> Buffers<'a> {
    /// Creates buffers of which none is read yet.
    pub fn new(
        all: &'a ChunkedVec<Buffer<'a>>,
        bin: Option<&'a [u8]>,
        external: ExternalFiles<'a>,
        file_quota: &'a FileQuota<'a>,
    ) -> Self {
        let read = (0..all.len()).map(|_| OnceCell::new()).collect();
        Self { all, bin, external: RefCell::new(external), file_quota, read }
    }

    /// Returns the bytes of a buffer: at most its declared length, and perhaps fewer.
    ///
    /// # Errors
    /// An error that names the buffer and the reason.
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

    /// Whether a buffer has no data, for example because the data exist only compressed.
    #[must_use]
    pub fn is_missing(&self, index: usize) -> bool {
        let has_uri = self.all.get(index).is_some_and(|buffer| buffer.uri.get().is_some());
        !has_uri && (index > 0 || self.bin.is_none())
    }

    /// Errors are the predicate of a sentence about the buffer.
    fn read(&self, index: usize, buffer: &'a Buffer<'a>) -> Result<Cow<'a, [u8]>, GltfFileError> {
        match (buffer.uri.get(), self.bin) {
            (Some(uri), _) => match data_uri(uri, self.file_quota) {
                Some(decoded) => decoded.map(Cow::Owned),
                None => self.charge_and_read(uri, buffer.byte_length.0).map(Cow::Owned),
            },
            (None, Some(bin)) if index == 0 => Ok(Cow::Borrowed(bin)),
            (None, _) => {
                Err(GltfFileError::new("has no `uri`, and there is no binary chunk for it"))
            }
        }
    }

    fn charge_and_read(&self, uri: &str, length: u64) -> Result<Vec<u8>, GltfFileError> {
        self.file_quota.charge(length).map_err(exceeded)?;
        self.read_external(uri, length)
    }

    /// Reads at most `max` first bytes of another file, which the caller has charged.
    ///
    /// # Errors
    /// The predicate of a sentence about the buffer, with the file and the reason.
    pub fn read_external(&self, uri: &str, max: u64) -> Result<Vec<u8>, GltfFileError> {
        let read = (self.external.borrow_mut())(uri, max);
        read.map_err(|error| GltfFileError::external(uri, error))
    }
}

/// Decodes a `data:` URI; `None` for another URI.
pub fn data_uri(uri: &str, file_quota: &FileQuota<'_>) -> Option<Result<Vec<u8>, GltfFileError>> {
    let scheme = uri.get(..5)?;
    scheme.eq_ignore_ascii_case("data:").then(|| decode(&uri[5..], file_quota))
}

/// Decodes a `data:` URI without its scheme.
fn decode(uri: &str, file_quota: &FileQuota<'_>) -> Result<Vec<u8>, GltfFileError> {
    let (kind, data) = uri.split_once(',').ok_or_else(not_base64)?;
    let kind = kind.as_bytes();
    let is_base64 = kind.last_chunk::<7>().is_some_and(|end| end.eq_ignore_ascii_case(b";base64"));
    if !is_base64 {
        return Err(not_base64());
    }
    file_quota.charge(data.len() as u64).map_err(exceeded)?;
    STANDARD_PAD_INDIFFERENT.decode(data.trim()).map_err(|_| not_base64())
}

fn not_base64() -> GltfFileError {
    GltfFileError::new("holds its data in its `uri`, but not as base64")
}

fn exceeded(error: QuotaExceeded) -> GltfFileError {
    GltfFileError::caused_by(format!("cannot be read: {error}"), error)
}

/// The quota of one file. It records that it was exceeded, because a reader may skip unreadable data but must report
/// an exceeded quota.
pub struct FileQuota<'a> {
    quota: &'a Quota,
    exceeded: Cell<Option<QuotaExceeded>>,
    /// Bytes of temporary memory, which is reused.
    temporary: Cell<u64>,
}

impl<'a> FileQuota<'a> {
    /// Creates the quota of a file in the quota of an input.
    #[must_use]
    pub fn new(quota: &'a Quota) -> Self {
        Self { quota, exceeded: Cell::new(None), temporary: Cell::new(0) }
    }

    /// Charges bytes of memory.
    ///
    /// # Errors
    /// The errors of [`Quota::charge_memory`].
    pub fn charge(&self, bytes: u64) -> Result<(), QuotaExceeded> {
        self.record(self.quota.charge_memory(bytes))
    }

    /// Charges memory for `count` values.
    ///
    /// # Errors
    /// The errors of [`Quota::charge_memory`].
    pub fn charge_array<T>(&self, count: usize) -> Result<(), QuotaExceeded> {
        self.charge((count as u64).saturating_mul(size_of::<T>() as u64))
    }

    /// Charges memory for values that are dropped before the next temporary ones.
    ///
    /// # Errors
    /// The errors of [`Quota::charge_memory`].
    pub fn charge_temporary<T>(&self, count: usize) -> Result<(), QuotaExceeded> {
        let bytes = (count as u64).saturating_mul(size_of::<T>() as u64);
        let before = self.temporary.get();
        self.charge(bytes.saturating_sub(before))?;
        self.temporary.set(before.max(bytes));
        Ok(())
    }

    /// Charges units of work.
    ///
    /// # Errors
    /// [`QuotaExceeded::Work`].
    pub fn charge_work(&self, units: u64) -> Result<(), QuotaExceeded> {
        self.record(self.quota.charge_work(units))
    }

    /// Returns the error if the quota was exceeded.
    #[must_use]
    pub fn exceeded(&self) -> Option<QuotaExceeded> {
        self.exceeded.get()
    }

    /// Records the error of a charge.
    ///
    /// # Errors
    /// The same error.
    pub fn record<T>(&self, charged: Result<T, QuotaExceeded>) -> Result<T, QuotaExceeded> {
        charged.inspect_err(|&error| self.exceeded.set(Some(error)))
    }
}

#[cfg(test)]
mod tests {
    use lodger_quota::{Quota, QuotaLimits};

    use super::data_uri;
    use crate::buffers::FileQuota;

    #[test]
    fn data_of_a_uri_is_charged() {
        let read = |memory| {
            let quota = Quota::new(QuotaLimits { memory, ..QuotaLimits::default() });
            data_uri("data:;base64,AAAAAAAA", &FileQuota::new(&quota)).expect("a data URI")
        };
        assert_eq!(read(8).expect("within the quota"), [0; 6]);
        let error = read(7).expect_err("too much").to_string();
        assert_eq!(error, "cannot be read: it needs more than 0 MiB of memory");
    }
}
