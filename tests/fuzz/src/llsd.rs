//! Binary LLSD, by itself and as every block of an asset.

use lodger_mesh_asset::llsd::Value;
use lodger_mesh_asset::{Convex, Faces, PhysicsCostData, Skin};

use super::asset::as_each_block;

/// Binary LLSD: what was read can be written and reads the same; so does what it decodes to. Then it
/// becomes each block of an asset, which gets it past the compression.
///
/// # Panics
/// If anything of this is not so.
#[must_use]
pub fn llsd(bytes: &[u8]) -> bool {
    let Ok(value) = Value::from_bytes(bytes) else {
        return false;
    };
    let written = value.to_bytes().expect("what was read can be written");
    let again = Value::from_bytes(&written).expect("what was written can be read");
    assert_eq!(again.to_bytes().expect("it is the same"), written);
    if let Ok(lod) = Faces::from_value(&value) {
        assert_eq!(Faces::from_value(&lod.to_value()).as_ref(), Ok(&lod));
    }
    if let Ok(convex) = Convex::from_value(&value) {
        assert_eq!(Convex::from_value(&convex.to_value()).as_ref(), Ok(&convex));
    }
    if let Ok(data) = PhysicsCostData::from_value(&value) {
        assert!(PhysicsCostData::from_value(&data.to_value()).is_ok());
    }
    if let Ok(skin) = Skin::from_value(&value) {
        assert!(Skin::from_value(&skin.to_value()).is_ok());
    }
    as_each_block(&value);
    true
}
