use serde_json::{Value, json};

use super::{Drawing, DrawnMesh, Primitive};

/// A glTF document and the bytes of its only buffer.
pub(crate) struct GltfBuilder {
    pub(crate) json: Value,
    pub(crate) bin: Vec<u8>,
}

impl GltfBuilder {
    pub(crate) fn new() -> Self {
        let json = json!({ "asset": { "version": "2.0" }, "scenes": [{ "nodes": [] }] });
        Self { json, bin: Vec::new() }
    }

    pub(crate) fn add(&mut self, list: &str, value: Value) -> usize {
        let list = &mut self.json[list];
        if list.is_null() {
            *list = json!([]);
        }
        let list = list.as_array_mut().expect("a list");
        list.push(value);
        list.len() - 1
    }

    pub(crate) fn root(&mut self, node: Value) -> usize {
        let index = self.add("nodes", node);
        self.json["scenes"][0]["nodes"].as_array_mut().expect("nodes").push(json!(index));
        index
    }

    pub(crate) fn view(&mut self, bytes: &[u8]) -> usize {
        self.bin.resize(self.bin.len().next_multiple_of(4), 0xee);
        let offset = self.bin.len();
        self.bin.extend_from_slice(bytes);
        let view = json!({ "buffer": 0, "byteOffset": offset, "byteLength": bytes.len() });
        self.add("bufferViews", view)
    }

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

    pub(crate) fn indices(&mut self, values: &[u32]) -> usize {
        let bytes: Vec<_> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        self.accessor(&bytes, 5125, "SCALAR", values.len())
    }

    /// An accessor of bytes, four to an element.
    pub(crate) fn quads(&mut self, values: &[u8]) -> usize {
        self.accessor(values, 5121, "VEC4", values.len() / 4)
    }

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

    pub(crate) fn mesh(&mut self, primitives: &[Value]) -> usize {
        self.add("meshes", json!({ "primitives": primitives }))
    }

    pub(crate) fn primitive(&mut self, positions: &[f32]) -> Value {
        let positions = self.floats("VEC3", positions);
        json!({ "attributes": { "POSITION": positions } })
    }

    pub(crate) fn triangle(&mut self) -> usize {
        let primitive = self.primitive(&TRIANGLE);
        self.mesh(&[primitive])
    }

    pub(crate) fn painted(&mut self, materials: impl IntoIterator<Item = usize>) -> usize {
        let mut primitives = Vec::new();
        for material in materials {
            let mut primitive = self.primitive(&TRIANGLE);
            primitive["material"] = json!(material);
            primitives.push(primitive);
        }
        self.mesh(&primitives)
    }

    pub(crate) fn materials(&mut self, names: &[&str]) {
        for name in names {
            self.add("materials", json!({ "name": name }));
        }
    }

    /// The document with its buffer.
    pub(crate) fn document(&self) -> Value {
        let mut json = self.json.clone();
        json["buffers"] = json!([{ "byteLength": self.bin.len() }]);
        json
    }

    pub(crate) fn glb(&self) -> Vec<u8> {
        lodger_testkit::build::gltf::glb(self.document().to_string(), &self.bin)
    }
}

pub(crate) const TRIANGLE: [f32; 9] = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 2.0, 0.0];

impl Drawing {
    pub(crate) fn builder(&self) -> GltfBuilder {
        let mut file = GltfBuilder::new();
        let greens = (0..10).cycle().map(|step| 0.1 * f64::from(step));
        for (name, green) in self.materials.iter().zip(greens) {
            let pbr = json!({ "baseColorFactor": [0.9, green, 0.3, 1.0] });
            file.add("materials", json!({ "name": name, "pbrMetallicRoughness": pbr }));
        }
        for DrawnMesh { name, primitives } in &self.meshes {
            let primitives: Vec<_> = primitives.iter().map(|one| file.drawn(one)).collect();
            let mesh = file.add("meshes", json!({ "name": name, "primitives": primitives }));
            let mut node = json!({ "name": name, "mesh": mesh });
            if !self.joints.is_empty() {
                node["skin"] = json!(0);
            }
            file.root(node);
        }
        if !self.joints.is_empty() {
            let (mut joints, mut binds) = (Vec::new(), Vec::new());
            for &(ref name, [x, y, z]) in &self.joints {
                // As an `f64` with the digits of the `f32`, because serde_json writes an `f32` by the features that it has.
                let digits = [x, y, z].map(|one| one.to_string().parse::<f64>().expect("a number"));
                joints.push(file.root(json!({ "name": name, "translation": digits })));
                binds.extend([
                    1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, -x, -y, -z, 1.0,
                ]);
            }
            let binds = file.floats("MAT4", &binds);
            file.add("skins", json!({ "joints": joints, "inverseBindMatrices": binds }));
        }
        file
    }

    pub(crate) fn glb(&self) -> Vec<u8> {
        self.builder().glb()
    }
}

impl GltfBuilder {
    fn drawn(&mut self, drawn: &Primitive) -> Value {
        let mut primitive = self.primitive(drawn.positions.as_flattened());
        let mut attributes = primitive["attributes"].take();
        if !drawn.normals.is_empty() {
            attributes["NORMAL"] = json!(self.floats("VEC3", drawn.normals.as_flattened()));
        }
        if !drawn.tex_coords.is_empty() {
            attributes["TEXCOORD_0"] = json!(self.floats("VEC2", drawn.tex_coords.as_flattened()));
        }
        if !drawn.weights.is_empty() {
            let joints: Vec<u8> =
                drawn.weights.iter().flat_map(|&([a, b], _)| [a, b, 0, 0]).collect();
            let weights: Vec<f32> =
                drawn.weights.iter().flat_map(|&(_, [a, b])| [a, b, 0.0, 0.0]).collect();
            attributes["JOINTS_0"] = json!(self.quads(&joints));
            attributes["WEIGHTS_0"] = json!(self.floats("VEC4", &weights));
        }
        primitive["attributes"] = attributes;
        primitive["indices"] = json!(self.indices(drawn.triangles.as_flattened()));
        if let Some(material) = drawn.material {
            primitive["material"] = json!(material);
        }
        primitive
    }
}
