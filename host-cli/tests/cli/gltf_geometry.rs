//! Geometry of glTF scenes that is in buffers, on the command line.

use std::fs;

use lodger_testkit::build::gltf::glb;
use serde_json::{Value, json};

use crate::run::{Case, lodger};

/// Three corners of a box from (0, 0, 0) to (2, 4, 4), whose diagonal is 6.
fn corners() -> Vec<u8> {
    let corners = [0.0_f32, 0.0, 0.0, 2.0, 0.0, 4.0, 0.0, 4.0, 0.0];
    corners.into_iter().flat_map(f32::to_le_bytes).collect()
}

/// A triangle without bounds, whose corners are in a buffer.
fn triangle(buffer: &Value) -> Value {
    json!({
        "asset": { "version": "2.0" },
        "scenes": [{ "nodes": [0, 1] }],
        "nodes": [{ "name": "it", "mesh": 0 }, { "camera": 0 }],
        "meshes": [{ "primitives": [{ "attributes": { "POSITION": 0 } }] }],
        "accessors": [{ "bufferView": 0, "componentType": 5126, "type": "VEC3", "count": 3 }],
        "bufferViews": [{ "buffer": 0, "byteLength": 36 }],
        "buffers": [buffer]
    })
}

fn beside(uri: &str) -> String {
    triangle(&json!({ "uri": uri, "byteLength": 36 })).to_string()
}

/// The first actor of a plan.
fn first(stdout: &str) -> Value {
    let report: Value = serde_json::from_str(stdout).expect("it is JSON");
    report["actors"][0].clone()
}

const JSON: [&str; 2] = ["--format", "json"];

#[test]
fn buffers_are_in_the_file_or_beside_it() {
    let folder = lodger()
        .with("a.gltf", beside("my%20data/corners.bin"))
        .with("b.glb", glb(triangle(&json!({ "byteLength": 36 })).to_string(), &corners()));
    fs::create_dir(folder.path("my data")).expect("a folder");
    fs::write(folder.path("my data/corners.bin"), corners()).expect("a file");
    for name in ["a.gltf", "b.glb", "./a.gltf"] {
        let actor =
            first(&folder.run(&[&["schedule", name], &JSON[..]].concat()).succeeds().stdout);
        assert_eq!(actor["position"], json!([1.0, 2.0, 2.0]));
        assert_eq!(actor["radius"], 3.0);
        assert_eq!(actor["work"], json!([0, 1, 1, 1, 1]));
        assert_eq!(actor["ladder"], "assumed");
    }
    // Elsewhere the file is looked for from the scene, not from here.
    fs::create_dir(folder.path("deep")).expect("a folder");
    fs::write(folder.path("deep/c.gltf"), beside("../my%20data/corners.bin")).expect("a file");
    folder.run(&["schedule", "deep/c.gltf"]).succeeds();
}

#[test]
fn other_places_are_not_looked_at() {
    let folder = lodger().with("corners.bin", corners());
    fs::create_dir(folder.path("folder.bin")).expect("a folder");
    let absolute = folder.path("corners.bin").display().to_string();
    let outside = "only relative paths are followed";
    for (uri, message) in [
        ("gone.bin", "is in `gone.bin`, which cannot be read: "),
        ("folder.bin", "it is not a file"),
        (&absolute, outside),
        (&format!("file://{absolute}"), outside),
        ("http://example.org/corners.bin", outside),
        ("c%3", "it is no path"),
        ("", "it is no path"),
        ("data:text/plain,corners", "but not as base64"),
    ] {
        fs::write(folder.path("scene.gltf"), beside(uri)).expect("a file");
        folder.run(&["schedule", "scene.gltf"]).fails_with(&[
            "scene.gltf",
            "`it`",
            "buffer 0 ",
            message,
        ]);
    }
    let short = lodger().with("s.gltf", beside("s.bin")).with("s.bin", &corners()[..35]);
    short.run(&["schedule", "s.gltf"]).fails_with(&["accessor 0 ends beyond buffer 0"]);
}

#[cfg(unix)]
#[test]
fn a_pipe_is_not_waited_for() {
    let folder = lodger().with("scene.gltf", beside("pipe.bin"));
    let made = std::process::Command::new("mkfifo").arg(folder.path("pipe.bin")).status();
    if made.is_ok_and(|status| status.success()) {
        folder.run(&["schedule", "scene.gltf"]).fails_with(&["it is not a file"]);
    }
    let folder = lodger().with("scene.gltf", beside("zero.bin"));
    std::os::unix::fs::symlink("/dev/zero", folder.path("zero.bin")).expect("a link");
    folder.run(&["schedule", "scene.gltf"]).fails_with(&["it is not a file"]);
}

#[test]
fn stdin_may_be_gltf() {
    let folder = lodger().with("corners.bin", corners());
    let uri = "data:application/octet-stream;base64,\
               AAAAAAAAAAAAAAAAAAAAQAAAAAAAAIBAAAAAAAAAgEAAAAAA";
    let text = format!("\u{feff}\n {}", beside(uri));
    let run = |text: &str| {
        folder.run_case(&Case::of_args(&[&["schedule", "-"], &JSON[..]].concat()).bytes(text))
    };
    assert_eq!(first(&run(&text).succeeds().stdout)["radius"], 3.0);
    run(&beside("corners.bin")).fails_with(&["<stdin>", "there is no folder beside stdin"]);
    run("{").fails_with(&["<stdin>", "this is not glTF: it ends too early"]);
}

#[test]
fn instances_groups_and_skins_are_seen() {
    let places = [0.0_f32, 0.0, 0.0, 0.0, 0.0, 8.0];
    let places: Vec<_> = places.into_iter().flat_map(f32::to_le_bytes).collect();
    let mut scene = triangle(&json!({ "byteLength": 60 }));
    let view = json!({ "buffer": 0, "byteOffset": 36, "byteLength": 24 });
    scene["bufferViews"].as_array_mut().expect("views").push(view);
    let two = json!({ "bufferView": 1, "componentType": 5126, "type": "VEC3", "count": 2 });
    scene["accessors"].as_array_mut().expect("accessors").push(two);
    scene["nodes"] = json!([
        { "name": "tree", "mesh": 0, "extensions":
            { "EXT_mesh_gpu_instancing": { "attributes": { "TRANSLATION": 1 } } } },
        { "camera": 0 },
        { "name": "house", "children": [3, 4], "extensions": { "MSFT_lod": { "ids": [3] } } },
        { "mesh": 0 },
        { "mesh": 0, "translation": [0, 0, 8] },
        { "name": "walker", "mesh": 0, "skin": 0 },
        { "name": "ghost", "mesh": 0, "extensions": { "KHR_node_visibility": { "visible": false } } }
    ]);
    scene["scenes"] = json!([{ "nodes": [0, 1, 2, 5, 6] }, { "nodes": [1, 4] }]);
    scene["skins"] = json!([{ "joints": [1] }]);
    scene["extensionsRequired"] = json!(["EXT_mesh_gpu_instancing", "VENDOR_voxels"]);
    let folder = lodger().with("s.glb", glb(scene.to_string(), &[corners(), places].concat()));
    let outcome = folder.run(&["schedule", "s.glb", "--format", "csv"]).succeeds();
    let rows: Vec<_> = outcome.stdout.lines().collect();
    for (row, (name, end)) in rows[1..].iter().zip([
        ("tree[0],", ",1.0,2.0,2.0,3.0,0 1 1 1 1,assumed,1.0,highest"),
        ("tree[1],", ",1.0,2.0,10.0,3.0,0 1 1 1 1,assumed,1.0,highest"),
        ("house,", ",1.0,2.0,6.0,7.0,1 2,file,1.0,highest"),
        ("walker,", ",1.0,2.0,2.0,3.0,0 1 1 1 1,assumed,1.0,highest"),
    ]) {
        assert!(row.starts_with(name) && row.ends_with(end), "{row}");
    }
    assert_eq!(rows.len(), 5);
    let said = &outcome.stderr;
    assert!(said.contains("warning: the file requires VENDOR_voxels, which lodger"), "{said}");
    assert!(said.contains("node 5 `walker` has a skin, but stands where"), "{said}");
    assert!(said.contains("primitive 0 has no JOINTS_0"), "{said}");
    let table = folder.run(&["schedule", "s.glb"]).succeeds().stdout;
    assert!(
        table.contains("3 of 4 actors have assumed levels: 0, 1.5, 6, 25 and 100 %"),
        "{table}"
    );
    let second = folder.run(&["schedule", "s.glb", "--scene", "1", "--format", "json"]).succeeds();
    assert_eq!(first(&second.stdout)["name"], "node 4");
    folder
        .run(&["schedule", "s.glb", "--scene", "2"])
        .fails_with(&["there is no scene 2: the file has 2"]);
}

#[test]
fn a_plan_is_not_written_onto_a_buffer() {
    let folder = lodger().with("a.gltf", beside("corners.bin")).with("corners.bin", corners());
    for place in ["corners.bin", "./corners.bin"] {
        folder
            .run(&["schedule", "a.gltf", "--output", place])
            .fails_with(&["--output would overwrite it"]);
    }
    assert_eq!(fs::read(folder.path("corners.bin")).expect("a file"), corners());
    folder.run(&["schedule", "a.gltf", "--output", "plan"]).succeeds();
    folder.run(&["schedule", "a.gltf", "--output", "plan"]).succeeds();
}
