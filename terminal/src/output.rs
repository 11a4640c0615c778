//! Where a result goes: stdout, or a file that is written as a whole or not at all.

mod batch;
mod pending;

use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::Diagnostic;
use crate::same_file::folder_of;
use crate::signals;

use pending::WriterId;

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
    pending::remove_scratch(folder);
}

/// Lets Ctrl-C do something before the program ends with 130, such as to tell another one. It must not take long.
pub fn before_interrupt(hook: impl FnOnce() + Send + 'static) {
    pending::add_cleanup_hook(Box::new(hook));
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
    let written = match target {
        Target::Stdout => buffered(io::stdout().lock(), pieces),
        Target::File(path) => to_file(path, pieces),
    };
    match written {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(refused(target, &error)),
        _ => Ok(()),
    }
}

/// Writes several results as one: all of the files, or none of them. Results for stdout or a device are written
/// when all files are complete, and before the files are put in their places.
///
/// # Errors
/// The errors of [`write()`] and of [`Batch`].
///
/// # Examples
/// ```
/// use lodger_terminal::{Target, output};
///
/// # let work = tempfile::tempdir()?;
/// let [rows, page] = ["rows.json", "page.html"].map(|name| work.path().join(name));
/// let results = [(Target::File(&rows), b"{}".to_vec()), (Target::File(&page), b"<p>".to_vec())];
/// output::write_all(&results).map_err(|error| error.message)?;
/// assert_eq!(std::fs::read(rows)?, b"{}");
///
/// let nowhere = work.path().join("none/page.html");
/// let new = work.path().join("new.json");
/// let results = [(Target::File(&new), b"{}".to_vec()), (Target::File(&nowhere), b"<p>".to_vec())];
/// assert!(output::write_all(&results).is_err());
/// assert!(!new.exists());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write_all(results: &[(Target<'_>, Vec<u8>)]) -> Result<(), Diagnostic> {
    let batch = Batch::new(true);
    let mut streams = Vec::new();
    for (target, bytes) in results {
        let file = match target {
            Target::Stdout => None,
            Target::File(path) => regular_file(path).map_err(|error| refused(*target, &error))?,
        };
        match file {
            Some(file) => batch.add(&file, bytes)?,
            None => streams.push((*target, bytes)),
        }
    }
    streams.into_iter().try_for_each(|(target, bytes)| write(target, bytes))?;
    batch.finish()
}

fn refused(target: Target<'_>, error: &io::Error) -> Diagnostic {
    let name = match target {
        Target::Stdout => "stdout".to_owned(),
        Target::File(path) => format!("`{}`", path.display()),
    };
    Diagnostic::error(format!("cannot write to {name}: {error}"))
        .help("choose another place with --output FILE")
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
    // The only failure is a count above the limit, which the counter knows.
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
    match regular_file(path)? {
        Some(file) => replace(&file, pieces),
        None => buffered(OpenOptions::new().write(true).open(path)?, pieces),
    }
}

/// The regular file that a path names or will name, behind symbolic links; `None` for a device or a pipe.
fn regular_file(path: &Path) -> io::Result<Option<PathBuf>> {
    let file = match fs::metadata(path) {
        Ok(found) if found.is_file() => return fs::canonicalize(path).map(Some),
        Ok(found) if found.is_dir() => {
            return Err(io::Error::new(ErrorKind::IsADirectory, "it is a folder"));
        }
        Ok(_) => return Ok(None),
        Err(error) if error.kind() == ErrorKind::NotFound => match fs::read_link(path) {
            Ok(target) => folder_of(path).join(target),
            Err(_) => path.to_owned(),
        },
        Err(error) => return Err(error),
    };
    let folder = folder_of(&file);
    if !folder.is_dir() {
        let message = format!("there is no folder `{}`", folder.display());
        return Err(io::Error::new(ErrorKind::NotFound, message));
    }
    Ok(Some(file))
}

/// Writes a temporary file beside the target and renames it to the target.
fn replace(path: &Path, pieces: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let permissions = fs::metadata(path).ok().map(|found| found.permissions());
    let writer = WriterId::new();
    let file = pending::begin(writer, path)?;
    fill(&file, permissions, pieces).inspect_err(|_| pending::lock().abandon(writer))?;
    match pending::lock().take(writer).pop() {
        Some(file) => file.temporary.persist(file.target).map_err(|e| e.error),
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
