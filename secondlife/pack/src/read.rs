//! Reading of glTF files as a model.
//!
//! `file` reads the meshes of nodes, `levels` assigns levels to objects by name, `objects` splits
//! objects until each fits an asset, and `materials` keeps materials as written; images become
//! files.

mod file;
mod levels;
mod materials;
mod names;
mod objects;
mod primitive;
mod raw;
mod rig;
mod soup;

use std::collections::HashSet;

use lodger_quota::{Quota, QuotaExceeded};

use crate::error::PackError;
use crate::frame::Aabb;
use crate::model::{Model, Note};
use crate::read::file::{File, HIGH, MaterialTriangles, PlacedMesh};
use crate::read::materials::Library;
use crate::read::names::{ending, stem, unique};
use crate::read::primitive::far_middle;
pub use crate::read::raw::SkinChoice;

/// A glTF file, with access to the files that it names.
pub struct GltfSource<'a> {
    /// The name without folders, for messages and for the suffix of a level.
    pub name: &'a str,
    /// The bytes of the file.
    pub bytes: &'a [u8],
    /// Returns the first bytes, up to a limit, of another file by its relative URI.
    pub external: &'a mut dyn FnMut(&str, u64) -> std::io::Result<Vec<u8>>,
}

/// Reads a model from one file, or from several files that may be levels of one object.
///
/// - Every node with a mesh is an object, and each material a submesh. More than 8 materials make
///   several objects, 65 535 vertices or more several submeshes.
/// - The suffix of the name of the node, of its mesh or, with several files, of the file states the
///   level: `_LOD0` lowest, `_LOD1` low, `_LOD2` medium, `_PHYS` the physics shape. Levels belong to
///   the object with the plain name; if a file has a level for every object, their order decides.
/// - Y up becomes Z up: (x, y, z) is (x, −z, y). The V of texture coordinates becomes −V.
/// - A skinned mesh is taken in its rest pose: where its joints put it, wherever its node is (glTF
///   2.0, 3.7.3.3). The rig's joints are there too, with the axes of the world, as in the avatar's
///   skeleton. `skin` states whether the model has a rig.
/// - Everything that an asset cannot hold is left out, with a note.
///
/// # Errors
///
/// [`PackError::Model`].
pub fn read(
    sources: &mut [GltfSource<'_>],
    skin: SkinChoice,
    quota: &Quota,
) -> Result<Model, PackError> {
    let (mut library, mut notes, mut drawn) = (Library::default(), Notes::default(), Vec::new());
    let names: Vec<&str> = sources.iter().map(|source| source.name).collect();
    let is_alone = sources.len() == 1;
    for (number, source) in sources.iter_mut().enumerate() {
        let GltfSource { name, bytes, external } = source;
        // A single file is no lower level.
        let slot = ending(stem(name)).map(|(_, slot)| slot).filter(|_| !is_alone);
        let mut file = File { name, number, slot, skin, bytes, external: &mut **external };
        let read = file::read(&mut file, &mut library, &mut notes, quota);
        drawn.extend(read.map_err(|failure| failure.in_file(name))?);
    }
    let in_file = |(file, failure): (usize, ReadFailure)| {
        failure.in_file(names.get(file).copied().unwrap_or_default())
    };
    let first = names.first().copied().unwrap_or_default();
    let origin = move_to_one_origin(&mut drawn);
    if origin.iter().any(|axis| axis.abs() > 0.0) {
        let [x, y, z] = origin;
        let text =
            format!("it is far from the origin: what is made of it is about ({x}, {y}, {z})");
        notes.once("origin-moved", names.first().copied().unwrap_or_default(), text);
    }
    let wholes = levels::match_up(drawn, &mut notes).map_err(in_file)?;
    let high =
        wholes.first().and_then(|whole| names.get(whole.high.file)).copied().unwrap_or(first);
    let name = ending(stem(high)).map_or(stem(high), |(base, _)| base).to_owned();
    let mut objects = Vec::new();
    let mut taken = HashSet::new();
    if wholes.is_empty() {
        return Err(ReadFailure::new("no node of its scene draws a triangle").in_file(first));
    }
    for whole in wholes {
        let file = whole.high.file;
        for mut object in
            objects::objects(whole, &library.materials, &mut notes).map_err(in_file)?
        {
            object.name = unique(&object.name, &mut taken);
            objects.push(object);
        }
        fits(objects.len()).map_err(|failure| in_file((file, failure)))?;
    }
    let Library { materials, textures, images, .. } = library;
    Ok(Model { name, origin, objects, materials, textures, images, notes: notes.into_list() })
}

#[derive(Debug)]
pub(crate) struct ReadFailure {
    problem: String,
    help: Option<String>,
    is_of_skin: bool,
}

impl ReadFailure {
    pub(crate) fn new(problem: impl Into<String>) -> Self {
        Self { problem: problem.into(), help: None, is_of_skin: false }
    }

    pub(crate) fn with_help(self, help: impl Into<String>) -> Self {
        Self { help: Some(help.into()), ..self }
    }

    pub(crate) fn of_skin(self) -> Self {
        Self { is_of_skin: true, ..self }
    }

    pub(crate) fn within(self, place: &str) -> Self {
        Self { problem: format!("{place}: {}", self.problem), ..self }
    }

    pub(crate) fn in_file(self, file: &str) -> PackError {
        let Self { problem, help, is_of_skin } = self;
        PackError::Model { file: file.to_owned(), problem, help, is_of_skin }
    }
}

impl From<lodger_gltf::GltfFileError> for ReadFailure {
    fn from(error: lodger_gltf::GltfFileError) -> Self {
        Self::new(error.to_string())
    }
}

impl From<QuotaExceeded> for ReadFailure {
    fn from(spent: QuotaExceeded) -> Self {
        Self::new(spent.to_string())
    }
}

#[derive(Debug, Default)]
pub(crate) struct Notes {
    list: Vec<Note>,
    known: HashSet<(&'static str, String)>,
}

impl Notes {
    /// Adds a note, unless one has the same code and subject.
    pub(crate) fn once(&mut self, code: &'static str, about: &str, text: impl Into<String>) {
        if self.known.insert((code, about.to_owned())) {
            self.list.push(Note { code, about: about.to_owned(), text: text.into() });
        }
    }

    pub(crate) fn once_if(&mut self, applies: bool, code: &'static str, about: &str, text: &str) {
        if applies {
            self.once(code, about, text);
        }
    }

    pub(crate) fn into_list(self) -> Vec<Note> {
        self.list
    }
}

/// The limit of objects of a linkset.
///
/// Source: Second Life wiki, Linkability rules.
const OBJECTS: usize = 256;

/// The limit of submeshes of an object.
///
/// Source: Second Life wiki, Mesh/Mesh Asset Format.
pub(crate) const FACES: usize = 8;

/// The minimum number of objects for a mesh of some materials; large submeshes need more.
pub(crate) const fn objects_of(materials: usize) -> usize {
    materials.div_ceil(FACES)
}

pub(crate) fn fits(objects: usize) -> Result<(), ReadFailure> {
    if objects <= OBJECTS {
        return Ok(());
    }
    let problem = format!("it has more than {OBJECTS} objects, but no more can be linked");
    Err(ReadFailure::new(problem).with_help("join meshes that have materials in common"))
}

/// Moves all positions to one origin, which it returns: the centre of all high levels if that is
/// far, else 0. Models with a rig keep their origin.
fn move_to_one_origin(drawn: &mut [PlacedMesh]) -> [f64; 3] {
    let is_rigged =
        |drawn: &PlacedMesh| drawn.parts.iter().any(|part| !part.soup.influences.is_empty());
    let origin = if drawn.iter().any(is_rigged) { [0.0; 3] } else { far_middle(&extent(drawn)) };
    for drawn in drawn {
        let by: [f64; 3] = std::array::from_fn(|axis| drawn.origin[axis] - origin[axis]);
        drawn.origin = origin;
        for MaterialTriangles { soup, .. } in &mut drawn.parts {
            for position in &mut soup.positions {
                *position = moved(*position, by);
            }
        }
    }
    origin
}

fn extent(drawn: &[PlacedMesh]) -> Aabb<f64> {
    let mut extent = Aabb::empty();
    for drawn in drawn.iter().filter(|drawn| drawn.slot == HIGH) {
        for position in drawn.parts.iter().flat_map(|part| &part.soup.positions) {
            extent.add(std::array::from_fn(|axis| f64::from(position[axis]) + drawn.origin[axis]));
        }
    }
    extent
}

#[expect(clippy::cast_possible_truncation, reason = "to the nearest is meant")]
fn moved(position: [f32; 3], by: [f64; 3]) -> [f32; 3] {
    std::array::from_fn(|axis| (f64::from(position[axis]) + by[axis]) as f32)
}

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "what is moved is moved exactly")]
mod tests {
    use lodger_core::cost::streaming::MeshLod;
    use lodger_mesh_asset::Influences;

    use super::*;
    use crate::packing::ObjectFile;
    use crate::read::soup::TriangleSoup;

    fn placed_mesh(origin: [f64; 3], positions: Vec<[f32; 3]>) -> PlacedMesh {
        let soup = TriangleSoup { positions, ..TriangleSoup::default() };
        PlacedMesh {
            name: String::new(),
            mesh: None,
            said: String::new(),
            slot: HIGH,
            is_by_file: false,
            file: 0,
            origin,
            parts: vec![MaterialTriangles { material: 0, soup }],
            rig: crate::model::Rig::default(),
        }
    }

    #[test]
    fn all_are_counted_from_one_place() {
        let near = vec![[-0.5, 0.0, 0.0], [0.5, 0.0, 0.0]];
        let mut two = [
            placed_mesh([1e6, 0.0, 0.0], near.clone()),
            placed_mesh([1e6 + 3.0, 0.0, 0.0], near.clone()),
        ];
        assert_eq!(move_to_one_origin(&mut two), [1e6 + 1.5, 0.0, 0.0]);
        assert_eq!(two[0].parts[0].soup.positions[0], [-2.0, 0.0, 0.0]);
        assert_eq!(two[1].parts[0].soup.positions[1], [2.0, 0.0, 0.0]);
        let mut apart =
            [placed_mesh([0.0; 3], near.clone()), placed_mesh([100.0, 0.0, 0.0], near.clone())];
        assert_eq!(move_to_one_origin(&mut apart), [0.0; 3]);
        assert_eq!(apart[1].parts[0].soup.positions[1], [100.5, 0.0, 0.0]);
        let mut rigged = [placed_mesh([0.0; 3], near.clone()), placed_mesh([9e3, 0.0, 0.0], near)];
        rigged[0].parts[0].soup.influences = vec![Influences::default(); 2];
        rigged[0].slot = ObjectFile::Level(MeshLod::Low);
        assert_eq!(move_to_one_origin(&mut rigged), [0.0; 3]);
    }
}
