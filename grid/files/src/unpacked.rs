//! Folders that archives were unpacked into.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use lodger_allowance::Allowance;
use lodger_archive::{Archive, Limits, Reading};

use crate::error::{FileError, Problem};
use crate::search::list;

/// The file that every archive of `OpenSimulator` has (`ArchiveConstants.CONTROL_FILE_PATH`).
const CONTROL_FILE: &str = "archive.xml";
/// The folders of which an archive has some (the other paths of `ArchiveConstants`).
const FOLDERS: [&str; 7] =
    ["assets", "inventory", "landdata", "objects", "regions", "settings", "terrains"];

/// Whether an archive was unpacked into a folder.
pub(crate) fn is_unpacked(folder: &Path) -> bool {
    let is = |name: &str, what: fn(&fs::Metadata) -> bool| {
        fs::symlink_metadata(folder.join(name)).is_ok_and(|found| what(&found))
    };
    is(CONTROL_FILE, fs::Metadata::is_file)
        && FOLDERS.iter().any(|name| is(name, fs::Metadata::is_dir))
}

/// What an unpacked archive is read of: its control file and its folders, as far as they are there.
pub(crate) fn entries(folder: &Path) -> impl Iterator<Item = PathBuf> {
    let names = FOLDERS.into_iter().chain([CONTROL_FILE]);
    names.map(|name| folder.join(name)).filter(|path| !path.is_symlink() && path.exists())
}

/// What is in an unpacked archive, in the order of names, and the folders that cannot be read.
pub(crate) fn read(
    folder: &Path,
    limits: Limits,
    allowance: &Allowance,
) -> Result<(Archive, Vec<FileError>), Problem> {
    let mut reading = Reading::new(limits, allowance);
    let mut unreadable = Vec::new();
    let mut waiting = vec![folder.to_owned()];
    while let Some(inner) = waiting.pop() {
        match list(&inner) {
            Ok(listing) => {
                waiting.extend(listing.folders.into_iter().rev());
                if !listing.files.iter().all(|file| take(&mut reading, folder, file)) {
                    break;
                }
            }
            Err(error) => {
                let name = inner.display().to_string();
                unreadable.push(FileError::new(name, Problem::Unreadable(error)));
            }
        }
    }
    Ok((reading.finish()?, unreadable))
}

/// Takes a file as the entry of an archive; what is none, as a link, is passed over. Whether others may
/// follow.
fn take(reading: &mut Reading<'_>, folder: &Path, file: &Path) -> bool {
    let Some(found) = fs::symlink_metadata(file).ok().filter(fs::Metadata::is_file) else {
        return true;
    };
    let taken = reading.entry(&entry_path(folder, file), found.len(), Lazy::Closed(file));
    let Err(error) = taken else { return true };
    let is_over = error.is_limit();
    reading.fault(error);
    !is_over
}

/// The path of a file as the archive had it.
fn entry_path(folder: &Path, file: &Path) -> String {
    let inner = file.strip_prefix(folder).unwrap_or(file);
    let words: Vec<_> = inner.iter().map(|word| word.to_string_lossy()).collect();
    words.join("/")
}

/// A file that is opened when it is read: most entries are of no use.
enum Lazy<'p> {
    Closed(&'p Path),
    Open(File),
}

impl Read for Lazy<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Open(file) => file.read(buffer),
            Self::Closed(path) => {
                let mut file = File::open(path)?;
                let count = file.read(buffer)?;
                *self = Self::Open(file);
                Ok(count)
            }
        }
    }
}
