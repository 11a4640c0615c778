//! Inflating and deflating of blocks, and limits on reading an asset.

use std::cell::RefCell;
use std::io::Write;

use flate2::write::ZlibEncoder;
use flate2::{Compression, Decompress, FlushDecompress, Status};

use crate::error::AssetErrorKind;
use crate::llsd::MAX_VALUES;

/// Usual maximum ratio of inflated to compressed bytes; real blocks have 1.2 to 3.
const USUAL_RATIO: usize = 4;

const MIN_CAPACITY: usize = 1024;

thread_local! {
    /// The decompressor of a thread, whose tables are larger than a usual block and slow to allocate.
    static STREAM: RefCell<Decompress> = RefCell::new(Decompress::new(true));
}

/// Returns the maximum inflated size: four matches of 258 bytes for each byte.
pub(crate) fn max_inflated(bytes: usize) -> usize {
    bytes.saturating_mul(4 * 258)
}

/// Inflates a block and ignores bytes behind the stream. A stream with an unusual ratio is first measured through a
/// small window, so a bomb costs time but no memory.
pub(crate) fn inflate(bytes: &[u8], limit: usize) -> Result<Vec<u8>, AssetErrorKind> {
    let usual = bytes.len().saturating_mul(USUAL_RATIO).max(MIN_CAPACITY);
    let capacity = usual.min(limit.saturating_add(1));
    if let Some(out) = fill(bytes, capacity)? {
        return within(limit, out.len()).map(|()| out);
    }
    let size = measure(bytes, limit)?;
    fill(bytes, size.saturating_add(1))?.ok_or(AssetErrorKind::TooLarge { limit })
}

/// Inflates the stream; `None` if it is longer than `capacity`.
fn fill(bytes: &[u8], capacity: usize) -> Result<Option<Vec<u8>>, AssetErrorKind> {
    let mut out = Vec::with_capacity(capacity);
    let is_whole = run(|stream| {
        // No later call follows, so that no window has to be kept.
        let status =
            stream.decompress_vec(unread(bytes, stream), &mut out, FlushDecompress::Finish);
        let is_full = out.len() == out.capacity();
        status.map(|status| (status, is_full)).map_err(|_| damaged(stream))
    })?;
    Ok(is_whole.then_some(out))
}

fn measure(bytes: &[u8], limit: usize) -> Result<usize, AssetErrorKind> {
    let mut window = vec![0; 1 << 15];
    let mut size = 0;
    run(|stream| {
        let status = stream.decompress(unread(bytes, stream), &mut window, FlushDecompress::None);
        let status = status.map_err(|_| damaged(stream))?;
        size = usize::try_from(stream.total_out()).unwrap_or(usize::MAX);
        within(limit, size).map(|()| (status, false))
    })?;
    Ok(size)
}

/// Repeats a step up to the end of the stream. A step returns the status and whether the output is full; returns
/// whether the end was reached.
fn run(
    mut step: impl FnMut(&mut Decompress) -> Result<(Status, bool), AssetErrorKind>,
) -> Result<bool, AssetErrorKind> {
    STREAM.with_borrow_mut(|stream| {
        stream.reset(true);
        loop {
            let before = (stream.total_in(), stream.total_out());
            match step(stream)? {
                (Status::StreamEnd, _) => return Ok(true),
                (_, true) => return Ok(false),
                _ if before == (stream.total_in(), stream.total_out()) => {
                    return Err(damaged(stream));
                }
                _ => {}
            }
        }
    })
}

fn unread<'b>(bytes: &'b [u8], stream: &Decompress) -> &'b [u8] {
    bytes.get(consumed(stream)..).unwrap_or_default()
}

fn consumed(stream: &Decompress) -> usize {
    usize::try_from(stream.total_in()).unwrap_or(usize::MAX)
}

fn damaged(stream: &Decompress) -> AssetErrorKind {
    AssetErrorKind::Damaged { at: consumed(stream) }
}

fn within(limit: usize, size: usize) -> Result<(), AssetErrorKind> {
    if size > limit { Err(AssetErrorKind::TooLarge { limit }) } else { Ok(()) }
}

/// Deflates with zlib at the best level, as the uploader of a viewer.
pub(crate) fn deflate(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
    // Writing to a vector cannot fail.
    let _ = encoder.write_all(bytes);
    encoder.finish().unwrap_or_default()
}

/// Limits on reading an asset.
///
/// # Examples
/// ```
/// use lodger_mesh_asset::AssetLimits;
///
/// let limits = AssetLimits::default();
/// assert_eq!((limits.block_bytes, limits.values), (64 << 20, 1 << 16));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AssetLimits {
    /// Maximum inflated bytes of a block.
    pub block_bytes: usize,
    /// Maximum number of LLSD values of a block, and of the header.
    pub values: usize,
}

impl AssetLimits {
    /// An upper bound of the memory in bytes to read an asset of this size: to price it at any scale, to count,
    /// [verify](crate::Asset::verify) or [lint](crate::lint::lint) it, and to keep the results.
    ///
    /// The bound is three times the maximum size of a block, 320 bytes for each LLSD value of a block and of the
    /// header, and 2 MiB. A block inflates to at most 1 032 times its size and to [`block_bytes`](Self::block_bytes).
    ///
    /// # Examples
    /// ```
    /// use lodger_mesh_asset::AssetLimits;
    ///
    /// let limits = AssetLimits::default();
    /// assert!(limits.max_memory(1_000) < 26 << 20);
    /// assert_eq!(limits.max_memory(1 << 20), limits.max_memory(usize::MAX));
    /// assert_eq!(limits.max_memory(usize::MAX) >> 20, 3 * 64 + 2 * 20 + 2);
    /// ```
    #[must_use]
    pub fn max_memory(&self, file_bytes: usize) -> u64 {
        /// Bytes of windows, tables and a few thousand findings.
        const FIXED: u64 = 2 << 20;
        /// Bytes of a value and its decoded form.
        const PER_VALUE: u64 = 320;
        /// Number of blocks at a time: one, and the decoded form of it or of another.
        const BLOCKS: u64 = 3;
        let block = max_inflated(file_bytes).min(self.block_bytes);
        let values = block.min(self.values).saturating_add(file_bytes.min(self.values));
        let [block, values] =
            [block, values].map(|number| u64::try_from(number).unwrap_or(u64::MAX));
        let values = PER_VALUE.saturating_mul(values);
        FIXED.saturating_add(values).saturating_add(BLOCKS.saturating_mul(block))
    }
}

impl Default for AssetLimits {
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
        for size in [0, 1, MIN_CAPACITY - 1, MIN_CAPACITY, MIN_CAPACITY + 1, 1 << 15, 100_000] {
            let bytes = vec![7; size];
            let packed = deflate(&bytes);
            assert_eq!(inflate(&packed, size).unwrap(), bytes, "{size}");
            if size > 0 {
                let limit = size - 1;
                assert_eq!(inflate(&packed, limit), Err(AssetErrorKind::TooLarge { limit }));
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
            assert!(matches!(damaged, Err(AssetErrorKind::Damaged { .. })), "{cut}");
        }
        assert!(inflate(b"not zlib at all", 1 << 20).is_err());
    }
}
