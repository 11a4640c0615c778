//! What reading an asset may take.

use crate::inflate::most_inflated;
use crate::llsd::MAX_VALUES;

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
