//! What there is to price: files, what folders hold, and archives.

use std::fs::File;
use std::io::{self, BufReader, Cursor, Read};
use std::path::{Path, PathBuf};

use crate::files::{self, FileError};
use crate::input;

/// The first bytes of a file compressed with gzip: no mesh asset, but maybe an archive.
const GZIP: [u8; 2] = [0x1f, 0x8b];

/// Something to price.
#[derive(Clone, Debug)]
pub(super) struct Source {
    /// What reports call it.
    pub(super) name: String,
    /// Where it is; none is stdin.
    path: Option<PathBuf>,
}

/// What a file turned out to be.
pub(super) enum Content {
    /// Maybe a mesh asset.
    Mesh(Vec<u8>),
    /// Maybe an archive.
    Archive(Box<dyn Read>),
}

impl Source {
    /// A file, or stdin for `-`.
    pub(super) fn new(path: &Path) -> Self {
        if path == Path::new("-") {
            return Self { name: "<stdin>".to_owned(), path: None };
        }
        Self { name: path.display().to_string(), path: Some(path.to_owned()) }
    }

    /// Whether its name is that of an archive.
    pub(super) fn is_archive(&self) -> bool {
        self.path.as_deref().is_some_and(|path| files::has_extension(path, files::ARCHIVES))
    }

    /// Opens an archive, and reads all of anything else.
    pub(super) fn open(&self) -> io::Result<Content> {
        let Some(path) = &self.path else {
            return input::read_all(io::stdin().lock()).map(Content::Mesh);
        };
        let file = File::open(path)?;
        if self.is_archive() {
            return Ok(Content::Archive(Box::new(BufReader::new(file))));
        }
        let bytes = input::read_all(file)?;
        Ok(if bytes.starts_with(&GZIP) {
            Content::Archive(Box::new(Cursor::new(bytes)))
        } else {
            Content::Mesh(bytes)
        })
    }
}

/// The files as given, and in place of each folder the meshes and archives that it holds.
pub(super) fn collect(paths: &[PathBuf]) -> (Vec<Source>, Vec<FileError>) {
    let (mut sources, mut errors) = (Vec::new(), Vec::new());
    for found in files::find(paths, files::MESHES_AND_ARCHIVES) {
        match found {
            Ok(path) => sources.push(Source::new(&path)),
            Err(error) => errors.push(error),
        }
    }
    (sources, errors)
}
