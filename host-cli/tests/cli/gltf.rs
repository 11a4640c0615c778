//! glTF scenes, made here.

use lodger_testkit::build::gltf::glb;
use serde_json::{Value, json};

use crate::run::{RunOutput, lodger};

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
fn without_a_camera_the_eye_is_asked_for() {
    let mut blind = document();
    blind["scenes"][0]["nodes"] = json!([0]);
    assert_rejected(&blind, &["no camera", "--eye X,Y,Z"]);
    schedule(&blind, &["--eye", "0,0,3"]).succeeds();
}

#[test]
fn a_scene_without_actors_is_an_empty_plan() {
    let empty = json!({ "asset": { "version": "2.0" } });
    let outcome = schedule(&empty, &["--format", "json"]).succeeds();
    assert!(outcome.stderr.contains("note: the scene has no actors"), "{}", outcome.stderr);
    assert!(actor_names(outcome).is_empty());
}

#[test]
fn equal_names_are_told_apart_by_their_nodes() {
    let mut twins = document();
    twins["nodes"][1]["name"] = json!("cart");
    assert_eq!(actor_names(schedule(&twins, &["--format", "json"])), ["cart#0", "cart#1"]);
    let mut nameless = document();
    nameless["nodes"][0]["name"] = json!("");
    nameless["meshes"][0]["name"] = Value::Null;
    assert_eq!(actor_names(schedule(&nameless, &["--format", "json"])), ["node 0", "node 1"]);
}

#[test]
fn levels_of_msft_lod_are_no_actors() {
    let mut levels = document();
    levels["nodes"][0]["extensions"] = json!({ "MSFT_lod": { "ids": [3, 4] } });
    let nodes = levels["nodes"].as_array_mut().expect("nodes");
    nodes.push(json!({ "name": "cart low", "mesh": 0 }));
    nodes.push(json!({ "name": "cart gone" }));
    assert_eq!(actor_names(schedule(&levels, &["--format", "json"])), ["cart", "box"]);
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
fn a_cut_glb_is_refused() {
    let whole = glb(document().to_string(), &[]);
    for length in [4, 8, 11, 12, 19, 20, 40, whole.len() - 1] {
        let folder = lodger().with("cut.glb", &whole[..length]);
        folder.run(&["schedule", "cut.glb"]).fails_with(&["cut.glb"]);
    }
    let mut lying = whole;
    lying[8..12].copy_from_slice(&3_u32.to_le_bytes());
    lodger().with("lying.glb", lying).run(&["schedule", "lying.glb"]).fails_with(&["3 bytes"]);
}

#[test]
fn constants_are_taken_from_the_command_line() {
    schedule(&document(), &["--unit-cost-ns", "2.5", "--benefit-value", "3"]).succeeds();
    schedule(&document(), &["--unit-cost-ns", "1e9"]).fails_with(&["4.29 s"]);
}
