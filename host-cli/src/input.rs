//! The bytes of what a command line names.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// More than this is taken for something that is no input, such as an endless device.
const LARGEST_FILE: u64 = 1 << 30;

/// What a user calls a file: its path, and stdin for `-`.
pub(crate) fn name(file: &Path) -> String {
    if file == Path::new("-") { "<stdin>".to_owned() } else { file.display().to_string() }
}

/// The bytes of a file, or of stdin for `-`.
pub(crate) fn read(file: &Path) -> io::Result<Vec<u8>> {
    if file == Path::new("-") {
        read_all(io::stdin().lock())
    } else {
        File::open(file).and_then(read_all)
    }
}

/// All there is to read, unless it is endless.
pub(crate) fn read_all(input: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    input.take(LARGEST_FILE + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LARGEST_FILE {
        return Err(io::Error::other("it is larger than 1 GiB"));
    }
    Ok(bytes)
}
