//! Where a result goes: stdout, or a file that is written as a whole or not at all.

use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, ErrorKind, Write as _};
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
    // Without a handler the limit ends the program, as it always did.
    let _ = signals::outlive_file_limit();
    let (name, written) = match target {
        Target::Stdout => ("stdout".to_owned(), to_stdout(bytes)),
        Target::File(path) => (format!("`{}`", path.display()), to_file(path, bytes)),
    };
    match written {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Diagnostic::error(format!("cannot write to {name}: {error}"))
                .help("choose another place with --output FILE"))
        }
        _ => Ok(()),
    }
}

fn to_stdout(bytes: &[u8]) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(bytes)?;
    stdout.flush()
}

fn to_file(path: &Path, bytes: &[u8]) -> io::Result<()> {
    match fs::metadata(path) {
        Ok(found) if found.is_file() => {
            replace(&fs::canonicalize(path)?, Some(found.permissions()), bytes)
        }
        Ok(found) if found.is_dir() => {
            Err(io::Error::new(ErrorKind::IsADirectory, "it is a folder"))
        }
        Ok(_) => OpenOptions::new().write(true).open(path)?.write_all(bytes),
        Err(error) if error.kind() == ErrorKind::NotFound => match fs::read_link(path) {
            Ok(target) => replace(&folder_of(path).join(target), None, bytes),
            Err(_) => replace(path, None, bytes),
        },
        Err(error) => Err(error),
    }
}

/// Writes a temporary file beside the target and renames it to the target.
fn replace(path: &Path, permissions: Option<Permissions>, bytes: &[u8]) -> io::Result<()> {
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
    fill(file, permissions, bytes).inspect_err(|_| drop(lock().take()))?;
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

fn fill(mut file: File, permissions: Option<Permissions>, bytes: &[u8]) -> io::Result<()> {
    file.write_all(bytes)?;
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
