//! Files in folders.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::kind::Kind;
use crate::stream::Stream;

/// What is searched for in folders, by how its name ends. A file that is named is taken whatever its
/// name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Search {
    /// Mesh assets, archives, unpacked archives, and objects by themselves.
    Everything,
    /// Mesh assets, archives and unpacked archives.
    Meshes,
}

/// How the names of all files end that are searched for: those of objects come last.
const ENDINGS: &[&str] = &[".llmesh", ".mesh", ".slm", ".iar", ".oar", "_object.xml"];
/// The same without objects by themselves.
const OF_MESHES: &[&str] = ENDINGS.split_at(5).0;

impl Search {
    /// How the names of the files end.
    #[must_use]
    pub const fn endings(self) -> &'static [&'static str] {
        match self {
            Self::Everything => ENDINGS,
            Self::Meshes => OF_MESHES,
        }
    }

    /// Whether a file is searched for. It may be compressed with gzip.
    pub(crate) fn wants(self, path: &Path) -> bool {
        ends_with_any(path, self.endings())
    }

    /// Whether a file is taken where no file is that is searched for: the XML of an object under any
    /// name, as `OpenSimulator` has it in `objects/NAME__UUID.xml`. Its beginning is read.
    pub(crate) fn makes_do_with(self, path: &Path) -> bool {
        // A pipe would be waited for.
        let is_file = || fs::metadata(path).is_ok_and(|found| found.is_file());
        let is_object = || Stream::open(path).is_ok_and(|it| it.kind() == Kind::ObjectXml);
        self == Self::Everything && ends_with_any(path, &[".xml"]) && is_file() && is_object()
    }
}

fn ends_with_any(path: &Path, endings: &[&str]) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    let name = name.strip_suffix(".gz").unwrap_or(&name);
    let is_end = |ending: &&str| name.strip_suffix(*ending).is_some_and(|stem| !stem.is_empty());
    endings.iter().any(is_end)
}

/// What is in a folder, in the order of names.
#[derive(Debug, Default)]
pub(crate) struct Listing {
    /// Files and links.
    pub(crate) files: Vec<PathBuf>,
    /// Folders.
    pub(crate) folders: Vec<PathBuf>,
}

/// Lists a folder.
pub(crate) fn list(folder: &Path) -> io::Result<Listing> {
    let mut listing = Listing::default();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let is_folder = entry.file_type()?.is_dir();
        let kept = if is_folder { &mut listing.folders } else { &mut listing.files };
        kept.push(entry.path());
    }
    listing.files.sort();
    listing.folders.sort();
    Ok(listing)
}
