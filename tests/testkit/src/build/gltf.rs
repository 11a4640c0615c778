//! glTF files: a model with most features, and damage.

use serde_json::{Value, json};

use super::damage;
use crate::SplitMix64;

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
