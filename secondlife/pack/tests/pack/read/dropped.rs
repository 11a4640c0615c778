//! What an asset cannot hold.

use serde_json::json;

use super::build::{Builder, read};
use super::notes;

#[test]
fn what_is_left_out_is_named_once() {
    let mut builder = Builder::new();
    let mut primitive = builder.primitive(&super::build::TRIANGLE);
    let normals = builder.floats("VEC3", &[0.0, 0.0, 1.0].repeat(3));
    let four = builder.floats("VEC4", &[1.0; 12]);
    let two = builder.floats("VEC2", &[0.5; 6]);
    primitive["attributes"] = json!({ "POSITION": 0, "NORMAL": normals, "TEXCOORD_0": two,
        "TEXCOORD_1": two, "COLOR_0": four, "TANGENT": four, "_BATCH": two, "JOINTS_0": four,
        "WEIGHTS_0": four });
    primitive["targets"] = json!([{ "POSITION": 0 }]);
    let mesh = builder.mesh(&[primitive.clone(), primitive]);
    for name in ["a", "b"] {
        builder.root(json!({ "mesh": mesh, "name": name, "extensions": {
            "EXT_mesh_gpu_instancing": { "attributes": {} }, "MSFT_lod": { "ids": [] } } }));
    }
    let hidden = json!({ "KHR_node_visibility": { "visible": false } });
    builder.root(json!({ "mesh": mesh, "name": "c", "extensions": hidden }));
    builder.root(json!({ "camera": 0 }));
    builder.add("cameras", json!({ "type": "perspective" }));
    builder.add("animations", json!({ "channels": [], "samplers": [] }));
    builder.json["extensions"] = json!({ "KHR_lights_punctual": { "lights": [] } });
    let model = read(&builder.glb());
    assert_eq!(model.objects.len(), 2);
    let mut codes = notes(&model);
    codes.sort_unstable();
    let file = "it.glb";
    assert_eq!(
        codes,
        [
            ("animations-dropped", file),
            ("attributes-dropped", file),
            ("cameras-dropped", file),
            ("colours-dropped", file),
            ("hidden-dropped", "c"),
            ("instances-dropped", file),
            ("lights-dropped", file),
            ("lod-extension-dropped", file),
            ("morph-targets-dropped", file),
            ("tangents-dropped", file),
            ("triangles-double", "a"),
            ("triangles-double", "b"),
            ("uv-sets-dropped", file),
            ("weights-dropped", file),
        ]
    );
}

#[test]
fn lists_that_are_empty_leave_nothing_out() {
    let mut builder = Builder::new();
    let mesh = builder.triangle();
    builder.root(json!({ "mesh": mesh, "name": "it" }));
    builder.json["animations"] = json!([]);
    builder.json["cameras"] = json!([]);
    assert_eq!(notes(&read(&builder.glb())), [("normals-made", "it")]);
}
