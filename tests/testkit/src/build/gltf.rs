//! glTF models: one with most features, and models of many triangles.

use std::f32::consts::TAU;

use serde_json::{Value, json};

use super::damage;
use crate::SplitMix64;

pub type Model = (Value, Vec<u8>);

/// A model with levels, a skin, instances, a sparse accessor and a camera.
pub fn model() -> Value {
    json!({
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0, 1, 2, 3, 4]}],
        "extensionsUsed": ["EXT_mesh_gpu_instancing", "MSFT_lod", "KHR_node_visibility"],
        "nodes": [
            {"name": "figure", "mesh": 0, "skin": 0, "scale": [1, 2, 1]},
            {"name": "bone", "translation": [0, 1, 0], "rotation": [0, 0.6, 0, 0.8]},
            {"name": "tree", "mesh": 1,
             "extensions": {"EXT_mesh_gpu_instancing": {"attributes": {"TRANSLATION": 4}}}},
            {"name": "house", "mesh": 1, "children": [5], "translation": [0, 0, -5],
             "extensions": {"MSFT_lod": {"ids": [6]}}, "extras": {"MSFT_screencoverage": [0.5, 0.1]}},
            {"camera": 0},
            {"mesh": 1, "matrix": [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 3, 0, 0, 1],
             "extensions": {"KHR_node_visibility": {"visible": true}}},
            {"name": "far"}
        ],
        "cameras": [{"type": "perspective", "perspective": {"yfov": 1.0, "znear": 0.1}}],
        "meshes": [
            {"name": "body",
             "primitives": [{"attributes": {"POSITION": 0, "JOINTS_0": 1, "WEIGHTS_0": 2}}]},
            {"name": "box", "primitives": [{"attributes": {"POSITION": 5}, "indices": 6, "mode": 4}]}
        ],
        "skins": [{"joints": [1], "inverseBindMatrices": 3}],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3",
             "sparse": {"count": 1, "indices": {"bufferView": 1, "componentType": 5121},
                        "values": {"bufferView": 0}}},
            {"bufferView": 1, "componentType": 5121, "count": 3, "type": "VEC4"},
            {"bufferView": 2, "componentType": 5121, "normalized": true, "count": 3, "type": "VEC4"},
            {"bufferView": 3, "componentType": 5126, "count": 1, "type": "MAT4"},
            {"bufferView": 4, "componentType": 5126, "count": 2, "type": "VEC3"},
            {"componentType": 5126, "count": 500, "type": "VEC3",
             "min": [-1, -1, -1], "max": [1, 1, 1]},
            {"componentType": 5123, "count": 3000, "type": "SCALAR"}
        ],
        "bufferViews": [
            {"buffer": 0, "byteOffset": 0, "byteLength": 36},
            {"buffer": 0, "byteOffset": 36, "byteLength": 12},
            {"buffer": 0, "byteOffset": 48, "byteLength": 12},
            {"buffer": 0, "byteOffset": 60, "byteLength": 64, "byteStride": 64},
            {"buffer": 0, "byteOffset": 124, "byteLength": 24}
        ],
        "buffers": [{"byteLength": 148}]
    })
}

/// The buffer of [`model`]: three points, joints, weights, a matrix and two places.
pub fn buffer() -> Vec<u8> {
    let floats =
        |floats: &[f32]| -> Vec<u8> { floats.iter().flat_map(|it| it.to_le_bytes()).collect() };
    let mut matrix = [0.0; 16];
    (0..4).for_each(|i| matrix[i * 5] = 1.0);
    [
        floats(&[2.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0]),
        vec![0; 12],
        [255, 0, 0, 0].repeat(3),
        floats(&matrix),
        floats(&[0.0, 0.0, 0.0, 8.0, 0.0, 0.0]),
    ]
    .concat()
}

/// A .glb file of a document and its buffer; without bytes it has no second chunk.
pub fn glb(json: impl AsRef<[u8]>, bin: &[u8]) -> Vec<u8> {
    let mut file = glb_with_lengths(json.as_ref(), bin, [None; 3]);
    if bin.is_empty() {
        file.truncate(file.len() - 8);
        let length = u32::try_from(file.len()).expect("a small file");
        file[8..12].copy_from_slice(&length.to_le_bytes());
    }
    file
}

/// A .glb file whose header may state other lengths: of the file, the document and the bytes.
pub fn glb_with_lengths(json: &[u8], bin: &[u8], lengths: [Option<u32>; 3]) -> Vec<u8> {
    let (mut json, mut bin) = (json.to_vec(), bin.to_vec());
    json.resize(json.len().next_multiple_of(4), b' ');
    bin.resize(bin.len().next_multiple_of(4), 0);
    let real = [28 + json.len() + bin.len(), json.len(), bin.len()];
    let word =
        |i: usize| lengths[i].unwrap_or(u32::try_from(real[i]).unwrap_or(u32::MAX)).to_le_bytes();
    [&b"glTF\x02\0\0\0"[..], &word(0), &word(1), b"JSON", &json, &word(2), b"BIN\0", &bin].concat()
}

pub fn damage_value(random: &mut SplitMix64, value: &mut Value) {
    match value {
        Value::Array(items) if !items.is_empty() && !random.one_in(8) => {
            let at = random.index(items.len());
            if random.one_in(10) {
                let (copy, times) = (items[at].clone(), random.spread(3000));
                items.extend(std::iter::repeat_n(copy, times));
            } else {
                damage_value(random, &mut items[at]);
            }
        }
        Value::Object(entries) if !entries.is_empty() && !random.one_in(8) => {
            let at = random.index(entries.len());
            if random.one_in(10) {
                let key = entries.keys().nth(at).cloned().unwrap_or_default();
                entries.remove(&key);
            } else if let Some(inner) = entries.values_mut().nth(at) {
                damage_value(random, inner);
            }
        }
        _ => *value = any(random),
    }
}

fn any(random: &mut SplitMix64) -> Value {
    match random.index(9) {
        0 => Value::Null,
        1 => json!(random.one_in(2)),
        2 => json!(damage::whole(random)),
        3 => json!(damage::whole(random).cast_signed()),
        4 => json!(random.pick(&damage::REALS)),
        5 => json!(damage::text_value(random)),
        6 => json!([]),
        7 => json!({}),
        _ => json!(random.index(8)),
    }
}

pub fn soup(count: usize) -> Model {
    let mut random = SplitMix64::of_case(1, "soup", count as u64);
    let mut axis =
        || f32::from(u16::try_from(random.index(1 << 16)).unwrap_or_default()) / 65_536.0;
    let positions = (0..3 * count).map(|_| [axis(), axis(), axis()]).collect::<Vec<_>>();
    solid(&positions, &(0..).take(3 * count).collect::<Vec<_>>(), &[])
}

pub fn rings(count: usize) -> Model {
    sheet(count, |u, v| {
        let (sin, cos) = (u * TAU).sin_cos();
        [v * cos, 0.0, v * sin]
    })
}

pub fn cloth(count: usize) -> Model {
    sheet(count, |u, v| [u + 0.1 * (v * 40.0).sin(), v * 0.5, 0.2 * (u * 30.0 + v * 7.0).sin()])
}

/// A strip of triangles, skinned to joints of these names in turns.
pub fn skinned(joints: &[String]) -> Model {
    let strip = |corner: u16| [f32::from(corner / 2), f32::from(corner % 2), f32::from(corner % 3)];
    let positions: Vec<_> = (0..60).map(strip).collect();
    let indices: Vec<u32> = (0..58).flat_map(|first| [first, first + 1, first + 2]).collect();
    solid(&positions, &indices, joints)
}

#[expect(clippy::cast_precision_loss, reason = "small numbers")]
fn sheet(count: usize, place: impl Fn(f32, f32) -> [f32; 3]) -> Model {
    let side = (count / 2).isqrt().max(1);
    let part = |at: usize| at as f32 / side as f32;
    let corners = (0..=side).flat_map(|row| (0..=side).map(move |column| (row, column)));
    let positions: Vec<_> = corners.map(|(row, column)| place(part(row), part(column))).collect();
    let corner = |row, column| u32::try_from(row * (side + 1) + column).unwrap_or_default();
    let cells = (0..side).flat_map(|row| (0..side).map(move |column| (row, column)));
    let indices = cells.flat_map(|(row, column)| {
        let [a, b] = [corner(row, column), corner(row, column + 1)];
        let [c, d] = [corner(row + 1, column), corner(row + 1, column + 1)];
        [a, b, c, c, b, d]
    });
    solid(&positions, &indices.collect::<Vec<_>>(), &[])
}

fn solid(positions: &[[f32; 3]], indices: &[u32], joints: &[String]) -> Model {
    let mut bin: Vec<u8> = positions.as_flattened().iter().flat_map(|x| x.to_le_bytes()).collect();
    let mut views = vec![json!({"buffer": 0, "byteLength": bin.len()})];
    let (vertices, start) = (positions.len(), bin.len());
    bin.extend(indices.iter().flat_map(|index| index.to_le_bytes()));
    views.push(json!({"buffer": 0, "byteOffset": start, "byteLength": bin.len() - start}));
    let mut accessors = vec![
        json!({"bufferView": 0, "componentType": 5126, "count": vertices, "type": "VEC3"}),
        json!({"bufferView": 1, "componentType": 5125, "count": indices.len(), "type": "SCALAR"}),
    ];
    let mut nodes = vec![json!({"name": "it", "mesh": 0})];
    let mut attributes = json!({"POSITION": 0});
    if !joints.is_empty() {
        let start = bin.len();
        let joint = |vertex: usize| [u8::try_from(vertex % joints.len()).unwrap_or(0), 0, 0, 0];
        bin.extend((0..vertices).flat_map(joint));
        bin.extend([255, 0, 0, 0].repeat(vertices));
        views.push(json!({"buffer": 0, "byteOffset": start, "byteLength": 4 * vertices}));
        views.push(
            json!({"buffer": 0, "byteOffset": start + 4 * vertices, "byteLength": 4 * vertices}),
        );
        accessors.push(
            json!({"bufferView": 2, "componentType": 5121, "count": vertices, "type": "VEC4"}),
        );
        accessors.push(json!({"bufferView": 3, "componentType": 5121, "normalized": true, "count": vertices, "type": "VEC4"}));
        attributes["JOINTS_0"] = json!(2);
        attributes["WEIGHTS_0"] = json!(3);
        nodes[0]["skin"] = json!(0);
        nodes.extend(joints.iter().map(|name| json!({"name": name, "translation": [0, 0.1, 0]})));
    }
    let roots: Vec<_> = (0..nodes.len()).collect();
    let mut model = json!({
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": roots}], "nodes": nodes,
        "meshes": [{"name": "it", "primitives": [{"attributes": attributes, "indices": 1}]}],
        "accessors": accessors, "bufferViews": views, "buffers": [{"byteLength": bin.len()}]
    });
    if !joints.is_empty() {
        model["skins"] = json!([{"joints": &roots[1..]}]);
    }
    (model, bin)
}
