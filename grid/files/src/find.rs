//! From the paths of a command line to what they hold.

use std::fs;
use std::path::{Path, PathBuf};

use crate::error::{FileError, Problem};
use crate::search::{Search, list};
use crate::source::Source;
use crate::unpacked::is_unpacked;

/// What the paths name ([`Source::named`]), and in place of each folder what is searched for in it,
/// however deep: by name, the files of a folder before the folders in it. An unpacked archive is one
/// source; links to folders are not followed, and pipes, sockets and devices are passed over. In a folder
/// with nothing of the kind, the XML of objects under other names is searched for, if objects are.
///
/// A folder that has nothing, or cannot be read, is an error in its place, and so is a second `-`. A `-` is
/// always stdin: a file or folder of that name is `./-`.
///
/// # Examples
/// ```
/// use lodger_files::{Search, find};
///
/// let folder = tempfile::tempdir()?;
/// let found = find(&[folder.path().to_owned()], Search::Everything);
/// let error = found.into_iter().next().and_then(Result::err).ok_or("the folder has something")?;
/// assert!(error.problem().to_string().starts_with("this folder has no file of the kinds .llmesh"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn find(paths: &[PathBuf], search: Search) -> Vec<Result<Source, FileError>> {
    let mut found = Vec::new();
    for path in paths {
        if path != "-" && path.is_dir() {
            found.extend(in_folder(path, search));
            continue;
        }
        let source = Source::named(path);
        let is_again = source.is_stdin() && found.iter().flatten().any(Source::is_stdin);
        let twice = || FileError::new(source.name(), Problem::StdinTwice);
        found.push(if is_again { Err(twice()) } else { Ok(source) });
    }
    found
}

fn in_folder(folder: &Path, search: Search) -> Vec<Result<Source, FileError>> {
    let mut found = search_in(folder, |file| search.wants(file));
    if found.iter().all(Result::is_err) {
        found = search_in(folder, |file| search.makes_do_with(file));
    }
    if found.is_empty() {
        let problem = Problem::NothingInFolder { endings: search.endings() };
        found.push(Err(FileError::new(folder.display().to_string(), problem)));
    }
    found
}

/// Searches without recursion, so that no depth is too deep.
fn search_in(folder: &Path, wants: impl Fn(&Path) -> bool) -> Vec<Result<Source, FileError>> {
    let mut found = Vec::new();
    let mut waiting = vec![folder.to_owned()];
    while let Some(folder) = waiting.pop() {
        if is_unpacked(&folder) {
            found.push(Ok(Source::unpacked(&folder)));
            continue;
        }
        match list(&folder) {
            Ok(listing) => {
                let files = listing.files.iter().filter(|file| wants(file) && may_be_file(file));
                found.extend(files.map(|file| Ok(Source::named(file))));
                waiting.extend(listing.folders.into_iter().rev());
            }
            Err(error) => {
                let name = folder.display().to_string();
                found.push(Err(FileError::new(name, Problem::Unreadable(error))));
            }
        }
    }
    found
}

/// Whether a path in a folder leads to a regular file, or to nothing, which is then told. A pipe would be
/// waited for, and a device may have no end.
fn may_be_file(path: &Path) -> bool {
    fs::metadata(path).map_or(true, |found| found.is_file())
}
