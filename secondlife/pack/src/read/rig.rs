//! Rigs: joints by name, weights of vertices, and the rest pose of skins.
//!
//! Source: `avatar_skeleton.xml` of Second Life's viewer (version 2.0: 133 bones, 26 collision
//! volumes) and the wiki's Project Bento skeleton guide. A mesh can only be bound to these joints.

use glam::{DAffine3, DMat3, DMat4, DVec3};
use lodger_gltf::accessor_specs::{JOINTS, MATRICES, WEIGHTS};
use lodger_gltf::raw::{Document, RawSkin};
use lodger_gltf::{AccessorReader, Elements, GltfFileError, Index, PlacedNode};
use lodger_mesh_asset::{Influence, Influences};

use crate::model::{Joint, Rig};
use crate::read::ReadFailure;
use crate::read::names::printable;
use crate::read::raw::{PrimitiveJson, SkinChoice};

/// The prefix of bone names in files of exporters before Bento.
const OLD: &str = "avatar_";

/// Bones without a side, with Bento.
#[rustfmt::skip]
const MIDDLE: [&str; 38] = [
    "mPelvis", "mSpine1", "mSpine2", "mTorso", "mSpine3", "mSpine4", "mChest", "mNeck", "mHead", "mSkull",
    "mFaceRoot", "mFaceForeheadCenter", "mFaceNoseCenter", "mFaceNoseBase", "mFaceNoseBridge", "mFaceJaw",
    "mFaceJawShaper", "mFaceChin", "mFaceTeethLower", "mFaceTeethUpper", "mFaceLipLowerCenter",
    "mFaceLipUpperCenter", "mFaceTongueBase", "mFaceTongueTip", "mWingsRoot", "mTail1", "mTail2", "mTail3",
    "mTail4", "mTail5", "mTail6", "mGroin", "mHindLimbsRoot", "PELVIS", "BELLY", "CHEST", "NECK", "HEAD",
];
/// Bones with the suffixes `Left` and `Right`.
#[rustfmt::skip]
const SIDES: [&str; 50] = [
    "mEye", "mCollar", "mShoulder", "mElbow", "mWrist", "mHip", "mKnee", "mAnkle", "mFoot", "mToe",
    "mHandThumb1", "mHandThumb2", "mHandThumb3", "mHandIndex1", "mHandIndex2", "mHandIndex3", "mHandMiddle1",
    "mHandMiddle2", "mHandMiddle3", "mHandRing1", "mHandRing2", "mHandRing3", "mHandPinky1", "mHandPinky2",
    "mHandPinky3", "mFaceEyeAlt", "mFaceForehead", "mFaceEyebrowOuter", "mFaceEyebrowCenter",
    "mFaceEyebrowInner", "mFaceEyeLidUpper", "mFaceEyeLidLower", "mFaceEyecornerInner", "mFaceEar1", "mFaceEar2",
    "mFaceNose", "mFaceCheekLower", "mFaceCheekUpper", "mFaceLipLower", "mFaceLipUpper", "mFaceLipCorner",
    "mWing1", "mWing2", "mWing3", "mWing4", "mWing4Fan", "mHindLimb1", "mHindLimb2", "mHindLimb3", "mHindLimb4",
];
/// Collision volumes with a side, or from Bento.
#[rustfmt::skip]
const VOLUMES: [&str; 21] = [
    "L_CLAVICLE", "L_UPPER_ARM", "L_LOWER_ARM", "L_HAND", "L_UPPER_LEG", "L_LOWER_LEG", "L_FOOT", "R_CLAVICLE",
    "R_UPPER_ARM", "R_LOWER_ARM", "R_HAND", "R_UPPER_LEG", "R_LOWER_LEG", "R_FOOT", "BUTT", "LEFT_HANDLE",
    "RIGHT_HANDLE", "LOWER_BACK", "UPPER_BACK", "LEFT_PEC", "RIGHT_PEC",
];
/// Other names of bones in the skeleton's file.
#[rustfmt::skip]
const ALIASES: [(&str, &str); 20] = [
    ("hip", "mPelvis"), ("abdomen", "mTorso"), ("chest", "mChest"), ("neck", "mNeck"), ("head", "mHead"),
    ("figureHair", "mSkull"), ("lCollar", "mCollarLeft"), ("lShldr", "mShoulderLeft"),
    ("lForeArm", "mElbowLeft"), ("lHand", "mWristLeft"), ("rCollar", "mCollarRight"),
    ("rShldr", "mShoulderRight"), ("rForeArm", "mElbowRight"), ("rHand", "mWristRight"), ("lThigh", "mHipLeft"),
    ("lShin", "mKneeLeft"), ("lFoot", "mFootLeft"), ("rThigh", "mHipRight"), ("rShin", "mKneeRight"),
    ("rFoot", "mFootRight"),
];

fn all() -> impl Iterator<Item = String> {
    let plain = MIDDLE.iter().chain(&VOLUMES).map(|&name| name.to_owned());
    plain.chain(SIDES.iter().flat_map(|name| ["Left", "Right"].map(|side| format!("{name}{side}"))))
}

/// The joint name in an asset; `None` if the skeleton has no such joint.
pub(crate) fn known(name: &str) -> Option<String> {
    let bare = name.strip_prefix(OLD).unwrap_or(name);
    let alias = ALIASES.iter().find(|(alias, _)| *alias == name);
    let wanted = alias.map_or(bare, |(_, bone)| bone);
    all().find(|known| known == wanted)
}

pub(crate) fn nearest(name: &str) -> Option<String> {
    const MAX_NAME: usize = 100;
    let wanted = (name.len() <= MAX_NAME).then(|| name.to_lowercase())?;
    all().max_by(|a, b| likeness(&wanted, a).total_cmp(&likeness(&wanted, b)))
}

fn likeness(wanted: &str, known: &str) -> f64 {
    strsim::normalized_damerau_levenshtein(wanted, &known.to_lowercase())
}

/// The limit of joints of a mesh.
///
/// Source: today's viewer on upload.
const MAX_JOINTS: usize = 110;
const MAX_WEIGHTS: usize = 4;
/// The weight of 1 in an asset.
const FULL: f64 = 65_535.0;

/// Builds a rig of the joints of a skin that vertices use, if the skin is kept.
pub(crate) struct RigBuilder<'a> {
    document: &'a Document<'a>,
    choice: SkinChoice,
    rest: RestPose<'a>,
    /// The index of each joint of the skin in `puts`, and in the rig.
    places: Vec<Option<usize>>,
    rig: Rig,
    /// The rest transform of each used joint.
    puts: Vec<DAffine3>,
    bounds: [DVec3; 2],
    /// The number of vertices with more weights than are kept.
    pub(crate) cut: usize,
    without: Vec<(usize, usize)>,
}

/// Influences of the vertices of a primitive, and their transforms to the rest pose.
pub(crate) struct SkinnedVertices {
    /// The influences; empty if the skin is left out.
    pub(crate) influences: Vec<Influences>,
    pub(crate) puts: Vec<DAffine3>,
}

type VertexJoints = Vec<(usize, f64)>;

impl<'a> RigBuilder<'a> {
    /// Starts a rig; `nodes` are the nodes of the scene, by rising index.
    pub(crate) fn new(
        document: &'a Document<'a>,
        data: &AccessorReader<'_>,
        (skin, choice): (Index, SkinChoice),
        nodes: &'a [PlacedNode],
    ) -> Result<Self, ReadFailure> {
        let missing = || ReadFailure::new(format!("there is no skin {}", skin.get()));
        let found = document.skins.get(skin.get()).ok_or_else(missing)?;
        let rest = RestPose::new(data, found, nodes)?;
        data.file_quota.charge_array::<Option<usize>>(found.joints.len())?;
        if choice == SkinChoice::Rest {
            // Without a rig, all joints may be used.
            data.file_quota.charge_array::<DAffine3>(found.joints.len())?;
        }
        Ok(Self {
            document,
            choice,
            rest,
            places: vec![None; found.joints.len()],
            rig: Rig::default(),
            puts: Vec::new(),
            bounds: [DVec3::INFINITY, DVec3::NEG_INFINITY],
            cut: 0,
            without: Vec::new(),
        })
    }

    pub(crate) fn bind_vertices(
        &mut self,
        data: &AccessorReader<'_>,
        (number, part): (usize, &PrimitiveJson),
        points: Elements<'_, 3>,
    ) -> Result<SkinnedVertices, ReadFailure> {
        let vertices = points.len();
        data.file_quota.charge_temporary::<DAffine3>(vertices)?;
        for point in points.map(DVec3::from_array) {
            self.bounds = [self.bounds[0].min(point), self.bounds[1].max(point)];
        }
        let mut sets = sets(data, part, vertices)?;
        let (mut influences, mut puts) = (Vec::new(), Vec::with_capacity(vertices));
        let mut found = VertexJoints::new();
        let mut without = 0;
        for _ in 0..vertices {
            found.clear();
            for (joints, weights) in &mut sets {
                let joints = joints.next().unwrap_or_default();
                let weights = weights.next().unwrap_or_default();
                for (joint, weight) in joints.into_iter().zip(weights) {
                    add(&mut found, joint, weight);
                }
            }
            without += usize::from(found.is_empty());
            if found.is_empty() {
                found.push((0, 1.0));
            }
            if self.choice == SkinChoice::Keep {
                self.cut += usize::from(found.len() > MAX_WEIGHTS);
                found.sort_by(|a, b| b.1.total_cmp(&a.1));
                found.truncate(MAX_WEIGHTS);
            }
            let total = found.iter().map(|(_, weight)| weight).sum();
            puts.push(self.put(&found, total)?);
            if self.choice == SkinChoice::Keep {
                influences.push(self.influences(&found, total));
            }
        }
        if without > 0 {
            self.without.push((number, without));
        }
        Ok(SkinnedVertices { influences, puts })
    }

    /// The transform of a vertex to the rest pose: the weighted mean of its joints' transforms.
    fn put(&mut self, found: &[(usize, f64)], total: f64) -> Result<DAffine3, ReadFailure> {
        let mut put = DAffine3 { matrix3: DMat3::ZERO, translation: DVec3::ZERO };
        for &(joint, weight) in found {
            let (part, place) = (weight / total, self.place(joint)?);
            let by_joint = self.puts[place];
            put.matrix3 += by_joint.matrix3 * part;
            put.translation += by_joint.translation * part;
        }
        Ok(put)
    }

    /// The influences of a vertex, with weights that total 1.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "it is from 0 to 65 535, and truncated as the viewer does"
    )]
    fn influences(&self, found: &[(usize, f64)], total: f64) -> Influences {
        Influences::new(found.iter().filter_map(|&(joint, weight)| {
            let joint = u8::try_from(self.places[joint]?).ok()?;
            Some(Influence { joint, weight: (weight / total * FULL) as u16 })
        }))
    }

    fn place(&mut self, joint: usize) -> Result<usize, ReadFailure> {
        let joints = self.rest.joints().len();
        let missing =
            || ReadFailure::new(format!("a vertex has joint {joint}, but its skin has {joints}"));
        if let Some(place) = *self.places.get(joint).ok_or_else(missing)? {
            return Ok(place);
        }
        let name = self.name(joint)?;
        let standing = self.rest.joint_pose(joint, &name)?;
        if self.choice == SkinChoice::Keep {
            push_joint(&mut self.rig, Joint { name, inverse_bind: to_joint(standing.origin) })?;
        }
        let place = self.puts.len();
        self.puts.push(standing.puts);
        self.places[joint] = Some(place);
        Ok(place)
    }

    /// The name of a joint of the skin; if the skin is kept, of the avatar's skeleton.
    fn name(&self, joint: usize) -> Result<String, ReadFailure> {
        let node = self.rest.joints()[joint].get();
        let missing =
            || ReadFailure::new(format!("joint {joint} is node {node}, which does not exist"));
        let node = self.document.nodes.get(node).ok_or_else(missing)?;
        let own = node.name.get().unwrap_or_default();
        match self.choice {
            SkinChoice::Keep => known(own).ok_or_else(|| unknown(own)),
            SkinChoice::Rest => Ok(printable(own).into_owned()),
        }
    }

    /// Whether the rest pose differs from the bind pose.
    pub(crate) fn is_posed(&self) -> bool {
        is_posed(&self.puts, self.bounds)
    }

    /// A note on vertices without weights.
    pub(crate) fn without_weights(&self) -> Option<String> {
        const NAMED: usize = 4;
        let joint = self.name(0).ok()?;
        let total: usize = self.without.iter().map(|(_, count)| count).sum();
        let primitives = self.without.iter().take(NAMED).map(|(number, _)| number.to_string());
        let primitives = primitives.collect::<Vec<_>>().join(", ");
        let (many, more) = match self.without.len() {
            0 => return None,
            1 => ("", ""),
            2..=NAMED => ("s", ""),
            _ => ("s", " and others"),
        };
        Some(format!(
            "{total} vertices of primitive{many} {primitives}{more} have no weights: they hang on {joint}, the first \
             joint of the skin"
        ))
    }

    pub(crate) fn into_rig(self) -> Rig {
        self.rig
    }
}

type Set<'d> = (Elements<'d, 4>, Elements<'d, 4>);

fn sets<'d>(
    data: &'d AccessorReader<'_>,
    part: &PrimitiveJson,
    vertices: usize,
) -> Result<Vec<Set<'d>>, ReadFailure> {
    let mut sets = Vec::new();
    for (name, &joints) in &part.attributes {
        let Some(set) = name.strip_prefix("JOINTS_") else { continue };
        let weights = part.attributes.get(&format!("WEIGHTS_{set}"));
        let Some(&weights) = weights else {
            return Err(ReadFailure::new(format!("it has {name}, but no WEIGHTS_{set}")));
        };
        let read = |error: GltfFileError| ReadFailure::new(format!("its weights: {error}"));
        let joints = data.elements::<4>(joints, JOINTS).map_err(read)?;
        let weights = data.elements::<4>(weights, WEIGHTS).map_err(read)?;
        if joints.len() != vertices || weights.len() != vertices {
            return Err(ReadFailure::new(format!("its {name} are not as many as its positions")));
        }
        sets.push((joints, weights));
    }
    Ok(sets)
}

/// The matrix to a joint with the axes of the world, as in the avatar's skeleton: row by row for
/// row vectors, Z up.
fn to_joint(origin: DVec3) -> [f64; 16] {
    let mut matrix = [0.0; 16];
    for diagonal in [0, 5, 10, 15] {
        matrix[diagonal] = 1.0;
    }
    // 0 − x avoids −0.
    (matrix[12], matrix[13], matrix[14]) = (0.0 - origin.x, origin.z, 0.0 - origin.y);
    matrix
}

/// Adds a weight to a vertex. Weights not above 0 or not finite are ignored.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "it was read from a whole number of at most 16 bits"
)]
fn add(found: &mut VertexJoints, joint: f64, weight: f64) {
    if !(weight > 0.0 && weight.is_finite()) {
        return;
    }
    let joint = joint as usize;
    match found.iter_mut().find(|(other, _)| *other == joint) {
        Some((_, sum)) => *sum += weight,
        None => found.push((joint, weight)),
    }
}

pub(crate) fn push_joint(rig: &mut Rig, joint: Joint) -> Result<u8, ReadFailure> {
    let full = || {
        ReadFailure::new(format!("its vertices hang on more than {MAX_JOINTS} joints"))
            .with_help(
                "no more are possible in an asset: take it apart, or give weights to fewer joints",
            )
            .of_skin()
    };
    let place = Some(rig.joints.len()).filter(|&place| place < MAX_JOINTS);
    let place = place.and_then(|place| u8::try_from(place).ok()).ok_or_else(full)?;
    rig.joints.push(joint);
    Ok(place)
}

fn unknown(name: &str) -> ReadFailure {
    let shown = printable(name);
    let failure =
        ReadFailure::new(format!("the avatar's skeleton has no joint `{shown}`")).of_skin();
    match nearest(name) {
        Some(nearest) => failure.with_help(format!("the nearest joint that it has is `{nearest}`")),
        None => failure,
    }
}

/// The limit of disagreement of joints about the place of a mesh, over its size, in a bind pose:
/// above the rounding of exported `f32`.
const TOLERANCE: f64 = 1e-4;
/// The ratio of determinant and product of the axes' lengths below which a matrix has no inverse.
const SINGULAR: f64 = 1e-9;

pub(super) struct RestPose<'a> {
    joints: &'a [Index],
    inverse_binds: Vec<DMat4>,
    nodes: &'a [PlacedNode],
}

#[derive(Clone, Copy, Debug)]
pub(super) struct JointPose {
    /// The transform from mesh to world: the joint's place times its inverse bind matrix.
    pub(super) puts: DAffine3,
    /// The place in the world, Y up, in metres.
    pub(super) origin: DVec3,
}

impl<'a> RestPose<'a> {
    /// Reads the inverse bind matrices; `nodes` are the nodes of the scene, by rising index.
    pub(super) fn new(
        data: &AccessorReader<'_>,
        skin: &'a RawSkin,
        nodes: &'a [PlacedNode],
    ) -> Result<Self, ReadFailure> {
        let in_skin =
            |error: GltfFileError| ReadFailure::new(format!("inverseBindMatrices: {error}"));
        let mut inverse_binds = Vec::new();
        if let Some(accessor) = skin.inverse_bind_matrices {
            let matrices = data.elements::<16>(accessor, MATRICES).map_err(in_skin)?;
            if matrices.len() < skin.joints.len() {
                return Err(ReadFailure::new(
                    "its skin has fewer inverse bind matrices than joints",
                ));
            }
            data.file_quota.charge_array::<DMat4>(matrices.len())?;
            inverse_binds.extend(matrices.map(|matrix| DMat4::from_cols_array(&matrix)));
        }
        Ok(Self { joints: &skin.joints, inverse_binds, nodes })
    }

    pub(super) const fn joints(&self) -> &'a [Index] {
        self.joints
    }

    pub(super) fn joint_pose(&self, joint: usize, name: &str) -> Result<JointPose, ReadFailure> {
        let node = self.joints[joint];
        let inverse_bind = self.inverse_binds.get(joint).copied().unwrap_or_default();
        if !inverse_bind.is_finite() {
            return Err(ReadFailure::new(format!(
                "the inverse bind matrix of {name} is not finite"
            )));
        }
        let inverse_bind = DAffine3::from_mat4(inverse_bind);
        if is_singular(inverse_bind.matrix3) {
            return Err(ReadFailure::new(format!("the inverse bind matrix of {name} is singular")));
        }
        let at = self.nodes.binary_search_by_key(&node.get(), |placed| placed.index.get());
        let outside = || ReadFailure::new(format!("the joint {name} is not in the scene"));
        let world = at.ok().and_then(|at| self.nodes.get(at)).ok_or_else(outside)?.world;
        let puts = world * inverse_bind;
        if !puts.is_finite() || is_singular(puts.matrix3) {
            return Err(ReadFailure::new(format!(
                "the matrix that puts the joint {name} into the scene is singular, or not finite"
            )));
        }
        Ok(JointPose { puts, origin: world.translation })
    }
}

/// Whether joints disagree about the place of a box by more than rounding.
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
    let max = x.length() * y.length() * z.length();
    // NaN for extreme lengths; such a matrix cannot be inverted, either.
    let left = matrix.determinant().abs() / max;
    left.is_nan() || left < SINGULAR
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use glam::{DAffine3, DMat3, DVec3};

    use super::*;

    #[test]
    fn the_skeleton_has_as_many_joints_as_its_file_says() {
        let names: HashSet<String> = all().collect();
        let bones = names.iter().filter(|name| name.starts_with('m')).count();
        assert_eq!((bones, names.len() - bones), (133, 26));
        assert!(ALIASES.iter().all(|(_, bone)| names.contains(*bone)));
    }

    #[test]
    fn old_names_mean_the_same_bones() {
        assert_eq!(known("avatar_mWristLeft").as_deref(), Some("mWristLeft"));
        assert_eq!(known("lHand").as_deref(), Some("mWristLeft"));
        assert_eq!(known("mFaceLipCornerRight").as_deref(), Some("mFaceLipCornerRight"));
        assert_eq!(known("mWristleft"), None);
    }

    #[test]
    fn the_nearest_name_is_offered() {
        assert_eq!(nearest("mWrist.Left").as_deref(), Some("mWristLeft"));
        assert_eq!(nearest("MTORSO").as_deref(), Some("mTorso"));
        assert_eq!(nearest(&"m".repeat(1000)), None);
    }

    #[test]
    fn singular_matrices_are_found_at_any_scale() {
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
