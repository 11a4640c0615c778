//! Drawings as .glb files.

use serde_json::{Value, json};

use super::{Drawing, DrawnMesh, Primitive};

const FLOAT: u32 = 5126;
const UNSIGNED_BYTE: u32 = 5121;
const UNSIGNED_INT: u32 = 5125;

/// What a binary chunk holds, and the JSON that says so.
#[derive(Default)]
struct Buffer {
    bytes: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
}

impl Buffer {
    /// The accessor of elements that were made bytes of.
    fn accessor<const N: usize>(
        &mut self,
        bytes: impl Iterator<Item = [u8; N]>,
        shape: &str,
        component: u32,
        per_element: usize,
    ) -> usize {
        let offset = self.bytes.len();
        self.bytes.extend(bytes.flatten());
        let length = self.bytes.len() - offset;
        self.views.push(json!({"buffer": 0, "byteOffset": offset, "byteLength": length}));
        self.accessors.push(json!({
            "bufferView": self.views.len() - 1, "componentType": component, "type": shape,
            "count": length / per_element,
        }));
        self.accessors.len() - 1
    }

    fn floats<'a, const N: usize>(
        &mut self,
        list: impl IntoIterator<Item = &'a [f32; N]>,
        shape: &str,
    ) -> usize {
        let numbers = list.into_iter().flatten().map(|x| x.to_le_bytes());
        self.accessor(numbers, shape, FLOAT, 4 * N)
    }

    fn primitive(&mut self, primitive: &Primitive) -> Value {
        let position = self.floats(&primitive.positions, "VEC3");
        for (bound, beyond) in [("min", f32::min as fn(f32, f32) -> f32), ("max", f32::max)] {
            let first = primitive.positions.first().copied().unwrap_or_default();
            let corner = primitive.positions.iter().fold(first, |corner, point| {
                std::array::from_fn(|axis| beyond(corner[axis], point[axis]))
            });
            self.accessors[position][bound] = json!(corner);
        }
        let mut attributes = json!({"POSITION": position});
        if !primitive.normals.is_empty() {
            attributes["NORMAL"] = self.floats(&primitive.normals, "VEC3").into();
        }
        if !primitive.tex_coords.is_empty() {
            attributes["TEXCOORD_0"] = self.floats(&primitive.tex_coords, "VEC2").into();
        }
        if !primitive.weights.is_empty() {
            let joints = primitive.weights.iter().map(|&([a, b], _)| [a, b, 0, 0]);
            attributes["JOINTS_0"] = self.accessor(joints, "VEC4", UNSIGNED_BYTE, 4).into();
            let weights: Vec<_> =
                primitive.weights.iter().map(|&(_, [a, b])| [a, b, 0.0, 0.0]).collect();
            attributes["WEIGHTS_0"] = self.floats(&weights, "VEC4").into();
        }
        let indices = primitive.triangles.iter().flatten().map(|index| index.to_le_bytes());
        let indices = self.accessor(indices, "SCALAR", UNSIGNED_INT, 4);
        let mut value = json!({"attributes": attributes, "indices": indices});
        if let Some(material) = primitive.material {
            value["material"] = material.into();
        }
        value
    }

    fn mesh(&mut self, mesh: &DrawnMesh) -> Value {
        let primitives: Vec<_> = mesh.primitives.iter().map(|one| self.primitive(one)).collect();
        json!({"name": mesh.name, "primitives": primitives})
    }
}

pub(super) fn glb(drawing: &Drawing) -> Vec<u8> {
    let mut buffer = Buffer::default();
    let meshes: Vec<_> = drawing.meshes.iter().map(|mesh| buffer.mesh(mesh)).collect();
    let skinned = !drawing.joints.is_empty();
    let mut nodes: Vec<_> = (0..meshes.len())
        .map(|mesh| {
            let mut node = json!({"name": drawing.meshes[mesh].name, "mesh": mesh});
            if skinned {
                node["skin"] = 0.into();
            }
            node
        })
        .collect();
    let first_joint = nodes.len();
    nodes.extend(
        drawing.joints.iter().map(|(name, place)| json!({"name": name, "translation": place})),
    );
    let mut file = json!({
        "asset": {"version": "2.0"}, "scene": 0,
        "scenes": [{"nodes": (0..nodes.len()).collect::<Vec<_>>()}], "nodes": nodes, "meshes": meshes,
    });
    if skinned {
        let inverse = |&(_, [x, y, z]): &(&str, [f32; 3])| {
            [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, -x, -y, -z, 1.0_f32]
        };
        let binds: Vec<_> = drawing.joints.iter().map(inverse).collect();
        let binds = buffer.floats(&binds, "MAT4");
        let joints: Vec<_> = (first_joint..first_joint + drawing.joints.len()).collect();
        file["skins"] = json!([{"joints": joints, "inverseBindMatrices": binds}]);
    }
    if !drawing.materials.is_empty() {
        let greens = (0..10).cycle().map(|step| 0.1 * f64::from(step));
        let material = |(name, green): (&String, f64)| json!({"name": name, "pbrMetallicRoughness": {"baseColorFactor": [0.9, green, 0.3, 1.0]}});
        file["materials"] = drawing.materials.iter().zip(greens).map(material).collect();
    }
    file["accessors"] = buffer.accessors.into();
    file["bufferViews"] = buffer.views.into();
    file["buffers"] = json!([{"byteLength": buffer.bytes.len()}]);
    lodger_testkit::build::gltf::glb(file.to_string(), &buffer.bytes)
}
