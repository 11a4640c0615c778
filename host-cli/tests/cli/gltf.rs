use std::fs;

use lodger_testkit::build::gltf::glb;
use serde_json::{Value, json};

use crate::run::{Case, RunOutput, lodger};

/// A mesh of 1000 triangles in a box of 2 m, drawn by two nodes, seen by a camera.
pub(crate) fn document() -> Value {
    json!({
        "asset": { "version": "2.0" },
        "scene": 0,
        "scenes": [{ "nodes": [0, 2] }],
        "cameras": [{ "type": "perspective", "perspective": { "yfov": 1.0, "znear": 0.1 } }],
        "nodes": [
            { "name": "cart", "mesh": 0, "children": [1], "translation": [0, 0, -5] },
            { "mesh": 0, "scale": [1, 2, 1] },
            { "camera": 0, "translation": [0, 1, 0] }
        ],
        "meshes": [{ "name": "box", "primitives": [{ "attributes": { "POSITION": 0 }, "indices": 1 }] }],
        "accessors": [
            { "componentType": 5126, "count": 500, "type": "VEC3", "min": [-1, -1, -1], "max": [1, 1, 1] },
            { "componentType": 5123, "count": 3000, "type": "SCALAR" }
        ]
    })
}

pub(crate) fn schedule(document: &Value, arguments: &[&str]) -> RunOutput {
    let folder = lodger()
        .with("scene.glb", glb(document.to_string(), &[]))
        .with("scene.gltf", document.to_string());
    let from_glb = folder.run(&[&["schedule", "scene.glb"], arguments].concat());
    let from_gltf = folder.run(&[&["schedule", "scene.gltf"], arguments].concat());
    assert_eq!(from_glb.stdout, from_gltf.stdout);
    assert_eq!(from_glb.code, from_gltf.code);
    from_glb
}

fn actor_names(outcome: RunOutput) -> Vec<String> {
    let report = outcome.succeeds().json();
    let actors = report["actors"].as_array().expect("actors");
    let name = |actor: &Value| actor["name"].as_str().expect("a name").to_owned();
    actors.iter().map(name).collect()
}

#[track_caller]
fn assert_rejected(document: &Value, parts: &[&str]) {
    schedule(document, &[]).fails_with(parts);
}

#[test]
fn nodes_with_a_mesh_are_actors_under_the_first_camera() {
    let outcome = schedule(&document(), &["--format", "json"]);
    let report = outcome.json();
    assert_eq!(report["budget_ms"], 16.6);
    assert_eq!(report["modules"][0]["name"], "triangles");
    assert_eq!(actor_names(outcome), ["cart", "box"]);
}

#[test]
fn without_a_camera_the_eye_is_required() {
    let mut blind = document();
    blind["scenes"][0]["nodes"] = json!([0]);
    assert_rejected(&blind, &["no camera", "--eye X,Y,Z"]);
    schedule(&blind, &["--eye", "0,0,3"]).succeeds();
}

#[test]
fn what_the_camera_does_not_see_is_outside() {
    let mut turned = document();
    turned["nodes"][2]["rotation"] = json!([0, 1, 0, 0]);
    let report = schedule(&turned, &["--outside", "0.5", "--format", "json"]).succeeds().json();
    assert_eq!(report["modules"][0]["outside"], 0.5);
    assert_eq!(report["actors"][0]["in_view"], false);
    let csv = schedule(&turned, &["--outside", "0.5", "--format", "csv"]).succeeds().stdout;
    let rows: Vec<_> = csv.lines().map(|row| row.rsplit(',').nth(1)).collect();
    assert_eq!(rows[..2], [Some("in_view"), Some("false")]);
    schedule(&turned, &["--outside", "0"]).succeeds().shows(&["2 actors out of view."]);
    schedule(&turned, &["--outside", "2"]).fails_with(&["--outside"]);
    schedule(&turned, &["--outside", "0", "--eye", "0,0,3"]).fails_with(&["cannot be used with"]);
    turned["cameras"] =
        json!([{ "type": "orthographic", "orthographic": { "xmag": 1, "ymag": 1 } }]);
    let outcome = schedule(&turned, &["--outside", "0"]).succeeds();
    let warning = "warning: camera 0 has no valid perspective: it counts as a position";
    assert!(outcome.stderr.contains(warning), "{}", outcome.stderr);
    assert!(!outcome.stdout.contains("out of view"), "{}", outcome.stdout);
    let toml = lodger().with("scene.toml", "budget_ms = 5\n");
    let outcome = toml.run(&["schedule", "scene.toml", "--outside", "0"]);
    outcome.fails_with(&["--outside is for glTF scenes", "set `outside` in each [[module]]"]);
}

#[test]
fn a_scene_without_actors_is_an_empty_plan() {
    let empty = json!({ "asset": { "version": "2.0" } });
    let outcome = schedule(&empty, &["--format", "json"]).succeeds();
    assert!(outcome.stderr.contains("note: the scene has no actors"), "{}", outcome.stderr);
    assert!(actor_names(outcome).is_empty());
}

#[test]
fn equal_names_are_distinguished_by_their_nodes() {
    let mut twins = document();
    twins["nodes"][1]["name"] = json!("cart");
    assert_eq!(actor_names(schedule(&twins, &["--format", "json"])), ["cart#0", "cart#1"]);
    let mut nameless = document();
    nameless["nodes"][0]["name"] = json!("");
    nameless["meshes"][0]["name"] = Value::Null;
    assert_eq!(actor_names(schedule(&nameless, &["--format", "json"])), ["node 0", "node 1"]);
}

#[test]
fn levels_that_cannot_be_are_refused() {
    let with = |lod: Value| {
        let mut levels = document();
        levels["nodes"][0]["extensions"] = json!({ "MSFT_lod": lod });
        levels["nodes"].as_array_mut().expect("nodes").push(json!({ "mesh": 1 }));
        let mut finer = levels["meshes"][0].clone();
        finer["primitives"][0]["indices"] = json!(2);
        levels["meshes"].as_array_mut().expect("meshes").push(finer);
        let more = json!({ "componentType": 5123, "count": 6000, "type": "SCALAR" });
        levels["accessors"].as_array_mut().expect("accessors").push(more);
        levels
    };
    assert_rejected(&with(json!({ "ids": [99] })), &["node 0 `cart`", "lists node 99"]);
    assert_rejected(&with(json!({ "ids": [-1] })), &["node 0 `cart`", "lists node -1"]);
    assert_rejected(&with(json!({ "ids": "all" })), &["node 0 `cart`", "no array `ids`"]);
    assert_rejected(&with(json!({ "ids": [3] })), &["node 0 `cart`", "decreases from 2000"]);
    assert_rejected(&with(json!({ "ids": vec![0; 256] })), &["257 LODs"]);
}

#[test]
fn a_scene_is_a_tree() {
    for (parent, children) in [(1, json!([0])), (1, json!([1])), (2, json!([1]))] {
        let mut tangle = document();
        tangle["nodes"][parent]["children"] = children;
        assert_rejected(&tangle, &["is reached twice"]);
    }
}

#[test]
fn broken_references_are_refused() {
    let with = |pointer: &str, value: Value| {
        let mut broken = document();
        *broken.pointer_mut(pointer).expect("it is there") = value;
        broken
    };
    let cases = [
        ("/scene", json!(7), "no such scene"),
        ("/scenes/0/nodes", json!([70]), "no such node"),
        ("/nodes/0/children", json!([70]), "no such node"),
        ("/nodes/0/mesh", json!(70), "no such mesh"),
        ("/meshes/0/primitives/0/attributes/POSITION", json!(70), "no such accessor"),
        ("/meshes/0/primitives/0/indices", json!(70), "no such accessor"),
        ("/accessors/0/min", Value::Null, "no `min`"),
        ("/accessors/0/max", json!([1, 2]), "no `max`"),
        ("/accessors/1/count", json!(u64::MAX), "more than lodger can count"),
        ("/nodes/0/translation", json!("far"), "expected"),
    ];
    for (pointer, value, message) in cases {
        assert_rejected(&with(pointer, value), &["scene.gl", message]);
    }
    let mode =
        with("/meshes/0/primitives/0", json!({ "attributes": { "POSITION": 0 }, "mode": 9 }));
    assert_rejected(&mode, &["mode"]);
    let scale = with("/nodes/1/scale", json!([1e38, 1e38, 1e38]));
    assert_rejected(&scale, &["`box`", "radius is too large"]);
}

#[test]
fn a_chain_of_nodes_may_be_deep() {
    let mut deep = document();
    let nodes = deep["nodes"].as_array_mut().expect("nodes");
    let last = 50_000;
    nodes.extend((3..last).map(|i| json!({ "children": [i + 1] })));
    nodes.push(json!({ "name": "bottom", "mesh": 0 }));
    deep["scenes"][0]["nodes"] = json!([2, 3]);
    assert_eq!(actor_names(schedule(&deep, &["--format", "json"])), ["bottom"]);
}

#[test]
fn constants_are_taken_from_the_command_line() {
    schedule(&document(), &["--unit-cost-ns", "2.5", "--benefit-value", "3"]).succeeds();
    schedule(&document(), &["--unit-cost-ns", "1e9"]).fails_with(&["4.29 s"]);
}

#[test]
fn errors_of_the_reader_are_messages_of_the_program() {
    let rejected = |name: &str, bytes: &[u8], parts: &[&str]| {
        lodger().with(name, bytes).run(&["schedule", name]).fails_with(parts);
    };
    let first = b"{\"nodes\": {}, \"asset\": {\"version\": 1.0}}";
    rejected("a.gltf", first, &["a.gltf", "glTF 1.0; lodger reads 2.0"]);
    rejected("a.gltf", b"", &["`a.gltf` is empty"]);
    rejected("a.gltf", b"budget_ms = 5", &["this is not glTF: ", "line 1, column 1"]);
    rejected(
        "a.toml",
        b"{\"nodes\": 5} x",
        &["a.toml", "this is not glTF: this is the integer `5`"],
    );
    rejected("a.glb", b"\x89PNG\r\n\x1a\n", &["`a.glb` is a PNG image, not a scene"]);
    let cut = &glb(document().to_string(), &[])[..40];
    rejected("cut.glb", cut, &["cut.glb"]);
}

/// Three corners of a box from (0, 0, 0) to (2, 4, 4), whose diagonal is 6.
fn corners() -> Vec<u8> {
    let corners = [0.0_f32, 0.0, 0.0, 2.0, 0.0, 4.0, 0.0, 4.0, 0.0];
    corners.into_iter().flat_map(f32::to_le_bytes).collect()
}

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

fn first(outcome: RunOutput) -> Value {
    outcome.succeeds().json()["actors"][0].take()
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
        let actor = first(folder.run(&[&["schedule", name], &JSON[..]].concat()));
        assert_eq!(actor["position"], json!([1.0, 2.0, 2.0]));
        assert_eq!(actor["radius"], 3.0);
        assert_eq!(actor["work"], json!([0, 1, 1, 1, 1]));
        assert_eq!(actor["ladder"], "assumed");
    }
    // Paths are relative to the scene.
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
        folder.run_case(&Case::of_args([&["schedule", "-"], &JSON[..]].concat()).bytes(text))
    };
    assert_eq!(first(run(&text))["radius"], 3.0);
    run(&beside("corners.bin")).fails_with(&["<stdin>", "there is no folder beside stdin"]);
    run("{").fails_with(&["<stdin>", "this is not glTF: it ends too early"]);
}

#[test]
fn instances_groups_and_skins_become_actors() {
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
    folder
        .run(&["schedule", "s.glb"])
        .succeeds()
        .shows(&["3 of 4 actors have assumed levels: 0, 1.5, 6, 25 and 100 %"]);
    let second = folder.run(&["schedule", "s.glb", "--scene", "1", "--format", "json"]);
    assert_eq!(first(second)["name"], "node 4");
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
