//! Streamed SOG: leaves are actors, splats are costs.

use lodger_testkit::build::streamed_sog::index;
use serde_json::{Value, json};

use crate::run::{Case, RunOutput, lodger};

fn leaves(counts: &[&[u32]]) -> Value {
    let bound = json!({ "min": [0, 0, 0], "max": [1, 1, 1] });
    let lods = |counts: &&[u32]| {
        let lod = |(level, count): (usize, &u32)| (level.to_string(), json!({ "count": count }));
        json!({ "bound": bound, "lods": counts.iter().enumerate().map(lod).collect::<Value>() })
    };
    json!({ "lodLevels": 2, "environment": null,
        "tree": { "bound": bound, "children": counts.iter().map(lods).collect::<Vec<_>>() } })
}

fn schedule(index: &str, arguments: &[&str]) -> RunOutput {
    let folder = lodger().with("lod-meta.json", index);
    folder.run(&[&["schedule", "lod-meta.json", "--eye", "8,2,9"], arguments].concat())
}

fn plan(index: &str, arguments: &[&str]) -> Value {
    schedule(index, &[arguments, &["--format", "json"]].concat()).succeeds().json()
}

#[test]
fn the_first_of_two_equal_leaves_is_upgraded() {
    let index = leaves(&[&[10, 5], &[10, 5]]).to_string();
    let report = plan(&index, &["--budget", "15"]);
    let values = |key: &str| [0, 1].map(|leaf| report["actors"][leaf][key].clone());
    assert_eq!(values("name"), ["leaf 0", "leaf 1"]);
    assert_eq!(values("cost"), [10, 5]);
    assert_eq!(values("lod"), [1, 0]);
    assert_eq!(values("file_lod"), [0, 1]);
    assert_eq!((&report["policy"], &report["assigned"]), (&"optimal".into(), &15.into()));
    assert_eq!(
        report["levels"],
        json!([{ "file_lod": 0, "actors": 1, "assigned": 10 },
               { "file_lod": 1, "actors": 1, "assigned": 5 }])
    );
    let csv = schedule(&index, &["--budget", "15", "--format", "csv"]).succeeds().stdout;
    assert!(
        csv.lines().next().is_some_and(|keys| keys.ends_with(",quality,file_lod,reason")),
        "{csv}"
    );
}

#[test]
fn a_budget_of_2_million_is_split_among_4_096_leaves() {
    let index = index();
    for (budget, feasible) in [("2M", true), ("500k", false)] {
        let report = plan(&index, &["--budget", budget]);
        let actors = report["actors"].as_array().expect("leaves");
        assert_eq!((actors.len(), &report["feasible"]), (4_096, &feasible.into()));
        let cost = |actor: &Value| actor["cost"].as_u64().expect("splats");
        let assigned: u64 = actors.iter().map(cost).sum();
        assert_eq!(report["assigned"], assigned);
        let levels = report["levels"].as_array().expect("levels");
        let of_levels =
            |key: &str| levels.iter().map(|it| it[key].as_u64().expect(key)).sum::<u64>();
        assert_eq!((of_levels("actors"), of_levels("assigned")), (4_096, assigned));
        if feasible {
            assert!((1_990_000..=2_000_000).contains(&assigned), "{assigned}");
            assert_eq!(levels.len(), 5);
            let number = |key: &str| report[key].as_f64().expect("a number");
            assert!(number("gap") < 1e-3 && number("price") > 0.0, "{}", number("gap"));
            assert!(number("upper_bound") >= number("value") && number("value") > 1.0);
        }
    }
    let table = schedule(&index, &["--budget", "2M"]).succeeds().stdout;
    for shown in ["splats assigned of 2000000 splats", "Worth ", "Level of the file"] {
        assert!(table.contains(shown), "no {shown}: {table}");
    }
    assert!(!table.contains("ms "), "{table}");
}

#[test]
fn content_decides_and_not_the_name() {
    let index = leaves(&[&[10, 5]]).to_string();
    let with_asset = index.replacen('{', "{\"asset\":{\"generator\":\"x\"},", 1);
    let arguments = ["--eye", "0,0,9", "--budget", "1k"];
    for name in ["lod-meta.json", "scene.toml", "scene.gltf", "index"] {
        let folder = lodger().with(name, &with_asset);
        folder.run(&[&["schedule", name], &arguments[..]].concat()).succeeds();
    }
    let folder = lodger();
    let words = [&["schedule", "-"], &arguments[..]].concat();
    folder.run_case(&Case::of_args(&words).bytes(&index)).succeeds();
    let folder = lodger().with("lod-meta.json", &index);
    let outcome = folder.run(&["cost", "lod-meta.json"]);
    outcome.fails_with(&["it is the index of a Streamed SOG, not a mesh asset or archive"]);
}

#[test]
fn invalid_and_missing_values_are_reported() {
    let index = leaves(&[&[10, 5]]).to_string();
    let assert_rejected = |index: &str, arguments: &[&str], parts: &[&str]| {
        schedule(index, arguments).fails_with(parts);
    };
    let budget = &["--budget", "1k"][..];
    assert_rejected(&index, &[], &["no `budget`", "--budget 2M"]);
    assert_rejected(&index, &["--budget-ms", "3"], &["in milliseconds", "`splat`", "--budget 2M"]);
    assert_rejected(
        &index,
        &["--budget", "1k", "--scene", "0"],
        &["glTF", "Streamed SOG", "leave it out"],
    );
    assert_rejected(&index, &["--budget", "1k", "--leftovers", "keep"], &["--policy proportional"]);
    let folder = lodger().with("lod-meta.json", &index);
    folder
        .run(&["schedule", "lod-meta.json", "--budget", "1k"])
        .fails_with(&["no camera", "--eye X,Y,Z"]);
    let wrong = index.replacen("\"count\":10", "\"count\":-1", 1);
    assert_rejected(&wrong, budget, &["`count` must be a whole number", "lod-meta.json:1:", "-1"]);
    let deep = "[".repeat(1 << 20);
    assert_rejected(
        &format!("{{\"lodLevels\":1,\"x\":{deep}"),
        budget,
        &["is broken: it ends too early"],
    );
}

#[test]
fn the_proportional_policy_splits_it_too() {
    let index = leaves(&[&[10, 5], &[100, 50]]).to_string();
    let report = plan(&index, &["--budget", "100", "--policy", "proportional"]);
    assert_eq!(report["policy"], "proportional");
    assert!(report["scale"].is_f64() && report["actors"][0]["share"].is_u64());
    assert!(report["assigned"].as_u64().is_some_and(|assigned| assigned <= 100));
}
