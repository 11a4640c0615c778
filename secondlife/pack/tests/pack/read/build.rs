//! Makes glTF files, and reads them.

use std::io;

use lodger_pack::{Error, Face, Level, Model, Object, SkinChoice, Source, read as read_sources};
use lodger_quota::{Quota, QuotaLimits};
use serde_json::{Value, json};

/// A file in the making: what it says, and the bytes of its one buffer.
pub(crate) struct Builder {
    pub(crate) json: Value,
    pub(crate) bin: Vec<u8>,
}

impl Builder {
    /// A scene without nodes.
    pub(crate) fn new() -> Self {
        let json = json!({ "asset": { "version": "2.0" }, "scenes": [{ "nodes": [] }] });
        Self { json, bin: Vec::new() }
    }

    /// Adds to a list of the file; returns the index.
    pub(crate) fn add(&mut self, list: &str, value: Value) -> usize {
        let list = &mut self.json[list];
        if list.is_null() {
            *list = json!([]);
        }
        let list = list.as_array_mut().expect("a list");
        list.push(value);
        list.len() - 1
    }

    /// A node of the scene.
    pub(crate) fn root(&mut self, node: Value) -> usize {
        let index = self.add("nodes", node);
        self.json["scenes"][0]["nodes"].as_array_mut().expect("nodes").push(json!(index));
        index
    }

    /// A buffer view of bytes of its own.
    pub(crate) fn view(&mut self, bytes: &[u8]) -> usize {
        self.bin.resize(self.bin.len().next_multiple_of(4), 0xee);
        let offset = self.bin.len();
        self.bin.extend_from_slice(bytes);
        let view = json!({ "buffer": 0, "byteOffset": offset, "byteLength": bytes.len() });
        self.add("bufferViews", view)
    }

    /// An accessor of floats.
    pub(crate) fn floats(&mut self, shape: &str, values: &[f32]) -> usize {
        let bytes: Vec<_> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        let each = match shape {
            "VEC2" => 2,
            "VEC3" => 3,
            "VEC4" => 4,
            _ => 16,
        };
        self.accessor(&bytes, 5126, shape, values.len() / each)
    }

    /// An accessor of indices.
    pub(crate) fn indices(&mut self, values: &[u32]) -> usize {
        let bytes: Vec<_> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        self.accessor(&bytes, 5125, "SCALAR", values.len())
    }

    /// An accessor of bytes, four to an element.
    pub(crate) fn quads(&mut self, values: &[u8]) -> usize {
        self.accessor(values, 5121, "VEC4", values.len() / 4)
    }

    /// An accessor of this many elements.
    pub(crate) fn accessor(
        &mut self,
        bytes: &[u8],
        component: u32,
        shape: &str,
        count: usize,
    ) -> usize {
        let view = self.view(bytes);
        let accessor = json!({ "bufferView": view, "componentType": component, "type": shape, "count": count });
        self.add("accessors", accessor)
    }

    /// A mesh of these primitives.
    pub(crate) fn mesh(&mut self, primitives: &[Value]) -> usize {
        self.add("meshes", json!({ "primitives": primitives }))
    }

    /// A primitive of these positions, a triangle for three of them.
    pub(crate) fn primitive(&mut self, positions: &[f32]) -> Value {
        let positions = self.floats("VEC3", positions);
        json!({ "attributes": { "POSITION": positions } })
    }

    /// A mesh of one triangle, whose normal is +Z.
    pub(crate) fn triangle(&mut self) -> usize {
        let primitive = self.primitive(&TRIANGLE);
        self.mesh(&[primitive])
    }

    /// A mesh of one triangle for each of these materials.
    pub(crate) fn painted(&mut self, materials: impl IntoIterator<Item = usize>) -> usize {
        let mut primitives = Vec::new();
        for material in materials {
            let mut primitive = self.primitive(&TRIANGLE);
            primitive["material"] = json!(material);
            primitives.push(primitive);
        }
        self.mesh(&primitives)
    }

    /// Materials of these names.
    pub(crate) fn materials(&mut self, names: &[&str]) {
        for name in names {
            self.add("materials", json!({ "name": name }));
        }
    }

    /// The file as .glb.
    pub(crate) fn glb(&self) -> Vec<u8> {
        let mut json = self.json.clone();
        json["buffers"] = json!([{ "byteLength": self.bin.len() }]);
        lodger_testkit::build::gltf::glb(json.to_string(), &self.bin)
    }
}

/// A triangle of (0, 0, 0), (1, 0, 0) and (0, 2, 0).
pub(crate) const TRIANGLE: [f32; 9] = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 2.0, 0.0];

/// Reads files that name no other.
pub(crate) fn read_all(files: &[(&str, &[u8])], limits: QuotaLimits) -> Result<Model, Error> {
    read_beside(files, &mut |_, _| Err(io::ErrorKind::NotFound.into()), limits)
}

/// Reads files, with others beside them.
pub(crate) fn read_beside(
    files: &[(&str, &[u8])],
    outside: &mut dyn FnMut(&str, u64) -> io::Result<Vec<u8>>,
    limits: QuotaLimits,
) -> Result<Model, Error> {
    read_skinned(files, SkinChoice::Keep, outside, limits)
}

fn read_skinned(
    files: &[(&str, &[u8])],
    skin: SkinChoice,
    outside: &mut dyn FnMut(&str, u64) -> io::Result<Vec<u8>>,
    limits: QuotaLimits,
) -> Result<Model, Error> {
    let asked = std::cell::RefCell::new(outside);
    let mut asking: Vec<_> =
        files.iter().map(|_| |uri: &str, most: u64| (asked.borrow_mut())(uri, most)).collect();
    let mut sources: Vec<_> = files
        .iter()
        .zip(&mut asking)
        .map(|(&(name, bytes), outside)| Source { name, bytes, outside })
        .collect();
    read_sources(&mut sources, skin, &Quota::new(limits))
}

pub(crate) fn try_read(bytes: &[u8]) -> Result<Model, Error> {
    read_all(&[("it.glb", bytes)], QuotaLimits::default())
}

/// Reads a file that is as it should be.
#[track_caller]
pub(crate) fn read(bytes: &[u8]) -> Model {
    let model = try_read(bytes).unwrap_or_else(|error| panic!("{error}"));
    check(&model);
    model
}

/// Reads a file without its skin.
pub(crate) fn read_at_rest(bytes: &[u8]) -> Result<Model, Error> {
    let none = &mut |_: &str, _| Err(io::ErrorKind::NotFound.into());
    let model = read_skinned(&[("it.glb", bytes)], SkinChoice::Rest, none, QuotaLimits::default())?;
    check(&model);
    Ok(model)
}

/// The message and the help of what cannot be read.
#[track_caller]
pub(crate) fn refused(bytes: &[u8]) -> String {
    said(try_read(bytes))
}

#[track_caller]
pub(crate) fn said(read: Result<Model, Error>) -> String {
    match read {
        Err(Error::Model { problem, help, .. }) => [problem, help.unwrap_or_default()].join("; "),
        Err(error) => panic!("another error: {error}"),
        Ok(_) => panic!("it was read"),
    }
}

/// A model holds what it promises.
#[track_caller]
pub(crate) fn check(model: &Model) {
    assert!((1..=256).contains(&model.objects.len()));
    for object in &model.objects {
        let faces = object.materials.len();
        assert!((1..=8).contains(&faces) && object.high.triangle_count() > 0, "{}", object.name);
        assert!(object.materials.iter().all(|&material| material < model.materials.len()));
        let given = &object.given;
        let levels = [&given.lowest, &given.low, &given.medium].into_iter().flatten();
        for level in levels.chain([&object.high]) {
            assert!(level.faces.len() == faces && level.triangle_count() > 0, "{}", object.name);
            level.faces.iter().for_each(|face| check_face(face, object));
        }
        let physics = object.physics.iter().flat_map(|level: &Level| &level.faces);
        physics.for_each(|face| check_face(face, &Object::default()));
        assert!(object.rig.iter().all(|rig| rig.joints.len() <= 110));
    }
}

#[track_caller]
fn check_face(face: &Face, object: &Object) {
    let vertices = face.positions.len();
    assert!(vertices < 65_535);
    assert!(face.positions.as_flattened().iter().all(|axis| axis.is_finite()));
    assert!(face.triangles.as_flattened().iter().all(|&index| usize::from(index) < vertices));
    assert_eq!(face.normals.len(), vertices);
    for normal in &face.normals {
        let length: f32 = normal.iter().map(|axis| axis * axis).sum();
        assert!((length - 1.0).abs() < 1e-5, "{normal:?}");
    }
    assert!([0, vertices].contains(&face.tex_coords.len()));
    let joints = object.rig.as_ref().map_or(0, |rig| rig.joints.len());
    assert_eq!(face.influences.len(), if joints > 0 { vertices } else { 0 });
    for influence in face.influences.iter().flat_map(lodger_mesh_asset::Influences::as_slice) {
        assert!(usize::from(influence.joint) < joints);
    }
}
