use serde_json::Value;

use crate::run::{BASE, CAPE, Case, lodger};

fn json(arguments: &[&str]) -> Value {
    let folder = lodger().with("scene.toml", format!("{BASE}{CAPE}"));
    let arguments = [arguments, &["--format", "json"]].concat();
    let outcome = folder.run(&[&["schedule"], &arguments[..]].concat()).succeeds();
    assert!(outcome.stdout.ends_with("}\n"));
    outcome.json()
}

#[test]
fn leftovers_are_spent_as_the_option_says() {
    let [keep, across, whole] = ["keep", "across-modules", "whole-budget"]
        .map(|leftovers| json(&["--leftovers", leftovers]));
    let assigned = |report: &Value| report["assigned_ms"].as_f64().expect("a number");
    assert!(assigned(&keep) < assigned(&across));
    assert_eq!(whole["leftovers"], "whole-budget");
}

#[test]
fn an_actor_shows_its_module_and_position() {
    let report = json(&["scene.toml"]);
    let cape = &report["actors"][0];
    assert_eq!(cape["position"], serde_json::json!([1.0, 2.0, 3.0]));
    assert_eq!(cape["radius"], 1.0);
    assert_eq!(cape["work"], serde_json::json!([0, 10, 20]));
    let given = CAPE.replace("position = [1, 2, 3]\nradius = 1", "benefit = 0.4");
    let folder = lodger().with("given.toml", format!("{BASE}{given}"));
    let report = folder.run(&["schedule", "given.toml", "--format", "json"]).succeeds().json();
    assert!(report["actors"][0]["position"].is_null());
    assert!(report["actors"][0]["radius"].is_null());
    folder
        .run(&["schedule", "given.toml", "--format", "csv"])
        .succeeds()
        .shows(&[",automatic,,,,,0 10 20,file,1.0,highest\n"]);
}

#[test]
fn an_infinite_budget_is_null_and_a_zero_one_is_valid() {
    assert!(json(&["--budget-ms", "inf"])["budget_ms"].is_null());
    assert_eq!(json(&["--budget-ms", "0"])["budget_ms"], 0.0);
    assert_eq!(json(&["scene.toml"])["budget_ms"], 5.0);
    assert_eq!(json(&["scene.toml", "--budget-ms", "2.5"])["budget_ms"], 2.5);
}

#[test]
fn the_csv_has_a_row_per_actor() {
    let folder = lodger().with("none.toml", "budget_ms = 1");
    let stdout = folder.run(&["schedule", "--format", "csv"]).succeeds().stdout;
    let header = stdout.lines().next().expect("a header").to_owned();
    assert_eq!(csv::Reader::from_reader(stdout.as_bytes()).records().count(), 12);
    let stdout = folder.run(&["schedule", "none.toml", "--format", "csv"]).succeeds().stdout;
    assert_eq!(stdout, header + "\n");
}

#[test]
fn the_example_is_written_verbatim_and_is_the_default_scene() {
    let folder = lodger();
    let example = folder.run(&["schedule", "--print-example"]).succeeds().stdout;
    assert_eq!(example, lodger_scenes::EXAMPLE);
    let from_stdin =
        folder.run_case(&Case::of_args(["schedule", "-", "--format", "json"]).bytes(&example));
    assert_eq!(from_stdin.succeeds().stdout, folder.run(&["schedule", "--format", "json"]).stdout);
}

#[test]
fn stdin_is_named_in_errors() {
    let folder = lodger();
    folder
        .run_case(&Case::of_args(["schedule", "-"]).bytes("budget_ms = -1"))
        .fails_with(&["<stdin>:1:13"]);
}

#[test]
fn the_help_teaches() {
    let help = lodger().run(&["schedule", "--help"]).succeeds().stdout;
    for part in
        ["[[actor]]", "Exit codes:", "Examples:", "--leftovers", "within-module", "--print-example"]
    {
        assert!(help.contains(part), "no {part}");
    }
}

#[test]
fn the_scene_in_the_help_is_valid() {
    let help = include_str!("../../src/commands/schedule/help.txt");
    let scene: Vec<_> = help
        .lines()
        .skip_while(|line| !line.starts_with("  budget_ms"))
        .take_while(|line| line.starts_with("  "))
        .collect();
    lodger().with("scene.toml", scene.join("\n")).run(&["schedule", "scene.toml"]).succeeds();
}

#[test]
fn usage_errors_exit_with_2() {
    let folder = lodger().with("scene.toml", format!("{BASE}{CAPE}"));
    let wrong: [&[&str]; 20] = [
        &["--budget-ms", "-1"],
        &["--budget-ms", "nan"],
        &["--budget-ms", "much"],
        &["--budget", "-1"],
        &["--budget", "2.5"],
        &["--budget", "2T"],
        &["--budget", "9007199254740992"],
        &["--policy", "best"],
        &["--eye", "1,2"],
        &["--eye", "1,2,3,4"],
        &["--eye", "1,2,inf"],
        &["--eye=nan,1,2"],
        &["--leftovers", "all"],
        &["--format", "xml"],
        &["--unit-cost-ns", "0"],
        &["--benefit-value", "-1"],
        &["--print-example", "scene.toml"],
        &["--print-example", "--scene", "0"],
        &["scene.toml", "--scene", "-1"],
        &["scene.toml", "--scene", "first"],
    ];
    for arguments in wrong {
        folder.run(&[&["schedule"], arguments].concat()).fails_with(&[]);
    }
    folder
        .run(&["schedule", "scene.toml", "--unit-cost-ns", "2"])
        .fails_with(&["glTF", "unit_cost_ms"]);
    folder
        .run(&["schedule", "scene.toml", "--scene", "0"])
        .fails_with(&["--scene is for glTF", "is TOML"]);
    folder
        .run(&["schedule", "--scene", "0"])
        .fails_with(&["--scene is for glTF", "the built-in scene"]);
    folder.run(&["schedule", "scene.toml", "--eye=-1,2,3"]).succeeds();
}

#[test]
fn the_table_is_as_it_was() {
    let table = lodger().run(&["schedule"]).succeeds().stdout;
    assert_eq!(table, include_str!("example.txt"));
}

#[test]
fn the_json_is_as_it_was() {
    let expected: Value = serde_json::from_str(include_str!("example.json")).expect("it is JSON");
    assert_eq!(json(&[]), expected);
}
