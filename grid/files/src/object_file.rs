//! The XML of an object by itself, and the meshes beside it.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use lodger_allowance::Allowance;
use lodger_archive::{Archive, Limits, Object, Part, Reading, read_objects};
use uuid::Uuid;

use crate::error::{FileError, Problem};

/// The folders of an unpacked archive that objects lie in, beside that of the assets.
const OF_OBJECTS: [&str; 2] = ["objects", "assets"];
/// How the names of meshes end.
const OF_MESHES: &str = "_mesh.llmesh";

/// The objects in XML, called `name`, as an archive with the meshes that are found for them, and what of
/// those cannot be read.
pub(crate) fn read(
    name: &str,
    xml: &[u8],
    path: Option<&Path>,
    limits: Limits,
    allowance: &Allowance,
) -> Result<(Archive, Vec<FileError>), Problem> {
    let found = read_objects(name, xml, limits, allowance)?;
    let folders = path.map(folders).unwrap_or_default();
    let mut reading = Reading::new(limits, allowance);
    found.errors.into_iter().for_each(|error| reading.fault(error));
    let mut unreadable = Vec::new();
    for id in meshes(&found.objects) {
        match open(&folders, id) {
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
pub(crate) fn is_mesh(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().ends_with(OF_MESHES))
}

/// Where the meshes of an object may be.
pub(crate) fn folders(path: &Path) -> Vec<PathBuf> {
    let beside = path.parent().unwrap_or(Path::new("")).to_owned();
    let is_inside = beside.file_name().is_some_and(|name| OF_OBJECTS.iter().any(|of| name == *of));
    let assets = is_inside.then(|| beside.with_file_name("assets"));
    let mut folders = vec![beside];
    folders.extend(assets.filter(|assets| *assets != folders[0]));
    folders
}

/// The first file of a mesh, and its bytes.
fn open(folders: &[PathBuf], id: Uuid) -> Result<Option<(File, u64)>, FileError> {
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
