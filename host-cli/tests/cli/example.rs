//! The plan of the built-in scene, as it was when somebody last looked at it with care.
//!
//! To look again: `lodger schedule > host-cli/tests/cli/example.txt`, the same with `--format json`, and the diff.

use serde_json::Value;

use crate::run::lodger;

#[test]
fn the_table_is_as_it_was() {
    let table = lodger().run(&["schedule"]).succeeds().stdout;
    assert_eq!(table, include_str!("example.txt"));
}

#[test]
fn the_json_is_as_it_was() {
    let stdout = lodger().run(&["schedule", "--format", "json"]).succeeds().stdout;
    let expected = include_str!("example.json");
    let parse = |text: &str| serde_json::from_str::<Value>(text).expect("it is JSON");
    assert_eq!(parse(&stdout), parse(expected));
}

/// What the scene is for: scaling, a forced actor, a disabled module and leftovers.
#[test]
fn it_shows_what_it_is_meant_to_show() {
    let report = |leftovers| {
        let arguments = ["--format", "json", "--leftovers", leftovers];
        let stdout = lodger().run(&[&["schedule"], &arguments[..]].concat()).succeeds().stdout;
        serde_json::from_str::<Value>(&stdout).expect("it is JSON")
    };
    let across = report("across-modules");
    let scale = across["scale"].as_f64().expect("a number");
    assert!(0.0 < scale && scale < 1.0, "{scale}");
    let controls: Vec<_> =
        across["actors"].as_array().expect("actors").iter().map(|a| &a["control"]).collect();
    for control in ["automatic", "forced", "unmanaged"] {
        assert!(controls.iter().any(|&found| found == control), "{control}");
    }
    let assigned = |report: &Value| report["assigned_ms"].as_f64().expect("a number");
    assert!(assigned(&report("keep")) < assigned(&across));
}
