//! `lodger linkset`: the documents' examples, JSON, errors, exit codes.

use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::run::{Case, RunOutput, lodger};

/// Objects of one cube each: name, side, position.
fn cubes(objects: &[(&str, f64, [f64; 3])]) -> String {
    let mut text = String::new();
    for (name, side, position) in objects {
        let _ = writeln!(
            text,
            "[[object]]\nname = \"{name}\"\n[[object.prim]]\nposition = {position:?}\n\
             scale = [{side}, {side}, {side}]"
        );
    }
    text
}

const A: (&str, f64, [f64; 3]) = ("A", 10.0, [-18.0, 0.0, 0.0]);
const B: (&str, f64, [f64; 3]) = ("B", 10.0, [18.0, 0.0, 0.0]);
const C: (&str, f64, [f64; 3]) = ("C", 10.0, [0.0, 18.0, 0.0]);

fn linkset(text: &str, arguments: &[&str]) -> RunOutput {
    let folder = lodger().with("set.toml", text);
    let arguments = [&["linkset", "set.toml"], arguments].concat();
    folder.run(&arguments)
}

/// Exit code and JSON.
fn asked(text: &str, rule: &str) -> (Option<i32>, Value) {
    let outcome = linkset(text, &["--rule", rule, "--format", "json"]);
    (outcome.code, outcome.json())
}

/// Whether two cubes so far apart link by the span rule.
fn link_at(sides: [f64; 2], distance: f64) -> bool {
    let text = cubes(&[("a", sides[0], [0.0; 3]), ("b", sides[1], [distance, 0.0, 0.0])]);
    let (code, answer) = asked(&text, "span");
    assert_eq!(answer["linkable"], code == Some(0));
    code == Some(0)
}

/// "Thus `max_link_span` = 2.06m" and so on: the span less both radii is the distance of the centres.
#[test]
fn the_examples_of_the_document() {
    let small = 0.02 / 3.0_f64.sqrt();
    let radii = |sides: [f64; 2]| (sides[0] + sides[1]) * 3.0_f64.sqrt() / 2.0;
    for (sides, span) in [([small; 2], 2.06), ([10.0, small], 28.01), ([10.0; 2], 53.96)] {
        let distance = span - radii(sides);
        assert!(link_at(sides, distance - 0.005), "{span}");
        assert!(!link_at(sides, distance + 0.006), "{span}");
    }
    assert!(link_at([10.0; 2], 36.64));
    assert!(!link_at([10.0; 2], 36.65));
    assert!(link_at([64.0; 2], 36.64), "a side over 10 m counts as 10 m");
}

#[test]
fn the_order_matters_whatever_the_document_says() {
    let (code, answer) = asked(&cubes(&[A, B, C]), "span");
    let whole = json!({"schema": 1, "rule": "span", "linkable": true, "groups": [["A", "B", "C"]], "misses": []});
    assert_eq!((code, answer), (Some(0), whole));
    let table = linkset(&cubes(&[A, B, C]), &["--rule", "span"]).succeeds().stdout;
    assert!(table.starts_with("Linkable by the span rule: 3 objects"), "{table}");
    assert!(table.contains("sphere of 53.32 m"), "{table}");
    assert!(table.contains("round 1: A + B: centres 36.00 m apart, at most 36.64 m"), "{table}");
    assert!(table.contains("round 1: A, B + C: "), "{table}");

    let (code, mut answer) = asked(&cubes(&[A, C, B]), "span");
    let by_m = answer["misses"][0]["by_m"].take().as_f64().expect("metres");
    assert!((by_m - 4.5).abs() < 0.05, "{by_m}");
    let apart = json!({
        "schema": 1,
        "rule": "span",
        "linkable": false,
        "groups": [["A", "C"], ["B"]],
        "misses": [{"a": "A", "b": "B", "by_m": null}],
    });
    assert_eq!((code, answer), (Some(1), apart));
    let outcome = linkset(&cubes(&[A, C, B]), &["--rule", "span"]);
    assert_eq!((outcome.code, outcome.stderr.as_str()), (Some(1), ""));
    for part in [
        "A + C: centres 25.46 m apart, at most 36.64 m",
        "A and B: the span of 58.51 m may be 54.00 m, 4.51 m too long",
        "Another order links them all: A, B, C",
    ] {
        assert!(outcome.stdout.contains(part), "{part}\n{}", outcome.stdout);
    }
}

#[test]
fn the_sphere_rule_is_todays() {
    let (code, answer) = asked(&cubes(&[A, C, B]), "sphere");
    let expected = json!({
        "schema": 1,
        "rule": "sphere",
        "linkable": true,
        "diameter": 36.0,
        "max_diameter": 54.0,
        "prims": 3,
        "max_prims": 256,
    });
    assert_eq!((code, &answer), (Some(0), &expected));
    let default = linkset(&cubes(&[A, C, B]), &["--format", "json"]).succeeds().stdout;
    assert_eq!(serde_json::from_str::<Value>(&default).expect("it is JSON"), expected);

    let far = cubes(&[("a", 1.0, [-27.0, 0.0, 0.0]), ("b", 1.0, [27.0, 0.0, 0.0])]);
    assert_eq!(asked(&far, "sphere").0, Some(1), "54 m are not below 54 m");
    let far = cubes(&[("a", 1.0, [-30.0, 0.0, 0.0]), ("b", 1.0, [30.0, 0.0, 0.0])]);
    let outcome = linkset(&far, &[]);
    assert_eq!(outcome.code, Some(1));
    for part in ["Not linkable by the sphere rule", "60.00 m wide", "6.00 m too wide", "b, prim 1"]
    {
        assert!(outcome.stdout.contains(part), "{part}\n{}", outcome.stdout);
    }
}

#[test]
fn prims_are_counted() {
    let prims = "[[object.prim]]\nposition = [0, 0, 0]\nscale = [1, 1, 1]\n";
    let house = |count| format!("[[object]]\nname = \"house\"\n{}", prims.repeat(count));
    assert_eq!(asked(&house(255), "sphere").0, Some(0));
    let (code, answer) = asked(&house(256), "sphere");
    assert_eq!((code, &answer["prims"]), (Some(1), &json!(256)));
    let outcome = linkset(&house(256), &[]);
    assert!(outcome.stdout.contains("256 prims, must be fewer than 256: too many"));
}

#[test]
fn stdin_is_read() {
    let folder = lodger();
    let case = Case::new("linkset - --format json").bytes(cubes(&[A]));
    let outcome = folder.run_case(&case).succeeds();
    assert!(outcome.stdout.contains("\"diameter\": 0.0"), "{}", outcome.stdout);
    let case = Case::new("linkset -").bytes("[[object]]");
    folder.run_case(&case).fails_with(&["<stdin>:1:", "name"]);
}

#[test]
fn mistakes_are_placed() {
    let assert_rejected = |from: &str, to: &str, parts: &[&str]| {
        let text = cubes(&[A, C]);
        assert!(text.contains(from), "{from}");
        linkset(&text.replacen(from, to, 1), &[]).fails_with(parts);
    };
    assert_rejected("name = \"C\"", "name = \"A\"", &["two objects called `A`", "set.toml:7:8"]);
    assert_rejected(
        "scale",
        "sclae",
        &["unknown key `sclae`", "set.toml:5:1", "did you mean `scale`"],
    );
    assert_rejected("[10, 10, 10]", "[10, -1, 10]", &["`scale` is -1", "set.toml:5:9"]);
    assert_rejected("[10, 10, 10]", "[10, 10]", &["an array of 3 numbers", "set.toml:5:9"]);
    assert_rejected("[-18.0, 0.0, 0.0]", "[nan, 0, 0]", &["`position` is NaN", "set.toml:4:12"]);
    assert_rejected(
        "[-18.0, 0.0, 0.0]",
        "[1e200, 0, 0]",
        &["position is too large", "set.toml:4:12"],
    );
    assert_rejected("[10, 10, 10]", "[10, 10, 10", &["set.toml:"]);
    linkset("", &[]).fails_with(&["no objects", "[[object.prim]]"]);
    linkset("[[object]]\nname = \"A\"", &[]).fails_with(&["`A` has no prims"]);
    lodger().run(&["linkset", "gone.toml"]).fails_with(&["gone.toml"]);
}

#[test]
fn what_is_no_linkset_is_said() {
    let assert_rejected = |bytes: &[u8], parts: &[&str]| {
        let folder = lodger().with("set.toml", bytes);
        folder.run(&["linkset", "set.toml"]).fails_with(parts);
    };
    assert_rejected(&[0xff, 0xfe, 0, 0], &["`set.toml` is not UTF-8", "UTF-16"]);
    assert_rejected(b"#\xe9", &["offset 1", "a linkset is a TOML file in UTF-8"]);
    assert_rejected(b"budget_ms = 5", &["unknown key `budget_ms`", "set.toml:1:1"]);
    assert_rejected(b"", &["no objects", "set.toml", "write `[[object]]`"]);
    lodger()
        .run(&["linkset", "nowhere.toml"])
        .fails_with(&["cannot read the linkset `nowhere.toml`"]);
}

#[test]
fn names_are_harmless_and_lists_short() {
    let objects: Vec<_> = (0..40).map(|i| [f64::from(i) * 100.0, 0.0, 0.0]).collect();
    let names: Vec<_> = (0..40).map(|i| format!("\\u001b[31m{i}{}", "x".repeat(99))).collect();
    let objects: Vec<_> =
        names.iter().zip(objects).map(|(name, position)| (name.as_str(), 1.0, position)).collect();
    let outcome = linkset(&cubes(&objects), &["--rule", "span"]);
    assert_eq!(outcome.code, Some(1));
    assert!(outcome.stdout.contains("… and 760 more"), "{}", outcome.stdout);
    assert!(outcome.stdout.lines().count() < 60);
    let names: Vec<_> = (0..1025).map(|i| format!("n{i}")).collect();
    let many: Vec<_> = names.iter().map(|name| (name.as_str(), 1.0, [0.0; 3])).collect();
    let outcome = linkset(&cubes(&many), &["--rule", "span"]);
    outcome.fails_with(&["at most 1024", "--rule sphere", "set.toml:5122:8"]);
}
