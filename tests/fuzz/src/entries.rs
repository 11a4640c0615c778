//! The entries of an archive, past the check sums of tar and the compression around it.

use lodger_opensim::archive::Reading;

use super::archive::inspect;
use super::limits::{OF_ARCHIVES, allowance};

/// What stands between entries.
const BETWEEN: &[u8] = b"\n--\n";

/// Entries: each is a path, a newline and a content, with `--` in a line of its own between two. What
/// must be so of an archive is so of them. They are valid if all of them could be read.
///
/// # Panics
/// If anything of this is not so.
#[must_use]
pub fn entries(bytes: &[u8]) -> bool {
    let allowance = allowance();
    let mut reading = Reading::new(OF_ARCHIVES, &allowance);
    let mut count = 0;
    for (path, content) in pieces(bytes).filter_map(entry) {
        count += 1;
        if let Err(error) = reading.entry(path, content.len() as u64, content) {
            let is_over = error.is_limit();
            reading.fault(error);
            if is_over {
                break;
            }
        }
    }
    let Ok(archive) = reading.finish() else { return false };
    assert!(archive.entries <= count);
    inspect(&archive);
    count > 0 && archive.errors.is_empty()
}

fn pieces(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = Some(bytes);
    std::iter::from_fn(move || {
        let bytes = rest?;
        let end = bytes.windows(BETWEEN.len()).position(|window| window == BETWEEN);
        rest = end.map(|end| &bytes[end + BETWEEN.len()..]);
        Some(&bytes[..end.unwrap_or(bytes.len())])
    })
}

fn entry(piece: &[u8]) -> Option<(&str, &[u8])> {
    let end = piece.iter().position(|&byte| byte == b'\n')?;
    Some((std::str::from_utf8(&piece[..end]).ok()?, &piece[end + 1..]))
}
