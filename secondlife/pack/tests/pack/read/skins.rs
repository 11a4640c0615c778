//! Joints and weights of skins, and the rest pose that joints give a mesh.

use glam::{DMat4, DQuat, DVec3};
use lodger_mesh_asset::{Influence, Influences};
use lodger_pack::{Model, ModelObject, PackError};
use serde_json::{Value, json};

use super::{failure_text, notes, read, read_at_rest, read_failure, row, try_read};
use crate::models::{self, GltfBuilder, TRIANGLE};

fn skinned(joints: &[&str], sets: &[([u8; 12], [f32; 12])]) -> GltfBuilder {
    let mut builder = GltfBuilder::new();
    let mut primitive = builder.primitive(&TRIANGLE);
    for (set, (ids, weights)) in sets.iter().enumerate() {
        primitive["attributes"][format!("JOINTS_{set}")] = json!(builder.quads(ids));
        primitive["attributes"][format!("WEIGHTS_{set}")] = json!(builder.floats("VEC4", weights));
    }
    let mesh = builder.mesh(&[primitive]);
    // The place of the node has no effect on a skinned mesh.
    builder.root(json!({ "mesh": mesh, "name": "it", "skin": 0, "scale": [-3, 1, 1] }));
    let nodes: Vec<Value> =
        joints.iter().map(|name| json!(builder.root(json!({ "name": name })))).collect();
    builder.add("skins", json!({ "joints": nodes }));
    builder
}

fn hangs_on(model: &Model, vertex: usize) -> Vec<(&str, u16)> {
    let object = &model.objects[0];
    let joints = &object.rig.as_ref().expect("a rig").joints;
    let influences = object.high.submeshes[0].influences[vertex];
    let named = |one: &Influence| (one.joint, one.weight);
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
    let face = &model.objects[0].high.submeshes[0];
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
    // The third vertex has mHead twice, and its weights add up.
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
    // A second primitive has no joints.
    let mut builder = skinned(&["mHead", "mNeck"], &[([1; 12], [0.25; 12])]);
    let bare = builder.primitive(&TRIANGLE);
    builder.json["meshes"][0]["primitives"].as_array_mut().expect("a list").push(bare);
    let model = read(&builder.glb());
    let note = model.notes.iter().find(|note| note.code == "weights-made").expect("a note");
    assert!(note.text.starts_with("3 vertices of primitive 1 "), "{}", note.text);
}

#[test]
fn a_joint_that_the_skeleton_does_not_have_is_named() {
    let text = read_failure(&skinned(&["mWrist.L"], &[([0; 12], [0.25; 12])]).glb());
    assert!(
        text.contains("mesh 0 `it`: primitive 0: the avatar's skeleton has no joint `mWrist.L`"),
        "{text}"
    );
    assert!(text.contains("`mWristLeft`"), "{text}");
    let text = read_failure(&skinned(&["mHead"], &[([1; 12], [0.25; 12])]).glb());
    assert!(text.contains("a vertex has joint 1, but its skin has 1"), "{text}");
    let mut builder = skinned(&["mHead"], &[([0; 12], [0.25; 12])]);
    builder.json["nodes"][0]["skin"] = json!(4);
    assert!(read_failure(&builder.glb()).contains("there is no skin 4"));
}

#[test]
fn any_skeleton_will_do_without_the_skin() {
    // The second joint moves half of the second vertex.
    let ids = [0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0];
    let weights = [1.0, 0.0, 0.0, 0.0, 0.5, 0.5, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0];
    let mut builder = skinned(&["mixamorig:Hips", "\u{1b}tail"], &[(ids, weights)]);
    builder.json["nodes"][2]["translation"] = json!([2, 0, 0]);
    let bytes = builder.glb();
    assert!(matches!(try_read(&bytes), Err(PackError::Model { is_of_skin: true, .. })));
    let model = read_at_rest(&bytes).expect("at rest");
    let object = &model.objects[0];
    assert_eq!(object.rig, None);
    let face = &object.high.submeshes[0];
    assert_eq!(face.positions, [[0.0; 3], [2.0, 0.0, 0.0], [0.0, 0.0, 2.0]]);
    assert_eq!(face.influences, []);
    let posed = ("skin-posed", "it");
    assert_eq!(notes(&model), [("skin-left-out", "it.glb"), ("normals-made", "it"), posed]);
    // An invalid skin is an error in any case.
    builder.json["skins"][0]["joints"] = json!([1]);
    assert!(
        failure_text(read_at_rest(&builder.glb()))
            .contains("a vertex has joint 1, but its skin has 1")
    );
}

#[test]
fn without_the_skin_the_asset_is_that_of_an_avatar_at_rest() {
    let drawing = models::skinned_tube(6, 8);
    let (kept, rested) = (read(&drawing.glb()), read_at_rest(&drawing.glb()).expect("at rest"));
    let [kept, rested] = [kept, rested].map(|model| model.objects[0].high.submeshes[0].clone());
    assert_eq!((&kept.positions, &kept.triangles), (&rested.positions, &rested.triangles));
    assert!(!kept.influences.is_empty() && rested.influences.is_empty());
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
        read_failure(&with(&[f32::INFINITY; 16]))
            .contains("inverse bind matrix of mHead is not finite")
    );
    assert!(read_failure(&with(&[1.0; 16])).contains("inverse bind matrix of mHead is singular"));
    let mut flat = skinned(&["mHead"], &[([0; 12], [0.25; 12])]);
    flat.json["nodes"][1]["scale"] = json!([1, 0, 1]);
    assert!(read_failure(&flat.glb()).contains("puts the joint mHead into the scene is singular"));
    flat.json["scenes"][0]["nodes"] = json!([0]);
    assert!(read_failure(&flat.glb()).contains("the joint mHead is not in the scene"));
    assert!(read_failure(&with(&[])).contains("fewer inverse bind matrices than joints"));
}

fn triangle_per_joint(joints: &[&str]) -> Vec<u8> {
    let count = u16::try_from(joints.len()).expect("few joints");
    let mut builder = skinned(joints, &[]);
    let mut primitive = row(&mut builder, count);
    let ids: Vec<u8> =
        (0..count).flat_map(|i| [i, 0, 0, 0].repeat(3)).flat_map(u16::to_le_bytes).collect();
    let vertices = 3 * joints.len();
    let weights = [1.0, 0.0, 0.0, 0.0].repeat(vertices);
    primitive["attributes"]["JOINTS_0"] = json!(builder.accessor(&ids, 5123, "VEC4", vertices));
    primitive["attributes"]["WEIGHTS_0"] = json!(builder.floats("VEC4", &weights));
    builder.json["meshes"][0]["primitives"] = json!([primitive]);
    builder.glb()
}

#[test]
fn only_a_rig_is_limited_to_110_joints() {
    // Names repeat: the limit is of the joints in use.
    let names: Vec<String> = (1..4)
        .flat_map(|i| ["Thumb", "Index", "Ring"].map(|finger| format!("mHand{finger}{i}Left")))
        .collect();
    let file = |count: usize| {
        let names: Vec<_> = names.iter().map(String::as_str).cycle().take(count).collect();
        triangle_per_joint(&names)
    };
    assert_eq!(read(&file(110)).objects[0].rig.as_ref().expect("a rig").joints.len(), 110);
    assert!(read_failure(&file(111)).contains("more than 110 joints"));
    let at_rest = read_at_rest(&file(300)).expect("at rest");
    assert_eq!(at_rest.objects[0].high.triangle_count(), 300);
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
    let lowest = object.authored.lowest.as_ref().expect("it is given");
    assert_eq!(lowest.submeshes[0].influences[0].as_slice()[0].joint, 1);
    // A level without joints could not follow the others.
    builder.json["meshes"][1]["primitives"][0]["attributes"] = json!({ "POSITION": 0 });
    assert!(read_failure(&builder.glb()).contains("`it_LOD0`: it has no joints and weights"));
}

const NAMES: [&str; 2] = ["mElbowLeft", "mWristLeft"];
/// The weights of the second joint at the corners of each triangle.
const SHARES: [f32; 3] = [0.0, 1.0, 0.375];

/// A strip of triangles along Y, bound to two joints.
struct Strip {
    rest: [DMat4; 2],
    inverse_binds: [DMat4; 2],
    points: Vec<DVec3>,
}

fn joint(turn: DQuat, at: [f64; 3]) -> DMat4 {
    DMat4::from_rotation_translation(turn, DVec3::from_array(at))
}

impl Strip {
    /// A strip in metres, bound to rotated joints in their rest pose.
    fn new() -> Self {
        let rest = [
            joint(DQuat::from_euler(glam::EulerRot::XYZ, 0.3, -1.1, 2.0), [0.1, 1.0, 0.0]),
            joint(DQuat::from_euler(glam::EulerRot::XYZ, -1.4, 0.6, 0.2), [0.1, 1.4, 0.05]),
        ];
        let corner = |i: u8| {
            let along = f64::from(i) * 0.1;
            [[0.0, along, 0.0], [0.2, along + 0.03, 0.1], [-0.1, along, 0.3]].map(DVec3::from_array)
        };
        let points = (8..18).flat_map(corner).collect();
        Self { rest, inverse_binds: rest.map(|joint| joint.inverse()), points }
    }

    fn model(&self, objects: usize, scale: f64) -> Model {
        let mut builder = GltfBuilder::new();
        let mut flat: Vec<f32> = Vec::new();
        flat.extend(self.points.iter().flat_map(|point| point.as_vec3().to_array()));
        let mut primitive = builder.primitive(&flat);
        let count = self.points.len() / 3;
        let weights = SHARES.map(|share| [1.0 - share, share, 0.0, 0.0]);
        let weights = weights.as_flattened().repeat(count);
        primitive["attributes"]["JOINTS_0"] = json!(builder.quads(&[0, 1, 0, 0].repeat(3 * count)));
        primitive["attributes"]["WEIGHTS_0"] = json!(builder.floats("VEC4", &weights));
        let normals = self.points.as_chunks::<3>().0.iter().flat_map(|[a, b, c]| {
            let normal = (b - a).cross(c - a).normalize().as_vec3().to_array();
            [normal; 3].into_iter().flatten()
        });
        let normals: Vec<f32> = normals.collect();
        primitive["attributes"]["NORMAL"] = json!(builder.floats("VEC3", &normals));
        let mesh = builder.mesh(&[primitive]);
        let within = DMat4::from_scale(DVec3::splat(scale)).inverse();
        let joints: Vec<usize> = NAMES
            .iter()
            .zip(self.rest)
            .map(|(name, world)| {
                let matrix = (within * world).to_cols_array();
                builder.add("nodes", json!({ "name": name, "matrix": matrix }))
            })
            .collect();
        builder.root(
            json!({ "name": "Armature", "children": joints, "scale": [scale, scale, scale] }),
        );
        for object in 0..objects {
            let name = format!("it{object}");
            builder
                .root(json!({ "mesh": mesh, "name": name, "skin": 0, "translation": [9, 9, 9] }));
        }
        let binds: Vec<f32> =
            self.inverse_binds.iter().flat_map(|bind| bind.as_mat4().to_cols_array()).collect();
        let binds: Value = json!(builder.floats("MAT4", &binds));
        builder.add("skins", json!({ "joints": joints, "inverseBindMatrices": binds }));
        read(&builder.glb())
    }

    /// The vertices as in the file while the second joint is rotated about its place.
    fn moved(&self, turn: DQuat) -> Vec<DVec3> {
        let about = self.rest[1].w_axis.truncate();
        let puts = [self.rest[0], around(about, turn) * self.rest[1]];
        let put = |(index, point): (usize, &DVec3)| {
            let share = f64::from(SHARES[index % 3]);
            let by =
                |joint: usize| (puts[joint] * self.inverse_binds[joint]).transform_point3(*point);
            by(0) * (1.0 - share) + by(1) * share
        };
        self.points.iter().enumerate().map(put).collect()
    }
}

fn around(point: DVec3, turn: DQuat) -> DMat4 {
    DMat4::from_translation(point) * DMat4::from_quat(turn) * DMat4::from_translation(-point)
}

fn y_up([x, y, z]: [f64; 3]) -> DVec3 {
    DVec3::new(x, z, -y)
}

/// The vertices as in the asset, Y up, while the second joint is rotated: the weighted mean of each
/// position, transformed by the inverse bind of a joint and by that joint, which has no rotation at
/// rest.
fn asset_moved(object: &ModelObject, turn: DQuat) -> Vec<DVec3> {
    let rig = object.rig.as_ref().expect("a rig");
    let face = &object.high.submeshes[0];
    let by = |place: usize, position: [f32; 3]| {
        let bind = &rig.joints[place].inverse_bind;
        let local: [f64; 3] = std::array::from_fn(|column| {
            let part = |row: usize| f64::from(position[row]) * bind[4 * row + column];
            part(0) + part(1) + part(2) + bind[12 + column]
        });
        let origin = y_up([-bind[12], -bind[13], -bind[14]]);
        let turn = if rig.joints[place].name == NAMES[1] { turn } else { DQuat::IDENTITY };
        turn * y_up(local) + origin
    };
    let put = |(position, influences): (&[f32; 3], &Influences)| {
        let all = influences.as_slice();
        let total: f64 = all.iter().map(|one| f64::from(one.weight)).sum();
        let part =
            |one: &Influence| by(one.joint.into(), *position) * (f64::from(one.weight) / total);
        all.iter().map(part).sum()
    };
    face.positions.iter().zip(&face.influences).map(put).collect()
}

#[track_caller]
fn agree(found: &[DVec3], expected: &[DVec3]) {
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(expected) {
        assert!(found.distance(*expected) < 1e-4, "{found} {expected}");
    }
}

fn turns() -> [DQuat; 3] {
    [
        DQuat::IDENTITY,
        DQuat::from_rotation_x(0.9),
        DQuat::from_euler(glam::EulerRot::XYZ, 0.4, 1.0, -0.7),
    ]
}

#[test]
fn joints_that_are_turned_at_rest_move_as_in_the_file() {
    let strip = Strip::new();
    let model = strip.model(1, 1.0);
    assert_eq!(notes(&model), []);
    for turn in turns() {
        agree(&asset_moved(&model.objects[0], turn), &strip.moved(turn));
    }
}

#[test]
fn an_armature_of_centimetres_is_in_metres() {
    let mut strip = Strip::new();
    // The mesh is in centimetres, and so is the armature.
    let scale = DMat4::from_scale(DVec3::splat(0.01));
    strip.points.iter_mut().for_each(|point| *point *= 100.0);
    strip.rest = strip.rest.map(|joint| joint * scale);
    strip.inverse_binds = strip.rest.map(|joint| joint.inverse() * scale);
    for in_nodes in [0.01, 1.0] {
        let model = strip.model(1, in_nodes);
        assert_eq!(notes(&model), []);
        for turn in turns() {
            agree(&asset_moved(&model.objects[0], turn), &strip.moved(turn));
        }
    }
}

#[test]
fn meshes_bound_elsewhere_keep_their_rest_pose() {
    let mut strip = Strip::new();
    let about = strip.rest[1].w_axis.truncate();
    strip.rest[1] = around(about, DQuat::from_rotation_z(1.2)) * strip.rest[1];
    let model = strip.model(1, 1.0);
    assert_eq!(notes(&model), [("skin-posed", "it0")]);
    let object = &model.objects[0];
    agree(&asset_moved(object, DQuat::IDENTITY), &strip.moved(DQuat::IDENTITY));
    // Vertices of one joint move with it, and normals are rotated.
    for turn in turns() {
        let (found, expected) = (asset_moved(object, turn), strip.moved(turn));
        let alone = |all: &[DVec3]| -> Vec<DVec3> {
            all.as_chunks::<3>().0.iter().flat_map(|[a, b, _]| [*a, *b]).collect()
        };
        agree(&alone(&found), &alone(&expected));
    }
    let [a, b, c] = [0, 1, 2].map(|corner| strip.points[corner]);
    let normal = (b - a).cross(c - a).normalize();
    let normals = &object.high.submeshes[0].normals;
    let found = |vertex: usize| y_up(normals[vertex].map(f64::from));
    assert!(found(0).distance(normal) < 1e-4);
    assert!(found(1).distance(DQuat::from_rotation_z(1.2) * normal) < 1e-4);
}

#[test]
fn joints_of_several_objects_are_those_of_each() {
    let strip = Strip::new();
    let model = strip.model(3, 0.5);
    assert_eq!(model.objects.len(), 3);
    for object in &model.objects {
        assert_eq!(object.rig, model.objects[0].rig);
        agree(&asset_moved(object, turns()[1]), &strip.moved(turns()[1]));
    }
}

#[test]
fn a_mirrored_armature_keeps_its_outside() {
    let mut strip = Strip::new();
    let mirror = DMat4::from_scale(DVec3::new(-1.0, 1.0, 1.0));
    strip.rest = strip.rest.map(|joint| mirror * joint);
    let model = strip.model(1, 1.0);
    let face = &model.objects[0].high.submeshes[0];
    for triangle in &face.triangles {
        let [a, b, c] =
            triangle.map(|corner| y_up(face.positions[usize::from(corner)].map(f64::from)));
        let normal = y_up(face.normals[usize::from(triangle[0])].map(f64::from));
        assert!((b - a).cross(c - a).normalize().dot(normal) > 0.99);
    }
}
