//! How much one input may take.

/// How much one input may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of memory at a time.
    pub memory: u64,
    /// Units of work in all.
    pub work: u64,
}

impl Default for Limits {
    /// 1 GiB, and 32 thousand million units: a region of 29 GiB, inflated, can be looked through.
    fn default() -> Self {
        Self { memory: 1 << 30, work: 32_000_000_000 }
    }
}
