//! `lodger cost`: the triangles that a mesh really has, and digits that follow a column.

use lodger_mesh_asset::PhysicsCostData;
use lodger_testkit::build::mesh::{bytes, good, good_builder, strip};
use serde_json::Value as Json;

use crate::cost_fixtures::{SIZES, cost, json, number, rows, sized};
use crate::run::lodger;

#[test]
fn triangles_are_those_of_the_file() {
    let folder = lodger().with("a.llmesh", good());
    let geometry = json(&folder, &["a.llmesh"])["files"][0]["streaming"]["geometry"].take();
    let counts = ["lowest", "low", "medium", "high"].map(|lod| geometry[lod]["triangles"].as_u64());
    assert_eq!(counts, [Some(2), Some(4), Some(8), Some(16)]);
    let vertices = u64::try_from(strip(16).vertex_count()).expect("a few");
    assert_eq!(geometry["high"]["vertices"], vertices);
    let outcome = cost(&folder, &["a.llmesh", "--format", "csv"]).succeeds();
    let row = &rows(&outcome.stdout)[0];
    assert_eq!((&*row["real_triangles_high"], &*row["real_triangles_low"]), ("16", "4"));
    assert_eq!(row["vertices_high"], vertices.to_string());
    assert!(row["triangles_high"] != "16", "those are charged");
    let table = cost(&folder, &["a.llmesh"]).succeeds().stdout;
    for heading in ["Triangles", "Vertices", "Charged"] {
        assert!(table.contains(heading), "{table}");
    }
}

#[test]
fn what_cannot_be_decoded_is_null_with_a_note() {
    let mut builder = good_builder();
    builder.remove("lowest_lod");
    builder.set_raw("medium_lod", vec![7; 2500]);
    let folder = lodger().with("a.llmesh", bytes(&builder));
    let report = json(&folder, &["a.llmesh"]);
    let streaming = &report["files"][0]["streaming"];
    assert_eq!(streaming["geometry"]["medium"], Json::Null);
    assert_eq!(streaming["geometry"]["lowest"], Json::Null);
    assert_eq!(streaming["geometry"]["high"]["triangles"], 16);
    assert!(number(&streaming["cost"]) > 0.0);
    assert_eq!(report["notes"].as_array().map(Vec::len), Some(1));
    let note = report["notes"][0]["note"].to_string();
    assert!(note.contains("its medium LOD are not known: medium_lod"), "{note}");
    let table = cost(&folder, &["a.llmesh"]).succeeds().stdout;
    assert!(table.contains('?') && table.contains("missing"), "{table}");
}

#[test]
fn imagined_lods_have_none() {
    let report = json(&lodger(), &["--lod-bytes", "400,900,2500,9000"]);
    let geometry = &report["files"][0]["streaming"]["geometry"];
    assert!(["lowest", "high"].iter().all(|lod| geometry[lod].is_null()), "{geometry}");
    assert!(!report["notes"].to_string().contains("not known:"));
}

#[test]
fn streaming_says_how_far_it_can_be_trusted() {
    let folder = lodger().with("a.llmesh", bytes(&sized(SIZES)));
    let provenance = |rules| {
        let report = json(&folder, &["a.llmesh", "--rules", rules]);
        report["files"][0]["streaming"]["provenance"].clone()
    };
    let said = ["viewer", "wiki", "grid"].map(provenance);
    assert_eq!(said, ["documented", "documented", "estimated"]);
    let table = cost(&folder, &["a.llmesh", "--rules", "grid"]).succeeds().stdout;
    assert!(table.contains("grid rules (estimated)"), "{table}");
}

#[test]
fn a_column_of_small_weights_has_the_digits_to_show_them() {
    // The grid's own number, taken as it is.
    let mut builder = good_builder();
    let computed = PhysicsCostData { hull: Some(0.000_123), ..PhysicsCostData::default() };
    builder.set_cost_data(&computed).expect("a block");
    let small = bytes(&builder);
    let folder = lodger().with("a.llmesh", &small).with("b.llmesh", &small);
    let table = cost(&folder, &["."]).succeeds().stdout;
    assert!(table.contains("0.000123") && table.contains("0.000246"), "{table}");
    assert!(table.contains("0.500") && !table.contains("0.50000"), "{table}");
    // Beside a larger one it is as small as it is.
    let folder = folder.with("c.llmesh", bytes(&sized(SIZES)));
    let table = cost(&folder, &["."]).succeeds().stdout;
    assert!(table.contains("<0.001") && table.contains("0.200"), "{table}");
}
