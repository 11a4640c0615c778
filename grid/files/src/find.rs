//! From the paths of a command line to what they hold.

use std::path::{Path, PathBuf};

use crate::error::{FileError, Problem};
use crate::search::{Search, list};
use crate::source::Source;
use crate::unpacked::is_unpacked;

/// What the paths name ([`Source::named`]), and in place of each folder what is searched for in it,
/// however deep: by name, the files of a folder before the folders in it. An unpacked archive is one
/// source; links to folders are not followed.
///
/// A folder that has nothing, or cannot be read, is an error in its place.
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
        if !path.is_dir() {
            found.push(Ok(Source::named(path)));
            continue;
        }
        let before = found.len();
        search_in(path, search, &mut found);
        if found.len() == before {
            let problem = Problem::NothingInFolder { endings: search.endings() };
            found.push(Err(FileError::new(path.display().to_string(), problem)));
        }
    }
    found
}

/// Searches without recursion, so that no depth is too deep.
fn search_in(folder: &Path, search: Search, found: &mut Vec<Result<Source, FileError>>) {
    let mut waiting = vec![folder.to_owned()];
    while let Some(folder) = waiting.pop() {
        if is_unpacked(&folder) {
            found.push(Ok(Source::unpacked(&folder)));
            continue;
        }
        match list(&folder) {
            Ok(listing) => {
                let files = listing.files.iter().filter(|file| search.wants(file));
                found.extend(files.map(|file| Ok(Source::named(file))));
                waiting.extend(listing.folders.into_iter().rev());
            }
            Err(error) => {
                let name = folder.display().to_string();
                found.push(Err(FileError::new(name, Problem::Unreadable(error))));
            }
        }
    }
}
