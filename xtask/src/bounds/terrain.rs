//! A .glb of hills of one or two million triangles, of positions alone.

use std::fs;
use std::path::Path;

use super::model::glb;
use crate::boards::unfit;
use crate::failure::Failure;

/// Squares along a row, of two triangles each.
const SQUARES: u32 = 1_000;
/// Metres a side.
const SIDE: f32 = 60.0;

/// Writes hills of a million triangles.
pub(super) fn million(path: &Path) -> Result<(), Failure> {
    write(path, SQUARES / 2)
}

/// Writes hills of two million triangles.
pub(super) fn two_millions(path: &Path) -> Result<(), Failure> {
    write(path, SQUARES)
}

fn write(path: &Path, rows: u32) -> Result<(), Failure> {
    let mut bin: Vec<u8> = positions(rows).flatten().flat_map(f32::to_le_bytes).collect();
    let positions = bin.len();
    bin.extend(triangles(rows).flatten().flat_map(u32::to_le_bytes));
    let bytes = glb(&json(positions, bin.len()), &bin).map_err(|error| unfit(path, &error))?;
    fs::write(path, bytes).map_err(|error| unfit(path, &error))
}

/// Row by row.
fn positions(rows: u32) -> impl Iterator<Item = [f32; 3]> {
    (0..=rows).flat_map(|row| (0..=SQUARES).map(move |column| point(row, column)))
}

#[expect(clippy::cast_precision_loss, reason = "a thousand squares")]
fn point(row: u32, column: u32) -> [f32; 3] {
    let along = |step: u32| (step as f32 / SQUARES as f32 - 0.5) * SIDE;
    let (x, z) = (along(column), along(row));
    [x, (x * 0.4).sin() * (z * 0.3).cos() + 0.2 * (x * 2.1 + z * 1.7).sin(), z]
}

fn triangles(rows: u32) -> impl Iterator<Item = [u32; 3]> {
    let corner = |row: u32, column: u32| row * (SQUARES + 1) + column;
    (0..rows).flat_map(move |row| {
        (0..SQUARES).flat_map(move |column| {
            let [a, b] = [corner(row, column), corner(row, column + 1)];
            let [c, d] = [corner(row + 1, column), corner(row + 1, column + 1)];
            [[a, c, b], [b, c, d]]
        })
    })
}

fn json(positions: usize, bytes: usize) -> String {
    let indices = bytes - positions;
    let (vertices, corners) = (positions / 12, indices / 4);
    let half = SIDE / 2.0;
    format!(
        r#"{{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[0]}}],
        "nodes":[{{"name":"terrain","mesh":0}}],
        "meshes":[{{"name":"terrain","primitives":[{{"attributes":{{"POSITION":0}},"indices":1}}]}}],
        "accessors":[{{"bufferView":0,"componentType":5126,"count":{vertices},"type":"VEC3",
            "min":[-{half},-2,-{half}],"max":[{half},2,{half}]}},
          {{"bufferView":1,"componentType":5125,"count":{corners},"type":"SCALAR"}}],
        "bufferViews":[{{"buffer":0,"byteLength":{positions}}},
          {{"buffer":0,"byteOffset":{positions},"byteLength":{indices}}}],
        "buffers":[{{"byteLength":{bytes}}}]}}"#
    )
}
