//! Temporary files until they are complete, and several files that are written as one.

use std::fs::{self, File, Permissions};
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, Once, PoisonError};

use tempfile::TempPath;

use super::folder_of;
use crate::Diagnostic;
use crate::signals;

/// 128 + SIGINT.
const INTERRUPTED: i32 = 130;
pub(super) const PREFIX: &str = ".lodger-";

static PENDING: Mutex<PendingOutput> =
    Mutex::new(PendingOutput { files: Vec::new(), folders: Vec::new(), scratch: Vec::new() });

type CleanupHook = Box<dyn FnOnce() + Send>;

static CLEANUP_HOOKS: Mutex<Vec<CleanupHook>> = Mutex::new(Vec::new());

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct WriterId(u64);

impl WriterId {
    pub(super) fn new() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Self(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

#[derive(Debug)]
pub(super) struct PendingFile {
    writer: WriterId,
    pub(super) temporary: TempPath,
    pub(super) target: PathBuf,
}

#[derive(Debug)]
pub(super) struct PendingOutput {
    files: Vec<PendingFile>,
    folders: Vec<(WriterId, PathBuf)>,
    /// Temporary folders of callers.
    scratch: Vec<PathBuf>,
}

impl PendingOutput {
    /// Takes the files of a writer in the order of their creation; they are deleted when dropped.
    pub(super) fn take(&mut self, writer: WriterId) -> Vec<PendingFile> {
        self.files.extract_if(.., |file| file.writer == writer).collect()
    }

    pub(super) fn keep_folder(&mut self, writer: WriterId) {
        self.folders.retain(|&(other, _)| other != writer);
    }

    pub(super) fn abandon(&mut self, writer: WriterId) {
        self.files.retain(|file| file.writer != writer);
        self.folders.extract_if(.., |&mut (other, _)| other == writer).for_each(remove_folder);
    }

    fn abandon_all(&mut self) {
        self.files.clear();
        self.folders.drain(..).for_each(remove_folder);
        for folder in self.scratch.drain(..) {
            // The program ends, so failures are ignored.
            let _ = fs::remove_dir_all(folder);
        }
    }
}

fn remove_folder((_, folder): (WriterId, PathBuf)) {
    // The folder may contain other files by now.
    let _ = fs::remove_dir(folder);
}

pub(super) fn begin(writer: WriterId, target: &Path) -> io::Result<File> {
    remove_on_interrupt();
    let mut pending = lock();
    let (file, temporary) = builder().tempfile_in(folder_of(target))?.into_parts();
    pending.files.push(PendingFile { writer, temporary, target: target.to_owned() });
    Ok(file)
}

fn make_pending_folder(writer: WriterId, folder: &Path) -> io::Result<()> {
    remove_on_interrupt();
    let mut pending = lock();
    fs::create_dir(folder)?;
    pending.folders.push((writer, folder.to_owned()));
    Ok(())
}

pub(super) fn remove_scratch(folder: &Path) {
    remove_on_interrupt();
    lock().scratch.push(folder.to_owned());
}

pub(super) fn add_cleanup_hook(hook: CleanupHook) {
    remove_on_interrupt();
    cleanup_hooks().push(hook);
}

fn cleanup_hooks() -> MutexGuard<'static, Vec<CleanupHook>> {
    CLEANUP_HOOKS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Locks the incomplete files; while locked, Ctrl-C removes nothing.
pub(super) fn lock() -> MutexGuard<'static, PendingOutput> {
    PENDING.lock().unwrap_or_else(PoisonError::into_inner)
}

fn builder() -> tempfile::Builder<'static, 'static> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(PREFIX);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        // The mode of any new file; the umask applies.
        builder.permissions(Permissions::from_mode(0o666));
    }
    builder
}

/// Removes incomplete files on Ctrl-C. Without a handler or a thread, results are written all the same.
fn remove_on_interrupt() {
    static SET: Once = Once::new();
    let remove = || {
        let mut pending = lock();
        pending.abandon_all();
        cleanup_hooks().drain(..).for_each(|hook| hook());
        std::process::exit(INTERRUPTED);
    };
    SET.call_once(|| drop(signals::on_termination(remove)));
}

/// Several files that are written as one. Until [`finish`](Self::finish) they are temporary files in their folders.
/// An error, Ctrl-C, or dropping the batch removes them, and the folders that were made for them.
///
/// # Examples
/// ```
/// use lodger_terminal::output::FileBatch;
///
/// # let work = tempfile::tempdir()?;
/// let folder = work.path().join("packed");
/// let batch = FileBatch::new(false);
/// batch.make_folder(&folder).map_err(|it| it.message)?;
/// batch.add(&folder.join("a.txt"), b"a").map_err(|it| it.message)?;
/// assert!(!folder.join("a.txt").exists());
/// batch.finish().map_err(|it| it.message)?;
/// assert_eq!(std::fs::read(folder.join("a.txt"))?, b"a");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct FileBatch {
    writer: WriterId,
    overwrite: bool,
    /// Folder whose links are replaced.
    replaces_links: Option<PathBuf>,
    help_if_taken: Option<&'static str>,
}

enum PreviousFile {
    Nothing,
    Kept(TempPath),
    /// A file on a file system without hard links.
    Lost,
}

impl FileBatch {
    /// Creates a batch without files; with `overwrite` its files replace existing ones.
    #[must_use]
    pub fn new(overwrite: bool) -> Self {
        Self { writer: WriterId::new(), overwrite, replaces_links: None, help_if_taken: None }
    }

    /// Replaces symbolic links in a folder, and keeps their targets. Elsewhere a link is followed.
    #[must_use]
    pub fn replace_links(mut self, folder: &Path) -> Self {
        self.replaces_links = Some(folder.to_owned());
        self
    }

    /// Sets the advice for a target that exists.
    #[must_use]
    pub const fn help_if_taken(mut self, line: &'static str) -> Self {
        self.help_if_taken = Some(line);
        self
    }

    /// Makes a folder for the files if it is missing; its parent must exist.
    ///
    /// # Errors
    /// The folder cannot be made.
    pub fn make_folder(&self, folder: &Path) -> Result<(), Diagnostic> {
        if folder.is_dir() {
            return Ok(());
        }
        make_pending_folder(self.writer, folder).map_err(|error| {
            Diagnostic::error(format!("cannot make the folder `{}`: {error}", folder.display()))
        })
    }

    /// Adds a file.
    ///
    /// # Errors
    /// The file cannot be written, or exists.
    pub fn add(&self, path: &Path, bytes: &[u8]) -> Result<(), Diagnostic> {
        // Without a handler the limit ends the program, as it always did.
        let _ = signals::outlive_file_limit();
        self.try_add(path, bytes).map_err(|error| self.refused(path, &error))
    }

    fn try_add(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        let is_replaced =
            self.replaces_links.is_some() && path.parent() == self.replaces_links.as_deref();
        let found = if is_replaced { path.symlink_metadata() } else { path.metadata() };
        let (target, permissions) = match found {
            Ok(_) if !self.overwrite => return Err(ErrorKind::AlreadyExists.into()),
            Ok(found) if found.is_symlink() => (path.to_owned(), None),
            Ok(found) if found.is_file() => (fs::canonicalize(path)?, Some(found.permissions())),
            Ok(_) => return Err(io::Error::other("what is there is no file")),
            Err(error) if error.kind() == ErrorKind::NotFound => (path.to_owned(), None),
            Err(error) => return Err(error),
        };
        let mut file = begin(self.writer, &target)?;
        file.write_all(bytes)?;
        permissions.map_or(Ok(()), |it: Permissions| file.set_permissions(it))?;
        file.sync_all()
    }

    /// Renames all files to their targets, or none.
    ///
    /// # Errors
    /// A target cannot be replaced, or exists now.
    pub fn finish(self) -> Result<(), Diagnostic> {
        // Held until the last file is renamed: Ctrl-C waits.
        let mut pending = lock();
        let mut done: Vec<(PathBuf, PreviousFile)> = Vec::new();
        for PendingFile { temporary, target, .. } in pending.take(self.writer) {
            let before = previous(&target);
            let put = if self.overwrite {
                temporary.persist(&target)
            } else {
                temporary.persist_noclobber(&target)
            };
            if let Err(error) = put {
                done.into_iter().rev().for_each(undo);
                return Err(self.refused(&target, &error.error));
            }
            done.push((target, before));
        }
        pending.keep_folder(self.writer);
        Ok(())
    }

    fn refused(&self, path: &Path, error: &io::Error) -> Diagnostic {
        let path = path.display();
        if error.kind() == ErrorKind::AlreadyExists {
            let refused = Diagnostic::error(format!("`{path}` is there already"));
            return self.help_if_taken.into_iter().fold(refused, Diagnostic::help);
        }
        Diagnostic::error(format!("cannot write `{path}`: {error}"))
            .help("choose another folder, and check the free space")
    }
}

impl Drop for FileBatch {
    fn drop(&mut self) {
        lock().abandon(self.writer);
    }
}

fn previous(target: &Path) -> PreviousFile {
    if fs::symlink_metadata(target).is_err() {
        return PreviousFile::Nothing;
    }
    let mut builder = tempfile::Builder::new();
    let kept = builder.prefix(PREFIX).make_in(folder_of(target), |at| fs::hard_link(target, at));
    kept.map_or(PreviousFile::Lost, |kept| PreviousFile::Kept(kept.into_temp_path()))
}

fn undo((target, before): (PathBuf, PreviousFile)) {
    // If this fails, too, the first error is reported.
    let _ = match before {
        PreviousFile::Nothing => fs::remove_file(target),
        PreviousFile::Kept(kept) => kept.persist(target).map_err(|error| error.error),
        PreviousFile::Lost => Ok(()),
    };
}

#[cfg(test)]
mod tests {
    use super::super::{OutputTarget, write};
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).expect("a folder").flatten();
        let mut names: Vec<_> =
            entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    #[test]
    fn files_and_their_folder_come_together_or_not_at_all() {
        let work = tempfile::tempdir().expect("a folder");
        let folder = work.path().join("out");
        for is_finished in [false, true] {
            let batch = FileBatch::new(false);
            batch.make_folder(&folder).expect("made");
            for name in ["a", "b"] {
                batch.add(&folder.join(name), name.as_bytes()).expect("written");
            }
            assert!(names(&folder).iter().all(|name| name.starts_with(PREFIX)));
            if is_finished {
                batch.finish().expect("finished");
                assert_eq!(names(&folder), ["a", "b"]);
            } else {
                drop(batch);
                assert!(!folder.exists());
            }
        }
    }

    #[test]
    fn an_existing_file_is_kept_unless_it_may_be_replaced() {
        let work = tempfile::tempdir().expect("a folder");
        let at = work.path().join("b");
        fs::write(&at, "old").expect("a file");
        let batch = FileBatch::new(false);
        batch.add(&work.path().join("a"), b"new").expect("written");
        let refused = batch.add(&at, b"new").expect_err("an existing file");
        assert!(refused.message.ends_with("is there already"), "{}", refused.message);
        drop(batch);
        assert_eq!(names(work.path()), ["b"]);
        let batch = FileBatch::new(true);
        batch.add(&at, b"new").expect("written");
        batch.finish().expect("finished");
        assert_eq!(
            (names(work.path()), fs::read(&at).expect("a file")),
            (vec!["b".into()], b"new".to_vec())
        );
    }

    #[cfg(unix)]
    #[test]
    fn a_link_is_followed_or_replaced() {
        use std::os::unix::fs::symlink;

        let lay = || {
            let work = tempfile::tempdir().expect("a folder");
            fs::create_dir(work.path().join("out")).expect("a folder");
            fs::write(work.path().join("file"), "old").expect("a file");
            symlink("../file", work.path().join("out/link")).expect("a link");
            work
        };
        for replaces in [false, true] {
            let work = lay();
            let [link, file] = ["out/link", "file"].map(|name| work.path().join(name));
            let batch = FileBatch::new(true);
            let folder = work.path().join("out");
            let batch = if replaces { batch.replace_links(&folder) } else { batch };
            batch.add(&link, b"new").expect("written");
            batch.finish().expect("finished");
            assert_eq!(link.is_symlink(), !replaces);
            assert_eq!(fs::read(link).expect("a file"), b"new");
            assert_eq!(fs::read(file).expect("a file") == b"old", replaces);
        }
        // The link is restored, not its target.
        let work = lay();
        let at = |name: &str| work.path().join(name);
        let batch = FileBatch::new(true).replace_links(&at("out"));
        batch.add(&at("out/link"), b"new").expect("written");
        batch.add(&at("out/late"), b"new").expect("written");
        fs::create_dir(at("out/late")).expect("a folder in the way");
        batch.finish().expect_err("a folder is no file");
        assert_eq!(names(&at("out")), ["late", "link"]);
        assert!(at("out/link").is_symlink());
        assert_eq!(fs::read(at("file")).expect("a file"), b"old");
    }

    #[test]
    fn renamed_files_are_restored_if_a_later_rename_fails() {
        let work = tempfile::tempdir().expect("a folder");
        let at = |name: &str| work.path().join(name);
        fs::write(at("old"), "old").expect("a file");
        let batch = FileBatch::new(true);
        for name in ["old", "new", "late"] {
            batch.add(&at(name), b"new").expect("written");
        }
        fs::create_dir(at("late")).expect("a folder in the way");
        let refused = batch.finish().expect_err("a folder is no file");
        assert!(refused.message.contains("late"), "{}", refused.message);
        assert_eq!(names(work.path()), ["late", "old"]);
        assert_eq!(fs::read(at("old")).expect("a file"), b"old");
    }

    #[test]
    fn concurrent_writers_have_separate_files() {
        let work = tempfile::tempdir().expect("a folder");
        let at = |name: &str| work.path().join(name);
        let [batch, other, dropped] = [(); 3].map(|()| FileBatch::new(false));
        batch.add(&at("a"), b"a").expect("written");
        write(OutputTarget::File(&at("single")), b"single").expect("written");
        other.add(&at("b"), b"b").expect("written");
        dropped.add(&at("never"), b"never").expect("written");
        batch.add(&at("c"), b"c").expect("written");
        drop(dropped);
        batch.finish().expect("finished");
        other.finish().expect("finished");
        assert_eq!(names(work.path()), ["a", "b", "c", "single"]);
        for name in ["a", "b", "c", "single"] {
            assert_eq!(fs::read_to_string(at(name)).expect("a file"), name);
        }
    }
}
