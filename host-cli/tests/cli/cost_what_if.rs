//! `lodger cost` without a mesh asset: physics shapes, linked prims, linkset files, and the costs
//! of the document's simulator.

use lodger_mesh_asset::PhysicsCostData;
use lodger_testkit::build::archive::{ArchiveFile, PartXml, region_object};
use lodger_testkit::build::mesh::{bytes, good, good_builder, strip};
use serde_json::Value as Json;

use crate::run::{SIZES, cost, json, lodger, mesh_folder, number, rows, sized};

const LODS: [&str; 2] = ["--lod-bytes", "400,900,2500,9000"];

#[track_caller]
fn what_if(options: &[&str]) -> serde_json::Value {
    json(&lodger(), &[&LODS, options].concat())["files"][0].take()
}

#[test]
fn hulls_are_priced_as_a_file_with_them() {
    let hull = what_if(&["--hulls", "24"]);
    assert_eq!(hull["physics"]["cost"], 1.0, "0.04 × 25");
    assert_eq!(hull["physics"]["representation"], "hull");
    assert_eq!(hull["physics"]["provenance"], "estimated");
    // The document's duck: a decomposition of cost 13, and 65 when physical at 10 × 10 × 10 m.
    let duck = ["--hulls", "256,67", "--shape", "prim", "--scale", "10,10,10"];
    assert_eq!(what_if(&duck)["physics"]["cost"], 13.0);
    let physical = what_if(&[&duck[..], &["--physical"]].concat());
    assert_eq!(physical["physics"]["penalised"], 65.0);
    assert_eq!(physical["physics"]["representation"], "decomposition");
    // One hull around several has at most all of their vertices, and a note says that this is assumed.
    let report = json(&lodger(), &[&LODS[..], &["--hulls", "10,20"]].concat());
    assert_eq!(report["files"][0]["physics"]["cost"], 1.24);
    assert!(report["notes"].to_string().contains("at most what is counted"), "{report}");
    let none = json(&lodger(), &[&LODS[..], &["--shape", "none"]].concat());
    assert_eq!(none["files"][0]["physics"]["provenance"], "documented");
    assert!(!none["notes"].to_string().contains("physics is not known"), "{none}");
    for bad in ["", "0", "257", "3,x", "1.5", "-3"] {
        let hulls = format!("--hulls={bad}");
        cost(&lodger(), &[&LODS[..], &[&hulls]].concat()).fails_with(&["up to 256 hulls"]);
    }
    cost(&mesh_folder(), &["a.llmesh", "--hulls", "3"]).fails_with(&["--hulls"]);
    cost(&lodger(), &["--hulls", "3"]).fails_with(&["FILE"]);
}

#[test]
fn the_most_expensive_object_that_may_be_physical_costs_32() {
    let notes = |hulls| {
        let options = ["--shape", "prim", "--physical", "--hulls", hulls];
        let report = json(&lodger(), &[&LODS[..], &options].concat());
        (report["files"][0]["physics"]["cost"].clone(), report["notes"].to_string())
    };
    let (cost, at_the_limit) = notes("256,256,256,28");
    assert!(cost == 32.0 && !at_the_limit.contains("too much"), "{cost}: {at_the_limit}");
    let (cost, above) = notes("256,256,256,29");
    assert!(cost == 32.04 && above.contains("too much for a physical object"), "{cost}: {above}");
}

#[test]
fn triangles_are_priced_by_their_widths() {
    let widths = |text: &str, options: &[&str]| {
        let options = [&["--shape", "prim", "--physics-triangles", text], options].concat();
        what_if(&options)["physics"].take()
    };
    // "With 0.5m wide triangles, each triangle costs 0.1 units", and a mesh at least 0.5.
    let ten = widths(&["0.5"; 10].join(","), &[]);
    assert_eq!((number(&ten["cost"]), ten["representation"].as_str()), (1.0, Some("mesh")));
    assert_eq!(ten["provenance"], "documented");
    assert_eq!(widths("0.5,0.5", &[])["cost"], 0.5);
    // The mean width of 20 m at most, and of a millimetre at least.
    assert_eq!(widths(&["100"; 400].join(","), &[])["cost"], 1.0);
    assert_eq!(widths("0,1", &[])["cost"], 100.0);
    // They are as wide as is said at any scale, and grow from there.
    assert_eq!(widths(&["0.5"; 10].join(","), &["--scale", "3,4,5"])["cost"], 1.0);
    let sweep = ["--scale", "2,2,2", "--sweep", "1..4"];
    let options = ["--shape", "prim", "--physics-triangles", "0.01,0.02"];
    let sweep = cost(&lodger(), &[&LODS[..], &options, &sweep].concat()).succeeds();
    let swept = rows(&sweep.stdout);
    let at = |size: &str| {
        let row = swept.iter().find(|row| row["size"] == size).expect("a size of both ends");
        row["physics"].parse::<f64>().expect("a cost")
    };
    assert!((at("1") - 15.0).abs() < 1e-9 && (at("4") - 3.75).abs() < 1e-9, "{}", at("1"));
    // A moving object collides as its hull.
    assert_eq!(widths("0.5", &["--physical"])["representation"], "hull");
    for bad in ["", "x", "-1", "inf", "NaN", "16385"] {
        let widths = format!("--physics-triangles={bad}");
        cost(&lodger(), &[&LODS[..], &[&widths]].concat()).fails_with(&["0 to 16384 m"]);
    }
}

#[test]
fn several_prims_cost_the_sum() {
    let (one, three) = (what_if(&["--hulls", "24"]), what_if(&["--hulls", "24", "--prims", "3"]));
    let times = |key: &str| number(&three[key]["cost"]) / number(&one[key]["cost"]);
    for key in ["streaming", "physics", "server"] {
        assert!((times(key) - 3.0).abs() < 1e-12, "{key}: {}", times(key));
    }
    let heading = cost(&lodger(), &[&LODS[..], &["--prims", "3"]].concat()).succeeds();
    assert!(heading.stdout.starts_with("3 prims of these LODs at 1 × 1 × 1 m\n"));
    for bad in ["0", "257"] {
        cost(&lodger(), &[&LODS[..], &["--prims", bad]].concat()).fails_with(&["--prims"]);
    }
    cost(&mesh_folder(), &["a.llmesh", "--prims", "2"]).fails_with(&["--prims"]);
    cost(&lodger(), &[&LODS[..], &["--prims", "2", "--target", "3"]].concat())
        .fails_with(&["--target"]);
}

/// An object of boxes of 1 m within 3 m × 4 m × 5 m.
fn boxes(count: usize) -> String {
    let prim = |at: usize| {
        let position = if at.is_multiple_of(2) { "[0, 0, 0]" } else { "[2, 3, 4]" };
        format!("[[object.prim]]\nposition = {position}\nscale = [1, 1, 1]\n")
    };
    "[[object]]\nname = \"boxes\"\n".to_owned() + &(0..count).map(prim).collect::<String>()
}

#[test]
fn the_prims_of_a_linkset_file_are_priced() {
    let lamp = "[[object]]\nname = \"lamp\"\n[[object.prim]]\nposition = [9, 9, 9]\n\
        scale = [0.5, 0.5, 2]\n";
    let folder = lodger().with("ten.toml", boxes(10)).with("two.toml", boxes(10) + lamp);
    let old = json(&folder, &["ten.toml"])["objects"][0].take();
    assert_eq!(old["accounting"], "old");
    assert_eq!(old["land_impact"]["value"], 10);
    // The document's 10 boxes, of which a shape type makes new accounting.
    let options = ["ten.toml", "--shape", "convex-hull", "--physical"];
    let new = json(&folder, &options)["objects"][0].take();
    assert_eq!((&new["object"], &new["file"]), (&"boxes".into(), &"ten.toml".into()));
    assert_eq!(new["size"], serde_json::json!([3.0, 4.0, 5.0]));
    assert!((number(&new["physics"]["cost"]) - 1.0).abs() < 1e-12);
    assert!((number(&new["physics"]["penalised"]) - (1.0 + 0.04 * 47.0 / 3.0)).abs() < 1e-12);
    assert_eq!(new["server"]["cost"], 5.0);
    assert_eq!(new["land_impact"], serde_json::json!({ "value": 5, "limited_by": "server" }));
    let scripted = json(&folder, &["ten.toml", "--scripts", "3"])["objects"][0].take();
    assert_eq!(scripted["scripts"], 3);
    let two = json(&folder, &["two.toml", "--parts"]);
    assert_eq!(two["totals"]["objects"]["count"], 2);
    assert_eq!(two["objects"][0]["parts"].as_array().map(Vec::len), Some(10));
    assert_eq!(two["objects"][1]["position"], serde_json::json!([9.0, 9.0, 9.0]));
    // Its prims have their own sizes.
    cost(&folder, &["ten.toml", "--scale", "1,1,1"]).fails_with(&["--scale", "`ten.toml`"]);
    let piped = folder.with("bad.toml", "\n[[object]]\nnam = 3\n").with("note.txt", boxes(1));
    let bad = json(&piped, &["bad.toml", "ten.toml"]);
    assert_eq!(bad["totals"]["objects"]["count"], 1);
    let error = bad["errors"][0]["error"].as_str().expect("a reason");
    assert!(error.starts_with("line 3: ") && error.contains("`nam`"), "{error}");
    cost(&piped, &["note.txt"]).fails_with(&["`note.txt`", "text"]);
}

#[test]
fn simulator_and_region_resource_cost_are_shown_if_requested() {
    let folder = lodger().with("ten.toml", boxes(10)).with("a.llmesh", bytes(&sized(SIZES)));
    let usual = json(&folder, &["ten.toml", "a.llmesh"]);
    assert!(!usual.to_string().contains("simulator"), "{usual}");
    let with_simulator = |set: &'static str, options: &[&str]| {
        json(&folder, &[&["ten.toml", "a.llmesh", "--simulator", set], options].concat())
    };
    let of = |row: &serde_json::Value| {
        let costs = &row["resource_cost"];
        (number(&costs["simulator"]), number(&costs["region"]))
    };
    let report = with_simulator("unofficial-2011", &["--by", "owner"]);
    // 0.5 × 1 × 10 prims, which no script and no physics makes active.
    assert_eq!(of(&report["objects"][0]), (5.0, 5.0));
    let costs = &report["objects"][0]["resource_cost"];
    assert_eq!(costs["parameters"], "unofficial-2011");
    assert_eq!(costs["provenance"], "estimated");
    assert!(report["notes"].to_string().contains("unofficial"), "{report}");
    assert_eq!(report["totals"]["objects"]["simulator_cost"], 5.0);
    assert_eq!(report["groups"][0]["region_cost"], 5.0);
    for active in [&["--physical"][..], &["--scripts", "1"]] {
        let report = with_simulator("unofficial-2011", active);
        assert_eq!(of(&report["objects"][0]), (10.0, 10.0), "{active:?}");
        assert_eq!(of(&report["files"][0]), (1.0, 1.0), "{active:?}");
    }
    // 0.5 × 1 × (10 + 4/10), and of one prim 0.5 × (1 + 4).
    let given = with_simulator("0.5,2,1,4", &[]);
    assert_eq!(of(&given["objects"][0]), (5.2, 5.2));
    assert_eq!(of(&given["files"][0]), (2.5, 2.5));
    assert_eq!(given["files"][0]["resource_cost"]["parameters"], "given");
    assert!(!given["notes"].to_string().contains("unofficial"), "{given}");
    // The region pays for streaming where that is more.
    let file = &what_if(&["--scale", "30,30,30", "--simulator", "0.5,2,1,0"]);
    assert_eq!(of(file), (0.5, number(&file["streaming"]["cost"])));
    let rows_of = |options: &[&str]| {
        let all = [&["ten.toml", "--simulator", "unofficial-2011", "--format", "csv"], options];
        rows(&cost(&folder, &all.concat()).succeeds().stdout)
    };
    let row = &rows_of(&[])[0];
    assert_eq!((row["simulator_cost"].as_str(), row["region_cost"].as_str()), ("5", "5"));
    assert_eq!(row["simulator"], "unofficial-2011");
    assert_eq!(rows_of(&["--by", "owner"])[0]["simulator_cost"], "5");
    let text = cost(&folder, &["a.llmesh", "--simulator", "unofficial-2011"]).succeeds().stdout;
    let line =
        "Simulator resource cost 0.500, region resource cost 0.500 (unofficial-2011, estimated)";
    assert!(text.contains(line), "{text}");
    cost(&folder, &["ten.toml", "--simulator", "unofficial-2011"])
        .succeeds()
        .shows(&["SRC", "~5.000"]);
    let sets = ["official", "1,2,3", "1,2,3,4,5", "1,2,3,x", "1,2,3,-4", "1,2,3,inf", "2e9,1,1,1"];
    for bad in sets {
        cost(&folder, &["a.llmesh", "--simulator", bad]).fails_with(&["--simulator"]);
    }
}

#[test]
fn scripts_and_physics_of_an_archive_make_its_objects_active() {
    let still = region_object(&PartXml::cube("still"), &[]);
    let scripted = region_object(&PartXml::cube("scripted").scripts(1), &[PartXml::cube("arm")]);
    let moving = region_object(&PartXml::cube("moving").with("Flags", "Physics"), &[]);
    let archive = ArchiveFile::new()
        .with("objects/a.xml", still)
        .with("objects/b.xml", scripted)
        .with("objects/c.xml", moving);
    let folder = lodger().with("region.oar", archive.gzip());
    let report = json(&folder, &["region.oar", "--simulator", "unofficial-2011"]);
    let objects = report["objects"].as_array().expect("objects");
    let cost = |name: &str| {
        let row = objects.iter().find(|row| row["object"] == name).expect("an object");
        row["resource_cost"]["simulator"].clone()
    };
    assert_eq!(cost("still"), 0.5);
    assert_eq!(cost("scripted"), 2.0);
    assert_eq!(cost("moving"), 1.0);
}

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
fn undecodable_values_are_null_with_a_note() {
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
fn streaming_states_its_provenance() {
    let folder = lodger().with("a.llmesh", bytes(&sized(SIZES)));
    let provenance = |rules| {
        let report = json(&folder, &["a.llmesh", "--rules", rules]);
        report["files"][0]["streaming"]["provenance"].clone()
    };
    let said = ["viewer", "wiki", "grid"].map(provenance);
    assert_eq!(said, ["documented", "documented", "estimated"]);
    cost(&folder, &["a.llmesh", "--rules", "grid"]).succeeds().shows(&["grid rules (estimated)"]);
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
    cost(&folder, &["."]).succeeds().shows(&["<0.001", "0.200"]);
}
