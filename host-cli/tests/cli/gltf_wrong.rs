//! Files that are no glTF, or another one than is read.

use lodger_testkit::build::gltf::glb;
use serde_json::json;

use crate::gltf::{document, schedule};
use crate::run::lodger;

#[track_caller]
fn assert_rejected(name: &str, bytes: impl AsRef<[u8]>, parts: &[&str]) {
    let outcome = lodger().with(name, bytes).run(&["schedule", name]).fails_with(parts);
    for internal in ["serde", "f32", "u32", "struct", "invalid type", "at line"] {
        assert!(!outcome.stderr.contains(internal), "{}", outcome.stderr);
    }
}

#[test]
fn the_first_gltf_is_named() {
    let first = json!({ "asset": { "version": "1.0" }, "scene": "main",
        "scenes": { "main": { "nodes": ["n"] } }, "nodes": { "n": {} } });
    assert_rejected("a.gltf", first.to_string(), &["a.gltf", "glTF 1.0; lodger reads 2.0"]);
    let late = "{\"nodes\": {}, \"asset\": {\"version\": 1.0}}";
    assert_rejected("late.gltf", late, &["late.gltf", "glTF 1.0; lodger reads 2.0"]);
    let none = "{\"nodes\": {}}";
    assert_rejected("none.gltf", none, &["it has no `asset.version`", "an object, as in glTF 1.0"]);
    let binary = [&b"glTF"[..], &1_u32.to_le_bytes(), &20_u32.to_le_bytes(), &[0; 8]].concat();
    assert_rejected("a.glb", binary, &["a.glb", "glTF 1.0; lodger reads 2.0"]);
    let next = json!({ "asset": { "version": "2.0", "minVersion": "3.0" } });
    assert_rejected("a.gltf", next.to_string(), &["glTF 3.0; lodger reads 2.0"]);
    assert_rejected("a.gltf", "{}", &["this is not glTF: it has no `asset.version`"]);
}

#[test]
fn what_is_no_json_is_told_in_words() {
    assert_rejected("a.gltf", "", &["`a.gltf` is empty"]);
    assert_rejected("a.gltf", "budget_ms = 5", &["this is not glTF: ", "line 1, column 1"]);
    assert_rejected(
        "a.gltf",
        "{\n\"nodes\": {}} x",
        &["this is an object, expected an array", "line 2"],
    );
    assert_rejected(
        "a.toml",
        "{\"nodes\": 5} x",
        &["a.toml", "this is not glTF: this is the integer `5`"],
    );
    let broken = json!({ "nodes": 5, "asset": { "version": "2.0" } });
    assert_rejected(
        "a.glb",
        glb(broken.to_string(), &[]),
        &["this glTF file is broken: `nodes`: "],
    );
    assert_rejected("a.glb", b"\x89PNG\r\n\x1a\n", &["`a.glb` is a PNG image, not a scene"]);
}

#[test]
fn what_is_not_needed_does_not_matter() {
    let mut odd = document();
    odd["animations"] = json!([{ "channels": [{ "target": { "path": "pointer" } }] }]);
    odd["materials"] = json!("none");
    odd["images"] = json!([{ "uri": 5 }]);
    odd["extras"] = json!([null, { "any": ["thing"] }]);
    odd["extensionsUsed"] = json!(["VENDOR_any"]);
    odd["nodes"][0]["extensions"] = json!({ "VENDOR_any": null });
    odd["scenes"].as_array_mut().expect("scenes").push(json!({}));
    let outcome = schedule(&odd, &["--format", "json"]).succeeds();
    assert_eq!(outcome.stderr, "");
    let empty = schedule(&odd, &["--format", "json", "--scene", "1"]).succeeds();
    let report = empty.json();
    assert_eq!(report["actors"], json!([]));
}

#[test]
fn a_byte_order_mark_does_not_matter() {
    let text = format!("\u{feff}{}", document());
    lodger().with("a.gltf", &text).run(&["schedule", "a.gltf"]).succeeds();
    lodger().with("noname", &text).run(&["schedule", "noname"]).succeeds();
}
