//! Nodes whose mesh is drawn many times: `EXT_mesh_gpu_instancing`.

use glam::{DAffine3, DQuat, DVec3};
use lodger_gltf::raw::{Arity, InstanceAttributes};
use lodger_gltf::{Component, Data, DataError, Elements, Index, Wanted};

use crate::gltf_error::NodeError;

const VECTOR: Wanted = Wanted {
    arity: Arity::Three,
    components: &[Component::F32],
    said: "that translations and scales have",
    may_be_zeros: false,
};
const ROTATION: Wanted = Wanted {
    arity: Arity::Four,
    components: &[Component::F32, Component::I8, Component::I16],
    said: "that rotations have",
    may_be_zeros: false,
};

/// How many instances there are, as the accessors say, which must agree.
pub(super) fn count(data: &Data<'_>, attributes: &InstanceAttributes) -> Result<u64, NodeError> {
    let counts = named(attributes).map(|(attribute, index)| {
        data.count(index).map_err(|error| NodeError::Instances { attribute, error })
    });
    let mut all = None;
    for count in counts {
        let other = count?;
        let first = *all.get_or_insert(other);
        if first != other {
            return Err(NodeError::InstanceCounts { first, other });
        }
    }
    all.ok_or(NodeError::NoInstances)
}

fn named(attributes: &InstanceAttributes) -> impl Iterator<Item = (&'static str, Index)> {
    let all = [
        ("TRANSLATION", attributes.translation),
        ("ROTATION", attributes.rotation),
        ("SCALE", attributes.scale),
    ];
    all.into_iter().filter_map(|(name, index)| Some((name, index?)))
}

/// Where the instances are, from each one's space to the node's. A rotation that is not of length 1 is
/// made so.
pub(super) fn transforms<'d>(
    data: &'d Data<'_>,
    attributes: &InstanceAttributes,
) -> Result<impl Iterator<Item = DAffine3> + use<'d>, NodeError> {
    let instances = count(data, attributes)?;
    let mut places = read::<3>(data, "TRANSLATION", attributes.translation, VECTOR)?;
    let mut turns = read::<4>(data, "ROTATION", attributes.rotation, ROTATION)?;
    let mut scales = read::<3>(data, "SCALE", attributes.scale, VECTOR)?;
    Ok((0..instances).map(move |_| {
        let place = places.as_mut().and_then(Iterator::next).map_or(DVec3::ZERO, DVec3::from_array);
        let turn = turns.as_mut().and_then(Iterator::next).map_or(DQuat::IDENTITY, rotation);
        let scale = scales.as_mut().and_then(Iterator::next).map_or(DVec3::ONE, DVec3::from_array);
        DAffine3::from_scale_rotation_translation(scale, turn, place)
    }))
}

fn read<'d, const N: usize>(
    data: &'d Data<'_>,
    attribute: &'static str,
    index: Option<Index>,
    wanted: Wanted,
) -> Result<Option<Elements<'d, N>>, NodeError> {
    let elements = index.map(|index| data.elements(index, wanted)).transpose();
    elements.map_err(|error: DataError| NodeError::Instances { attribute, error })
}

fn rotation(turn: [f64; 4]) -> DQuat {
    let turn = DQuat::from_array(turn);
    let length = turn.length();
    if length > 0.0 && length.is_finite() { turn / length } else { DQuat::IDENTITY }
}
