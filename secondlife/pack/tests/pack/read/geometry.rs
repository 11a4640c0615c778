//! Vertices, triangles and their placement; notes on everything that an asset cannot hold.

use serde_json::{Value, json};

use super::{notes, read, read_failure};
use crate::models::{GltfBuilder, TRIANGLE};

fn triangle(node: Value, change: impl FnOnce(&mut GltfBuilder, &mut Value)) -> Vec<u8> {
    let mut builder = GltfBuilder::new();
    let mut primitive = builder.primitive(&TRIANGLE);
    change(&mut builder, &mut primitive);
    let mesh = builder.mesh(&[primitive]);
    let mut node = node;
    node["mesh"] = json!(mesh);
    node["name"] = json!("it");
    builder.root(node);
    builder.glb()
}

#[test]
fn y_up_becomes_z_up_and_v_turns_around() {
    let model = read(&triangle(json!({ "translation": [10, 20, 30] }), |builder, primitive| {
        let normals = builder.floats("VEC3", &[0.0, 3.0, 0.0, 0.0, 3.0, 0.0, 0.0, 0.0, 1.0]);
        let coords = builder.floats("VEC2", &[0.25, 0.75, -1.0, 2.0, 0.0, 0.0]);
        primitive["attributes"]["NORMAL"] = json!(normals);
        primitive["attributes"]["TEXCOORD_0"] = json!(coords);
    }));
    let face = &model.objects[0].high.submeshes[0];
    assert_eq!(face.positions, [[10.0, -30.0, 20.0], [11.0, -30.0, 20.0], [10.0, -30.0, 22.0]]);
    assert_eq!(face.normals, [[0.0, -0.0, 1.0], [0.0, -0.0, 1.0], [0.0, -1.0, 0.0]]);
    assert_eq!(face.tex_coords, [[0.25, -0.75], [-1.0, -2.0], [0.0, -0.0]]);
    assert_eq!(face.triangles, [[0, 1, 2]]);
    assert!(model.notes.is_empty(), "{:?}", model.notes);
    assert_eq!(model.name, "it");
}

#[test]
fn one_triangle_without_normals_is_enough() {
    let model = read(&triangle(json!({}), |_, _| {}));
    let face = &model.objects[0].high.submeshes[0];
    assert_eq!(face.normals, [[0.0, -1.0, 0.0]; 3]);
    assert!(face.tex_coords.is_empty());
    assert_eq!(notes(&model), [("normals-made", "it")]);
}

#[test]
fn normals_that_are_none_are_made() {
    let model = read(&triangle(json!({}), |builder, primitive| {
        let values = [0.0, 0.0, 0.0, f32::NAN, 0.0, 0.0, 1.0, 0.0, 0.0];
        primitive["attributes"]["NORMAL"] = json!(builder.floats("VEC3", &values));
    }));
    let down = [0.0, -1.0, 0.0];
    assert_eq!(model.objects[0].high.submeshes[0].normals, [down, down, [1.0, -0.0, 0.0]]);
    assert!(model.notes[0].text.starts_with("2 vertices"), "{:?}", model.notes);
}

#[test]
fn mirrored_nodes_flip_their_winding() {
    // Mirrored once, twice, and below a mirrored node.
    for (outer, inner, normal) in [
        ([-1, 1, 1], [1, 1, 1], [0.0, -1.0, 0.0]),
        ([-1, 1, 1], [1, -2, 1], [0.0, -1.0, 0.0]),
        ([1, 1, -1], [1, 1, 1], [0.0, 1.0, 0.0]),
        ([-1, -1, -1], [1, 3, 1], [0.0, 1.0, 0.0]),
    ] {
        let mut builder = GltfBuilder::new();
        let mut primitive = builder.primitive(&TRIANGLE);
        let normals = builder.floats("VEC3", &[0.0, 0.0, 1.0].repeat(3));
        primitive["attributes"]["NORMAL"] = json!(normals);
        let mesh = builder.mesh(&[primitive]);
        let child = builder.add("nodes", json!({ "mesh": mesh, "scale": inner }));
        builder.root(json!({ "children": [child], "scale": outer }));
        let model = read(&builder.glb());
        let level = &model.objects[0].high;
        let [a, b, c] = level.corners().next().expect("a triangle");
        let [u, v]: [[f32; 3]; 2] = [b, c].map(|p| std::array::from_fn(|axis| p[axis] - a[axis]));
        // The winding agrees with the normals.
        assert!((u[2] * v[0] - u[0] * v[2]) * normal[1] > 0.0, "{outer:?} {inner:?}");
        assert!(level.submeshes[0].normals.iter().all(|n| (n[1] - normal[1]).abs() < 1e-6));
    }
}

#[test]
fn strips_and_fans_are_triangles_and_lines_are_none() {
    let square = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 1.0, 1.0, 0.0];
    let mut builder = GltfBuilder::new();
    let mut primitives = Vec::new();
    for mode in [5_u8, 6, 1, 0] {
        // At different heights, as repeated triangles are left out.
        let height = f32::from(mode);
        let mut raised = square;
        raised.iter_mut().skip(2).step_by(3).for_each(|z| *z = height);
        let mut primitive = builder.primitive(&raised);
        primitive["mode"] = json!(mode);
        primitives.push(primitive);
    }
    let mesh = builder.mesh(&primitives);
    builder.root(json!({ "mesh": mesh, "name": "it" }));
    let model = read(&builder.glb());
    assert_eq!(model.objects[0].materials.len(), 1, "primitives of one material are one face");
    assert_eq!(
        model.objects[0].high.submeshes[0].triangles,
        [[0, 1, 2], [2, 1, 3], [4, 5, 6], [4, 6, 7]]
    );
    assert!(notes(&model).contains(&("lines-dropped", "it.glb")));
    builder.json["meshes"][0]["primitives"][0]["mode"] = json!(7);
    assert!(read_failure(&builder.glb()).contains("mesh 0 `it`: primitive 0: its mode is none"));
}

#[test]
fn positions_that_are_not_finite_are_named() {
    let mut builder = GltfBuilder::new();
    let good = builder.primitive(&TRIANGLE);
    let mut values = TRIANGLE;
    values[5] = f32::NAN;
    let bad = builder.primitive(&values);
    let mesh = builder.mesh(&[good, bad]);
    builder.root(json!({ "mesh": mesh, "name": "it" }));
    let text = read_failure(&builder.glb());
    let expected =
        "mesh 0 `it`: primitive 1: the position of vertex 1 is not finite, as it is written";
    assert!(text.starts_with(expected), "{text}");
    let far = json!({ "scale": [1e30, 1e30, 1e30], "translation": [3e38, 3e38, 3e38] });
    let huge = |builder: &mut GltfBuilder, primitive: &mut Value| {
        *primitive = builder.primitive(&[0.0, 1e30, 0.0, 1e30, 0.0, 0.0, 0.0, 0.0, 1.0]);
    };
    assert!(
        read_failure(&triangle(far, huge)).contains("not finite, where its node or joints put it")
    );
}

#[test]
fn triangles_without_an_area_are_left_out() {
    let with = |positions: &'static [f32]| {
        triangle(json!({}), move |builder, primitive| *primitive = builder.primitive(positions))
    };
    let model = read(&with(&[
        0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 2.0, 2.0, 2.0, // a line
        0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 2.0, 0.0, //
        7.0, 7.0, 7.0, 7.0, 7.0, 7.0, 7.0, 7.0, 7.0, // a point
    ]));
    let face = &model.objects[0].high.submeshes[0];
    assert_eq!((face.positions.len(), &face.triangles[..]), (3, &[[0, 1, 2]][..]));
    assert!(model.notes[0].text.starts_with("2 triangles without an area"), "{:?}", model.notes);
    assert!(read_failure(&with(&[1.0; 9])).contains("draws a triangle"));
    // A node can flatten a mesh, too.
    assert!(
        read_failure(&triangle(json!({ "scale": [0, 1, 1] }), |_, _| {}))
            .contains("draws a triangle")
    );
}

#[test]
fn lists_and_indices_that_do_not_fit_are_errors() {
    type Change = fn(&mut GltfBuilder, &mut Value);
    let cases: [(&str, Change); 8] = [
        ("index 3 is none of its 3 vertices", |builder, primitive| {
            primitive["indices"] = json!(builder.indices(&[0, 1, 3]));
        }),
        ("it has 3 positions, but 2 of NORMAL", |builder, primitive| {
            primitive["attributes"]["NORMAL"] = json!(builder.floats("VEC3", &[1.0; 6]));
        }),
        ("it has no positions", |_, primitive| primitive["attributes"] = json!({})),
        ("there is no accessor 77", |_, primitive| primitive["indices"] = json!(77)),
        ("is broken", |_, primitive| primitive["attributes"]["POSITION"] = json!("x")),
        ("there is no material 3", |_, primitive| primitive["material"] = json!(3)),
        ("memory", |builder, primitive| {
            let zeros =
                json!({ "componentType": 5126, "type": "VEC3", "count": 4_000_000_000_u32 });
            primitive["attributes"]["POSITION"] = json!(builder.add("accessors", zeros));
        }),
        ("KHR_draco_mesh_compression", |builder, primitive| {
            let empty = json!({ "componentType": 5126, "type": "VEC3", "count": 3 });
            primitive["attributes"]["POSITION"] = json!(builder.add("accessors", empty));
            primitive["extensions"] = json!({ "KHR_draco_mesh_compression": {} });
        }),
    ];
    for (part, change) in cases {
        let text = read_failure(&triangle(json!({}), change));
        assert!(text.contains(part) || part == "memory" && text.contains("no data"), "{text}");
    }
}

#[test]
fn a_cycle_of_nodes_is_an_error() {
    let mut builder = GltfBuilder::new();
    let mesh = builder.triangle();
    builder.root(json!({ "mesh": mesh, "children": [1] }));
    builder.add("nodes", json!({ "children": [0] }));
    assert!(
        read_failure(&builder.glb())
            .contains("reached twice: the nodes of a scene must form a tree")
    );
    // A cycle outside of the scene is ignored.
    let mut builder = GltfBuilder::new();
    builder.add("nodes", json!({ "children": [0] }));
    let mesh = builder.triangle();
    builder.root(json!({ "mesh": mesh }));
    assert_eq!(read(&builder.glb()).objects.len(), 1);
}

#[test]
fn omissions_are_noted_once() {
    let mut builder = GltfBuilder::new();
    let mut primitive = builder.primitive(&TRIANGLE);
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
    let mut builder = GltfBuilder::new();
    let mesh = builder.triangle();
    builder.root(json!({ "mesh": mesh, "name": "it" }));
    builder.json["animations"] = json!([]);
    builder.json["cameras"] = json!([]);
    assert_eq!(notes(&read(&builder.glb())), [("normals-made", "it")]);
}
