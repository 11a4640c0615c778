//! Where a file of a hash lies.

use std::path::{Path, PathBuf};

/// The folder of the files.
pub(crate) const FILES: &str = "fsassets";
/// The table of them.
pub(crate) const TABLE: &str = "fsassets.csv";

/// The folder of a file: the first 2, 2, 2 and 4 digits of its hash, which is written in large letters.
///
/// Source: `OpenSimulator`, `FSAssetService.cs` (`HashToPath`).
pub(crate) fn folder(files: &Path, hash: &str) -> PathBuf {
    let mut path = files.to_owned();
    let mut rest = hash;
    for digits in [2, 2, 2, 4] {
        let (part, after) = rest.split_at_checked(digits).unwrap_or((rest, ""));
        path.push(part);
        rest = after;
    }
    path
}
