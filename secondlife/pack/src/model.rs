use std::fmt;

use lodger_core::cost::streaming::PerLod;
use lodger_mesh_asset::Influences;
use serde::Serialize;

/// A model, which becomes one linkset.
#[derive(Clone, Debug, Default)]
pub struct Model {
    /// The name of the file without its extension.
    pub name: String,
    /// The origin of all positions, in metres, Z up: 0, or the centre of a model so far from 0 that
    /// `f32` would be too coarse.
    pub origin: [f64; 3],
    /// The objects, each of which becomes a mesh asset; the first is the root. Not empty once read.
    pub objects: Vec<ModelObject>,
    /// The materials of all objects.
    pub materials: Vec<Material>,
    /// The glTF arrays `textures`, `samplers` and `images` that materials refer to; images have
    /// URIs.
    pub textures: serde_json::Map<String, serde_json::Value>,
    /// The image files: the name in the URI, and the bytes.
    pub images: Vec<(String, Vec<u8>)>,
    /// Notes on everything that was dropped, split or changed.
    pub notes: Vec<Note>,
}

/// A material, as in the file.
#[derive(Clone, Debug, Default)]
pub struct Material {
    /// The name; generated if the file has none.
    pub name: String,
    /// The object of glTF's `materials`, with its name.
    pub gltf: serde_json::Map<String, serde_json::Value>,
    /// The linear base colour for pictures: red, green, blue, alpha from 0 to 1.
    pub colour: [f32; 4],
}

/// An object, which becomes one mesh asset.
#[derive(Clone, Debug, Default)]
pub struct ModelObject {
    /// The name, without the suffix of a level.
    pub name: String,
    /// The material of each submesh, an index into [`Model::materials`]: 1 to 8 of them.
    pub materials: Vec<usize>,
    /// The high level, as in the model.
    pub high: LodMesh,
    /// The authored lower levels of the model; `high` is always `None`.
    pub authored: PerLod<Option<LodMesh>>,
    /// The authored physics shape of the model.
    pub physics: Option<LodMesh>,
    /// The joints of a rigged object.
    pub rig: Option<Rig>,
}

/// The geometry of an object at one level.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LodMesh {
    /// A submesh for each of [`ModelObject::materials`]; without triangles where nothing is shown.
    pub submeshes: Vec<Submesh>,
}

/// Triangles of one material. Each list of attributes is as long as the positions, or empty.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Submesh {
    /// Positions in metres, Z up: finite, fewer than 65 535.
    pub positions: Vec<[f32; 3]>,
    /// Normals of length 1.
    pub normals: Vec<[f32; 3]>,
    /// The first UV set, with V as grids have it: −V of glTF.
    pub tex_coords: Vec<[f32; 2]>,
    /// Joints of the object's [`Rig`], with weights.
    pub influences: Vec<Influences>,
    /// Indices of vertices, counter-clockwise seen from outside.
    pub triangles: Vec<[u16; 3]>,
}

/// The joints of a rigged object.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rig {
    /// At most 110 joints, in the order of the influences' indices.
    pub joints: Vec<Joint>,
}

/// A joint.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Joint {
    /// The name of a joint of the avatar's skeleton.
    pub name: String,
    /// The matrix from the space of the positions to the space of the joint, both Z up: row by row,
    /// for row vectors, as in assets.
    pub inverse_bind: [f64; 16],
}

impl Submesh {
    pub(crate) fn extract(&self, vertices: &[usize], triangles: Vec<[u16; 3]>) -> Self {
        Self {
            positions: select(&self.positions, vertices),
            normals: select(&self.normals, vertices),
            tex_coords: select(&self.tex_coords, vertices),
            influences: select(&self.influences, vertices),
            triangles,
        }
    }
}

fn select<T: Copy>(list: &[T], kept: &[usize]) -> Vec<T> {
    kept.iter().filter_map(|&index| list.get(index)).copied().collect()
}

impl LodMesh {
    /// The number of triangles of all submeshes.
    #[must_use]
    pub fn triangle_count(&self) -> usize {
        self.submeshes.iter().map(|face| face.triangles.len()).sum()
    }

    /// The number of vertices of all submeshes.
    #[must_use]
    pub fn vertex_count(&self) -> usize {
        self.submeshes.iter().map(|face| face.positions.len()).sum()
    }

    /// The positions of all submeshes.
    pub fn positions(&self) -> impl Iterator<Item = [f32; 3]> {
        self.submeshes.iter().flat_map(|face| face.positions.iter().copied())
    }

    /// The corners of all triangles, in metres.
    pub fn corners(&self) -> impl Iterator<Item = [[f32; 3]; 3]> {
        self.submeshes.iter().flat_map(|face| {
            let corner = |index: u16| face.positions[usize::from(index)];
            face.triangles.iter().map(move |triangle| triangle.map(corner))
        })
    }
}

/// A note on something that was dropped, split or changed, or that has no remedy.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Note {
    /// A stable code for machines, such as `materials-split`.
    pub code: &'static str,
    /// The object, mesh or file concerned; empty for the whole model.
    pub about: String,
    /// The message.
    pub text: String,
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.about.is_empty() {
            return f.write_str(&self.text);
        }
        write!(f, "{}: {}", self.about, self.text)
    }
}
