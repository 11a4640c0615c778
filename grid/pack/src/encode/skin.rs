//! The joints of a rigged object as a block.

use lodger_mesh_asset::Skin;

use crate::frame::Frame;
use crate::model::Rig;

/// The skin of an object whose positions were brought to unit space: the bind shape matrix brings them back to metres,
/// so that the inverse bind matrices stay as they are.
///
/// Source: `LLMeshSkinInfo::asLLSD` of the viewer (`indra/llprimitive/llmodel.cpp`). A pelvis offset belongs to joint
/// positions that replace the avatar's, and there are none.
pub(super) fn skin<'a>(rig: &'a Rig, frame: &Frame) -> Skin<'a> {
    Skin {
        joint_names: rig.joints.iter().map(|joint| joint.name.as_str().into()).collect(),
        bind_shape_matrix: Some(bind_shape(frame)),
        inverse_bind_matrix: rig.joints.iter().map(|joint| joint.inverse_bind).collect(),
        ..Skin::default()
    }
}

/// From unit space to metres, for row vectors: the sides, then the centre.
fn bind_shape(frame: &Frame) -> [f64; 16] {
    let ([x, y, z], [width, depth, height]) = (frame.centre(), frame.sides());
    let rows =
        [[width, 0.0, 0.0, 0.0], [0.0, depth, 0.0, 0.0], [0.0, 0.0, height, 0.0], [x, y, z, 1.0]];
    let mut matrix = [0.0; 16];
    for (place, number) in matrix.iter_mut().zip(rows.as_flattened()) {
        *place = *number;
    }
    matrix
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Face, Joint, Level};

    /// `point` times `matrix`.
    fn transform(point: [f32; 3], matrix: [f64; 16]) -> [f64; 3] {
        std::array::from_fn(|column| {
            let part = |row: usize| f64::from(point[row]) * matrix[4 * row + column];
            part(0) + part(1) + part(2) + matrix[12 + column]
        })
    }

    #[test]
    fn the_bind_shape_undoes_the_normalisation() {
        let corners = [[-1.0, 2.0, 3.0], [5.0, 2.5, 3.0], [0.0, 2.0, 10.0]];
        let face = Face { positions: corners.to_vec(), ..Face::default() };
        let frame = Frame::of(&Level { faces: vec![face] });
        let joint = Joint {
            name: "mHead".into(),
            inverse_bind: [
                0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.1, 1.2, 1.3, 1.4, 1.5,
            ],
        };
        let rig =
            Rig { joints: vec![joint.clone(), Joint { name: "mNeck".into(), ..joint.clone() }] };
        let skin = skin(&rig, &frame);
        for corner in corners {
            let again = transform(frame.to_unit(corner), skin.bind_shape_matrix.unwrap());
            for axis in 0..3 {
                assert!((again[axis] - f64::from(corner[axis])).abs() < 1e-6, "{again:?}");
            }
        }
        assert_eq!(skin.joint_names, ["mHead", "mNeck"]);
        assert_eq!(skin.inverse_bind_matrix, [joint.inverse_bind; 2]);
        assert_eq!((skin.pelvis_offset, skin.alt_inverse_bind_matrix.len()), (None, 0));
    }
}
