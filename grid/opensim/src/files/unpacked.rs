//! Archives that lie in folders: unpacked ones, and the XML of an object with the meshes beside it.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use lodger_allowance::Allowance;
use uuid::Uuid;

use crate::archive::{Archive, Limits, Object, Part, Reading, read_objects};
use crate::files::error::{FileError, Problem};

/// The file that every archive of `OpenSimulator` has (`ArchiveConstants.CONTROL_FILE_PATH`).
const CONTROL_FILE: &str = "archive.xml";
/// The folders of which an archive has some (the other paths of `ArchiveConstants`).
const FOLDERS: [&str; 7] =
    ["assets", "inventory", "landdata", "objects", "regions", "settings", "terrains"];

/// Whether an archive was unpacked into a folder.
pub(crate) fn is_unpacked(folder: &Path) -> bool {
    let is = |name: &str, what: fn(&fs::Metadata) -> bool| {
        fs::symlink_metadata(folder.join(name)).is_ok_and(|found| what(&found))
    };
    is(CONTROL_FILE, fs::Metadata::is_file)
        && FOLDERS.iter().any(|name| is(name, fs::Metadata::is_dir))
}

/// What an unpacked archive is read of: its control file and its folders, as far as they are there.
pub(crate) fn entries(folder: &Path) -> impl Iterator<Item = PathBuf> {
    let names = FOLDERS.into_iter().chain([CONTROL_FILE]);
    names.map(|name| folder.join(name)).filter(|path| !path.is_symlink() && path.exists())
}

/// What is in an unpacked archive, in the order of names, and the folders that cannot be read.
pub(crate) fn read_unpacked(
    folder: &Path,
    limits: Limits,
    allowance: &Allowance,
) -> Result<(Archive, Vec<FileError>), Problem> {
    let mut reading = Reading::new(limits, allowance);
    let mut unreadable = Vec::new();
    let mut waiting = vec![folder.to_owned()];
    while let Some(inner) = waiting.pop() {
        match list(&inner) {
            Ok(listing) => {
                waiting.extend(listing.folders.into_iter().rev());
                if !listing.files.iter().all(|file| read_entry(&mut reading, folder, file)) {
                    break;
                }
            }
            Err(error) => {
                let name = inner.display().to_string();
                unreadable.push(FileError::new(name, Problem::Unreadable(error)));
            }
        }
    }
    Ok((reading.finish()?, unreadable))
}

/// Takes a file as the entry of an archive; what is none, as a link, is passed over. Whether others may
/// follow.
fn read_entry(reading: &mut Reading<'_>, folder: &Path, file: &Path) -> bool {
    let Some(found) = fs::symlink_metadata(file).ok().filter(fs::Metadata::is_file) else {
        return true;
    };
    let taken = reading.entry(&entry_path(folder, file), found.len(), Lazy::Closed(file));
    let Err(error) = taken else { return true };
    let is_over = error.is_limit();
    reading.fault(error);
    !is_over
}

/// The path of a file as the archive had it.
fn entry_path(folder: &Path, file: &Path) -> String {
    let inner = file.strip_prefix(folder).unwrap_or(file);
    let words: Vec<_> = inner.iter().map(|word| word.to_string_lossy()).collect();
    words.join("/")
}

/// A file that is opened when it is read: most entries are of no use.
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

/// The folders of an unpacked archive that objects lie in, beside that of the assets.
const OF_OBJECTS: [&str; 2] = ["objects", "assets"];
/// How the names of meshes end.
const OF_MESHES: &str = "_mesh.llmesh";

/// The objects in XML, called `name`, as an archive with the meshes that are found for them, and what of
/// those cannot be read.
pub(crate) fn read_object_file(
    name: &str,
    xml: &[u8],
    path: Option<&Path>,
    limits: Limits,
    allowance: &Allowance,
) -> Result<(Archive, Vec<FileError>), Problem> {
    let found = read_objects(name, xml, limits, allowance)?;
    let folders = path.map(folders_of_meshes).unwrap_or_default();
    let mut reading = Reading::new(limits, allowance);
    found.errors.into_iter().for_each(|error| reading.fault(error));
    let mut unreadable = Vec::new();
    for id in meshes(&found.objects) {
        match open_mesh(&folders, id) {
            Ok(None) => {}
            Ok(Some((file, size))) => {
                let entry = reading.entry(&format!("assets/{}", mesh_name(id)), size, file);
                entry.unwrap_or_else(|error| reading.fault(error));
            }
            Err(error) => unreadable.push(error),
        }
    }
    let mut archive = reading.finish()?;
    archive.objects = found.objects;
    Ok((archive, unreadable))
}

fn meshes(objects: &[Object]) -> BTreeSet<Uuid> {
    objects.iter().flat_map(Object::parts).filter_map(Part::mesh).collect()
}

fn mesh_name(id: Uuid) -> String {
    format!("{id}{OF_MESHES}")
}

/// Whether a file may be the mesh of an object, by its name.
pub(crate) fn may_be_mesh(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().ends_with(OF_MESHES))
}

/// Where the meshes of an object may be.
pub(crate) fn folders_of_meshes(path: &Path) -> Vec<PathBuf> {
    let beside = path.parent().unwrap_or(Path::new("")).to_owned();
    let is_inside = beside.file_name().is_some_and(|name| OF_OBJECTS.iter().any(|of| name == *of));
    let assets = is_inside.then(|| beside.with_file_name("assets"));
    let mut folders = vec![beside];
    folders.extend(assets.filter(|assets| *assets != folders[0]));
    folders
}

/// The first file of a mesh, and its bytes.
fn open_mesh(folders: &[PathBuf], id: Uuid) -> Result<Option<(File, u64)>, FileError> {
    for folder in folders {
        let path = folder.join(mesh_name(id));
        match regular(&path) {
            Ok(Some(found)) => return Ok(Some(found)),
            Ok(None) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => {
                let name = path.display().to_string();
                return Err(FileError::new(name, Problem::Unreadable(error)));
            }
        }
    }
    Ok(None)
}

/// A regular file and its size; none for anything else, of which a pipe would be waited for.
fn regular(path: &Path) -> io::Result<Option<(File, u64)>> {
    if !fs::metadata(path)?.is_file() {
        return Ok(None);
    }
    let file = File::open(path)?;
    let size = file.metadata()?.len();
    Ok(Some((file, size)))
}
