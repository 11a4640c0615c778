//! What scenes and linksets may take: --memory, --work, and rows that are written as they are made.

use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::run::{BASE, CAPE, lodger};

/// A scene of so many capes.
fn capes(count: usize) -> String {
    (0..count).fold(BASE.to_owned(), |mut text, index| {
        let _ = writeln!(text, "{}", CAPE.replace("cape", &format!("cape {index}")));
        text
    })
}

#[test]
fn a_scene_that_needs_more_says_so() {
    let folder = lodger()
        .with("scene.toml", capes(4_000))
        .with("brackets.toml", "[".repeat(3_000_000))
        .with("modules.toml", "[[module]]\nname = \"a\"\n".repeat(400_000));
    let refused = |arguments: &[&str], said: &str, help: &str| {
        folder.run(&[&["schedule"], arguments].concat()).fails_with(&[said, help]);
    };
    let said = "`scene.toml` needs more than 1 MiB of memory";
    refused(&["scene.toml", "--memory", "1"], said, "raise --memory");
    folder.run(&["schedule", "scene.toml", "--memory", "8"]).succeeds();
    let said = "`scene.toml` needs more than 1 million units of work";
    refused(&["scene.toml", "--work", "1"], said, "raise --work");
    // No more of it than its beginning is parsed.
    folder.run(&["schedule", "brackets.toml"]).fails_with(&["brackets.toml:1:"]);
    let said = "`modules.toml` needs more than 1024 MiB of memory";
    refused(&["modules.toml"], said, "raise --memory");
}

#[test]
fn no_more_is_read_of_what_is_no_text() {
    let folder = lodger()
        .with("zeros.toml", vec![0; 3 << 20])
        .with("noise.toml", [&b"# \xff"[..], &vec![b'x'; 3 << 20]].concat());
    for (name, said) in [("zeros.toml", "zeros.toml:1:"), ("noise.toml", "not UTF-8")] {
        folder.run(&["schedule", name, "--memory", "1"]).fails_with(&[name, said]);
    }
}

#[test]
fn a_mistake_is_placed_in_a_text_that_is_too_long_to_be_parsed_at_once() {
    let text = capes(3_000);
    let line = text.matches('\n').count() + 6;
    for (from, to, parts) in [
        ("radius = 1", "radius = \"x\"", &["`actor.radius`", "expected a number"][..]),
        ("radius", "raduis", &["unknown key `raduis`", "did you mean `radius`?"]),
        ("radius = 1", "radius = -1", &["`radius` is -1"]),
        ("radius = 1", "radius = ]", &["scene.toml"]),
        ("radius = 1", "radius = [1, =", &["scene.toml"]),
        ("radius = 1", "module = 1", &["duplicate key"]),
    ] {
        let scene =
            format!("{text}\n{}{}", CAPE.replacen(from, to, 1), CAPE.replace("cape", "last"));
        let folder = lodger().with("scene.toml", scene);
        let place = format!("scene.toml:{line}:");
        folder
            .run(&["schedule", "scene.toml", "--memory", "12"])
            .fails_with(&[parts, &[&place]].concat());
        folder.run(&["schedule", "scene.toml"]).fails_with(&[parts, &[&place]].concat());
    }
}

#[test]
fn every_row_is_there_however_many_they_are() {
    const COUNT: usize = 3_000;
    let folder = lodger().with("scene.toml", capes(COUNT));
    let shown = |arguments: &[&str]| {
        folder.run(&[&["schedule", "scene.toml"], arguments].concat()).succeeds().stdout
    };
    let plan: Value = serde_json::from_str(&shown(&["--format", "json"])).expect("it is JSON");
    let names = plan["actors"].as_array().expect("actors").iter().map(|actor| &actor["name"]);
    assert!(names.eq((0..COUNT).map(|i| json!(format!("cape {i}"))).collect::<Vec<_>>().iter()));
    assert_eq!(shown(&["--format", "csv"]).lines().count(), 1 + COUNT);
    let table = shown(&["--all"]);
    let rows: Vec<_> = table.lines().filter(|line| line.contains("cape ")).collect();
    assert_eq!(rows.len(), COUNT);
    let columns = rows[0].find("cloth");
    assert!(rows.iter().all(|row| row.find("cloth") == columns));
    assert_eq!(table.matches("Actor ").count(), 1);
    folder.run(&["schedule", "scene.toml", "--format", "json", "--output", "plan.json"]).succeeds();
    let written = folder.read("plan.json");
    assert_eq!(written, shown(&["--format", "json"]));
    assert_eq!(folder.files(), ["plan.json", "scene.toml"]);
}

#[test]
fn a_name_that_many_nodes_share_is_no_burden() {
    let name = "n".repeat(1 << 20);
    let nodes: Vec<_> = (0..400).map(|_| json!({ "mesh": 0 })).collect();
    let scene = json!({ "asset": { "version": "2.0" },
        "scenes": [{ "nodes": (0..400).collect::<Vec<_>>() }], "nodes": nodes,
        "meshes": [{ "name": name, "primitives": [{ "attributes": { "POSITION": 0 } }] }],
        "accessors": [{ "componentType": 5126, "type": "VEC3", "count": 3,
            "min": [0, 0, 0], "max": [1, 1, 1] }] });
    let folder = lodger().with("scene.gltf", scene.to_string());
    let arguments = ["scene.gltf", "--eye", "0,0,9", "--format", "json", "--memory", "8"];
    let plan = folder.run(&[&["schedule"], &arguments[..]].concat()).succeeds().stdout;
    let plan: Value = serde_json::from_str(&plan).expect("it is JSON");
    let expected = format!("{}…#399", "n".repeat(160));
    assert_eq!(plan["actors"][399]["name"], json!(expected));
}

#[test]
fn objects_of_json_are_paid() {
    let nodes = vec!["{}"; 1_000_000].join(",");
    let scene = format!("{{\"asset\":{{\"version\":\"2.0\"}},\"nodes\":[{nodes}]}}");
    let folder = lodger().with("scene.gltf", scene);
    let said = "`scene.gltf` needs more than 100 MiB of memory";
    folder
        .run(&["schedule", "scene.gltf", "--memory", "100"])
        .fails_with(&[said, "raise --memory"]);
    folder.run(&["schedule", "scene.gltf"]).succeeds();
}

#[test]
fn names_of_a_linkset_are_not_copied_for_each_two() {
    let object = |index: usize| {
        format!(
            "[[object]]\nname = \"{}{index}\"\n[[object.prim]]\nposition = [{}, 0, 0]\n\
             scale = [1, 1, 1]\n",
            "n".repeat(1_000),
            index * 900
        )
    };
    let text: String = (0..300).map(object).collect();
    let folder = lodger().with("set.toml", text);
    let arguments = ["linkset", "set.toml", "--rule", "span", "--memory", "24"];
    let outcome = folder.run(&arguments);
    assert_eq!(outcome.code, Some(1), "{}", outcome.stderr);
    assert!(outcome.stdout.len() < 10_000);
    let outcome = folder.run(&[&arguments[..], &["--format", "json"]].concat());
    let answer = outcome.json();
    assert_eq!(answer["misses"].as_array().map(Vec::len), Some(300 * 299 / 2));
    assert_eq!(answer["misses"][0]["a"].as_str().map(str::len), Some(1_001));
    let little = ["linkset", "set.toml", "--rule", "span", "--memory", "1"];
    folder.run(&little).fails_with(&["`set.toml` needs more than 1 MiB", "raise --memory"]);
}
