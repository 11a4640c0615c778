//! The bytes of what a command line names.

use std::io;
use std::path::Path;

use lodger_files::{Problem, Stream};

/// What a user calls a file: its path, and stdin for `-`.
pub(crate) fn name(file: &Path) -> String {
    if file == Path::new("-") { "<stdin>".to_owned() } else { file.display().to_string() }
}

/// The bytes of a file, or of stdin for `-`, inflated if they are compressed with gzip.
pub(crate) fn read(file: &Path) -> io::Result<Vec<u8>> {
    Stream::open(file).and_then(Stream::whole).map_err(|problem| match problem {
        Problem::Unreadable(error) => error,
        problem => io::Error::other(problem),
    })
}
