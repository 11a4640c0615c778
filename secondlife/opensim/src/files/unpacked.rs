//! Archives in folders: unpacked ones, and the XML of an object with its sibling meshes.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use lodger_quota::Quota;
use uuid::Uuid;

use crate::archive::{Archive, ArchiveLimits, ArchiveReader, Object, ObjectPart, read_objects};
use crate::files::error::{FileError, FileErrorKind};

/// The file that every archive of `OpenSimulator` has (`ArchiveConstants.CONTROL_FILE_PATH`).
const CONTROL_FILE: &str = "archive.xml";
/// Folders of an archive, of which it has at least one (the other paths of `ArchiveConstants`).
const FOLDERS: [&str; 7] =
    ["assets", "inventory", "landdata", "objects", "regions", "settings", "terrains"];

pub(crate) fn is_unpacked(folder: &Path) -> bool {
    let is = |name: &str, what: fn(&fs::Metadata) -> bool| {
        fs::symlink_metadata(folder.join(name)).is_ok_and(|found| what(&found))
    };
    is(CONTROL_FILE, fs::Metadata::is_file)
        && FOLDERS.iter().any(|name| is(name, fs::Metadata::is_dir))
}

pub(crate) fn entries(folder: &Path) -> impl Iterator<Item = PathBuf> {
    let names = FOLDERS.into_iter().chain([CONTROL_FILE]);
    names.map(|name| folder.join(name)).filter(|path| !path.is_symlink() && path.exists())
}

pub(crate) fn read_unpacked(
    folder: &Path,
    limits: ArchiveLimits,
    quota: &Quota,
) -> Result<(Archive, Vec<FileError>), FileErrorKind> {
    let mut reader = ArchiveReader::new(limits, quota);
    let mut unreadable = Vec::new();
    let mut waiting = vec![folder.to_owned()];
    while let Some(inner) = waiting.pop() {
        match list(&inner) {
            Ok(listing) => {
                waiting.extend(listing.folders.into_iter().rev());
                if !listing.files.iter().all(|file| read_entry(&mut reader, folder, file)) {
                    break;
                }
            }
            Err(error) => unreadable.push(FileError::unreadable(&inner, error)),
        }
    }
    Ok((reader.finish()?, unreadable))
}

/// Reads an entry, unless it is a link; returns whether reading continues.
fn read_entry(reader: &mut ArchiveReader<'_>, folder: &Path, file: &Path) -> bool {
    let Some(found) = fs::symlink_metadata(file).ok().filter(fs::Metadata::is_file) else {
        return true;
    };
    let taken = reader.entry(&entry_path(folder, file), found.len(), Lazy::Closed(file));
    let Err(error) = taken else { return true };
    let is_end = error.is_limit();
    reader.record_error(error);
    !is_end
}

fn entry_path(folder: &Path, file: &Path) -> String {
    let inner = file.strip_prefix(folder).unwrap_or(file);
    let words: Vec<_> = inner.iter().map(|word| word.to_string_lossy()).collect();
    words.join("/")
}

/// A file that is opened on the first read, as most entries are unused.
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

#[derive(Debug, Default)]
pub(crate) struct Listing {
    /// Files and links.
    pub(crate) files: Vec<PathBuf>,
    pub(crate) folders: Vec<PathBuf>,
}

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

const OF_OBJECTS: [&str; 2] = ["objects", "assets"];
const OF_MESHES: &str = "_mesh.llmesh";

pub(crate) fn read_object_file(
    name: &str,
    xml: &[u8],
    path: Option<&Path>,
    limits: ArchiveLimits,
    quota: &Quota,
) -> Result<(Archive, Vec<FileError>), FileErrorKind> {
    let found = read_objects(name, xml, limits, quota)?;
    let folders = path.map(folders_of_meshes).unwrap_or_default();
    let mut reader = ArchiveReader::new(limits, quota);
    found.errors.into_iter().for_each(|error| reader.record_error(error));
    let mut unreadable = Vec::new();
    for id in meshes(&found.objects) {
        match open_mesh(&folders, id) {
            Ok(None) => {}
            Ok(Some((file, size))) => {
                let entry = reader.entry(&format!("assets/{}", mesh_name(id)), size, file);
                entry.unwrap_or_else(|error| reader.record_error(error));
            }
            Err(error) => unreadable.push(error),
        }
    }
    let mut archive = reader.finish()?;
    archive.objects = found.objects;
    Ok((archive, unreadable))
}

fn meshes(objects: &[Object]) -> BTreeSet<Uuid> {
    objects.iter().flat_map(Object::parts).filter_map(ObjectPart::mesh).collect()
}

fn mesh_name(id: Uuid) -> String {
    format!("{id}{OF_MESHES}")
}

pub(crate) fn may_be_mesh(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().ends_with(OF_MESHES))
}

pub(crate) fn folders_of_meshes(path: &Path) -> Vec<PathBuf> {
    let parent = path.parent().unwrap_or(Path::new("")).to_owned();
    let is_inside = parent.file_name().is_some_and(|name| OF_OBJECTS.iter().any(|of| name == *of));
    let assets = is_inside.then(|| parent.with_file_name("assets"));
    let mut folders = vec![parent];
    folders.extend(assets.filter(|assets| *assets != folders[0]));
    folders
}

fn open_mesh(folders: &[PathBuf], id: Uuid) -> Result<Option<(File, u64)>, FileError> {
    for folder in folders {
        let path = folder.join(mesh_name(id));
        match regular(&path) {
            Ok(Some(found)) => return Ok(Some(found)),
            Ok(None) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(FileError::unreadable(&path, error)),
        }
    }
    Ok(None)
}

/// Opens a regular file; `None` for other files, as a pipe would block.
fn regular(path: &Path) -> io::Result<Option<(File, u64)>> {
    if !fs::metadata(path)?.is_file() {
        return Ok(None);
    }
    let file = File::open(path)?;
    let size = file.metadata()?.len();
    Ok(Some((file, size)))
}
