//! Several files that are written as one: all of them, or none.

use std::fs::{self, Permissions};
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use tempfile::TempPath;

use super::pending::{self, PREFIX, PendingFile, WriterId};
use crate::Diagnostic;
use crate::same_file::folder_of;
use crate::signals;

/// Several files that are written as one. Until [`finish`](Self::finish) they are temporary files beside their
/// places; an error, Ctrl-C, or a batch that is dropped leaves none of them, and no folder that was made for
/// them.
///
/// # Examples
/// ```
/// use lodger_terminal::output::Batch;
///
/// # let work = tempfile::tempdir()?;
/// let folder = work.path().join("packed");
/// let batch = Batch::new(false);
/// batch.make_folder(&folder).map_err(|it| it.message)?;
/// batch.add(&folder.join("a.txt"), b"a").map_err(|it| it.message)?;
/// assert!(!folder.join("a.txt").exists());
/// batch.finish().map_err(|it| it.message)?;
/// assert_eq!(std::fs::read(folder.join("a.txt"))?, b"a");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Batch {
    writer: WriterId,
    overwrite: bool,
    /// The folder in which links are replaced.
    replaces_links: Option<PathBuf>,
    help_if_taken: Option<&'static str>,
}

/// What was where a file of the batch is now.
enum PreviousFile {
    Nothing,
    Kept(TempPath),
    /// A file of which the file system keeps no second name.
    Lost,
}

impl Batch {
    /// A batch without files; with `overwrite` they take the place of those that are there.
    #[must_use]
    pub fn new(overwrite: bool) -> Self {
        Self { writer: WriterId::new(), overwrite, replaces_links: None, help_if_taken: None }
    }

    /// Replaces symbolic links in a folder, and leaves the files that they lead to as they are. Elsewhere a file is
    /// written to where a link leads, as [`write()`](super::write()) does.
    #[must_use]
    pub fn replace_links(mut self, folder: &Path) -> Self {
        self.replaces_links = Some(folder.to_owned());
        self
    }

    /// What to say of a place where there is a file already.
    #[must_use]
    pub const fn help_if_taken(mut self, line: &'static str) -> Self {
        self.help_if_taken = Some(line);
        self
    }

    /// Makes a folder for the files where there is none; the folder that it is in must be there.
    ///
    /// # Errors
    /// What is in the way.
    pub fn make_folder(&self, folder: &Path) -> Result<(), Diagnostic> {
        if folder.is_dir() {
            return Ok(());
        }
        pending::make_folder(self.writer, folder).map_err(|error| {
            Diagnostic::error(format!("cannot make the folder `{}`: {error}", folder.display()))
        })
    }

    /// Adds a file.
    ///
    /// # Errors
    /// What cannot be written, or is there already.
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
        let mut file = pending::begin(self.writer, &target)?;
        file.write_all(bytes)?;
        permissions.map_or(Ok(()), |it: Permissions| file.set_permissions(it))?;
        file.sync_all()
    }

    /// Puts all files where they belong. Where one cannot be, none is.
    ///
    /// # Errors
    /// What cannot be written, or has come to be there.
    pub fn finish(self) -> Result<(), Diagnostic> {
        // Held until the last is in its place: Ctrl-C waits.
        let mut pending = pending::lock();
        let mut done: Vec<(PathBuf, PreviousFile)> = Vec::new();
        for PendingFile { temporary, target, .. } in pending.take(self.writer) {
            let before = before(&target);
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
            .help("choose another place, and see that there is room for all files")
    }
}

impl Drop for Batch {
    fn drop(&mut self) {
        pending::lock().abandon(self.writer);
    }
}

/// Keeps what is there under a second name, until the batch is done.
fn before(target: &Path) -> PreviousFile {
    if fs::symlink_metadata(target).is_err() {
        return PreviousFile::Nothing;
    }
    let mut builder = tempfile::Builder::new();
    let kept = builder.prefix(PREFIX).make_in(folder_of(target), |at| fs::hard_link(target, at));
    kept.map_or(PreviousFile::Lost, |kept| PreviousFile::Kept(kept.into_temp_path()))
}

fn undo((target, before): (PathBuf, PreviousFile)) {
    // Where even this fails, the error that led here is the one to tell.
    let _ = match before {
        PreviousFile::Nothing => fs::remove_file(target),
        PreviousFile::Kept(kept) => kept.persist(target).map_err(|error| error.error),
        PreviousFile::Lost => Ok(()),
    };
}

#[cfg(test)]
mod tests {
    use super::super::{Target, write};
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
            let batch = Batch::new(false);
            batch.make_folder(&folder).expect("made");
            for name in ["a", "b"] {
                batch.add(&folder.join(name), name.as_bytes()).expect("room");
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
    fn what_is_there_stays_unless_it_may_go() {
        let work = tempfile::tempdir().expect("a folder");
        let at = work.path().join("b");
        fs::write(&at, "old").expect("a file");
        let batch = Batch::new(false);
        batch.add(&work.path().join("a"), b"new").expect("room");
        let refused = batch.add(&at, b"new").expect_err("it is there");
        assert!(refused.message.ends_with("is there already"), "{}", refused.message);
        drop(batch);
        assert_eq!(names(work.path()), ["b"]);
        let batch = Batch::new(true);
        batch.add(&at, b"new").expect("room");
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
            let batch = Batch::new(true);
            let folder = work.path().join("out");
            let batch = if replaces { batch.replace_links(&folder) } else { batch };
            batch.add(&link, b"new").expect("room");
            batch.finish().expect("finished");
            assert_eq!(link.is_symlink(), !replaces);
            assert_eq!(fs::read(link).expect("a file"), b"new");
            assert_eq!(fs::read(file).expect("a file") == b"old", replaces);
        }
        // The link is restored, not the file behind it.
        let work = lay();
        let at = |name: &str| work.path().join(name);
        let batch = Batch::new(true).replace_links(&at("out"));
        batch.add(&at("out/link"), b"new").expect("room");
        batch.add(&at("out/late"), b"new").expect("room");
        fs::create_dir(at("out/late")).expect("a folder in the way");
        batch.finish().expect_err("a folder is no file");
        assert_eq!(names(&at("out")), ["late", "link"]);
        assert!(at("out/link").is_symlink());
        assert_eq!(fs::read(at("file")).expect("a file"), b"old");
    }

    #[test]
    fn where_the_last_has_no_place_the_first_are_taken_back() {
        let work = tempfile::tempdir().expect("a folder");
        let at = |name: &str| work.path().join(name);
        fs::write(at("old"), "old").expect("a file");
        let batch = Batch::new(true);
        for name in ["old", "new", "late"] {
            batch.add(&at(name), b"new").expect("room");
        }
        fs::create_dir(at("late")).expect("a folder in the way");
        let refused = batch.finish().expect_err("a folder is no file");
        assert!(refused.message.contains("late"), "{}", refused.message);
        assert_eq!(names(work.path()), ["late", "old"]);
        assert_eq!(fs::read(at("old")).expect("a file"), b"old");
    }

    #[test]
    fn what_others_write_meanwhile_has_its_own_place() {
        let work = tempfile::tempdir().expect("a folder");
        let at = |name: &str| work.path().join(name);
        let [batch, other, dropped] = [(); 3].map(|()| Batch::new(false));
        batch.add(&at("a"), b"a").expect("room");
        write(Target::File(&at("single")), b"single").expect("room");
        other.add(&at("b"), b"b").expect("room");
        dropped.add(&at("never"), b"never").expect("room");
        batch.add(&at("c"), b"c").expect("room");
        drop(dropped);
        batch.finish().expect("finished");
        other.finish().expect("finished");
        assert_eq!(names(work.path()), ["a", "b", "c", "single"]);
        for name in ["a", "b", "c", "single"] {
            assert_eq!(fs::read_to_string(at(name)).expect("a file"), name);
        }
    }
}
