use std::fmt::Write as _;

use lodger_testkit::build::archive::{
    ArchiveFile, BLOCK, PartXml, coalesced, id, object_asset, region_object,
};
use serde_json::{Value, json};

use crate::run::{Case, RunOutput, TestFolder, lodger};

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

fn answer_of(text: &str, rule: &str) -> (Option<i32>, Value) {
    let outcome = linkset(text, &["--rule", rule, "--format", "json"]);
    (outcome.code, outcome.json())
}

#[test]
fn the_order_matters_whatever_the_document_says() {
    let (code, answer) = answer_of(&cubes(&[A, B, C]), "span");
    let whole = json!({"schema": 1, "rule": "span", "linkable": true, "groups": [["A", "B", "C"]], "misses": []});
    assert_eq!((code, answer), (Some(0), whole));
    let table = linkset(&cubes(&[A, B, C]), &["--rule", "span"]).succeeds().stdout;
    assert!(table.starts_with("Linkable by the span rule: 3 objects"), "{table}");
    assert!(table.contains("sphere of 53.32 m"), "{table}");
    assert!(table.contains("round 1: A + B: centres 36.00 m apart, at most 36.64 m"), "{table}");
    assert!(table.contains("round 1: A, B + C: "), "{table}");

    let (code, mut answer) = answer_of(&cubes(&[A, C, B]), "span");
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
    outcome.shows(&[
        "A + C: centres 25.46 m apart, at most 36.64 m",
        "A and B: the span of 58.51 m may be 54.00 m, 4.51 m too long",
        "Another order links them all: A, B, C",
    ]);
}

#[test]
fn the_sphere_rule_is_todays() {
    let (code, answer) = answer_of(&cubes(&[A, C, B]), "sphere");
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
    let default = linkset(&cubes(&[A, C, B]), &["--format", "json"]).succeeds();
    assert_eq!(default.json(), expected);

    let far = cubes(&[("a", 1.0, [-27.0, 0.0, 0.0]), ("b", 1.0, [27.0, 0.0, 0.0])]);
    assert_eq!(answer_of(&far, "sphere").0, Some(1), "54 m are not below 54 m");
    let far = cubes(&[("a", 1.0, [-30.0, 0.0, 0.0]), ("b", 1.0, [30.0, 0.0, 0.0])]);
    let outcome = linkset(&far, &[]);
    assert_eq!(outcome.code, Some(1));
    outcome.shows(&[
        "Not linkable by the sphere rule",
        "60.00 m wide",
        "6.00 m too wide",
        "b, prim 1",
    ]);
}

#[test]
fn prims_are_counted() {
    let prims = "[[object.prim]]\nposition = [0, 0, 0]\nscale = [1, 1, 1]\n";
    let house = |count| format!("[[object]]\nname = \"house\"\n{}", prims.repeat(count));
    assert_eq!(answer_of(&house(255), "sphere").0, Some(0));
    let (code, answer) = answer_of(&house(256), "sphere");
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
    let text = cubes(&[A, C]);
    for (from, to, parts) in [
        ("name = \"C\"", "name = \"A\"", ["two objects called `A`", "set.toml:7:8"]),
        ("scale", "sclae", ["did you mean `scale`", "set.toml:5:1"]),
    ] {
        linkset(&text.replacen(from, to, 1), &[]).fails_with(&parts);
    }
}

#[test]
fn files_without_a_linkset_are_reported() {
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

fn offset(part: PartXml, [x, y, z]: [f64; 3]) -> PartXml {
    part.with("OffsetPosition", &format!("<X>{x}</X><Y>{y}</Y><Z>{z}</Z>"))
}

fn place(part: PartXml, position: [f64; 3]) -> PartXml {
    let [x, y, z] = position.map(|metres| metres.to_string());
    part.at(&x, &y, &z)
}

/// Two cubes of 10 m at a distance along x, as one object.
fn pair(name: &str, distance: f64, position: [f64; 3]) -> String {
    let cube = |name: &str| PartXml::cube(name).scale("10", "10", "10");
    let other = offset(cube("other"), [distance, 0.0, 0.0]);
    region_object(&place(cube(name), position), &[place(other, position)])
}

fn run(folder: &TestFolder, arguments: &[&str]) -> RunOutput {
    folder.run(&[&["linkset"], arguments].concat())
}

fn answer_of_files(folder: &TestFolder, arguments: &[&str]) -> (Option<i32>, Value) {
    let outcome = run(folder, &[arguments, &["--format", "json"]].concat());
    (outcome.code, outcome.json())
}

fn region() -> Vec<u8> {
    ArchiveFile::new()
        .with("objects/near.xml", pair("near", 36.0, [100.0, 100.0, 20.0]))
        .with("objects/far.xml", pair("far", 60.0, [150.0, 100.0, 20.0]))
        .with("objects/low.xml", pair("low", 1.0, [100.0, 100.0, 40.0]))
        .gzip()
}

#[test]
fn one_object_is_taken_apart() {
    let folder = lodger().with("region.oar", region());
    let (code, answer) = answer_of_files(&folder, &["region.oar:near", "--rule", "span"]);
    let whole = json!({
        "schema": 1, "rule": "span", "linkable": true, "groups": [["near", "other"]], "misses": []
    });
    assert_eq!((code, answer), (Some(0), whole));
    let (code, answer) = answer_of_files(&folder, &["region.oar:far"]);
    assert_eq!((code, &answer["diameter"], &answer["prims"]), (Some(1), &json!(60.0), &json!(2)));
    run(&folder, &["region.oar:far"]).shows(&["Not linkable by the sphere rule: far, other"]);
}

#[test]
fn several_objects_are_linked_in_place() {
    let folder = lodger().with("region.oar", region());
    let (code, answer) = answer_of_files(&folder, &["region.oar:near", "region.oar:low"]);
    // From 100, 100, 40 to 136, 100, 20.
    let diameter = 36.0_f64.hypot(20.0);
    assert_eq!(code, Some(0), "{answer}");
    assert!((answer["diameter"].as_f64().expect("metres") - diameter).abs() < 1e-6, "{answer}");
    assert_eq!(answer["prims"], 4);
    let (code, answer) =
        answer_of_files(&folder, &["region.oar:near", "region.oar:far", "--rule", "span"]);
    assert_eq!((code, &answer["groups"]), (Some(1), &json!([["near"], ["far"]])));
}

#[test]
fn one_name_means_one_object() {
    let lamp = |x: usize| {
        let root = PartXml::cube("lamp").at(&x.to_string(), "2", "3");
        region_object(&root, &[])
    };
    let archive = (1..=6).fold(ArchiveFile::new(), |archive, number| {
        let path = format!("objects/lamp_{number}__{}.xml", id(number));
        archive.with(&path, lamp(number))
    });
    let folder = lodger().with("region.oar", archive.gzip());
    let said = "`region.oar:lamp` means 6 objects; choose one by its UUID, as `region.oar:UUID`";
    let parts = [said, &id(1), "`lamp`", "… and 2 more"];
    run(&folder, &["region.oar:lamp"]).fails_with(&parts);
    run(&folder, &["region.oar"]).fails_with(&["`region.oar` means 6 objects"]);
    run(&folder, &[&format!("region.oar:{}", id(3))]).succeeds();
    run(&folder, &["region.oar:lamb"]).fails_with(&["no object called `lamb`", "`lamp`"]);
}

#[test]
fn objects_without_a_place_are_only_taken_apart() {
    let object = |name: &str| object_asset(&PartXml::cube(name), &[PartXml::cube("part")]);
    let archive = ArchiveFile::new()
        .with(&format!("assets/{}_object.xml", id(1)), object("chair"))
        .with(&format!("assets/{}_object.xml", id(2)), object("table"));
    let folder = lodger()
        .with("mine.iar", archive.gzip())
        .with("lamp_object.xml", object("lamp"))
        .with("two_object.xml", coalesced(&[object("one"), object("two")]));
    run(&folder, &["mine.iar:chair"]).succeeds();
    run(&folder, &["lamp_object.xml"]).succeeds();
    run(&folder, &["two_object.xml:one"]).succeeds();
    let parts = ["`chair` stands in no region", "where they stand"];
    run(&folder, &["mine.iar:chair", "mine.iar:table"]).fails_with(&parts);
    run(&folder, &["two_object.xml"]).fails_with(&["means 2 objects"]);
}

#[test]
fn toml_is_alone() {
    let text = "[[object]]\nname = \"A\"\n[[object.prim]]\nposition = [0, 0, 0]\nscale = [1, 1, 1]";
    let folder = lodger().with("a.toml", text).with("region.oar", region());
    run(&folder, &["a.toml"]).succeeds();
    run(&folder, &["a.toml", "a.toml"]).fails_with(&["several TOML files", "one file"]);
    let mixed = ["`a.toml` is TOML, and the others are objects of archives"];
    run(&folder, &["a.toml", "region.oar:near"]).fails_with(&mixed);
    run(&folder, &["region.oar:near", "a.toml"]).fails_with(&mixed);
    run(&folder, &[]).fails_with(&["FILE"]);
}

#[test]
fn an_archive_that_is_partly_broken_is_warned_of() {
    let archive = || {
        ArchiveFile::new()
            .with("objects/near.xml", pair("near", 36.0, [100.0, 100.0, 20.0]))
            .with("objects/bad.xml", "<SceneObjectGroup />")
    };
    let cut = archive().with("objects/far.xml", "x".repeat(2_000)).tar();
    let cut = &cut[..cut.len() - 3 * BLOCK];
    let folder = lodger().with("whole.oar", archive().gzip()).with("cut.oar", cut);
    let outcome = run(&folder, &["cut.oar:near"]).succeeds();
    assert!(outcome.stderr.contains("warning: `cut.oar:near` has 1 entr"), "{}", outcome.stderr);
    // Errors of other objects are not reported.
    assert_eq!(run(&folder, &["whole.oar:near"]).succeeds().stderr, "");
}
