//! What there is to price: files, what folders hold, and archives.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::report::ErrorRow;

/// What a mesh asset is called.
const MESHES: [&str; 3] = ["llmesh", "mesh", "slm"];
/// What an archive of `OpenSimulator` is called.
const ARCHIVES: [&str; 2] = ["iar", "oar"];
/// Folders within folders; more is taken for a loop.
const DEEPEST: usize = 64;

/// Something to price.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    /// What reports call it.
    pub(crate) name: String,
    /// Where it is; none is stdin.
    pub(crate) path: Option<PathBuf>,
}

impl Source {
    /// A file, or stdin for `-`.
    pub(crate) fn new(path: &Path) -> Self {
        if path == Path::new("-") {
            return Self { name: "<stdin>".to_owned(), path: None };
        }
        Self { name: path.display().to_string(), path: Some(path.to_owned()) }
    }

    /// Whether its name is that of an archive.
    pub(crate) fn is_archive(&self) -> bool {
        self.path.as_deref().is_some_and(|path| has_suffix(path, &ARCHIVES))
    }
}

/// The files as given, and in place of each folder what it holds: meshes and archives, by name, in
/// the order of the alphabet. Links to folders inside of folders are not followed.
pub(crate) fn collect(paths: &[PathBuf]) -> (Vec<Source>, Vec<ErrorRow>) {
    let (mut sources, mut errors) = (Vec::new(), Vec::new());
    for path in paths {
        if !path.is_dir() {
            sources.push(Source::new(path));
            continue;
        }
        let before = sources.len() + errors.len();
        descend(path, 0, &mut sources, &mut errors);
        if sources.len() + errors.len() == before {
            errors.push(row(
                path,
                "there is no .llmesh, .mesh, .slm, .iar or .oar file in this folder",
            ));
        }
    }
    (sources, errors)
}

fn descend(folder: &Path, depth: usize, sources: &mut Vec<Source>, errors: &mut Vec<ErrorRow>) {
    if depth > DEEPEST {
        errors.push(row(folder, "the folders are nested too deeply"));
        return;
    }
    let mut entries = match entries(folder) {
        Ok(entries) => entries,
        Err(error) => {
            errors.push(row(folder, &format!("it cannot be read: {error}")));
            return;
        }
    };
    entries.sort();
    for (path, is_folder) in entries {
        if is_folder {
            descend(&path, depth + 1, sources, errors);
        } else if has_suffix(&path, &MESHES) || has_suffix(&path, &ARCHIVES) {
            sources.push(Source::new(&path));
        }
    }
}

fn entries(folder: &Path) -> io::Result<Vec<(PathBuf, bool)>> {
    let entry = |entry: io::Result<fs::DirEntry>| {
        let entry = entry?;
        Ok((entry.path(), entry.file_type()?.is_dir()))
    };
    fs::read_dir(folder)?.map(entry).collect()
}

fn row(path: &Path, error: &str) -> ErrorRow {
    ErrorRow { file: path.display().to_string(), error: error.to_owned() }
}

fn has_suffix(path: &Path, suffixes: &[&str]) -> bool {
    let suffix = path.extension().and_then(OsStr::to_str);
    suffix.is_some_and(|suffix| suffixes.iter().any(|known| known.eq_ignore_ascii_case(suffix)))
}
