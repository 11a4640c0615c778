//! glTF models of many triangles, to be packed.

use std::f32::consts::TAU;

use serde_json::{Value, json};

use crate::hostile::random::Random;

/// A model of one object, `it`: what its JSON says, and its buffer.
pub(crate) type Model = (Value, Vec<u8>);

/// Random triangles in a cube.
pub(crate) fn soup(count: usize) -> Model {
    let mut random = Random::of_case(1, "soup", count as u64);
    #[expect(clippy::cast_precision_loss, reason = "small numbers")]
    let mut axis = || random.below(1 << 16) as f32 / 65_536.0;
    let positions = (0..3 * count).map(|_| [axis(), axis(), axis()]).collect::<Vec<_>>();
    model(&positions, &(0..).take(3 * count).collect::<Vec<_>>(), &[])
}

/// A flat disc of rings within each other.
pub(crate) fn rings(count: usize) -> Model {
    sheet(count, |u, v| {
        let (sin, cos) = (u * TAU).sin_cos();
        [v * cos, 0.0, v * sin]
    })
}

/// A cloth in folds.
pub(crate) fn cloth(count: usize) -> Model {
    sheet(count, |u, v| [u + 0.1 * (v * 40.0).sin(), v * 0.5, 0.2 * (u * 30.0 + v * 7.0).sin()])
}

/// A strip of triangles that hang on joints of these names, one after the other.
pub(crate) fn skinned(joints: &[String]) -> Model {
    let strip = |corner: u16| [f32::from(corner / 2), f32::from(corner % 2), f32::from(corner % 3)];
    let positions: Vec<_> = (0..60).map(strip).collect();
    let indices: Vec<u32> = (0..58).flat_map(|first| [first, first + 1, first + 2]).collect();
    model(&positions, &indices, joints)
}

/// A square of so many triangles, bent.
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
    model(&positions, &indices.collect::<Vec<_>>(), &[])
}

fn model(positions: &[[f32; 3]], indices: &[u32], joints: &[String]) -> Model {
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
