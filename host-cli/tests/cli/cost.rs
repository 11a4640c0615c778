use lodger_testkit::build::mesh::{bytes, tetrahedron};
use serde_json::json as literal;

use crate::run::{
    Case, SIZES, Sink, cost, json, lodger, mesh_folder, number, rows, sized, with_physics_mesh,
};

#[test]
fn one_file_has_its_weights() {
    let report = json(&mesh_folder(), &["a.llmesh"]);
    let file = &report["files"][0];
    assert_eq!(file["file"], "a.llmesh");
    assert_eq!(file["scale"], literal!([1.0, 1.0, 1.0]));
    assert!((number(&file["radius"]) - 0.75_f64.sqrt()).abs() < 1e-12);
    let sizes = literal!({ "lowest": 400, "low": 900, "medium": 2500, "high": 9000 });
    assert_eq!(file["streaming"]["bytes"], sizes);
    assert_eq!(file["streaming"]["triangles"]["high"], 538.5);
    let shares = file["streaming"]["share"].as_object().expect("a map");
    assert!((shares.values().map(number).sum::<f64>() - 1.0).abs() < 1e-9);
    // A hull of 4 vertices: 0.04 × 5.
    assert_eq!(file["physics"]["cost"], 0.2);
    assert_eq!(file["physics"]["penalised"], 0.2);
    assert_eq!(file["physics"]["representation"], "hull");
    assert_eq!(file["physics"]["provenance"], "estimated");
    assert_eq!(file["server"], literal!({ "cost": 0.5 }));
    assert_eq!(file["land_impact"], literal!({ "value": 1, "limited_by": "server" }));
    assert_eq!(report["totals"]["files"]["count"], 1);
}

#[test]
fn options_describe_the_object() {
    let folder = mesh_folder();
    let file =
        |arguments: &[&str]| json(&folder, &[&["a.llmesh"], arguments].concat())["files"][0].take();
    // Two hulls of 4 vertices each: 0.04 × 10; the mean face of 3 × 4 × 5 m is 15.667 m².
    let physical = file(&["--shape", "prim", "--physical", "--scale", "3,4,5"]);
    assert_eq!(physical["physics"]["representation"], "decomposition");
    assert_eq!(physical["physics"]["cost"], 0.4);
    assert!((number(&physical["physics"]["penalised"]) - 0.4 * 1.626_67).abs() < 1e-5);
    let none = file(&["--shape", "none", "--scripts", "3"]);
    assert_eq!(none["physics"]["representation"], "none");
    assert_eq!(none["server"]["cost"], 1.0, "one script is free, and a prim is the most");
    let cost = |rules| number(&file(&["--rules", rules])["streaming"]["cost"]);
    assert!((cost("grid") - 0.85 * cost("viewer")).abs() < 1e-12);
    assert!(cost("wiki") > cost("viewer"), "it discounts fewer bytes");
    let source = json(&folder, &["a.llmesh", "--rules", "wiki"])["rules_source"].to_string();
    for constant in ["minimum size", "bytes per triangle", "triangle budget", "not in the document"]
    {
        assert!(source.contains(constant), "{constant}: {source}");
    }
    let mesh = lodger().with("m.slm", bytes(&with_physics_mesh(SIZES)));
    let row = json(&mesh, &["m.slm", "--shape", "prim"])["files"][0].take();
    assert_eq!(row["physics"]["representation"], "mesh");
    assert_eq!(row["physics"]["provenance"], "documented");
}

#[test]
fn lod_bytes_replace_a_file() {
    let folder = mesh_folder();
    let report = json(&folder, &["--lod-bytes", "400,900,2500,9000"]);
    let (imagined, real) = (&report["files"][0], json(&folder, &["a.llmesh"]));
    assert_eq!(imagined["streaming"], real["files"][0]["streaming"]);
    assert_eq!(imagined["physics"]["representation"], "none");
    assert!(report["notes"][0]["note"].as_str().is_some_and(|note| note.contains("physics")));
    cost(&folder, &["a.llmesh", "--lod-bytes", "1,2,3,4"]).fails_with(&["--lod-bytes"]);
    for bad in ["1,2,3", "1,2,3,4,5", "1,2,3,x", "1,2,3,-4", "1,2,3,4.5", "1,2,3,3000000000"] {
        cost(&folder, &["--lod-bytes", bad]).fails_with(&["four whole numbers"]);
    }
}

#[test]
fn the_table_tells_weights_lods_and_the_scale() {
    let outcome = cost(&mesh_folder(), &["a.llmesh"]).succeeds();
    outcome.shows(&[
        "a.llmesh at 1 × 1 × 1 m",
        "Land impact 1, limited by server",
        "streaming",
        "physics",
        "lowest",
        "400",
        "900",
        "2500",
        "9000",
        "total",
        "12800",
        "convex-hull (as priced)",
        "2 hulls with 8 vertices",
        "--scale X,Y,Z",
    ]);
    let other = cost(&mesh_folder(), &["a.llmesh", "--scale", "2,0.5,4"]).succeeds();
    assert!(other.stdout.contains("at 2 × 0.5 × 4 m"), "{}", other.stdout);
}

#[test]
fn csv_has_a_row_for_each_file_and_error() {
    let folder =
        mesh_folder().with("b.slm", bytes(&sized([0, 0, 0, 9000]))).with("c.llmesh", "noise");
    let outcome = cost(&folder, &["a.llmesh", "b.slm", "c.llmesh", "--format", "csv"]);
    assert_eq!(outcome.code, Some(1));
    let rows = rows(&outcome.stdout);
    assert_eq!(rows.len(), 3);
    assert_eq!(
        (&*rows[0]["file"], &*rows[0]["bytes_high"], &*rows[0]["error"]),
        ("a.llmesh", "9000", "")
    );
    assert_eq!((&*rows[1]["bytes_low"], &*rows[1]["land_impact"]), ("0", "32"));
    assert_eq!((&*rows[2]["file"], &*rows[2]["land_impact"]), ("c.llmesh", ""));
    assert!(!rows[2]["error"].is_empty());
}

#[test]
fn bad_files_are_rows_in_their_order() {
    let folder = mesh_folder().with("empty.llmesh", "").with("noise.llmesh", "noise");
    let files = ["noise.llmesh", "a.llmesh", "nowhere.llmesh", "empty.llmesh"];
    let report = json(&folder, &files);
    let errors = report["errors"].as_array().expect("a list");
    let names: Vec<_> = errors.iter().map(|row| row["file"].as_str().expect("a name")).collect();
    assert_eq!(names, [files[0], files[2], files[3]]);
    assert_eq!(report["totals"]["errors"], 3);
}

#[test]
fn usage_is_refused() {
    let folder = mesh_folder();
    cost(&folder, &[]).fails_with(&["FILE"]);
    for bad in ["1,1", "1,1,x", "1,1,-1", "1,1,nan", "1,1,inf", "1,1,99999"] {
        cost(&folder, &["a.llmesh", "--scale", bad]).fails_with(&["--scale"]);
    }
    cost(&folder, &["a.llmesh", "--plot", "p.svg"]).fails_with(&["--sweep"]);
    cost(&folder, &["a.llmesh", "--sweep", "1..2", "--target", "3"]).fails_with(&["--target"]);
    cost(&folder, &["a.llmesh", "--target", "0"]).fails_with(&["--target"]);
}

#[test]
fn a_reader_may_leave() {
    let folder = mesh_folder();
    for arguments in [&["a.llmesh"][..], &["a.llmesh", "--sweep", "0.1..64"]] {
        let case = Case::of_args([&["cost"], arguments].concat()).stdout(Sink::Leaving(0));
        assert_eq!(folder.run_case(&case).succeeds().stderr, "");
    }
}

#[test]
fn notes_name_limits_and_defaults() {
    let note = |builder, arguments: &[&str]| {
        let folder = lodger().with("a.llmesh", bytes(&builder));
        json(&folder, &[&["a.llmesh"], arguments].concat())["notes"][0]["note"].to_string()
    };
    assert!(note(sized([400, 900, 2500, 0]), &[]).contains("no high LOD"));
    let mut bare = sized(SIZES);
    bare.remove("physics_convex");
    bare.set_lod(lodger_mesh_asset::AssetBlock::MediumLod, &lodger_testkit::build::mesh::strip(20))
        .expect("a block");
    assert!(note(bare, &[]).contains("no hull in the file"));
    let tetrahedron = tetrahedron();
    let none: [Vec<[f32; 3]>; 0] = [];
    let convex = lodger_mesh_asset::PhysicsConvex::new(&tetrahedron, &none).expect("a hull");
    let mut hull_only = sized(SIZES);
    hull_only.set_convex(&convex).expect("a block");
    assert!(note(hull_only, &["--shape", "prim"]).contains("is refused"));
    assert!(note(sized(SIZES), &["--rules", "grid"]).contains("unverified"));
}

#[test]
fn a_sweep_is_csv_with_marks() {
    let outcome = cost(&mesh_folder(), &["a.llmesh", "--sweep", "0.1..64"]).succeeds();
    let rows = rows(&outcome.stdout);
    assert!(rows.len() > 200);
    let sizes: Vec<f64> = rows.iter().map(|row| row["size"].parse().expect("a size")).collect();
    assert_eq!((sizes[0], sizes[sizes.len() - 1]), (0.1, 64.0));
    assert!(sizes.is_sorted());
    let marks: Vec<_> = rows.iter().filter(|row| row["mark"].contains("LOD")).collect();
    // VIEWER's break points within: radius 0.135, and 5.43, 10.86 and 43.44 twice.
    assert_eq!(marks.len(), 7);
    let radius: f64 = marks[6]["radius"].parse().expect("a radius");
    assert!((radius - 43.44).abs() < 0.005);
    for row in &rows {
        assert_eq!(row["scale_x"], row["scale_z"]);
    }
}

#[test]
fn a_sweep_keeps_proportions_and_its_variable_is_the_longest_side() {
    let folder = mesh_folder();
    let sweep = json(&folder, &["a.llmesh", "--sweep", "1..10", "--scale", "1,0.5,0.25"]);
    assert_eq!(sweep["variable"], "size: the longest side in metres");
    assert_eq!(sweep["proportions"], serde_json::json!([1.0, 0.5, 0.25]));
    let points = sweep["points"].as_array().expect("a list");
    let last = points.last().expect("a point");
    assert_eq!(last["scale"], serde_json::json!([10.0, 5.0, 2.5]));
    // Each point is what the same scale costs alone.
    let alone = json(&folder, &["a.llmesh", "--scale", "10,5,2.5"]);
    assert_eq!(last["streaming"], alone["files"][0]["streaming"]["cost"]);
    assert_eq!(last["land_impact"], alone["files"][0]["land_impact"]["value"]);
}

#[test]
fn the_flip_of_the_physics_is_marked_and_drawn() {
    let folder = lodger().with("m.llmesh", bytes(&with_physics_mesh(SIZES)));
    let sweep = ["m.llmesh", "--sweep", "0.1..64", "--shape", "prim", "--scale", "1,1,0.5"];
    let outcome = cost(&folder, &[&sweep[..], &["--plot", "p.svg"]].concat()).succeeds();
    let rows = rows(&outcome.stdout);
    let at = rows.iter().position(|row| row["mark"].contains("flips")).expect("a flip");
    assert_eq!((&*rows[at]["size"], &*rows[at]["scale_z"]), ("1", "0.5"));
    assert_eq!(rows[at]["representation"], "mesh");
    assert_eq!(rows[at - 1]["representation"], "hull");
    let svg = folder.read("p.svg");
    assert!(svg.starts_with("<svg ") && svg.trim_end().ends_with("</svg>"));
    for part in
        ["m.llmesh", "physics mesh", "no lowest LOD", "no low LOD", "high LOD only", "land impact"]
    {
        assert!(svg.contains(part), "no {part:?} in the picture");
    }
    // Without a flip, the picture has the reason.
    cost(&folder, &["m.llmesh", "--sweep", "0.1..64", "--plot", "p.svg"]).succeeds();
    let svg = folder.read("p.svg");
    assert!(svg.contains("no 0.5 m flip"));
}

#[test]
fn numbers_and_picture_go_to_files_of_their_own() {
    let folder = mesh_folder();
    let sweep = ["a.llmesh", "--sweep", "1..2"];
    let both = [&sweep[..], &["--plot", "p.svg", "--output", "p.csv"]].concat();
    assert_eq!(cost(&folder, &both).succeeds().stdout, "");
    assert_eq!(folder.files(), ["a.llmesh", "p.csv", "p.svg"]);
    for bad in ["64..0.1", "0..1", "1", "1..", "-1..2", "nan..1", "1..inf", "1..20000"] {
        cost(&folder, &["a.llmesh", &format!("--sweep={bad}")]).fails_with(&["--sweep"]);
    }
    cost(&folder, &["a.llmesh", "a.llmesh", "--sweep", "1..2"]).fails_with(&["one mesh asset"]);
    cost(&folder, &[".", "--sweep", "1..2"]).fails_with(&["one mesh asset"]);
    cost(&folder, &["none.llmesh", "--sweep", "1..2"]).fails_with(&["none.llmesh"]);
}

#[test]
fn a_suggested_scale_is_within_the_target_and_a_larger_one_is_not() {
    for (builder, options) in [
        (sized(SIZES), &[][..]),
        (sized(SIZES), &["--physical"][..]),
        (with_physics_mesh(SIZES), &["--shape", "prim"][..]),
    ] {
        let folder = lodger().with("a.llmesh", bytes(&builder));
        let arguments = [&["a.llmesh", "--target", "5", "--scale", "2,1,1"], options].concat();
        let answer = json(&folder, &arguments);
        assert_eq!(answer["size"]["limit"], "up-to", "{answer}");
        let longest = number(&answer["size"]["longest_side"]);
        let impact = |longest: f64| {
            let scale = format!("{longest},{},{}", longest / 2.0, longest / 2.0);
            let report = json(&folder, &[&["a.llmesh", "--scale", &scale], options].concat());
            report["files"][0]["land_impact"]["value"].as_u64().expect("a land impact")
        };
        assert_eq!(impact(longest), 5, "{options:?}");
        assert!(impact(longest * 1.000_001) > 5, "{options:?}");
    }
}

#[test]
fn impossible_values_are_reported() {
    // 9 MB that are always visible never cost 1, and 400 bytes always do.
    let size =
        |sizes: &str| json(&lodger(), &["--lod-bytes", sizes, "--target", "1"])["size"].take();
    assert_eq!(size("9000000,0,0,9000000")["limit"], "never");
    assert_eq!(size("0,0,0,400")["limit"], "always");
    // Most bytes are for the distance: the larger, the cheaper.
    let upside_down = size("9000,2500,900,400");
    assert_eq!(
        (&upside_down["limit"], &upside_down["all_smaller"]),
        (&"always".into(), &false.into())
    );
    let folder = mesh_folder();
    let physics = ["a.llmesh", "--target", "1", "--physical", "--scale", "60,60,60"];
    let answer = json(&folder, &physics);
    assert_eq!(answer["bytes"]["possible"], false);
    assert!(answer["bytes"]["why_not"].as_str().is_some_and(|why| why.contains("physics")));
    cost(&folder, &physics).succeeds().shows(&["Impossible", "Up to"]);
    let rows = rows(&cost(&folder, &[&physics[..], &["--format", "csv"]].concat()).stdout);
    assert_eq!((&*rows[0]["bytes_possible"], &*rows[0]["size_limit"]), ("false", "up-to"));
}
