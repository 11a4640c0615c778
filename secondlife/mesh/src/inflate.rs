//! Inflating blocks, and how much reading an asset may take.

use std::cell::RefCell;
use std::io::Write;

use flate2::write::ZlibEncoder;
use flate2::{Compression, Decompress, FlushDecompress, Status};

use crate::error::Problem;
use crate::llsd::MAX_VALUES;

/// Real blocks inflate to 1.2 to 3 times their size; what does not fit this is measured first.
const USUAL_RATIO: usize = 4;

/// The smallest room a block is given, in bytes.
const LEAST_ROOM: usize = 1024;

thread_local! {
    /// One for all blocks of a thread: what it holds is larger than a usual block, and takes as long to make.
    static STREAM: RefCell<Decompress> = RefCell::new(Decompress::new(true));
}

/// The most bytes that so many bytes inflate to: of the 258 bytes of a longest match, four for each
/// byte.
pub(crate) fn most_inflated(bytes: usize) -> usize {
    const MOST_RATIO: usize = 4 * 258;
    bytes.saturating_mul(MOST_RATIO)
}

/// Inflates `bytes` to at most `limit` bytes. What follows the stream is ignored.
///
/// A stream that inflates to more than usual is run through a small window once, to learn its size;
/// so a bomb costs time but no memory.
pub(crate) fn inflate(bytes: &[u8], limit: usize) -> Result<Vec<u8>, Problem> {
    let usual = bytes.len().saturating_mul(USUAL_RATIO).max(LEAST_ROOM);
    let room = usual.min(limit.saturating_add(1));
    if let Some(out) = fill(bytes, room)? {
        return within(limit, out.len()).map(|()| out);
    }
    let size = measure(bytes, limit)?;
    fill(bytes, size.saturating_add(1))?.ok_or(Problem::TooLarge { limit })
}

/// The stream, or `None` if it is longer than `room`.
fn fill(bytes: &[u8], room: usize) -> Result<Option<Vec<u8>>, Problem> {
    let mut out = Vec::with_capacity(room);
    from_start(|stream| {
        loop {
            let before = (stream.total_in(), stream.total_out());
            // Finish: nobody comes back for more, so that no window has to be kept.
            let status = stream
                .decompress_vec(unread(bytes, stream), &mut out, FlushDecompress::Finish)
                .map_err(|_| damaged(stream))?;
            if status == Status::StreamEnd {
                return Ok(Some(()));
            }
            if out.len() == out.capacity() {
                return Ok(None);
            }
            if before == (stream.total_in(), stream.total_out()) {
                return Err(damaged(stream));
            }
        }
    })
    .map(|whole| whole.map(|()| out))
}

/// How many bytes the stream inflates to.
fn measure(bytes: &[u8], limit: usize) -> Result<usize, Problem> {
    let mut window = vec![0; 1 << 15];
    from_start(|stream| {
        loop {
            let before = (stream.total_in(), stream.total_out());
            let status = stream
                .decompress(unread(bytes, stream), &mut window, FlushDecompress::None)
                .map_err(|_| damaged(stream))?;
            let size = usize::try_from(stream.total_out()).unwrap_or(usize::MAX);
            within(limit, size)?;
            if status == Status::StreamEnd {
                return Ok(size);
            }
            if before == (stream.total_in(), stream.total_out()) {
                return Err(damaged(stream));
            }
        }
    })
}

/// Works with this thread's stream, of which nothing was read.
fn from_start<T>(work: impl FnOnce(&mut Decompress) -> T) -> T {
    STREAM.with_borrow_mut(|stream| {
        stream.reset(true);
        work(stream)
    })
}

fn unread<'b>(bytes: &'b [u8], stream: &Decompress) -> &'b [u8] {
    bytes.get(consumed(stream)..).unwrap_or_default()
}

fn consumed(stream: &Decompress) -> usize {
    usize::try_from(stream.total_in()).unwrap_or(usize::MAX)
}

fn damaged(stream: &Decompress) -> Problem {
    Problem::Damaged { at: consumed(stream) }
}

fn within(limit: usize, size: usize) -> Result<(), Problem> {
    if size > limit { Err(Problem::TooLarge { limit }) } else { Ok(()) }
}

/// Deflates as a viewer's uploader does: zlib at its best level.
pub(crate) fn deflate(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
    // A vector takes whatever it is given, so neither call can fail.
    let _ = encoder.write_all(bytes);
    encoder.finish().unwrap_or_default()
}

/// What an asset may grow to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Bytes that a block may inflate to.
    pub block_bytes: usize,
    /// LLSD values that a block may hold, and the header.
    pub values: usize,
}

impl Limits {
    /// The most bytes of memory that an asset of so many bytes takes beside its file, whatever is in
    /// it: to be priced at any scale, counted, [verified](crate::Asset::verify) or
    /// [linted](crate::lint::lint), and whatever is kept of it.
    ///
    /// It is three times what its largest block may inflate to, 320 bytes for each LLSD value of a block
    /// and of the header, and 2 MiB. A block inflates to at most 1 032 times its size, and no more
    /// than [`block_bytes`](Self::block_bytes); one block is inflated at a time, two while levels of
    /// detail are compared, and what is decoded of one takes at most twice its bytes.
    ///
    /// # Examples
    /// ```
    /// use lodger_mesh_asset::Limits;
    ///
    /// let limits = Limits::default();
    /// assert!(limits.most_memory(1_000) < 26 << 20);
    /// assert_eq!(limits.most_memory(1 << 20), limits.most_memory(usize::MAX));
    /// assert_eq!(limits.most_memory(usize::MAX) >> 20, 3 * 64 + 2 * 20 + 2);
    /// ```
    #[must_use]
    pub fn most_memory(&self, file_bytes: usize) -> u64 {
        /// Windows, tables and a few thousand findings.
        const FIXED: u64 = 2 << 20;
        /// Bytes for a value and what is decoded of it.
        const PER_VALUE: u64 = 320;
        /// The block itself, and what is decoded of it or another one.
        const BLOCKS: u64 = 3;
        let block = most_inflated(file_bytes).min(self.block_bytes);
        let values = block.min(self.values).saturating_add(file_bytes.min(self.values));
        let [block, values] =
            [block, values].map(|number| u64::try_from(number).unwrap_or(u64::MAX));
        let values = PER_VALUE.saturating_mul(values);
        FIXED.saturating_add(values).saturating_add(BLOCKS.saturating_mul(block))
    }
}

impl Default for Limits {
    /// 64 MiB and 2¹⁶ values.
    fn default() -> Self {
        Self { block_bytes: 64 << 20, values: MAX_VALUES }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_around_every_boundary_come_back() {
        for size in [0, 1, LEAST_ROOM - 1, LEAST_ROOM, LEAST_ROOM + 1, 1 << 15, 100_000] {
            let bytes = vec![7; size];
            let packed = deflate(&bytes);
            assert_eq!(inflate(&packed, size).unwrap(), bytes, "{size}");
            if size > 0 {
                let limit = size - 1;
                assert_eq!(inflate(&packed, limit), Err(Problem::TooLarge { limit }));
            }
        }
    }

    #[test]
    fn incompressible_bytes_and_trailing_ones() {
        let noise = |i: u32| i.wrapping_mul(2_654_435_761).to_be_bytes()[0];
        let bytes: Vec<u8> = (0..5000).map(noise).collect();
        let mut packed = deflate(&bytes);
        packed.extend_from_slice(b"next block");
        assert_eq!(inflate(&packed, 1 << 20).unwrap(), bytes);
    }

    #[test]
    fn a_cut_or_wrong_stream_is_damaged() {
        let packed = deflate(&[7; 5000]);
        for cut in 0..packed.len() {
            let damaged = inflate(&packed[..cut], 1 << 20);
            assert!(matches!(damaged, Err(Problem::Damaged { .. })), "{cut}");
        }
        assert!(inflate(b"not zlib at all", 1 << 20).is_err());
    }
}
