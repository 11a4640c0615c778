//! Joints and weights.

use serde_json::{Value, json};

use lodger_pack::Error;

use super::build::{Builder, TRIANGLE, read, read_at_rest, refused, said, try_read};
use super::notes;
use crate::models;

/// A triangle that hangs on joints: for each set, a joint and a weight four times for each vertex.
fn skinned(joints: &[&str], sets: &[([u8; 12], [f32; 12])]) -> Builder {
    let mut builder = Builder::new();
    let mut primitive = builder.primitive(&TRIANGLE);
    for (set, (ids, weights)) in sets.iter().enumerate() {
        primitive["attributes"][format!("JOINTS_{set}")] = json!(builder.quads(ids));
        primitive["attributes"][format!("WEIGHTS_{set}")] = json!(builder.floats("VEC4", weights));
    }
    let mesh = builder.mesh(&[primitive]);
    // Where the node is does not matter to what hangs on joints.
    builder.root(json!({ "mesh": mesh, "name": "it", "skin": 0, "scale": [-3, 1, 1] }));
    let nodes: Vec<Value> =
        joints.iter().map(|name| json!(builder.root(json!({ "name": name })))).collect();
    builder.add("skins", json!({ "joints": nodes }));
    builder
}

/// The joints and weights of a vertex, by name.
fn hangs_on(model: &lodger_pack::Model, vertex: usize) -> Vec<(&str, u16)> {
    let object = &model.objects[0];
    let joints = &object.rig.as_ref().expect("a rig").joints;
    let influences = object.high.faces[0].influences[vertex];
    let named = |one: &lodger_mesh_asset::Influence| (one.joint, one.weight);
    let all: Vec<_> = influences.as_slice().iter().map(named).collect();
    all.into_iter().map(|(joint, weight)| (&*joints[usize::from(joint)].name, weight)).collect()
}

#[test]
fn a_tube_hangs_on_its_joints() {
    let model = read(&models::skinned_tube(6, 8).glb());
    let object = &model.objects[0];
    let rig = object.rig.as_ref().expect("a rig");
    let mut names: Vec<_> = rig.joints.iter().map(|joint| &*joint.name).collect();
    names.sort_unstable();
    assert_eq!(names, ["mChest", "mPelvis", "mTorso"]);
    let torso = rig.joints.iter().find(|joint| joint.name == "mTorso").expect("it is there");
    // 0.7 m up along Y are 0.7 m along Z, and the translation comes last.
    let mut expected = [0.0; 16];
    for diagonal in [0, 5, 10, 15] {
        expected[diagonal] = 1.0;
    }
    expected[14] = -0.7;
    for (found, expected) in torso.inverse_bind.iter().zip(expected) {
        assert!((found - expected).abs() < 1e-6, "{:?}", torso.inverse_bind);
    }
    assert_eq!(notes(&model), []);
}

#[test]
fn only_joints_that_are_used_count_and_old_names_do() {
    let ids = [3, 1, 0, 0, 1, 1, 0, 0, 3, 0, 0, 0];
    let weights = [0.5, 0.5, 0.0, 0.0, 0.25, 0.25, 0.0, 0.0, 8.0, 0.0, 0.0, 0.0];
    let model =
        read(&skinned(&["Armature", "avatar_mTorso", "IK target", "hip"], &[(ids, weights)]).glb());
    assert_eq!(hangs_on(&model, 0), [("mPelvis", 32_767), ("mTorso", 32_767)]);
    assert_eq!(hangs_on(&model, 1), [("mTorso", 65_535)]);
    assert_eq!(hangs_on(&model, 2), [("mPelvis", 65_535)]);
    assert_eq!(notes(&model), [("normals-made", "it")]);
    let face = &model.objects[0].high.faces[0];
    assert_eq!((face.positions[1], face.triangles[0]), ([1.0, 0.0, 0.0], [0, 1, 2]));
}

#[test]
fn the_four_greatest_weights_are_kept() {
    let first = ([0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3], [0.1, 0.2, 0.1, 0.3].repeat(3));
    let second = ([4, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0], [0.3, 0.0, 0.0, 0.0].repeat(3));
    let as_array = |weights: Vec<f32>| <[f32; 12]>::try_from(weights).expect("twelve");
    let sets = [(first.0, as_array(first.1)), (second.0, as_array(second.1))];
    let model = read(&skinned(&["mHead", "mNeck", "mChest", "mTorso", "mPelvis"], &sets).glb());
    let found = hangs_on(&model, 0);
    let names: Vec<_> = found.iter().map(|(name, _)| *name).collect();
    // mHead and mChest weigh the same; the first stays.
    assert_eq!(names, ["mTorso", "mPelvis", "mNeck", "mHead"]);
    let total: u32 = found.iter().map(|(_, weight)| u32::from(*weight)).sum();
    assert!((65_532..=65_535).contains(&total), "{total}");
    // The third vertex names mHead a second time, which adds up.
    assert_eq!(hangs_on(&model, 2)[0].0, "mHead");
    assert!(
        model.notes.iter().any(|note| note.code == "weights-cut" && note.text.starts_with('2'))
    );
}

#[test]
fn a_vertex_without_weights_hangs_on_the_first_joint() {
    let weights = [0.0, 0.0, 0.0, 0.0, -1.0, f32::NAN, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0];
    let model = read(&skinned(&["mHead", "mNeck"], &[([1; 12], weights)]).glb());
    assert_eq!(hangs_on(&model, 0), [("mHead", 65_535)]);
    assert_eq!(hangs_on(&model, 1), [("mHead", 65_535)]);
    assert_eq!(hangs_on(&model, 2), [("mNeck", 65_535)]);
    let note = model.notes.iter().find(|note| note.code == "weights-made").expect("a note");
    let text = "2 vertices of primitive 0 have no weights: they hang on mHead, the first joint of the skin";
    assert_eq!((&*note.about, &*note.text), ("it", text));
    // A primitive of its own that has no joints at all.
    let mut builder = skinned(&["mHead", "mNeck"], &[([1; 12], [0.25; 12])]);
    let bare = builder.primitive(&TRIANGLE);
    builder.json["meshes"][0]["primitives"].as_array_mut().expect("a list").push(bare);
    let model = read(&builder.glb());
    let note = model.notes.iter().find(|note| note.code == "weights-made").expect("a note");
    assert!(note.text.starts_with("3 vertices of primitive 1 "), "{}", note.text);
}

#[test]
fn a_joint_that_the_skeleton_does_not_have_is_named() {
    let text = refused(&skinned(&["mWrist.L"], &[([0; 12], [0.25; 12])]).glb());
    assert!(
        text.contains("mesh 0 `it`: primitive 0: the avatar's skeleton has no joint `mWrist.L`"),
        "{text}"
    );
    assert!(text.contains("`mWristLeft`"), "{text}");
    let text = refused(&skinned(&["mHead"], &[([1; 12], [0.25; 12])]).glb());
    assert!(text.contains("a vertex has joint 1, but its skin has 1"), "{text}");
    let mut builder = skinned(&["mHead"], &[([0; 12], [0.25; 12])]);
    builder.json["nodes"][0]["skin"] = json!(4);
    assert!(refused(&builder.glb()).contains("there is no skin 4"));
}

#[test]
fn any_skeleton_will_do_without_the_skin() {
    // Half of the second vertex is put elsewhere by the second joint.
    let ids = [0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0];
    let weights = [1.0, 0.0, 0.0, 0.0, 0.5, 0.5, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0];
    let mut builder = skinned(&["mixamorig:Hips", "\u{1b}tail"], &[(ids, weights)]);
    builder.json["nodes"][2]["translation"] = json!([2, 0, 0]);
    let bytes = builder.glb();
    assert!(matches!(try_read(&bytes), Err(Error::Model { is_of_skin: true, .. })));
    let model = read_at_rest(&bytes).expect("at rest");
    let object = &model.objects[0];
    assert_eq!(object.rig, None);
    let face = &object.high.faces[0];
    assert_eq!(face.positions, [[0.0; 3], [2.0, 0.0, 0.0], [0.0, 0.0, 2.0]]);
    assert_eq!(face.influences, []);
    let posed = ("skin-posed", "it");
    assert_eq!(notes(&model), [("skin-left-out", "it.glb"), ("normals-made", "it"), posed]);
    // A faulty skin is still an error.
    builder.json["skins"][0]["joints"] = json!([1]);
    assert!(
        said(read_at_rest(&builder.glb())).contains("a vertex has joint 1, but its skin has 1")
    );
}

#[test]
fn without_the_skin_the_asset_is_that_of_an_avatar_at_rest() {
    let drawing = models::skinned_tube(6, 8);
    let (kept, rested) = (read(&drawing.glb()), read_at_rest(&drawing.glb()).expect("at rest"));
    let [kept, rested] = [kept, rested].map(|model| model.objects[0].high.faces[0].clone());
    assert_eq!((&kept.positions, &kept.triangles), (&rested.positions, &rested.triangles));
    assert!(!kept.influences.is_empty() && rested.influences.is_empty());
}

#[test]
fn without_the_skin_there_is_no_limit_of_joints() {
    let names: Vec<String> = (0..300).map(|joint| format!("bone{joint}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut builder = skinned(&names, &[]);
    let corner = |i: u16| [f32::from(i), 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];
    let mut primitive = builder.primitive(&(0..300).flat_map(corner).collect::<Vec<_>>());
    let ids: Vec<u8> =
        (0..300_u16).flat_map(|i| [i, 0, 0, 0].repeat(3)).flat_map(u16::to_le_bytes).collect();
    let weights = [1.0, 0.0, 0.0, 0.0].repeat(3 * 300);
    primitive["attributes"]["JOINTS_0"] = json!(builder.accessor(&ids, 5123, "VEC4", 900));
    primitive["attributes"]["WEIGHTS_0"] = json!(builder.floats("VEC4", &weights));
    builder.json["meshes"][0]["primitives"] = json!([primitive]);
    let model = read_at_rest(&builder.glb()).expect("at rest");
    assert_eq!(model.objects[0].high.triangle_count(), 300);
}

#[test]
fn inverse_binds_are_looked_at() {
    let with = |values: &[f32]| {
        let mut builder = skinned(&["mHead"], &[([0; 12], [0.25; 12])]);
        let matrices = builder.floats("MAT4", values);
        builder.json["skins"][0]["inverseBindMatrices"] = json!(matrices);
        builder.glb()
    };
    assert!(
        refused(&with(&[f32::INFINITY; 16])).contains("inverse bind matrix of mHead is not finite")
    );
    assert!(refused(&with(&[1.0; 16])).contains("inverse bind matrix of mHead is singular"));
    let mut flat = skinned(&["mHead"], &[([0; 12], [0.25; 12])]);
    flat.json["nodes"][1]["scale"] = json!([1, 0, 1]);
    assert!(refused(&flat.glb()).contains("puts the joint mHead into the scene is singular"));
    flat.json["scenes"][0]["nodes"] = json!([0]);
    assert!(refused(&flat.glb()).contains("the joint mHead is not in the scene"));
    assert!(refused(&with(&[])).contains("fewer inverse bind matrices than joints"));
}

#[test]
fn an_asset_has_at_most_110_joints() {
    let names: Vec<String> = (1..4)
        .flat_map(|i| {
            ["Thumb", "Index", "Middle", "Ring"].map(|finger| format!("mHand{finger}{i}Left"))
        })
        .collect();
    // One joint a vertex, some names again and again: what counts is how many the skin has in use.
    let read_with = |count: u8| {
        let all: Vec<&str> = names.iter().map(String::as_str).cycle().take(count.into()).collect();
        let mut builder = skinned(&all, &[]);
        let corner = |i: u8| [f32::from(i), 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];
        let mut primitive = builder.primitive(&(0..count).flat_map(corner).collect::<Vec<_>>());
        let ids: Vec<u8> = (0..count).flat_map(|i| [i, 0, 0, 0].repeat(3)).collect();
        let weights = [1.0, 0.0, 0.0, 0.0].repeat(3 * usize::from(count));
        primitive["attributes"]["JOINTS_0"] = json!(builder.quads(&ids));
        primitive["attributes"]["WEIGHTS_0"] = json!(builder.floats("VEC4", &weights));
        builder.json["meshes"][0]["primitives"] = json!([primitive]);
        builder.glb()
    };
    assert_eq!(read(&read_with(110)).objects[0].rig.as_ref().expect("a rig").joints.len(), 110);
    assert!(refused(&read_with(111)).contains("more than 110 joints"));
}

#[test]
fn levels_hang_on_the_joints_of_the_high_one() {
    let mut builder = skinned(&["mHead", "mNeck"], &[([0; 12], [0.25; 12])]);
    let mut low = builder.primitive(&TRIANGLE);
    low["attributes"]["JOINTS_0"] = json!(builder.quads(&[1; 12]));
    low["attributes"]["WEIGHTS_0"] = json!(builder.floats("VEC4", &[0.25; 12]));
    let mesh = builder.mesh(&[low]);
    builder.root(json!({ "mesh": mesh, "name": "it_LOD0", "skin": 0 }));
    let model = read(&builder.glb());
    let object = &model.objects[0];
    let names: Vec<_> =
        object.rig.as_ref().expect("a rig").joints.iter().map(|j| &*j.name).collect();
    assert_eq!(names, ["mHead", "mNeck"]);
    let lowest = object.given.lowest.as_ref().expect("it is given");
    assert_eq!(lowest.faces[0].influences[0].as_slice()[0].joint, 1);
    // One that hangs on nothing could not move with the others.
    builder.json["meshes"][1]["primitives"][0]["attributes"] = json!({ "POSITION": 0 });
    assert!(refused(&builder.glb()).contains("`it_LOD0`: it has no joints and weights"));
}
