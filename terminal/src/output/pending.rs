//! What is being written and must not stay where it is not finished.

use std::fs::{self, File, Permissions};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, Once, PoisonError};

use tempfile::TempPath;

use crate::same_file::folder_of;
use crate::signals;

/// What a shell reports of a program that was ended by Ctrl-C.
const INTERRUPTED: i32 = 130;
/// How the names of temporary files begin.
pub(super) const PREFIX: &str = ".lodger-";

static PENDING: Mutex<PendingOutput> =
    Mutex::new(PendingOutput { files: Vec::new(), folders: Vec::new(), scratch: Vec::new() });

/// What somebody does before Ctrl-C ends the program.
type CleanupHook = Box<dyn FnOnce() + Send>;

static CLEANUP_HOOKS: Mutex<Vec<CleanupHook>> = Mutex::new(Vec::new());

/// Who writes: a single result, or the results of a batch. No two are the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct WriterId(u64);

impl WriterId {
    pub(super) fn new() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Self(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

/// A temporary file beside the place where it belongs.
#[derive(Debug)]
pub(super) struct PendingFile {
    writer: WriterId,
    pub(super) temporary: TempPath,
    pub(super) target: PathBuf,
}

/// Temporary files, and the folders that were made for them.
#[derive(Debug)]
pub(super) struct PendingOutput {
    files: Vec<PendingFile>,
    folders: Vec<(WriterId, PathBuf)>,
    /// Temporary folders of others.
    scratch: Vec<PathBuf>,
}

impl PendingOutput {
    /// The files of a writer in the order in which they were begun. Whoever has them finishes them; dropped, they
    /// are gone.
    pub(super) fn take(&mut self, writer: WriterId) -> Vec<PendingFile> {
        self.files.extract_if(.., |file| file.writer == writer).collect()
    }

    /// Leaves the folder of a writer where it is.
    pub(super) fn keep_folder(&mut self, writer: WriterId) {
        self.folders.retain(|&(other, _)| other != writer);
    }

    /// Takes away what a writer has not finished.
    pub(super) fn abandon(&mut self, writer: WriterId) {
        self.files.retain(|file| file.writer != writer);
        self.folders.extract_if(.., |&mut (other, _)| other == writer).for_each(remove_folder);
    }

    /// Takes away what nobody has finished.
    fn abandon_all(&mut self) {
        self.files.clear();
        self.folders.drain(..).for_each(remove_folder);
        for folder in self.scratch.drain(..) {
            // What cannot be removed stays; nobody is left who could do something about it.
            let _ = fs::remove_dir_all(folder);
        }
    }
}

fn remove_folder((_, folder): (WriterId, PathBuf)) {
    // Somebody else may have put something there.
    let _ = fs::remove_dir(folder);
}

/// Begins a temporary file beside its target, to be filled.
pub(super) fn begin(writer: WriterId, target: &Path) -> io::Result<File> {
    remove_on_interrupt();
    let mut pending = lock();
    let (file, temporary) = builder().tempfile_in(folder_of(target))?.into_parts();
    pending.files.push(PendingFile { writer, temporary, target: target.to_owned() });
    Ok(file)
}

/// Makes a folder that goes again if its writer finishes nothing.
pub(super) fn make_folder(writer: WriterId, folder: &Path) -> io::Result<()> {
    remove_on_interrupt();
    let mut pending = lock();
    fs::create_dir(folder)?;
    pending.folders.push((writer, folder.to_owned()));
    Ok(())
}

/// Lets Ctrl-C take a temporary folder with it, and all that is in it.
pub(super) fn remove_scratch(folder: &Path) {
    remove_on_interrupt();
    lock().scratch.push(folder.to_owned());
}

/// Has Ctrl-C do something before it ends the program.
pub(super) fn add_cleanup_hook(hook: CleanupHook) {
    remove_on_interrupt();
    cleanup_hooks().push(hook);
}

fn cleanup_hooks() -> MutexGuard<'static, Vec<CleanupHook>> {
    CLEANUP_HOOKS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What is pending. While it is held, nothing is taken away.
pub(super) fn lock() -> MutexGuard<'static, PendingOutput> {
    PENDING.lock().unwrap_or_else(PoisonError::into_inner)
}

fn builder() -> tempfile::Builder<'static, 'static> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(PREFIX);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        // What any new file asks for; the umask takes its part of it.
        builder.permissions(Permissions::from_mode(0o666));
    }
    builder
}

/// Lets Ctrl-C take what is pending with it. Where the operating system grants neither a handler nor a
/// thread, results are written all the same.
fn remove_on_interrupt() {
    static SET: Once = Once::new();
    let remove = || {
        let mut pending = lock();
        pending.abandon_all();
        cleanup_hooks().drain(..).for_each(|hook| hook());
        std::process::exit(INTERRUPTED);
    };
    SET.call_once(|| drop(signals::on_ending(remove)));
}
