//! Levels and collision shapes as .glb files (glTF 2.0) for upload through a viewer.
//!
//! Positions are in metres, in the space of the model, Y up. Each submesh and each hull is a
//! primitive; empty submeshes are left out.

mod buffer;
mod rig;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use lodger_mesh_asset::AssetErrorKind;
use serde_json::{Map, Value, json};

use crate::encode::without_attributes;
use crate::frame::{Aabb, ObjectFrame};
use crate::glb::buffer::{AccessorKind, GlbBuffer};
use crate::model::{LodMesh, Model, ModelObject, Rig, Submesh};
use crate::physics::facets;

/// Writes a level: a node, a mesh with a primitive for each submesh with triangles, its materials,
/// the model's textures, and the joints as nodes.
///
/// # Errors
///
/// [`AssetErrorKind`]: a level without triangles, lists of different lengths, a triangle without a
///   vertex, a position that is not finite, 2 GiB.
pub(crate) fn level_file(
    model: &Model,
    object: &ModelObject,
    level: &LodMesh,
    name: &str,
) -> Result<Vec<u8>, AssetErrorKind> {
    let materials = ObjectMaterials::new(model, object);
    let rig = object.rig.as_ref().filter(|rig| !rig.joints.is_empty());
    let mut file = GlbFile::new(materials.entries());
    let material = |place| object.materials.get(place).and_then(|&index| materials.index(index));
    file.primitives(&level.submeshes, &object.high, material, rig)?;
    file.finish(name, rig)
}

pub(crate) fn mesh_file(
    object: &ModelObject,
    mesh: &LodMesh,
    name: &str,
) -> Result<Vec<u8>, AssetErrorKind> {
    shape_file(object, &without_attributes(mesh).submeshes, name)
}

/// Writes hulls, given by their corners, as one primitive each.
///
/// # Errors
///
/// As of [`level_file`]; [`AssetErrorKind::Missing`] if no hull has a volume.
pub(crate) fn hulls_file(
    object: &ModelObject,
    hulls: &[Vec<[f32; 3]>],
    name: &str,
) -> Result<Vec<u8>, AssetErrorKind> {
    let frame = ObjectFrame::from_mesh(&object.high);
    let face = |hull: &Vec<[f32; 3]>| {
        let (positions, triangles) = (hull.clone(), facets(hull, &frame));
        Submesh { positions, triangles, ..Submesh::default() }
    };
    shape_file(object, &hulls.iter().map(face).collect::<Vec<_>>(), name)
}

fn shape_file(
    object: &ModelObject,
    faces: &[Submesh],
    name: &str,
) -> Result<Vec<u8>, AssetErrorKind> {
    let mut file = GlbFile::new(Map::new());
    file.primitives(faces, &object.high, |_| None, None)?;
    file.finish(name, None)
}

struct GlbFile {
    document: Map<String, Value>,
    buffer: GlbBuffer,
    primitives: Vec<Value>,
}

impl GlbFile {
    fn new(document: Map<String, Value>) -> Self {
        Self { document, buffer: GlbBuffer::default(), primitives: Vec::new() }
    }

    fn primitives(
        &mut self,
        faces: &[Submesh],
        whole: &LodMesh,
        material: impl Fn(usize) -> Option<usize>,
        rig: Option<&Rig>,
    ) -> Result<(), AssetErrorKind> {
        let widened = widened(faces, whole);
        for (place, face) in faces.iter().enumerate() {
            let widened = widened.as_ref().filter(|(index, _)| *index == place);
            self.primitive(widened.map_or(face, |(_, face)| face), material(place), rig)?;
        }
        Ok(())
    }

    fn primitive(
        &mut self,
        face: &Submesh,
        material: Option<usize>,
        rig: Option<&Rig>,
    ) -> Result<(), AssetErrorKind> {
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
            attributes["NORMAL"] = buffer.floats(AccessorKind::VEC3, &normals).into();
        }
        if !face.tex_coords.is_empty() {
            let coords: Vec<_> = face.tex_coords.iter().map(|&uv| buffer::tex_coord(uv)).collect();
            attributes["TEXCOORD_0"] = buffer.floats(AccessorKind::VEC2, &coords).into();
        }
        if let Some(rig) = rig {
            rig::check(&face.influences, rig)?;
            let (joints, weights) = rig::influences(turned.len(), &face.influences, buffer);
            attributes["JOINTS_0"] = joints.into();
            attributes["WEIGHTS_0"] = weights.into();
        }
        let corners = face.triangles.as_flattened();
        let indices = corners.iter().flat_map(|corner| corner.to_le_bytes());
        let indices = buffer.push(AccessorKind::INDICES, corners.len(), indices);
        let mut primitive = json!({ "attributes": attributes, "indices": indices });
        if let Some(material) = material {
            primitive["material"] = material.into();
        }
        self.primitives.push(primitive);
        Ok(())
    }

    fn finish(mut self, name: &str, rig: Option<&Rig>) -> Result<Vec<u8>, AssetErrorKind> {
        if self.primitives.is_empty() {
            return Err(AssetErrorKind::Missing("a triangle"));
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

fn check(face: &Submesh) -> Result<(), AssetErrorKind> {
    let vertices = face.positions.len();
    let lists = [
        ("NORMAL", face.normals.len()),
        ("TEXCOORD_0", face.tex_coords.len()),
        ("JOINTS_0", face.influences.len()),
    ];
    if let Some(&(field, found)) = lists.iter().find(|(_, found)| ![0, vertices].contains(found)) {
        return Err(AssetErrorKind::Count { field, found, expected: vertices });
    }
    if face.positions.as_flattened().iter().any(|x| !x.is_finite()) {
        return Err(AssetErrorKind::NotFinite("POSITION"));
    }
    for (triangle, corners) in face.triangles.iter().enumerate() {
        if let Some(&index) = corners.iter().find(|&&corner| usize::from(corner) >= vertices) {
            return Err(AssetErrorKind::Index { triangle, index, vertices });
        }
    }
    Ok(())
}

const KEPT: [&str; 3] = ["textures", "samplers", "images"];

pub(super) struct ObjectMaterials<'a> {
    model: &'a Model,
    used: Vec<usize>,
}

impl<'a> ObjectMaterials<'a> {
    pub(super) fn new(model: &'a Model, object: &ModelObject) -> Self {
        let mut used = Vec::new();
        for &material in &object.materials {
            if material < model.materials.len() && !used.contains(&material) {
                used.push(material);
            }
        }
        Self { model, used }
    }

    pub(super) fn index(&self, material: usize) -> Option<usize> {
        self.used.iter().position(|&used| used == material)
    }

    pub(super) fn entries(&self) -> Map<String, Value> {
        let mut entries = Map::new();
        let materials: Vec<_> = self.used.iter().map(|&index| self.material(index)).collect();
        let kept =
            KEPT.iter().filter_map(|&key| Some((key, self.model.textures.get(key)?.clone())));
        for (key, array) in kept.chain([("materials", Value::Array(materials))]) {
            // glTF forbids empty arrays.
            if array.as_array().is_some_and(|array| !array.is_empty()) {
                entries.insert(key.into(), array);
            }
        }
        let extensions: Vec<_> = extensions(&entries).into_iter().collect();
        if !extensions.is_empty() {
            entries.insert("extensionsUsed".into(), extensions.into());
        }
        entries
    }

    fn material(&self, index: usize) -> Value {
        let material = &self.model.materials[index];
        let mut value = material.gltf.clone();
        value.insert("name".into(), material.name.clone().into());
        Value::Object(value)
    }
}

fn extensions(entries: &Map<String, Value>) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut rest: Vec<&Value> = entries.values().collect();
    while let Some(value) = rest.pop() {
        match value {
            Value::Array(items) => rest.extend(items),
            Value::Object(map) => {
                if let Some(Value::Object(extensions)) = map.get("extensions") {
                    found.extend(extensions.keys().cloned());
                }
                rest.extend(map.iter().filter(|(key, _)| *key != "extras").map(|(_, value)| value));
            }
            _ => {}
        }
    }
    found
}

const MAX_FACE_VERTICES: usize = 65_534;

/// Extends the bounding box of a file to the box of `whole`, because a viewer maps it to the box of
/// the high level and would stretch a simplified level. Returns the index of the submesh with the
/// fewest vertices, and a copy with two more vertices at the corners of the box; `None` if the
/// submeshes reach the corners, or none has space.
///
/// Source: `LLGLTFLoader::populateModelFromMesh` of the viewer, and `LLModel::normalizeVolumeFaces`
/// (`indra/llprimitive/llmodel.cpp`).
pub(super) fn widened(faces: &[Submesh], whole: &LodMesh) -> Option<(usize, Submesh)> {
    let shown = || faces.iter().enumerate().filter(|(_, face)| !face.triangles.is_empty());
    let corners = Aabb::around(whole.positions());
    let reached = Aabb::around(shown().flat_map(|(_, face)| face.positions.iter().copied()));
    let missing = |&axis: &usize| {
        reached.min[axis] > corners.min[axis] || reached.max[axis] < corners.max[axis]
    };
    (0..3).find(missing)?;
    let (index, face) = shown().min_by_key(|(_, face)| face.positions.len())?;
    let mut face = face.clone();
    let corners = [corners.min, corners.max];
    if face.positions.len() + corners.len() > MAX_FACE_VERTICES {
        return None;
    }
    for corner in corners {
        face.positions.push(corner);
        // Attributes of an existing vertex do not extend their domains.
        again(&mut face.normals);
        again(&mut face.tex_coords);
        again(&mut face.influences);
    }
    Some((index, face))
}

fn again<T: Copy>(list: &mut Vec<T>) {
    list.extend(list.first().copied());
}
