use glam::DMat4;
use lodger_mesh_asset::{AssetErrorKind, Influences};
use serde_json::{Value, json};

use super::buffer::{AccessorKind, GlbBuffer};
use crate::glb::buffer::matrix;
use crate::model::{Joint, Rig};

const FULL_SUM: u16 = 65_535;

/// Returns the joints as nodes below a root node with the index `first`, and the skin. A joint is
/// at the inverse of its inverse bind matrix: the rest pose is the modelled shape.
pub(super) fn skin(rig: &Rig, first: usize, buffer: &mut GlbBuffer) -> (Vec<Value>, Value) {
    let matrices: Vec<_> = rig.joints.iter().map(|joint| matrix(&joint.inverse_bind)).collect();
    let joints: Vec<_> = (first + 1..).take(rig.joints.len()).collect();
    let mut nodes = vec![json!({ "name": "joints", "children": joints })];
    nodes.extend(rig.joints.iter().zip(&matrices).map(|(joint, matrix)| node(joint, matrix)));
    let bytes = matrices.iter().flatten().flat_map(|&number| narrow(number).to_le_bytes());
    let accessor = buffer.push(AccessorKind::MATRICES, matrices.len(), bytes);
    let skin = json!({ "inverseBindMatrices": accessor, "skeleton": first, "joints": joints });
    (nodes, skin)
}

fn node(joint: &Joint, inverse_bind: &[f64; 16]) -> Value {
    let bind = DMat4::from_cols_array(inverse_bind).inverse();
    let (scale, rotation, translation) = bind.to_scale_rotation_translation();
    let mut node = json!({ "name": joint.name });
    if bind.is_finite() && scale.is_finite() && rotation.is_normalized() {
        node["scale"] = json!(scale.to_array());
        node["rotation"] = json!(rotation.to_array());
        node["translation"] = json!(translation.to_array());
    }
    node
}

pub(super) fn check(influences: &[Influences], rig: &Rig) -> Result<(), AssetErrorKind> {
    let joints = influences.iter().flat_map(Influences::as_slice).map(|one| usize::from(one.joint));
    match joints.max() {
        Some(greatest) if greatest >= rig.joints.len() => {
            let found = rig.joints.len();
            Err(AssetErrorKind::Count { field: "joints", found, expected: greatest + 1 })
        }
        _ => Ok(()),
    }
}

/// Adds `JOINTS_0` as bytes and `WEIGHTS_0` as floats, which all readers support. Without
/// influences a vertex gets the first joint.
pub(super) fn influences(
    vertices: usize,
    influences: &[Influences],
    buffer: &mut GlbBuffer,
) -> (usize, usize) {
    let of = |vertex| {
        influences.get(vertex).map_or_else(<([u8; 4], [u16; 4])>::default, joints_and_weights)
    };
    let (joints, weights): (Vec<_>, Vec<_>) = (0..vertices).map(of).unzip();
    let part = |weight: u16| f32::from(weight) / f32::from(FULL_SUM);
    let weights: Vec<_> =
        weights.into_iter().map(|weights| with_full_sum(weights).map(part)).collect();
    (
        buffer.push(AccessorKind::JOINTS, vertices, joints.into_iter().flatten()),
        buffer.floats(AccessorKind::WEIGHTS, &weights),
    )
}

fn joints_and_weights(influences: &Influences) -> ([u8; 4], [u16; 4]) {
    let (mut joints, mut weights) = ([0; 4], [0; 4]);
    let weighing = influences.as_slice().iter().filter(|influence| influence.weight > 0);
    for (place, influence) in weighing.enumerate() {
        (joints[place], weights[place]) = (influence.joint, influence.weight);
    }
    (joints, weights)
}

/// Scales weights to the sum [`FULL_SUM`]; the greatest gets the rounding error.
fn with_full_sum(weights: [u16; 4]) -> [u16; 4] {
    let sum: u32 = weights.iter().copied().map(u32::from).sum();
    if sum == 0 {
        return [FULL_SUM, 0, 0, 0];
    }
    let part = |weight: u16| {
        let part = u64::from(weight) * u64::from(FULL_SUM) / u64::from(sum);
        u16::try_from(part).unwrap_or(FULL_SUM)
    };
    let mut parts = weights.map(part);
    let rest = FULL_SUM - parts.iter().sum::<u16>();
    let greatest = (0..4).rev().max_by_key(|&place| parts[place]).unwrap_or(0);
    parts[greatest] += rest;
    parts
}

#[expect(clippy::cast_possible_truncation, reason = "to the nearest float of a file")]
const fn narrow(number: f64) -> f32 {
    number as f32
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn weights_that_are_whole_stay() {
        assert_eq!(with_full_sum([40_000, 25_535, 0, 0]), [40_000, 25_535, 0, 0]);
        assert_eq!(with_full_sum([1, 1, 1, 0]), [21_845, 21_845, 21_845, 0]);
        assert_eq!(with_full_sum([21_844, 21_845, 21_844, 0]), [21_844, 21_847, 21_844, 0]);
        assert_eq!(with_full_sum([0; 4]), [FULL_SUM, 0, 0, 0]);
    }

    proptest! {
        #[test]
        fn weights_have_the_full_sum_and_change_little(weights in prop::array::uniform4(0..=u16::MAX)) {
            let parts = with_full_sum(weights);
            prop_assert_eq!(parts.iter().copied().map(u32::from).sum::<u32>(), u32::from(FULL_SUM));
            let sum: f64 = weights.iter().copied().map(f64::from).sum();
            for (part, weight) in parts.into_iter().zip(weights) {
                if sum > 0.0 {
                    let exact = f64::from(weight) * f64::from(FULL_SUM) / sum;
                    prop_assert!((f64::from(part) - exact).abs() <= 3.0);
                    prop_assert!(weight > 0 || part == 0);
                }
            }
        }
    }
}
