//! What there is to price: files, what folders hold, and archives.

use std::path::{Path, PathBuf};

use crate::input::assets::{self, FileError};

/// What an archive of `OpenSimulator` is called.
const ARCHIVES: &[&str] = &["iar", "oar"];

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
        self.path.as_deref().is_some_and(|path| assets::has_extension(path, ARCHIVES))
    }
}

/// The files as given, and in place of each folder the meshes and archives that it holds.
pub(crate) fn collect(paths: &[PathBuf]) -> (Vec<Source>, Vec<FileError>) {
    let (mut sources, mut errors) = (Vec::new(), Vec::new());
    for found in assets::find(paths, assets::MESHES_AND_ARCHIVES) {
        match found {
            Ok(path) => sources.push(Source::new(&path)),
            Err(error) => errors.push(error),
        }
    }
    (sources, errors)
}
