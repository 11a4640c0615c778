//! A rigged object in a bent pose, so that levels are measured where they bend, too.

use glam::{DAffine3, DMat3, DQuat, DVec3};
use lodger_mesh_asset::Influences;

use crate::model::{Level, Object, Rig};

/// How far each joint is turned, in radians: about as far as an elbow or a knee in a sitting avatar.
const ANGLE: f64 = 1.2;
/// The golden angle, in radians: axes of joints that follow each other differ.
const BETWEEN: f64 = 2.399_963;

/// Each joint turned about its place.
pub(super) struct Pose {
    joints: Vec<DAffine3>,
}

impl Pose {
    /// Each joint of an object turned by 1.2 radians about an axis of its own through its place: across the way to the
    /// middle of what hangs on it, so that this is moved. None for an object without joints.
    pub(super) fn bent(object: &Object) -> Option<Self> {
        let places = places(object.rig.as_ref()?);
        let mut sums = vec![(DVec3::ZERO, 0.0); places.len()];
        for face in &object.high.faces {
            for (position, influences) in face.positions.iter().zip(&face.influences) {
                for one in influences.as_slice() {
                    if let Some((sum, total)) = sums.get_mut(usize::from(one.joint)) {
                        let weight = f64::from(one.weight);
                        *sum += DVec3::from_array(position.map(f64::from)) * weight;
                        *total += weight;
                    }
                }
            }
        }
        let mut number = 0.0;
        let bend = |(place, (sum, total)): (DVec3, (DVec3, f64))| {
            let way = (sum / total - place).try_normalize().unwrap_or(DVec3::Z);
            let axis = DQuat::from_axis_angle(way, number * BETWEEN) * way.any_orthonormal_vector();
            number += 1.0;
            let turn = DAffine3::from_axis_angle(axis, ANGLE);
            DAffine3::from_translation(place) * turn * DAffine3::from_translation(-place)
        };
        Some(Self { joints: places.into_iter().zip(sums).map(bend).collect() })
    }

    /// A level in this pose: its positions by linear blend of its joints.
    #[expect(clippy::cast_possible_truncation, reason = "to the nearest is meant")]
    pub(super) fn of(&self, level: &Level) -> Level {
        let mut level = level.clone();
        for face in &mut level.faces {
            for (position, influences) in face.positions.iter_mut().zip(&face.influences) {
                let put = blend(&self.joints, influences);
                let point = put.transform_point3(DVec3::from_array(position.map(f64::from)));
                *position = point.to_array().map(|axis| axis as f32);
            }
        }
        level
    }
}

/// The mean of matrices by weights; that which leaves all where it is without any.
fn blend(joints: &[DAffine3], influences: &Influences) -> DAffine3 {
    let mut sum = DAffine3 { matrix3: DMat3::ZERO, translation: DVec3::ZERO };
    let mut total = 0.0;
    for one in influences.as_slice() {
        let Some(joint) = joints.get(usize::from(one.joint)) else { continue };
        let weight = f64::from(one.weight);
        sum.matrix3 += joint.matrix3 * weight;
        sum.translation += joint.translation * weight;
        total += weight;
    }
    if total <= 0.0 {
        return DAffine3::IDENTITY;
    }
    DAffine3 { matrix3: sum.matrix3 * (1.0 / total), translation: sum.translation / total }
}

/// Where joints are at rest: what their inverse binds bring to their origins.
fn places(rig: &Rig) -> Vec<DVec3> {
    let place = |bind: &[f64; 16]| {
        // Row by row for row vectors is column by column for column vectors.
        let place = glam::DMat4::from_cols_array(bind).inverse().w_axis.truncate();
        if place.is_finite() { place } else { DVec3::ZERO }
    };
    rig.joints.iter().map(|joint| place(&joint.inverse_bind)).collect()
}

/// The mean of the places of the joints that a vertex hangs on, by weights.
pub(super) fn means(rig: &Rig) -> impl Fn(&Influences) -> [f32; 3] + use<> {
    let places: Vec<DAffine3> = places(rig).into_iter().map(DAffine3::from_translation).collect();
    move |influences| blend(&places, influences).translation.as_vec3().to_array()
}
