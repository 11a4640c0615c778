//! What `tests/fuzz` and its short run on a stable toolchain drive: bytes in, no files, no terminal.

use crate::input::archive;

/// An archive, as `lodger cost` reads it; it is valid if all of it could be read.
#[must_use]
pub fn archive(bytes: &[u8]) -> bool {
    let limits = archive::Limits {
        entry_bytes: 1 << 20,
        kept_bytes: 4 << 20,
        inflated_bytes: 16 << 20,
        entries: 1000,
        errors: 100,
    };
    archive::read(bytes, limits).is_ok_and(|archive| archive.errors.is_empty())
}
