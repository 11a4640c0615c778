//! Mesh assets whose costs are known, and runs of `lodger cost`.

use lodger_mesh_asset::{AssetBuilder, Block};
use lodger_testkit::build::mesh::{bytes, good_builder, strip, tetrahedron};
use serde_json::Value as Json;

use crate::run::{RunOutput, TestFolder, lodger};

/// The bytes of the LODs of [`sized`].
pub(crate) const SIZES: [usize; 4] = [400, 900, 2500, 9000];

/// An asset with LODs of these sizes in bytes; pricing does not decode them.
pub(crate) fn sized(sizes: [usize; 4]) -> AssetBuilder<'static> {
    let mut builder = good_builder();
    for (block, size) in Block::LODS.into_iter().zip(sizes) {
        builder.set_raw(block.key(), vec![0; size]);
    }
    builder
}

/// The same with a physics mesh of 40 triangles and no decomposition.
pub(crate) fn with_physics_mesh(sizes: [usize; 4]) -> AssetBuilder<'static> {
    let mut builder = sized(sizes);
    let tetrahedron = tetrahedron();
    let none: [Vec<[f32; 3]>; 0] = [];
    let convex = lodger_mesh_asset::Convex::new(&tetrahedron, &none).expect("a hull");
    builder.set_convex(&convex).expect("a short block");
    builder.set_lod(Block::PhysicsMesh, &strip(40)).expect("a short block");
    builder
}

/// A folder with that asset.
pub(crate) fn folder() -> TestFolder {
    lodger().with("a.llmesh", bytes(&sized(SIZES)))
}

/// Runs `lodger cost`.
#[track_caller]
pub(crate) fn cost(folder: &TestFolder, arguments: &[&str]) -> RunOutput {
    let arguments = [&["cost"], arguments].concat();
    folder.run(&arguments)
}

/// Runs `lodger cost` and parses its JSON.
#[track_caller]
pub(crate) fn json(folder: &TestFolder, arguments: &[&str]) -> Json {
    cost(folder, &[arguments, &["--format", "json"]].concat()).json()
}

/// The rows of a CSV text as fields by name.
pub(crate) fn rows(text: &str) -> Vec<std::collections::HashMap<String, String>> {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    reader.deserialize().map(|row| row.expect("a row")).collect()
}

/// A number in JSON.
#[track_caller]
pub(crate) fn number(value: &Json) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("no number: {value}"))
}
