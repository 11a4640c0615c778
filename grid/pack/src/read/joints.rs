//! The joints of the avatar's skeleton.
//!
//! Source: `avatar_skeleton.xml` of Second Life's viewer (version 2.0: 133 bones, 26 collision volumes) and the
//! wiki's Project Bento skeleton guide. A mesh may hang on any of them, and on nothing else.

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
pub(super) fn known(name: &str) -> Option<String> {
    let bare = name.strip_prefix(OLD).unwrap_or(name);
    let alias = ALIASES.iter().find(|(alias, _)| *alias == name);
    let wanted = alias.map_or(bare, |(_, bone)| bone);
    all().find(|known| known == wanted)
}

/// The name that is most like one that the skeleton does not have.
pub(super) fn nearest(name: &str) -> Option<String> {
    /// Longer names are compared in vain.
    const LONGEST: usize = 100;
    let wanted = (name.len() <= LONGEST).then(|| name.to_lowercase())?;
    all().max_by(|a, b| likeness(&wanted, a).total_cmp(&likeness(&wanted, b)))
}

fn likeness(wanted: &str, known: &str) -> f64 {
    strsim::normalized_damerau_levenshtein(wanted, &known.to_lowercase())
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
