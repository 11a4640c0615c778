//! Which mesh assets are meant by the paths of a command line, and their bytes.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use serde::Serialize;

/// What is taken for a mesh asset when a folder is searched. A file that is named is always taken.
const EXTENSIONS: [&str; 3] = ["llmesh", "mesh", "slm"];

/// A file that nothing could be done with: a row of the result, and not its end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct FileError {
    /// What the user calls it.
    pub(crate) file: String,
    /// What is wrong with it.
    pub(crate) error: String,
}

impl FileError {
    /// An error about a file.
    pub(crate) fn new(path: &Path, error: impl Into<String>) -> Self {
        Self { file: path.display().to_string(), error: error.into() }
    }
}

/// The files that are meant: those that are named, and the mesh assets in folders, however deep: by
/// name, those of a folder before those of the folders in it. Links to folders are not followed.
pub(crate) fn find(paths: &[PathBuf]) -> Vec<Result<PathBuf, FileError>> {
    let mut found = Vec::new();
    for path in paths {
        if path.is_dir() {
            let before = found.len();
            search(path, &mut found);
            if found.len() == before {
                let message = "there is no .llmesh, .mesh or .slm file in this folder";
                found.push(Err(FileError::new(path, message)));
            }
        } else {
            found.push(Ok(path.clone()));
        }
    }
    found
}

/// Searches without recursion, so that no depth is too deep.
fn search(folder: &Path, found: &mut Vec<Result<PathBuf, FileError>>) {
    let mut waiting = vec![folder.to_owned()];
    while let Some(folder) = waiting.pop() {
        let mut entries = match list(&folder) {
            Ok(entries) => entries,
            Err(error) => {
                found.push(Err(FileError::new(&folder, error.to_string())));
                continue;
            }
        };
        entries.sort();
        let (folders, files): (Vec<_>, Vec<_>) =
            entries.into_iter().partition(|(_, is_folder)| *is_folder);
        found.extend(files.into_iter().map(|(path, _)| path).filter(|p| is_asset(p)).map(Ok));
        waiting.extend(folders.into_iter().map(|(path, _)| path).rev());
    }
}

fn list(folder: &Path) -> io::Result<Vec<(PathBuf, bool)>> {
    let entry = |entry: io::Result<fs::DirEntry>| {
        let entry = entry?;
        Ok((entry.path(), entry.file_type()?.is_dir()))
    };
    fs::read_dir(folder)?.map(entry).collect()
}

fn is_asset(path: &Path) -> bool {
    let extension = path.extension().unwrap_or_default();
    EXTENSIONS.iter().any(|wanted| extension.eq_ignore_ascii_case(wanted))
}

/// The bytes of a file.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>, FileError> {
    let bytes = File::open(path).and_then(super::read_all);
    bytes.map_err(|error| FileError::new(path, error.to_string()))
}
