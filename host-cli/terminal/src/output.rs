//! Where a result goes: stdout, or a file that is written as a whole or not at all.

mod batch;
mod unfinished;

use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::Path;

use serde::Serialize;

use crate::Diagnostic;
use crate::same_file::folder_of;
use crate::signals;

use unfinished::Writer;

pub use batch::Batch;

/// Where a result goes.
#[derive(Clone, Copy, Debug)]
pub enum Target<'a> {
    /// To whoever reads our stdout.
    Stdout,
    /// To a file.
    File(&'a Path),
}

impl<'a> Target<'a> {
    /// The file, if one is given.
    pub fn of(file: Option<&'a Path>) -> Self {
        file.map_or(Self::Stdout, Self::File)
    }
}

/// Lets Ctrl-C take a temporary folder with it, and all that is in it; the program then ends with 130. Whoever
/// made the folder removes it in all other cases.
pub fn remove_on_interrupt(folder: &Path) {
    unfinished::remove_scratch(folder);
}

/// Lets Ctrl-C do something before the program ends with 130, such as to tell another one. It must not take long.
pub fn before_interrupt(farewell: impl FnOnce() + Send + 'static) {
    unfinished::say_farewell(Box::new(farewell));
}

/// Writes a result. A reader who has seen enough and closed the pipe is no error; a file that would grow
/// beyond what the process may write (`ulimit -f`) is one.
///
/// # Errors
/// What cannot be written, with what to do about it.
pub fn write(target: Target<'_>, bytes: &[u8]) -> Result<(), Diagnostic> {
    write_with(target, |out| out.write_all(bytes))
}

/// Writes a result piece by piece, as [`write()`] does a whole one. A file is there when the last piece is.
///
/// # Errors
/// Those of [`write()`], and what `pieces` returns.
pub fn write_with(
    target: Target<'_>,
    pieces: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), Diagnostic> {
    // Without a handler the limit ends the program, as it always did.
    let _ = signals::outlive_file_limit();
    let (name, written) = match target {
        Target::Stdout => ("stdout".to_owned(), buffered(io::stdout().lock(), pieces)),
        Target::File(path) => (format!("`{}`", path.display()), to_file(path, pieces)),
    };
    match written {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Diagnostic::error(format!("cannot write to {name}: {error}"))
                .help("choose another place with --output FILE"))
        }
        _ => Ok(()),
    }
}

/// Writes a result as one JSON document, as it is made.
///
/// # Errors
/// Those of [`write()`].
pub fn write_json(target: Target<'_>, result: &impl Serialize) -> Result<(), Diagnostic> {
    write_with(target, |out| {
        serde_json::to_writer_pretty(&mut *out, result)?;
        out.write_all(b"\n")
    })
}

/// Counts what `pieces` write, and keeps nothing of it. They fail where they are more than `most` bytes, and
/// the count is then above that.
///
/// # Examples
/// ```
/// use lodger_terminal::output::count_bytes;
///
/// assert_eq!(count_bytes(9, |out| out.write_all(b"seven: 7")), 8);
/// assert!(count_bytes(7, |out| out.write_all(b"seven: 7")) > 7);
/// ```
pub fn count_bytes(most: u64, pieces: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> u64 {
    let mut counter = ByteCounter { bytes: 0, most };
    // Nothing fails but what is too much, which the counter knows.
    let _ = buffered(&mut counter, pieces);
    counter.bytes
}

struct ByteCounter {
    bytes: u64,
    most: u64,
}

impl Write for ByteCounter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.bytes = self.bytes.saturating_add(bytes.len() as u64);
        if self.bytes > self.most { Err(io::Error::other("too much")) } else { Ok(bytes.len()) }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn buffered(
    out: impl Write,
    pieces: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    const BUFFER: usize = 1 << 16;
    let mut out = BufWriter::with_capacity(BUFFER, out);
    pieces(&mut out)?;
    out.flush()
}

fn to_file(path: &Path, pieces: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    match fs::metadata(path) {
        Ok(found) if found.is_file() => {
            replace(&fs::canonicalize(path)?, Some(found.permissions()), pieces)
        }
        Ok(found) if found.is_dir() => {
            Err(io::Error::new(ErrorKind::IsADirectory, "it is a folder"))
        }
        Ok(_) => buffered(OpenOptions::new().write(true).open(path)?, pieces),
        Err(error) if error.kind() == ErrorKind::NotFound => match fs::read_link(path) {
            Ok(target) => replace(&folder_of(path).join(target), None, pieces),
            Err(_) => replace(path, None, pieces),
        },
        Err(error) => Err(error),
    }
}

/// Writes a temporary file beside the target and renames it to the target.
fn replace(
    path: &Path,
    permissions: Option<Permissions>,
    pieces: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let folder = folder_of(path);
    if !folder.is_dir() {
        let message = format!("there is no folder `{}`", folder.display());
        return Err(io::Error::new(ErrorKind::NotFound, message));
    }
    let writer = Writer::new();
    let file = unfinished::begin(writer, path)?;
    fill(&file, permissions, pieces).inspect_err(|_| unfinished::lock().abandon(writer))?;
    match unfinished::lock().take(writer).pop() {
        Some(waiting) => waiting.temporary.persist(waiting.target).map_err(|e| e.error),
        None => Err(ErrorKind::Interrupted.into()),
    }
}

fn fill(
    file: &File,
    permissions: Option<Permissions>,
    pieces: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    buffered(file, pieces)?;
    if let Some(permissions) = permissions {
        file.set_permissions(permissions)?;
    }
    file.sync_all()
}

/// A result as one JSON document.
///
/// # Errors
/// What cannot be shown as JSON.
pub fn json(result: &impl Serialize) -> Result<Vec<u8>, Diagnostic> {
    let mut bytes = serde_json::to_vec_pretty(result)
        .map_err(|e| Diagnostic::error(format!("cannot show the result as JSON: {e}")))?;
    bytes.push(b'\n');
    Ok(bytes)
}
