//! What hangs on joints stands where they put it at rest, and moves with them as the file has it.

use glam::{DMat4, DQuat, DVec3};
use lodger_pack::{Model, Object};
use serde_json::{Value, json};

use super::build::{Builder, read};
use super::notes;

const NAMES: [&str; 2] = ["mElbowLeft", "mWristLeft"];
/// The weights of the second joint at the corners of each triangle.
const SHARES: [f32; 3] = [0.0, 1.0, 0.375];

/// A strip of triangles up along Y that hangs on two joints.
struct Strip {
    /// Where the joints are in the world at rest.
    rest: [DMat4; 2],
    inverse_binds: [DMat4; 2],
    points: Vec<DVec3>,
}

fn joint(turn: DQuat, at: [f64; 3]) -> DMat4 {
    DMat4::from_rotation_translation(turn, DVec3::from_array(at))
}

impl Strip {
    /// In metres, bound to turned joints where they rest.
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

    /// A node for each of some objects of this strip, and one that holds all joints and is scaled.
    fn model(&self, objects: usize, scale: f64) -> Model {
        let mut builder = Builder::new();
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

    /// Where the file has its vertices while the second joint is turned about its place in the world.
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

/// A turn about a point.
fn around(point: DVec3, turn: DQuat) -> DMat4 {
    DMat4::from_translation(point) * DMat4::from_quat(turn) * DMat4::from_translation(-point)
}

/// Y up of what is Z up.
fn y_up([x, y, z]: [f64; 3]) -> DVec3 {
    DVec3::new(x, z, -y)
}

/// Where the asset has its vertices: of each the position by the inverse bind of a joint and by that joint, which has no
/// rotation at rest, in the mean by weights; the second joint is turned, Y up.
fn asset_moved(object: &Object, turn: DQuat) -> Vec<DVec3> {
    let rig = object.rig.as_ref().expect("a rig");
    let face = &object.high.faces[0];
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
    let put = |(position, influences): (&[f32; 3], &lodger_mesh_asset::Influences)| {
        let all = influences.as_slice();
        let total: f64 = all.iter().map(|one| f64::from(one.weight)).sum();
        let part = |one: &lodger_mesh_asset::Influence| {
            by(one.joint.into(), *position) * (f64::from(one.weight) / total)
        };
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
fn what_is_bound_elsewhere_is_taken_as_it_stands() {
    let mut strip = Strip::new();
    let about = strip.rest[1].w_axis.truncate();
    strip.rest[1] = around(about, DQuat::from_rotation_z(1.2)) * strip.rest[1];
    let model = strip.model(1, 1.0);
    assert_eq!(notes(&model), [("skin-posed", "it0")]);
    let object = &model.objects[0];
    agree(&asset_moved(object, DQuat::IDENTITY), &strip.moved(DQuat::IDENTITY));
    // What hangs on one joint alone moves with it, too; and normals are turned.
    for turn in turns() {
        let (found, expected) = (asset_moved(object, turn), strip.moved(turn));
        let alone = |all: &[DVec3]| -> Vec<DVec3> {
            all.as_chunks::<3>().0.iter().flat_map(|[a, b, _]| [*a, *b]).collect()
        };
        agree(&alone(&found), &alone(&expected));
    }
    let [a, b, c] = [0, 1, 2].map(|corner| strip.points[corner]);
    let normal = (b - a).cross(c - a).normalize();
    let normals = &object.high.faces[0].normals;
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
    let face = &model.objects[0].high.faces[0];
    for triangle in &face.triangles {
        let [a, b, c] =
            triangle.map(|corner| y_up(face.positions[usize::from(corner)].map(f64::from)));
        let normal = y_up(face.normals[usize::from(triangle[0])].map(f64::from));
        assert!((b - a).cross(c - a).normalize().dot(normal) > 0.99);
    }
}
