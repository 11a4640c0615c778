//! Runs of `lodger` in folders, scenes to start from, and mesh assets of known cost.

use std::collections::HashMap;

use lodger_mesh_asset::{AssetBlock, AssetBuilder};
use lodger_testkit::build::mesh::{bytes, good_builder, strip, tetrahedron};
use serde_json::Value as Json;

pub(crate) use lodger_testkit::run::{Case, RunOutput, Sink, TestFolder};

pub(crate) const BASE: &str = "\
budget_ms = 5
[[view]]
eye = [0, 0, 0]
[[module]]
name = \"cloth\"
unit_cost_ms = 0.001
benefit_value = 3
";

pub(crate) const CAPE: &str = "\
[[actor]]
name = \"cape\"
module = \"cloth\"
position = [1, 2, 3]
radius = 1
work = [0, 10, 20]
";

/// A scene in bytes: two tiles of 0, 40 or 100 kilobytes, and a budget for one and a half.
pub(crate) const TILES: &str = "\
unit = \"byte\"
budget = 140_000
policy = \"optimal\"
[[module]]
name = \"tiles\"
quality = [0, 0.7, 1]
[[actor]]
name = \"near\"
module = \"tiles\"
benefit = 1
work = [0, 40_000, 100_000]
[[actor]]
name = \"far\"
module = \"tiles\"
benefit = 0.5
work = [0, 40_000, 100_000]
";

pub(crate) fn lodger() -> TestFolder {
    #[cfg(unix)]
    lodger_terminal::signals::reset_for_children().expect("handlers");
    TestFolder::new(env!("CARGO_BIN_EXE_lodger"))
}

#[track_caller]
pub(crate) fn schedule(folder: &TestFolder, args: &[&str]) -> RunOutput {
    folder.run(&[&["schedule"], args].concat())
}

/// Asserts that a scene file is rejected, with an error that contains all of these parts.
#[track_caller]
pub(crate) fn assert_rejected(scene: impl AsRef<[u8]>, parts: &[&str]) {
    schedule(&lodger().with("scene.toml", scene), &["scene.toml"]).fails_with(parts);
}

/// The bytes of the LODs of [`sized`].
pub(crate) const SIZES: [usize; 4] = [400, 900, 2500, 9000];

/// An asset with LODs of these sizes in bytes; pricing does not decode them.
pub(crate) fn sized(sizes: [usize; 4]) -> AssetBuilder<'static> {
    let mut builder = good_builder();
    for (block, size) in AssetBlock::LODS.into_iter().zip(sizes) {
        builder.set_raw(block.key(), vec![0; size]);
    }
    builder
}

/// The same with a physics mesh of 40 triangles and no decomposition.
pub(crate) fn with_physics_mesh(sizes: [usize; 4]) -> AssetBuilder<'static> {
    let mut builder = sized(sizes);
    let tetrahedron = tetrahedron();
    let none: [Vec<[f32; 3]>; 0] = [];
    let convex = lodger_mesh_asset::PhysicsConvex::new(&tetrahedron, &none).expect("a hull");
    builder.set_convex(&convex).expect("a short block");
    builder.set_lod(AssetBlock::PhysicsMesh, &strip(40)).expect("a short block");
    builder
}

pub(crate) fn mesh_folder() -> TestFolder {
    lodger().with("a.llmesh", bytes(&sized(SIZES)))
}

#[track_caller]
pub(crate) fn cost(folder: &TestFolder, arguments: &[&str]) -> RunOutput {
    let arguments = [&["cost"], arguments].concat();
    folder.run(&arguments)
}

#[track_caller]
pub(crate) fn json(folder: &TestFolder, arguments: &[&str]) -> Json {
    cost(folder, &[arguments, &["--format", "json"]].concat()).json()
}

pub(crate) fn rows(text: &str) -> Vec<HashMap<String, String>> {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    reader.deserialize().map(|row| row.expect("a row")).collect()
}

#[track_caller]
pub(crate) fn number(value: &Json) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("no number: {value}"))
}
