//! `lodger cost --sweep` and `--target`: cost against size, and the way back.

use lodger_testkit::build::mesh::bytes;

use crate::cost_fixtures::{
    SIZES, cost, folder, impact_of, json, number, rows, sized, with_physics_mesh,
};
use crate::run::lodger;

#[test]
fn a_sweep_is_csv_with_marks() {
    let outcome = cost(&folder(), &["a.llmesh", "--sweep", "0.1..64"]).succeeds();
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
    let folder = folder();
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
fn land_impact_steps_are_found_exactly() {
    let outcome = cost(&folder(), &["a.llmesh", "--sweep", "0.5..64"]).succeeds();
    let rows = rows(&outcome.stdout);
    let mut steps = 0;
    for pair in rows.windows(2) {
        if let Some(change) = pair[1]["mark"].strip_prefix("land impact ") {
            steps += 1;
            let (from, to) = change.split_once(" to ").expect("a change");
            assert_eq!((&*pair[0]["land_impact"], &*pair[1]["land_impact"]), (from, to));
            let size = |index: usize| pair[index]["size"].parse::<f64>().expect("a size");
            assert!(size(1) - size(0) < 1e-9, "{} and {}", size(0), size(1));
        }
    }
    let impact = |index: usize| rows[index]["land_impact"].parse::<usize>().expect("a land impact");
    assert_eq!(steps, impact(rows.len() - 1) - impact(0));
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
    // Where nothing flips, the picture says why.
    cost(&folder, &["m.llmesh", "--sweep", "0.1..64", "--plot", "p.svg"]).succeeds();
    let svg = folder.read("p.svg");
    assert!(svg.contains("no 0.5 m flip"));
}

#[test]
fn numbers_and_picture_go_to_files_of_their_own() {
    let folder = folder();
    let sweep = ["a.llmesh", "--sweep", "1..2"];
    let both = [&sweep[..], &["--plot", "p.svg", "--output", "p.csv"]].concat();
    assert_eq!(cost(&folder, &both).succeeds().stdout, "");
    assert_eq!(folder.files(), ["a.llmesh", "p.csv", "p.svg"]);
    cost(&folder, &[&sweep[..], &["--plot", "p", "--output", "p"]].concat())
        .fails_with(&["same file"]);
    for bad in ["64..0.1", "0..1", "1", "1..", "-1..2", "nan..1", "1..inf", "1..20000"] {
        cost(&folder, &["a.llmesh", &format!("--sweep={bad}")]).fails_with(&["--sweep"]);
    }
    cost(&folder, &["a.llmesh", "a.llmesh", "--sweep", "1..2"]).fails_with(&["one mesh asset"]);
    cost(&folder, &[".", "--sweep", "1..2"]).fails_with(&["one mesh asset"]);
    cost(&folder, &["none.llmesh", "--sweep", "1..2"]).fails_with(&["none.llmesh"]);
}

#[test]
fn suggested_bytes_come_to_the_target_and_one_more_exceeds_it() {
    const SCALE: &str = "2,1,0.5";
    let answer = json(&folder(), &["a.llmesh", "--target", "4", "--scale", SCALE]);
    assert_eq!(answer["bytes"]["possible"], true);
    let names = ["lowest", "low", "medium", "high"];
    for (index, name) in names.into_iter().enumerate() {
        let most = answer["bytes"]["alone"][name].as_u64().expect("a size");
        let with = |size: u64| {
            let mut sizes = SIZES.map(|size| size.to_string());
            sizes[index] = size.to_string();
            impact_of(&sizes.join(","), SCALE)
        };
        assert_eq!((with(most), with(most + 1)), (4, 5), "{name}");
    }
    let together = names.map(|name| answer["bytes"]["together"][name].to_string()).join(",");
    assert_eq!(impact_of(&together, SCALE), 4);
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
fn what_cannot_be_is_said() {
    // 9 MB seen from everywhere never cost 1, and 400 bytes always do.
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
    let folder = folder();
    let physics = ["a.llmesh", "--target", "1", "--physical", "--scale", "60,60,60"];
    let answer = json(&folder, &physics);
    assert_eq!(answer["bytes"]["possible"], false);
    assert!(answer["bytes"]["why_not"].as_str().is_some_and(|why| why.contains("physics")));
    let table = cost(&folder, &physics).succeeds().stdout;
    assert!(table.contains("Impossible") && table.contains("Up to"), "{table}");
    let rows = rows(&cost(&folder, &[&physics[..], &["--format", "csv"]].concat()).stdout);
    assert_eq!((&*rows[0]["bytes_possible"], &*rows[0]["size_limit"]), ("false", "up-to"));
}
