//! Which files are meant by the paths of a command line.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::input::read_all;

/// What is taken for a mesh asset when a folder is searched. A file that is named is always taken.
pub(crate) const MESHES: &[&str] = &["llmesh", "mesh", "slm"];
/// What is taken for a mesh asset or an archive of `OpenSimulator`.
pub(crate) const MESHES_AND_ARCHIVES: &[&str] = &["llmesh", "mesh", "slm", "iar", "oar"];
/// What an archive of `OpenSimulator` is called.
pub(crate) const ARCHIVES: &[&str] = &["iar", "oar"];

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

/// The files that are meant: those that are named, and those with one of the extensions in folders,
/// however deep: by name, those of a folder before those of the folders in it. Links to folders are
/// not followed.
pub(crate) fn find(paths: &[PathBuf], extensions: &[&str]) -> Vec<Result<PathBuf, FileError>> {
    let mut found = Vec::new();
    for path in paths {
        if path.is_dir() {
            let before = found.len();
            search(path, extensions, &mut found);
            if found.len() == before {
                let wanted = extensions.join(", .");
                let message = format!("this folder has no file of the kinds .{wanted}");
                found.push(Err(FileError::new(path, message)));
            }
        } else {
            found.push(Ok(path.clone()));
        }
    }
    found
}

/// Searches without recursion, so that no depth is too deep.
fn search(folder: &Path, extensions: &[&str], found: &mut Vec<Result<PathBuf, FileError>>) {
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
        found.extend(
            files
                .into_iter()
                .map(|(path, _)| path)
                .filter(|file| has_extension(file, extensions))
                .map(Ok),
        );
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

/// Whether a file is of one of the kinds, by its name.
pub(crate) fn has_extension(path: &Path, extensions: &[&str]) -> bool {
    let extension = path.extension().unwrap_or_default();
    extensions.iter().any(|wanted| extension.eq_ignore_ascii_case(wanted))
}

/// The bytes of a file.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>, FileError> {
    let bytes = File::open(path).and_then(read_all);
    bytes.map_err(|error| FileError::new(path, error.to_string()))
}
