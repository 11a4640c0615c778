//! Files that a user names, and that may be no files: a device has no end.

use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::Path;

/// Bytes in a mebibyte.
const MIB: u64 = 1 << 20;

/// All bytes of a file of at most so many mebibytes.
///
/// # Errors
/// Those of the operating system, and [`ErrorKind::FileTooLarge`] for more.
pub(crate) fn read(path: &Path, most_mib: u64) -> io::Result<Vec<u8>> {
    of(File::open(path)?, most_mib)
}

fn of(input: impl Read, most_mib: u64) -> io::Result<Vec<u8>> {
    let (most, mut bytes) = (most_mib * MIB, Vec::new());
    input.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        let message = format!("it is larger than {most_mib} MiB");
        return Err(io::Error::new(ErrorKind::FileTooLarge, message));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_no_end_is_refused() {
        let error = of(io::repeat(0), 2).expect_err("it has no end");
        assert_eq!(error.kind(), ErrorKind::FileTooLarge);
        assert_eq!(error.to_string(), "it is larger than 2 MiB");
        assert_eq!(of(io::repeat(0).take(2 * MIB), 2).expect("just so").len() as u64, 2 * MIB);
        assert!(of(io::repeat(0).take(2 * MIB + 1), 2).is_err());
    }
}
