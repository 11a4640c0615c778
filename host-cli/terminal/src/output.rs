//! Where a result goes: stdout, or a file that is written as a whole or not at all.

use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, Once, PoisonError};

use serde::Serialize;
use tempfile::{NamedTempFile, TempPath};

use crate::Diagnostic;
use crate::signals;

/// What a shell reports of a program that was ended by Ctrl-C.
const INTERRUPTED: i32 = 130;

/// The file that is being written; files are written one after the other.
static UNFINISHED: Mutex<Option<TempPath>> = Mutex::new(None);

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
    remove_on_interrupt();
    let file = {
        let mut slot = lock();
        let (file, path) = new_file(&folder)?.into_parts();
        *slot = Some(path);
        file
    };
    fill(&file, permissions, pieces).inspect_err(|_| drop(lock().take()))?;
    match lock().take() {
        Some(temporary) => temporary.persist(path).map_err(|e| e.error),
        None => Err(ErrorKind::Interrupted.into()),
    }
}

/// The folder that a path is in.
pub(crate) fn folder_of(path: &Path) -> PathBuf {
    match path.parent() {
        Some(parent) if parent != Path::new("") => parent.to_owned(),
        _ => PathBuf::from("."),
    }
}

fn new_file(folder: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".lodger-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        // What any new file asks for; the umask takes its part of it.
        builder.permissions(Permissions::from_mode(0o666));
    }
    builder.tempfile_in(folder)
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

/// Lets Ctrl-C take the unfinished file with it. Where the operating system grants neither a handler nor a
/// thread, the result is written all the same.
fn remove_on_interrupt() {
    static SET: Once = Once::new();
    let remove = || {
        let mut slot = lock();
        drop(slot.take());
        std::process::exit(INTERRUPTED);
    };
    SET.call_once(|| drop(signals::on_ending(remove)));
}

fn lock() -> MutexGuard<'static, Option<TempPath>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
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
