//! Rigs: joints by their names, and the weights of vertices.
//!
//! Source: `avatar_skeleton.xml` of Second Life's viewer (version 2.0: 133 bones, 26 collision volumes) and the
//! wiki's Project Bento skeleton guide. A mesh may hang on any of them, and on nothing else.

use glam::{DAffine3, DMat3, DVec3};
use lodger_gltf::raw::Document;
use lodger_gltf::wanted::{JOINTS, WEIGHTS};
use lodger_gltf::{Data, Elements, GltfFileError, Index, PlacedNode};
use lodger_mesh_asset::{Influence, Influences};

use crate::model::{Joint, Rig};
use crate::read::failure::Failure;
use crate::read::names::clipped;
use crate::read::raw::{Primitive, SkinChoice};
use crate::read::rest::{Rest, is_posed};

/// What stands before the names of the bones that were there before Bento, in files of old exporters.
const OLD: &str = "avatar_";

/// Bones that have no side, with Bento.
#[rustfmt::skip]
const MIDDLE: [&str; 38] = [
    "mPelvis", "mSpine1", "mSpine2", "mTorso", "mSpine3", "mSpine4", "mChest", "mNeck", "mHead", "mSkull",
    "mFaceRoot", "mFaceForeheadCenter", "mFaceNoseCenter", "mFaceNoseBase", "mFaceNoseBridge", "mFaceJaw",
    "mFaceJawShaper", "mFaceChin", "mFaceTeethLower", "mFaceTeethUpper", "mFaceLipLowerCenter",
    "mFaceLipUpperCenter", "mFaceTongueBase", "mFaceTongueTip", "mWingsRoot", "mTail1", "mTail2", "mTail3",
    "mTail4", "mTail5", "mTail6", "mGroin", "mHindLimbsRoot", "PELVIS", "BELLY", "CHEST", "NECK", "HEAD",
];
/// Bones of which there is one with `Left` behind it and one with `Right`.
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
/// Collision volumes that have a side, or came with Bento.
#[rustfmt::skip]
const VOLUMES: [&str; 21] = [
    "L_CLAVICLE", "L_UPPER_ARM", "L_LOWER_ARM", "L_HAND", "L_UPPER_LEG", "L_LOWER_LEG", "L_FOOT", "R_CLAVICLE",
    "R_UPPER_ARM", "R_LOWER_ARM", "R_HAND", "R_UPPER_LEG", "R_LOWER_LEG", "R_FOOT", "BUTT", "LEFT_HANDLE",
    "RIGHT_HANDLE", "LOWER_BACK", "UPPER_BACK", "LEFT_PEC", "RIGHT_PEC",
];
/// Other names that the skeleton's file gives to bones.
#[rustfmt::skip]
const ALIASES: [(&str, &str); 20] = [
    ("hip", "mPelvis"), ("abdomen", "mTorso"), ("chest", "mChest"), ("neck", "mNeck"), ("head", "mHead"),
    ("figureHair", "mSkull"), ("lCollar", "mCollarLeft"), ("lShldr", "mShoulderLeft"),
    ("lForeArm", "mElbowLeft"), ("lHand", "mWristLeft"), ("rCollar", "mCollarRight"),
    ("rShldr", "mShoulderRight"), ("rForeArm", "mElbowRight"), ("rHand", "mWristRight"), ("lThigh", "mHipLeft"),
    ("lShin", "mKneeLeft"), ("lFoot", "mFootLeft"), ("rThigh", "mHipRight"), ("rShin", "mKneeRight"),
    ("rFoot", "mFootRight"),
];

/// All names that an asset may have.
fn all() -> impl Iterator<Item = String> {
    let plain = MIDDLE.iter().chain(&VOLUMES).map(|&name| name.to_owned());
    plain.chain(SIDES.iter().flat_map(|name| ["Left", "Right"].map(|side| format!("{name}{side}"))))
}

/// The name that an asset gives to a joint; none if the skeleton has no such joint.
pub(crate) fn known(name: &str) -> Option<String> {
    let bare = name.strip_prefix(OLD).unwrap_or(name);
    let alias = ALIASES.iter().find(|(alias, _)| *alias == name);
    let wanted = alias.map_or(bare, |(_, bone)| bone);
    all().find(|known| known == wanted)
}

/// The name that is most like one that the skeleton does not have.
pub(crate) fn nearest(name: &str) -> Option<String> {
    /// Longer names are compared in vain.
    const LONGEST: usize = 100;
    let wanted = (name.len() <= LONGEST).then(|| name.to_lowercase())?;
    all().max_by(|a, b| likeness(&wanted, a).total_cmp(&likeness(&wanted, b)))
}

fn likeness(wanted: &str, known: &str) -> f64 {
    strsim::normalized_damerau_levenshtein(wanted, &known.to_lowercase())
}

/// The most joints of a mesh.
///
/// Source: what today's viewer accepts on upload.
const MOST_JOINTS: usize = 110;
/// The most joints of a vertex, as in the asset.
const MOST_WEIGHTS: usize = 4;
/// What a weight of 1 is in the asset.
const FULL: f64 = 65_535.0;

/// The skin of a mesh, of which those joints become a rig that a vertex hangs on, if it is kept.
pub(crate) struct Rigging<'a> {
    document: &'a Document<'a>,
    choice: SkinChoice,
    rest: Rest<'a>,
    /// The place of each joint of the skin in `puts`, and in the rig.
    places: Vec<Option<usize>>,
    rig: Rig,
    /// The transform at rest of each joint that is used.
    puts: Vec<DAffine3>,
    /// The box around the mesh as it is written.
    bounds: [DVec3; 2],
    /// How many vertices had more weights than are kept.
    pub(crate) cut: usize,
    /// Primitives that had vertices with none, and how many.
    without: Vec<(usize, usize)>,
}

/// What the vertices of a primitive hang on, and from where they are written to where that puts them at rest.
pub(crate) struct Hung {
    /// Empty where the skin is left out.
    pub(crate) influences: Vec<Influences>,
    pub(crate) puts: Vec<DAffine3>,
}

/// What a vertex hangs on: joints of the skin, and how much each counts.
type Found = Vec<(usize, f64)>;

impl<'a> Rigging<'a> {
    /// A skin of which nothing is used yet, and the nodes of the scene, by rising index.
    pub(crate) fn new(
        document: &'a Document<'a>,
        data: &Data<'_>,
        (skin, choice): (Index, SkinChoice),
        nodes: &'a [PlacedNode],
    ) -> Result<Self, Failure> {
        let missing = || Failure::new(format!("there is no skin {}", skin.get()));
        let found = document.skins.get(skin.get()).ok_or_else(missing)?;
        let rest = Rest::new(data, found, nodes)?;
        data.purse.keep_all::<Option<usize>>(found.joints.len())?;
        if choice == SkinChoice::Rest {
            // A rig has few joints; without one, all may be used.
            data.purse.keep_all::<DAffine3>(found.joints.len())?;
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

    /// What each vertex of a primitive hangs on; the points are where its vertices are written.
    pub(crate) fn hang(
        &mut self,
        data: &Data<'_>,
        (number, part): (usize, &Primitive),
        points: Elements<'_, 3>,
    ) -> Result<Hung, Failure> {
        let vertices = points.len();
        data.purse.scratch::<DAffine3>(vertices)?;
        for point in points.map(DVec3::from_array) {
            self.bounds = [self.bounds[0].min(point), self.bounds[1].max(point)];
        }
        let mut sets = sets(data, part, vertices)?;
        let (mut influences, mut puts) = (Vec::new(), Vec::with_capacity(vertices));
        let mut found = Found::new();
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
                self.cut += usize::from(found.len() > MOST_WEIGHTS);
                found.sort_by(|a, b| b.1.total_cmp(&a.1));
                found.truncate(MOST_WEIGHTS);
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
        Ok(Hung { influences, puts })
    }

    /// The position of a vertex at rest: the mean of the positions that its joints give it, by their weights.
    fn put(&mut self, found: &[(usize, f64)], total: f64) -> Result<DAffine3, Failure> {
        let mut put = DAffine3 { matrix3: DMat3::ZERO, translation: DVec3::ZERO };
        for &(joint, weight) in found {
            let (part, place) = (weight / total, self.place(joint)?);
            let by_joint = self.puts[place];
            put.matrix3 += by_joint.matrix3 * part;
            put.translation += by_joint.translation * part;
        }
        Ok(put)
    }

    /// The joints of a vertex, with weights that total 1.
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

    /// The place of a joint of the skin.
    fn place(&mut self, joint: usize) -> Result<usize, Failure> {
        let joints = self.rest.joints().len();
        let missing =
            || Failure::new(format!("a vertex has joint {joint}, but its skin has {joints}"));
        if let Some(place) = *self.places.get(joint).ok_or_else(missing)? {
            return Ok(place);
        }
        let name = self.name(joint)?;
        let standing = self.rest.standing(joint, &name)?;
        if self.choice == SkinChoice::Keep {
            push(&mut self.rig, Joint { name, inverse_bind: to_joint(standing.origin) })?;
        }
        let place = self.puts.len();
        self.puts.push(standing.puts);
        self.places[joint] = Some(place);
        Ok(place)
    }

    /// The name of a joint of the skin: that of the avatar's skeleton, where the skin is kept.
    fn name(&self, joint: usize) -> Result<String, Failure> {
        let node = self.rest.joints()[joint].get();
        let missing =
            || Failure::new(format!("joint {joint} is node {node}, which does not exist"));
        let node = self.document.nodes.get(node).ok_or_else(missing)?;
        let own = node.name.get().unwrap_or_default();
        match self.choice {
            SkinChoice::Keep => known(own).ok_or_else(|| unknown(own)),
            SkinChoice::Rest => Ok(clipped(own).into_owned()),
        }
    }

    /// Whether the mesh stands otherwise than it was bound, as its joints are not at rest where they were bound.
    pub(crate) fn is_posed(&self) -> bool {
        is_posed(&self.puts, self.bounds)
    }

    /// What is to be told of vertices that had no weights.
    pub(crate) fn without_weights(&self) -> Option<String> {
        /// So many primitives are named.
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

/// Joints and weights, four of each for a vertex.
type Set<'d> = (Elements<'d, 4>, Elements<'d, 4>);

/// All sets of joints and weights of a primitive.
fn sets<'d>(
    data: &'d Data<'_>,
    part: &Primitive,
    vertices: usize,
) -> Result<Vec<Set<'d>>, Failure> {
    let mut sets = Vec::new();
    for (name, &joints) in &part.attributes {
        let Some(set) = name.strip_prefix("JOINTS_") else { continue };
        let weights = part.attributes.get(&format!("WEIGHTS_{set}"));
        let Some(&weights) = weights else {
            return Err(Failure::new(format!("it has {name}, but no WEIGHTS_{set}")));
        };
        let read = |error: GltfFileError| Failure::new(format!("its weights: {error}"));
        let joints = data.elements::<4>(joints, JOINTS).map_err(read)?;
        let weights = data.elements::<4>(weights, WEIGHTS).map_err(read)?;
        if joints.len() != vertices || weights.len() != vertices {
            return Err(Failure::new(format!("its {name} are not as many as its positions")));
        }
        sets.push((joints, weights));
    }
    Ok(sets)
}

/// From where things are to the space of a joint there, whose axes are those of the world: the avatar's skeleton turns no
/// joint at rest. Y up becomes rows for row vectors, Z up.
fn to_joint(origin: DVec3) -> [f64; 16] {
    let mut matrix = [0.0; 16];
    for diagonal in [0, 5, 10, 15] {
        matrix[diagonal] = 1.0;
    }
    // 0 − x, so that no 0 becomes −0.
    (matrix[12], matrix[13], matrix[14]) = (0.0 - origin.x, origin.z, 0.0 - origin.y);
    matrix
}

/// Adds a weight to those of a vertex. What is not above 0 or not finite counts nothing.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "it was read from a whole number of at most 16 bits"
)]
fn add(found: &mut Found, joint: f64, weight: f64) {
    if !(weight > 0.0 && weight.is_finite()) {
        return;
    }
    let joint = joint as usize;
    match found.iter_mut().find(|(other, _)| *other == joint) {
        Some((_, sum)) => *sum += weight,
        None => found.push((joint, weight)),
    }
}

/// Adds a joint to a rig.
pub(crate) fn push(rig: &mut Rig, joint: Joint) -> Result<u8, Failure> {
    let full = || {
        Failure::new(format!("its vertices hang on more than {MOST_JOINTS} joints"))
            .with_help(
                "no more are possible in an asset: take it apart, or give weights to fewer joints",
            )
            .of_skin()
    };
    let place = Some(rig.joints.len()).filter(|&place| place < MOST_JOINTS);
    let place = place.and_then(|place| u8::try_from(place).ok()).ok_or_else(full)?;
    rig.joints.push(joint);
    Ok(place)
}

fn unknown(name: &str) -> Failure {
    let shown = clipped(name);
    let failure = Failure::new(format!("the avatar's skeleton has no joint `{shown}`")).of_skin();
    match nearest(name) {
        Some(nearest) => failure.with_help(format!("the nearest joint that it has is `{nearest}`")),
        None => failure,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::{ALIASES, all, known, nearest};

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
}
