//! Skinned meshes, put by hand.

use serde_json::{Value, json};

use super::build::{Builder, assert_spheres, warnings};
use crate::{SkinError, WarningKind};

/// Half of the square root of 2, for a quarter turn.
const HALF: f32 = std::f32::consts::FRAC_1_SQRT_2;

/// From the mesh to a joint that was bound at (1, 0, 0), and to one that was bound at the origin.
const INVERSE: [f32; 32] = [
    1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, -1.0, 0.0, 0.0, 1.0, //
    1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0,
];

/// Three vertices on two joints: one at (10, 0, 0) turned by 90° around z, one at (0, 0, 4).
///
/// By hand: the first vertex, (2, 0, 0), is all on the first joint: less (1, 0, 0) it is (1, 0, 0), turned
/// (0, 1, 0), moved (10, 1, 0). The second, (1, 0, 0), is at (10, 0, 0). The third, (2, 0, 0), is half on
/// each: between (10, 1, 0) and (2, 0, 4) it is at (6, 0.5, 2). The box is from (6, 0, 0) to (10, 1, 2).
fn walker(weights: impl FnOnce(&mut Builder) -> Value) -> Builder {
    let mut builder = Builder::new();
    let positions = builder.floats("VEC3", &[2.0, 0.0, 0.0, 1.0, 0.0, 0.0, 2.0, 0.0, 0.0]);
    builder.json["accessors"][positions]["min"] = json!([1, 0, 0]);
    builder.json["accessors"][positions]["max"] = json!([2, 0, 0]);
    let mut attributes = weights(&mut builder);
    attributes["POSITION"] = json!(positions);
    let mesh = builder.mesh(&attributes);
    let inverse = builder.floats("MAT4", &INVERSE);
    builder.root(json!({ "name": "walker", "mesh": mesh, "skin": 0, "translation": [0, 70, 0] }));
    let turned = json!({ "translation": [10, 0, 0], "rotation": [0, 0, HALF, HALF] });
    let first = builder.add("nodes", turned);
    builder.root(json!({ "name": "hips", "children": [first] }));
    let second = builder.root(json!({ "translation": [0, 0, 4] }));
    builder.add("skins", json!({ "joints": [first, second], "inverseBindMatrices": inverse }));
    builder
}

const WALKING: [f32; 4] = [8.0, 0.5, 1.0, 2.291_288];

type Change = fn(&mut Builder);

/// The joints as bytes, the weights as floats.
fn plain(builder: &mut Builder) -> Value {
    let joints = builder.whole(5121, "VEC4", 3, &[0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0]);
    let weights = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.5, 0.5, 0.0, 0.0];
    let weights = builder.floats("VEC4", &weights);
    json!({ "JOINTS_0": joints, "WEIGHTS_0": weights })
}

#[test]
fn vertices_are_where_their_joints_put_them() {
    let file = walker(plain).read().expect("a scene");
    assert_spheres(&file, &[("walker", WALKING)]);
    assert!(file.warnings.is_empty(), "{:?}", file.warnings);
}

#[test]
fn joints_may_be_zeros_but_for_some() {
    let sparse = |builder: &mut Builder| {
        let attributes = plain(builder);
        let (indices, values) = (builder.view(&[2]), builder.view(&[0, 1, 0, 0]));
        let joints = &mut builder.json["accessors"][1];
        joints.as_object_mut().expect("an accessor").remove("bufferView");
        joints["sparse"] = json!({ "count": 1, "values": { "bufferView": values },
            "indices": { "bufferView": indices, "componentType": 5121 } });
        attributes
    };
    let file = walker(sparse).read().expect("a scene");
    assert_spheres(&file, &[("walker", WALKING)]);
    assert!(file.warnings.is_empty(), "{:?}", file.warnings);
}

#[test]
fn joints_may_be_in_several_sets_and_weights_normalised() {
    let builder = walker(|builder| {
        let joints = |joints: [u16; 12]| joints.into_iter().flat_map(u16::to_le_bytes).collect();
        let first: Vec<_> = joints([0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0]);
        let second: Vec<_> = joints([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
        let first = builder.whole(5123, "VEC4", 3, &first);
        let second = builder.whole(5123, "VEC4", 3, &second);
        let weights = builder.whole(5121, "VEC4", 3, &[255, 0, 0, 0, 0, 0, 0, 0, 128, 0, 0, 0]);
        let more = builder.whole(5121, "VEC4", 3, &[0, 0, 0, 0, 0, 0, 0, 255, 127, 0, 0, 0]);
        for accessor in [weights, more] {
            builder.json["accessors"][accessor]["normalized"] = json!(true);
        }
        json!({ "JOINTS_0": first, "WEIGHTS_0": weights, "JOINTS_1": second, "WEIGHTS_1": more })
    });
    let file = builder.read().expect("a scene");
    assert!(file.warnings.is_empty(), "{:?}", file.warnings);
    // 128/255 of (2, 0, 4) and 127/255 of (10, 1, 0).
    let (on_second, on_first) = (128.0_f32 / 255.0, 127.0_f32 / 255.0);
    let third = [2.0 * on_second + 10.0 * on_first, on_first, 4.0 * on_second];
    let (low, high) = ([third[0], 0.0, 0.0], [10.0, 1.0, third[2]]);
    let half = [0, 1, 2].map(|i| (high[i] - low[i]) / 2.0);
    let radius = half.map(|h| h * h).iter().sum::<f32>().sqrt();
    let sphere = [low[0] + half[0], half[1], half[2], radius];
    assert_spheres(&file, &[("walker", sphere)]);
}

#[test]
fn without_matrices_a_mesh_was_bound_where_it_is() {
    let mut builder = walker(plain);
    builder.json["skins"][0]["inverseBindMatrices"] = Value::Null;
    // (2, 0, 0) turned is (0, 2, 0), moved (10, 2, 0); (1, 0, 0) is at (10, 1, 0); (6, 1, 2).
    let file = builder.read().expect("a scene");
    assert_spheres(&file, &[("walker", [8.0, 1.5, 1.0, 2.291_288])]);
}

#[test]
fn the_same_skin_counts_for_every_node() {
    let mut builder = walker(plain);
    builder.root(json!({ "name": "twin", "mesh": 0, "skin": 0, "scale": [9, 9, 9] }));
    let file = builder.read().expect("a scene");
    assert_spheres(&file, &[("walker", WALKING), ("twin", WALKING)]);
}

#[test]
fn a_group_is_around_what_its_joints_put() {
    let mut builder = walker(plain);
    let low = builder.cube(1);
    let low = builder.add("nodes", json!({ "mesh": low }));
    let group = json!({ "name": "crowd", "children": [0, 2, 3],
        "extensions": { "MSFT_lod": { "ids": [low] } } });
    let group = builder.add("nodes", group);
    builder.json["scenes"][0]["nodes"] = json!([group]);
    let file = builder.read().expect("a scene");
    assert_spheres(&file, &[("crowd", WALKING)]);
    builder.json["nodes"][0]["skin"] = json!(4);
    let file = builder.read().expect("a scene");
    assert_spheres(&file, &[("crowd", [1.5, 70.0, 0.0, 0.5])]);
    assert!(warnings(&file)[0].starts_with("node 0 `walker` has a skin"), "{:?}", warnings(&file));
}

#[test]
fn what_cannot_be_put_stands_where_its_mesh_does() {
    let cases: [(Change, &str); 9] = [
        (|b| b.json["nodes"][0]["skin"] = json!(4), "there is no skin 4"),
        (|b| b.json["skins"][0]["joints"][0] = json!(99), "node 99, which is a joint, is not in"),
        (|b| b.json["skins"][0]["joints"] = json!([1]), "a vertex has joint 1, but the skin has 1"),
        (|b| b.json["accessors"][3]["count"] = json!(1), "fewer inverse bind matrices"),
        (|b| b.json["accessors"][3]["bufferView"] = json!(9), "inverseBindMatrices cannot be read"),
        (|b| b.json["accessors"][1]["count"] = json!(2), "not equally many"),
        (|b| b.json["accessors"][1]["componentType"] = json!(5126), "JOINTS_n cannot be read"),
        (
            |b| b.json["meshes"][0]["primitives"][0]["attributes"]["JOINTS_0"] = Value::Null,
            "expected",
        ),
        (|b| b.bin.truncate(90), "inverseBindMatrices cannot be read: accessor 3 ends beyond"),
    ];
    for (change, message) in cases {
        let mut builder = walker(plain);
        change(&mut builder);
        let file = match builder.read() {
            Ok(file) => file,
            Err(error) => {
                assert!(error.to_string().contains(message), "{error}");
                continue;
            }
        };
        assert_spheres(&file, &[("walker", [1.5, 70.0, 0.0, 0.5])]);
        let [warning] = &warnings(&file)[..] else { panic!("{:?}", file.warnings) };
        assert!(warning.starts_with("node 0 `walker` has a skin, but stands"), "{warning}");
        assert!(warning.contains(message), "{warning}, not {message}");
    }
}

#[test]
fn a_part_without_joints_or_weights_is_not_put() {
    for (key, message) in [("JOINTS_0", "no JOINTS_0"), ("WEIGHTS_0", "no WEIGHTS_n")] {
        let mut builder = walker(plain);
        let attributes = &mut builder.json["meshes"][0]["primitives"][0]["attributes"];
        attributes.as_object_mut().expect("attributes").remove(key);
        let file = builder.read().expect("a scene");
        assert!(warnings(&file)[0].contains(message), "{:?}", warnings(&file));
        let WarningKind::NotSkinned { error, .. } = &file.warnings[0].kind else { panic!() };
        assert!(matches!(error, SkinError::NotBound { primitive: 0, .. }), "{error:?}");
    }
    let mut builder = walker(plain);
    builder.bin[48..96].fill(0);
    let file = builder.read().expect("a scene");
    assert!(warnings(&file)[0].contains("nowhere"), "{:?}", warnings(&file));
}
