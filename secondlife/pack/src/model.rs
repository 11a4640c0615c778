//! What somebody made: objects of faces of triangles, in metres, Z up.

use lodger_core::cost::streaming::Lods;
use lodger_mesh_asset::Influences;

use crate::note::Note;

/// A model: what becomes one linkset.
#[derive(Clone, Debug, Default)]
pub struct Model {
    /// Its name, that of the file without its ending.
    pub name: String,
    /// Where positions are counted from, in metres, Z up: 0, or the middle of a model that is so far from it that
    /// floats would be too coarse there.
    pub origin: [f64; 3],
    /// What becomes a mesh asset each, the first of them the root; at least one, once read.
    pub objects: Vec<Object>,
    /// All materials; an object's faces refer to them.
    pub materials: Vec<Material>,
    /// The glTF arrays `textures`, `samplers` and `images` that materials refer to, images by URI: kept so that
    /// they can be written again.
    pub textures: serde_json::Map<String, serde_json::Value>,
    /// Files that the images are: their name, as in the URI, and their bytes.
    pub images: Vec<(String, Vec<u8>)>,
    /// What was dropped, split or changed on the way.
    pub notes: Vec<Note>,
}

/// A material, kept as it was written.
#[derive(Clone, Debug, Default)]
pub struct Material {
    /// Its name; made up where the file has none.
    pub name: String,
    /// The object of glTF's `materials`, its name included.
    pub gltf: serde_json::Map<String, serde_json::Value>,
    /// The base colour, linear, for pictures: red, green, blue, alpha from 0 to 1.
    pub colour: [f32; 4],
}

/// What becomes one mesh asset.
#[derive(Clone, Debug, Default)]
pub struct Object {
    /// Its name, without what says which level it is.
    pub name: String,
    /// The material of each face, as an index into [`Model::materials`]: 1 to 8 of them.
    pub materials: Vec<usize>,
    /// The geometry as it was made.
    pub high: Level,
    /// Lower levels that the model brings; `high` is always `None` here.
    pub given: Lods<Option<Level>>,
    /// The physics shape that the model brings.
    pub physics: Option<Level>,
    /// The joints that it hangs on.
    pub rig: Option<Rig>,
}

/// The geometry of an object at one level: a face for each of its materials.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Level {
    /// In the order of [`Object::materials`]; without triangles where nothing is shown.
    pub faces: Vec<Face>,
}

/// Triangles of one material. Each list of attributes is as long as the positions, or empty if there are none.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Face {
    /// In metres, Z up, finite; fewer than 65 535.
    pub positions: Vec<[f32; 3]>,
    /// Of length 1.
    pub normals: Vec<[f32; 3]>,
    /// The first UV set, V as the grid has it (glTF's 1 − V read from the other end: −V).
    pub tex_coords: Vec<[f32; 2]>,
    /// Joints of the object's [`Rig`].
    pub influences: Vec<Influences>,
    /// Indices of vertices, counter-clockwise seen from outside.
    pub triangles: Vec<[u16; 3]>,
}

/// The joints of a rigged object.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rig {
    /// At most 110, in the order of the influences' indices.
    pub joints: Vec<Joint>,
}

/// A joint.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Joint {
    /// Its name, one that the avatar's skeleton has.
    pub name: String,
    /// From the space of the positions to that of the joint, both Z up: row by row, for row vectors, as assets
    /// have it.
    pub inverse_bind: [f64; 16],
}

impl Face {
    /// Some vertices of the face, by their indices, and triangles of them.
    pub(crate) fn part(&self, vertices: &[usize], triangles: Vec<[u16; 3]>) -> Self {
        Self {
            positions: chosen(&self.positions, vertices),
            normals: chosen(&self.normals, vertices),
            tex_coords: chosen(&self.tex_coords, vertices),
            influences: chosen(&self.influences, vertices),
            triangles,
        }
    }
}

/// Those of a list that are kept; none of a list that is empty.
fn chosen<T: Copy>(list: &[T], kept: &[usize]) -> Vec<T> {
    kept.iter().filter_map(|&index| list.get(index)).copied().collect()
}

impl Level {
    /// The number of triangles of all faces.
    #[must_use]
    pub fn triangle_count(&self) -> usize {
        self.faces.iter().map(|face| face.triangles.len()).sum()
    }

    /// The number of vertices of all faces.
    #[must_use]
    pub fn vertex_count(&self) -> usize {
        self.faces.iter().map(|face| face.positions.len()).sum()
    }

    /// The positions of all faces.
    pub fn positions(&self) -> impl Iterator<Item = [f32; 3]> {
        self.faces.iter().flat_map(|face| face.positions.iter().copied())
    }

    /// The triangles of all faces, three corners each, in metres.
    pub fn corners(&self) -> impl Iterator<Item = [[f32; 3]; 3]> {
        self.faces.iter().flat_map(|face| {
            let corner = |index: u16| face.positions[usize::from(index)];
            face.triangles.iter().map(move |triangle| triangle.map(corner))
        })
    }
}
