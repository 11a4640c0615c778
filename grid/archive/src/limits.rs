//! How much is read before it is taken for an attack.

/// How much of an archive is read before it is taken for an attack. What it takes in memory and work as a
/// whole is up to an [`Allowance`](lodger_allowance::Allowance).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of one mesh, object, item or parcel; a larger one is left out, with an error of its own.
    pub entry_bytes: u64,
    /// Entries of any kind; reading ends there.
    pub entries: u64,
    /// Levels of XML elements within each other; objects need about ten.
    pub nesting: usize,
    /// Errors that are told one by one; one more says how many others there were.
    pub errors: usize,
}

impl Default for Limits {
    /// 64 MiB an entry, 4 million entries, 64 levels, 10 000 errors.
    fn default() -> Self {
        Self { entry_bytes: 64 << 20, entries: 4_000_000, nesting: 64, errors: 10_000 }
    }
}
