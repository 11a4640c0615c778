//! The JSON of the program agrees with its files as other libraries read them, and `docs/formats.md` names its keys.

use std::fs;

use lodger_core::cost::ObjectScale;
use lodger_core::cost::land_impact::land_impact;
use lodger_core::cost::physics::ShapeType;
use lodger_core::cost::streaming::{MeshLod, StreamingRules};
use lodger_mesh_asset::Asset;
use lodger_mesh_asset::lint::lint;
use lodger_opensim::pricing::{MeshInputs, MeshUse, Pricer};
use lodger_testkit::page::{Keys, assert_named, key_paths};
use serde_json::Value;

use crate::models::{
    Drawing, DrawnMesh, Primitive, nine_material_cube, skinned_tube, sphere, torus_knot,
    tree_of_cards,
};

use super::{Packs as _, lodger_pack};

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

#[track_caller]
fn agrees(drawing: &Drawing, options: &[&str], rules: StreamingRules, shape: ShapeType) -> Value {
    let folder = lodger_pack().with("model.glb", drawing.glb());
    let arguments = [&["model.glb", "--output", "out", "--format", "json"], options].concat();
    let outcome = folder.run(&arguments).packs();
    let said: Value = serde_json::from_str(&outcome.stdout).expect("JSON");
    let pricer = Pricer::new(rules).expect("rules");
    let (mut streaming, mut physics, mut warnings) = (0.0, 0.0, 0);
    for object in said["objects"].as_array().expect("a list") {
        // A grid knows sides as `f32`.
        #[expect(clippy::cast_possible_truncation, reason = "to the nearest is meant")]
        let side = |axis: usize| f64::from(number(&object["size"][axis]) as f32);
        let scale = ObjectScale::new([side(0), side(1), side(2)]).expect("a scale");
        let file = format!("out/{}.llmesh", object["file"].as_str().expect("a name"));
        let bytes = fs::read(folder.path(&file)).expect("an asset");
        let asset = Asset::parse(&bytes).expect("an asset");
        let mesh = MeshInputs::from_asset_counted(&asset).expect("a mesh");
        let usage = MeshUse { scale, shape, ..MeshUse::default() };
        let price = pricer.mesh(&mesh, &usage).expect("a price");
        streaming += price.assessment.streaming;
        physics += price.assessment.physics;
        levels_agree(object, &mesh);
        let found = lint(&asset, scale);
        let reported = object["findings"].as_array().expect("a list");
        let kinds: Vec<_> =
            reported.iter().map(|one| one["kind"].as_str().expect("a word")).collect();
        assert_eq!(kinds, found.iter().map(|one| one.kind.code()).collect::<Vec<_>>(), "{file}");
        warnings += reported.iter().filter(|one| one["severity"] == "warning").count();
    }
    let server = number(&said["server"]["cost"]);
    for (what, cost) in [("streaming", streaming), ("physics", physics)] {
        let reported = number(&said[what]["cost"]);
        assert!(
            (reported - cost).abs() <= 1e-9 * cost,
            "{what}: {reported}, and the files cost {cost}"
        );
    }
    let impact = land_impact(streaming, physics, server).value;
    assert_eq!(said["land_impact"]["value"], impact, "{said}");
    assert!(impact <= u32::try_from(said["target"].as_u64().expect("a number")).expect("small"));
    assert_eq!(outcome.code, Some(i32::from(warnings > 0)));
    said
}

fn levels_agree(object: &Value, mesh: &MeshInputs) {
    let counts = mesh.geometry.as_ref().expect("counted").counts;
    let mut heavier = i64::MAX;
    for lod in MeshLod::ALL.into_iter().rev() {
        let reported = &object["lods"][lod.to_string()];
        let (bytes, counts) = (mesh.sizes.of(lod), counts.of(lod).expect("decoded"));
        assert_eq!(reported["bytes"], bytes, "{lod}");
        assert_eq!(reported["triangles"], counts.triangles, "{lod}");
        assert_eq!(reported["vertices"], counts.vertices, "{lod}");
        assert!(counts.triangles > 0 && i64::from(bytes) <= heavier, "{lod}: {reported}");
        heavier = bytes.into();
    }
    assert_eq!(object["lods"]["high"]["error"], 0.0, "the high level is the source");
}

#[test]
fn of_a_plain_model() {
    let said = agrees(
        &sphere(0.5, 24),
        &["--land-impact", "1"],
        StreamingRules::VIEWER,
        ShapeType::ConvexHull,
    );
    assert_eq!((&said["asked"], &said["land_impact"]["value"]), (&1.into(), &1.into()));
}

#[test]
fn of_a_model_that_is_split() {
    let said = agrees(&nine_material_cube(), &[], StreamingRules::VIEWER, ShapeType::ConvexHull);
    assert_eq!(said["objects"].as_array().expect("a list").len(), 2);
    assert!(!said["notes"].as_array().expect("a list").is_empty());
}

#[test]
fn of_a_rigged_model() {
    agrees(
        &skinned_tube(24, 12),
        &["--physics", "box"],
        StreamingRules::VIEWER,
        ShapeType::ConvexHull,
    );
}

#[test]
fn under_other_conditions() {
    let options = ["--rules", "grid", "--scale", "4,4,4", "--physics", "mesh", "--shape", "prim"];
    agrees(&torus_knot(48, 8), &options, StreamingRules::GRID, ShapeType::Prim);
    let options = ["--rules", "wiki", "--physics", "none", "--lods", "50%,25%,8"];
    agrees(&tree_of_cards(24), &options, StreamingRules::WIKI, ShapeType::None);
}

/// A ball whose physics mesh has a long thin triangle, which lint reports.
fn thin() -> Vec<u8> {
    let mut drawing = sphere(0.5, 8);
    let corners = [
        [-0.5, -0.5, 0.0],
        [0.5, -0.5, 0.0],
        [0.5, 0.5, 0.0],
        [-0.5, 0.5, 0.0],
        [0.0, 0.0, -0.5],
        [0.5, 0.0, 0.5],
        [0.5, 0.0001, 0.5],
    ];
    let squares = [[0, 1, 2], [0, 2, 3], [4, 1, 0], [4, 2, 1], [4, 3, 2], [4, 0, 3]];
    let mut triangles = squares.to_vec();
    triangles.push([4, 5, 6]);
    let physics = Primitive { positions: corners.to_vec(), triangles, ..Primitive::default() };
    let name = format!("{}_PHYS", drawing.meshes[0].name);
    drawing.meshes.push(DrawnMesh { name, primitives: vec![physics] });
    drawing.glb()
}

#[test]
fn the_page_of_formats_has_every_key() {
    let folder =
        lodger_pack().with("thin.glb", thin()).with("cube.glb", nine_material_cube().glb());
    let mut said = Keys::new();
    for (model, code) in [("thin.glb", 1), ("cube.glb", 0)] {
        let outcome =
            folder.run(&[model, "--output", model.trim_end_matches(".glb"), "--format", "json"]);
        assert_eq!(outcome.code, Some(code), "{model}: {}{}", outcome.stdout, outcome.stderr);
        let value = outcome.json();
        assert_eq!(value["schema"], 1);
        said.extend(key_paths(&value, &[]));
    }
    // The page documents the keys of one level for all four.
    let levels = ["lowest", "low", "medium", "high"];
    let one = |key: String| {
        let level = levels.iter().find(|it| key.starts_with(&format!("objects[].lods.{it}.")));
        level.map_or(key.clone(), |level| key.replacen(&format!(".{level}."), ".LOD.", 1))
    };
    assert_named("lodger pack: JSON", &said.into_iter().map(one).collect());
}
