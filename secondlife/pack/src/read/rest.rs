//! Where the joints of a skin stand at rest, and where they put what hangs on them.

use glam::{DAffine3, DMat3, DMat4, DVec3};
use lodger_gltf::raw::Skin;
use lodger_gltf::wanted::MATRICES;
use lodger_gltf::{Data, GltfFileError, Index, PlacedNode};

use super::failure::Failure;

/// How far joints may disagree about where a mesh is, over its size, without its being posed: more than what single
/// floats leave of exported matrices.
const TOLERANCE: f64 = 1e-4;
/// A matrix that makes less than this of a volume, over what its axes could enclose, has no inverse.
const SINGULAR: f64 = 1e-9;

/// The joints of a skin as the scene has them.
pub(super) struct Rest<'a> {
    joints: &'a [Index],
    inverse_binds: Vec<DMat4>,
    nodes: &'a [PlacedNode],
}

/// A joint at rest.
#[derive(Clone, Copy, Debug)]
pub(super) struct Standing {
    /// From the space of the mesh to the world: the joint's place times its inverse bind matrix.
    pub(super) puts: DAffine3,
    /// Where it is in the world, Y up, in metres.
    pub(super) origin: DVec3,
}

impl<'a> Rest<'a> {
    /// The nodes are those of the scene, by rising index.
    pub(super) fn new(
        data: &Data<'_>,
        skin: &'a Skin,
        nodes: &'a [PlacedNode],
    ) -> Result<Self, Failure> {
        let in_skin = |error: GltfFileError| Failure::new(format!("inverseBindMatrices: {error}"));
        let mut inverse_binds = Vec::new();
        if let Some(accessor) = skin.inverse_bind_matrices {
            let matrices = data.elements::<16>(accessor, MATRICES).map_err(in_skin)?;
            if matrices.len() < skin.joints.len() {
                return Err(Failure::new("its skin has fewer inverse bind matrices than joints"));
            }
            data.purse.keep_all::<DMat4>(matrices.len())?;
            inverse_binds.extend(matrices.map(|matrix| DMat4::from_cols_array(&matrix)));
        }
        Ok(Self { joints: &skin.joints, inverse_binds, nodes })
    }

    /// The nodes that the joints are.
    pub(super) const fn joints(&self) -> &'a [Index] {
        self.joints
    }

    /// A joint of the skin, by its place there, that has this name.
    pub(super) fn standing(&self, joint: usize, name: &str) -> Result<Standing, Failure> {
        let node = self.joints[joint];
        let inverse_bind = self.inverse_binds.get(joint).copied().unwrap_or_default();
        if !inverse_bind.is_finite() {
            return Err(Failure::new(format!("the inverse bind matrix of {name} is not finite")));
        }
        let inverse_bind = DAffine3::from_mat4(inverse_bind);
        if is_singular(inverse_bind.matrix3) {
            return Err(Failure::new(format!("the inverse bind matrix of {name} is singular")));
        }
        let at = self.nodes.binary_search_by_key(&node.get(), |placed| placed.index.get());
        let outside = || Failure::new(format!("the joint {name} is not in the scene"));
        let world = at.ok().and_then(|at| self.nodes.get(at)).ok_or_else(outside)?.world;
        let puts = world * inverse_bind;
        if !puts.is_finite() || is_singular(puts.matrix3) {
            return Err(Failure::new(format!(
                "the matrix that puts the joint {name} into the scene is singular, or not finite"
            )));
        }
        Ok(Standing { puts, origin: world.translation })
    }
}

/// Whether some joints do not agree about where the box around a mesh is, beyond rounding.
pub(super) fn is_posed(puts: &[DAffine3], [min, max]: [DVec3; 2]) -> bool {
    let Some((first, others)) = puts.split_first() else { return false };
    let size = first.transform_vector3(max - min).length();
    let corner = |number: u8| {
        let side = |axis: usize| if number & (1 << axis) == 0 { min[axis] } else { max[axis] };
        DVec3::new(side(0), side(1), side(2))
    };
    let differ = |other: &DAffine3, corner: DVec3| {
        first.transform_point3(corner).distance(other.transform_point3(corner)) > TOLERANCE * size
    };
    others.iter().any(|other| (0..8).map(corner).any(|corner| differ(other, corner)))
}

fn is_singular(matrix: DMat3) -> bool {
    let [x, y, z] = [matrix.x_axis, matrix.y_axis, matrix.z_axis];
    let most = x.length() * y.length() * z.length();
    // Not a number where lengths are too small or too large: that cannot be turned round either.
    let left = matrix.determinant().abs() / most;
    left.is_nan() || left < SINGULAR
}

#[cfg(test)]
mod tests {
    use glam::{DAffine3, DMat3, DVec3};

    use super::{is_posed, is_singular};

    #[test]
    fn what_has_no_inverse_is_singular_however_large_it_is() {
        for scale in [1e-6, 1.0, 1e6] {
            let turn = DMat3::from_rotation_y(0.7) * scale;
            assert!(!is_singular(turn), "{scale}");
            assert!(is_singular(turn * DMat3::from_diagonal(DVec3::new(1.0, 0.0, 1.0))));
            let flat = DMat3::from_cols(DVec3::X, DVec3::Y, DVec3::X + DVec3::Y);
            assert!(is_singular(turn * flat), "{scale}");
        }
    }

    #[test]
    fn joints_that_disagree_by_more_than_rounding_pose() {
        let around = [DVec3::ZERO, DVec3::new(0.2, 2.0, 0.2)];
        let still = DAffine3::from_scale(DVec3::splat(0.01));
        let turned = |angle| still * DAffine3::from_rotation_x(angle);
        assert!(!is_posed(&[still, still, turned(1e-5)], around));
        assert!(is_posed(&[still, still, turned(1e-3)], around));
        assert!(!is_posed(&[], around));
    }
}
