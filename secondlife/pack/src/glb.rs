//! Levels and physics shapes as .glb files, for people who upload through a viewer. Y up, as glTF is.
//!
//! Positions are in metres, in the space of the model, so that what is loaded stands where it was. A face becomes a
//! primitive, a hull too; faces that show nothing are left out, as a viewer finds out by itself which material is
//! missing.
//!
//! Source: glTF 2.0.

mod buffer;
mod materials;
mod reach;
mod rig;
#[cfg(test)]
mod tests;

use lodger_mesh_asset::Problem;
use serde_json::{Map, Value, json};

use crate::frame::Frame;
use crate::model::{Face, Level, Model, Object, Rig};
use crate::physics::facets;
use buffer::{Buffer, Kind};
use materials::Materials;

/// The bytes of a file with a level of an object: a node and a mesh of its name, a primitive for each face that shows
/// something, the object's materials, the model's textures, the joints as nodes.
///
/// # Errors
/// [`Problem`]: a level without triangles, lists of different lengths, a triangle without a vertex, a position
/// that is not finite, 2 GiB.
pub(crate) fn level_file(
    model: &Model,
    object: &Object,
    level: &Level,
    name: &str,
) -> Result<Vec<u8>, Problem> {
    let materials = Materials::of(model, object);
    let rig = object.rig.as_ref().filter(|rig| !rig.joints.is_empty());
    let mut file = File::new(materials.entries());
    let material = |place| object.materials.get(place).and_then(|&index| materials.index(index));
    file.primitives(&level.faces, &object.high, material, rig)?;
    file.finish(name, rig)
}

/// The bytes of a file with the triangles of a physics shape, without materials.
///
/// # Errors
/// Those of [`level_file`].
pub(crate) fn mesh_file(object: &Object, mesh: &Level, name: &str) -> Result<Vec<u8>, Problem> {
    let bare = |face: &Face| {
        let (positions, triangles) = (face.positions.clone(), face.triangles.clone());
        Face { positions, triangles, ..Face::default() }
    };
    shape_file(object, &mesh.faces.iter().map(bare).collect::<Vec<_>>(), name)
}

/// The bytes of a file with the hulls of a physics shape, given by their corners, a mesh primitive for each.
///
/// # Errors
/// Those of [`level_file`]; [`Problem::Missing`] if no hull has a volume.
pub(crate) fn hulls_file(
    object: &Object,
    hulls: &[Vec<[f32; 3]>],
    name: &str,
) -> Result<Vec<u8>, Problem> {
    let frame = Frame::of(&object.high);
    let face = |hull: &Vec<[f32; 3]>| {
        let (positions, triangles) = (hull.clone(), facets(hull, &frame));
        Face { positions, triangles, ..Face::default() }
    };
    shape_file(object, &hulls.iter().map(face).collect::<Vec<_>>(), name)
}

fn shape_file(object: &Object, faces: &[Face], name: &str) -> Result<Vec<u8>, Problem> {
    let mut file = File::new(Map::new());
    file.primitives(faces, &object.high, |_| None, None)?;
    file.finish(name, None)
}

/// A file that is being written.
struct File {
    document: Map<String, Value>,
    buffer: Buffer,
    primitives: Vec<Value>,
}

impl File {
    fn new(document: Map<String, Value>) -> Self {
        Self { document, buffer: Buffer::default(), primitives: Vec::new() }
    }

    /// Adds the faces that show something. Together they reach as far as `whole`.
    fn primitives(
        &mut self,
        faces: &[Face],
        whole: &Level,
        material: impl Fn(usize) -> Option<usize>,
        rig: Option<&Rig>,
    ) -> Result<(), Problem> {
        let widened = reach::widened(faces, whole);
        for (place, face) in faces.iter().enumerate() {
            let widened = widened.as_ref().filter(|(index, _)| *index == place);
            self.primitive(widened.map_or(face, |(_, face)| face), material(place), rig)?;
        }
        Ok(())
    }

    /// Adds a face, if it shows something.
    fn primitive(
        &mut self,
        face: &Face,
        material: Option<usize>,
        rig: Option<&Rig>,
    ) -> Result<(), Problem> {
        if face.triangles.is_empty() {
            return Ok(());
        }
        check(face)?;
        let buffer = &mut self.buffer;
        let turned: Vec<_> =
            face.positions.iter().map(|&position| buffer::y_up(position)).collect();
        let mut attributes = json!({ "POSITION": buffer.positions(&turned) });
        if !face.normals.is_empty() {
            let normals: Vec<_> = face.normals.iter().map(|&normal| buffer::y_up(normal)).collect();
            attributes["NORMAL"] = buffer.floats(Kind::VEC3, &normals).into();
        }
        if !face.tex_coords.is_empty() {
            let coords: Vec<_> = face.tex_coords.iter().map(|&uv| buffer::tex_coord(uv)).collect();
            attributes["TEXCOORD_0"] = buffer.floats(Kind::VEC2, &coords).into();
        }
        if let Some(rig) = rig {
            rig::check(&face.influences, rig)?;
            let (joints, weights) = rig::influences(turned.len(), &face.influences, buffer);
            attributes["JOINTS_0"] = joints.into();
            attributes["WEIGHTS_0"] = weights.into();
        }
        let corners = face.triangles.as_flattened();
        let indices = corners.iter().flat_map(|corner| corner.to_le_bytes());
        let indices = buffer.push(Kind::INDICES, corners.len(), indices);
        let mut primitive = json!({ "attributes": attributes, "indices": indices });
        if let Some(material) = material {
            primitive["material"] = material.into();
        }
        self.primitives.push(primitive);
        Ok(())
    }

    /// The bytes of the file, with one mesh of that name.
    fn finish(mut self, name: &str, rig: Option<&Rig>) -> Result<Vec<u8>, Problem> {
        if self.primitives.is_empty() {
            return Err(Problem::Missing("a triangle"));
        }
        let mut nodes = vec![json!({ "name": name, "mesh": 0 })];
        let mut roots = vec![0];
        if let Some(rig) = rig {
            let (joints, skin) = rig::skin(rig, nodes.len(), &mut self.buffer);
            nodes[0]["skin"] = 0.into();
            roots.push(nodes.len());
            nodes.extend(joints);
            self.document.insert("skins".into(), json!([skin]));
        }
        let (arrays, binary) = self.buffer.finish();
        let entries = [
            ("asset", json!({ "version": "2.0", "generator": "lodger-pack" })),
            ("scene", 0.into()),
            ("scenes", json!([{ "nodes": roots }])),
            ("nodes", nodes.into()),
            ("meshes", json!([{ "name": name, "primitives": self.primitives }])),
        ];
        for (key, value) in entries.into_iter().chain(arrays) {
            self.document.insert(key.into(), value);
        }
        buffer::glb(self.document, &binary)
    }
}

/// Sees that a face is what it says.
fn check(face: &Face) -> Result<(), Problem> {
    let vertices = face.positions.len();
    let lists = [
        ("NORMAL", face.normals.len()),
        ("TEXCOORD_0", face.tex_coords.len()),
        ("JOINTS_0", face.influences.len()),
    ];
    if let Some(&(field, found)) = lists.iter().find(|(_, found)| ![0, vertices].contains(found)) {
        return Err(Problem::Count { field, found, expected: vertices });
    }
    if face.positions.as_flattened().iter().any(|x| !x.is_finite()) {
        return Err(Problem::NotFinite("POSITION"));
    }
    for (triangle, corners) in face.triangles.iter().enumerate() {
        if let Some(&index) = corners.iter().find(|&&corner| usize::from(corner) >= vertices) {
            return Err(Problem::Index { triangle, index, vertices });
        }
    }
    Ok(())
}
