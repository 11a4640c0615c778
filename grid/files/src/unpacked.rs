//! Folders that archives were unpacked into.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::Path;

use lodger_archive::{Archive, Error, Limits, Reading};

use crate::error::{FileError, Problem};
use crate::search::list;

/// The file that every archive of `OpenSimulator` has (`ArchiveConstants.CONTROL_FILE_PATH`).
const CONTROL_FILE: &str = "archive.xml";
/// The folders of which an archive has some (the other paths of `ArchiveConstants`).
const FOLDERS: [&str; 7] =
    ["assets", "inventory", "landdata", "objects", "regions", "settings", "terrains"];
/// How the names of files end whose content is of use.
const READ: [&str; 2] = ["xml", "llmesh"];

/// Whether an archive was unpacked into a folder.
pub(crate) fn is_unpacked(folder: &Path) -> bool {
    let is = |name: &str, what: fn(&fs::Metadata) -> bool| {
        fs::symlink_metadata(folder.join(name)).is_ok_and(|found| what(&found))
    };
    is(CONTROL_FILE, fs::Metadata::is_file)
        && FOLDERS.iter().any(|name| is(name, fs::Metadata::is_dir))
}

/// What is in an unpacked archive, in the order of names, and what of it cannot be read.
pub(crate) fn read(folder: &Path, limits: Limits) -> (Archive, Vec<FileError>) {
    let mut reading = Reading::new(limits);
    let (mut faults, mut unreadable) = (Vec::new(), Vec::new());
    let mut waiting = vec![folder.to_owned()];
    while let Some(inner) = waiting.pop() {
        let listing = match list(&inner) {
            Ok(listing) => listing,
            Err(error) => {
                unreadable.push(failed(&inner, error));
                continue;
            }
        };
        for file in listing.files {
            match take(&mut reading, folder, &file) {
                Ok(()) => {}
                Err(Fault::Unreadable(error)) => unreadable.push(failed(&file, error)),
                Err(Fault::Refused(error)) => {
                    let is_over = error.is_limit();
                    faults.push(error);
                    if is_over {
                        waiting.clear();
                        break;
                    }
                }
            }
        }
        waiting.extend(listing.folders.into_iter().rev());
    }
    let mut archive = reading.finish();
    archive.errors.extend(faults);
    (archive, unreadable)
}

/// Why a file is not taken.
enum Fault {
    Unreadable(io::Error),
    Refused(Error),
}

fn failed(path: &Path, error: io::Error) -> FileError {
    FileError::new(path.display().to_string(), Problem::Unreadable(error))
}

/// Takes a file as the entry of an archive. What is no file, as a link, is passed over.
fn take(reading: &mut Reading, folder: &Path, file: &Path) -> Result<(), Fault> {
    let found = fs::symlink_metadata(file).map_err(Fault::Unreadable)?;
    if !found.is_file() {
        return Ok(());
    }
    let path = entry_path(folder, file);
    let ending = file.extension().unwrap_or_default();
    if !READ.iter().any(|read| ending.eq_ignore_ascii_case(read)) {
        return reading.entry(&path, 0, io::empty()).map_err(Fault::Refused);
    }
    let body = File::open(file).map_err(Fault::Unreadable)?;
    let size = body.metadata().map_err(Fault::Unreadable)?.len();
    reading.entry(&path, size, body.take(size)).map_err(Fault::Refused)
}

/// The path of a file as the archive had it.
fn entry_path(folder: &Path, file: &Path) -> String {
    let inner = file.strip_prefix(folder).unwrap_or(file);
    let words: Vec<_> = inner.iter().map(|word| word.to_string_lossy()).collect();
    words.join("/")
}
