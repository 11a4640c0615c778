//! An archive: read, and all that is in it priced.

use lodger_archive::{Limits, is_tar, read};
use lodger_core::cost::streaming::Rules;
use lodger_pricing::{MeshUse, Pricing};

/// An input is done in no time.
const LIMITS: Limits = Limits {
    entry_bytes: 1 << 20,
    kept_bytes: 4 << 20,
    inflated_bytes: 16 << 20,
    entries: 1000,
    nesting: 64,
    errors: 100,
};

/// Nor does a mesh of it take long.
const LIMITS_OF_MESHES: lodger_mesh_asset::Limits =
    lodger_mesh_asset::Limits { block_bytes: 1 << 20, values: 1 << 12 };

/// An archive: what is found in it has a price or an error; it is valid if all of it could be read.
///
/// # Panics
/// If anything of this is not so.
#[must_use]
pub fn archive(bytes: &[u8]) -> bool {
    let Ok(found) = read(bytes, LIMITS) else {
        return false;
    };
    for error in &found.errors {
        assert!(!error.to_string().is_empty());
    }
    assert!(found.entries == 0 || bytes.starts_with(&[0x1f, 0x8b]) || is_tar(bytes));
    for object in found.objects.iter().chain(&found.stowed) {
        assert!(!object.root.shape.to_string().is_empty());
        if let Some(parcel) = found.parcel_of(object) {
            assert!(found.parcels.contains(parcel));
        }
    }
    let viewer = Pricing::new(Rules::VIEWER).expect("rules that hold");
    let priced = viewer.archive(&found, &MeshUse::default(), LIMITS_OF_MESHES, |_| {});
    assert_eq!(priced.objects.len(), found.objects.len());
    for object in &priced.objects {
        match &object.price {
            Ok(price) => assert!(price.assessment.land_impact.value > 0),
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
    found.errors.is_empty()
}
