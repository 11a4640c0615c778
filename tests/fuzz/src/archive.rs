//! An archive: read, and all that is in it priced.

use lodger_core::cost::streaming::Rules;
use lodger_opensim::archive::{Archive, Object, is_tar, read};
use lodger_opensim::pricing::{ArchivePrice, GroupBy, MeshUse, Pricing, Total, Within};

use super::limits::{OF_ARCHIVES, OF_MESHES, allowance};
use super::objects::is_sound;

/// An archive: what is found in it has a price or an error, parts add up to objects and objects to
/// groups, and there is no more of anything than the limits let in. It is valid if all of it could be
/// read.
///
/// # Panics
/// If anything of this is not so.
#[must_use]
pub fn archive(bytes: &[u8]) -> bool {
    let Ok(found) = read(bytes, OF_ARCHIVES, &allowance()) else {
        return false;
    };
    assert!(found.entries == 0 || bytes.starts_with(&[0x1f, 0x8b]) || is_tar(bytes));
    inspect(&found);
    found.errors.is_empty()
}

/// Holds an archive against what must be so of every archive.
pub(crate) fn inspect(found: &Archive) {
    is_within_limits(found);
    for error in &found.errors {
        assert!(!error.to_string().is_empty());
    }
    for object in found.objects.iter().chain(&found.stowed) {
        is_sound(object);
        if let Some(parcel) = found.parcel_of(object) {
            assert!(found.parcels.contains(parcel));
        }
    }
    price(found);
}

fn is_within_limits(found: &Archive) {
    let limits = OF_ARCHIVES;
    assert!(found.entries <= limits.entries);
    assert!(found.errors.len() <= limits.errors + 1, "{} errors", found.errors.len());
    let largest = found.meshes.values().map(Vec::len).max().unwrap_or(0);
    assert!(largest as u64 <= limits.entry_bytes, "{largest} bytes of one mesh");
    let kept: usize = found.meshes.values().map(Vec::len).sum();
    let names: usize = found.objects.iter().flat_map(Object::parts).map(|it| it.name.len()).sum();
    assert!((kept + names) as u64 <= allowance().limits().memory, "{kept} and {names} bytes");
}

fn price(found: &Archive) {
    let viewer = Pricing::new(Rules::VIEWER).expect("rules that hold");
    let usage = MeshUse::default();
    let (one, other) = (allowance(), allowance());
    let within = |allowance| Within { limits: OF_MESHES, allowance };
    let (Ok(priced), Ok(in_parts)) = (
        viewer.archive(found, &usage, within(&one), |_| {}),
        viewer.archive_in_parts(found, &usage, within(&other), |_| {}),
    ) else {
        return;
    };
    assert_eq!(priced.objects.len(), found.objects.len());
    for (object, in_parts) in priced.objects.iter().zip(&in_parts.objects) {
        assert_eq!(object.price, in_parts.price);
        match &object.price {
            Err(error) => assert!(!error.to_string().is_empty()),
            Ok(price) => {
                assert!(price.assessment.land_impact.value > 0);
                let sum = |part: fn(&lodger_opensim::pricing::PartPrice) -> f64| -> f64 {
                    in_parts.parts.iter().map(part).sum()
                };
                is_about(sum(|part| part.streaming), price.assessment.streaming);
                is_about(sum(|part| part.physics.cost), price.assessment.physics_base);
            }
        }
    }
    for by in [GroupBy::Owner, GroupBy::Parcel] {
        groups_add_up(&priced, by);
    }
}

fn groups_add_up(priced: &ArchivePrice, by: GroupBy) {
    let with_price = priced.objects.iter().filter_map(|object| object.price.as_ref().ok());
    let total: Total = with_price.map(|price| &price.assessment).collect();
    let groups = by.sum(&priced.objects);
    assert_eq!(groups.iter().map(|group| group.total.count).sum::<usize>(), total.count);
    assert_eq!(groups.iter().map(|group| group.total.land_impact).sum::<u64>(), total.land_impact);
    is_about(groups.iter().map(|group| group.total.streaming).sum(), total.streaming);
    is_about(groups.iter().map(|group| group.total.server).sum(), total.server);
}

/// Sums in different orders differ by roundings.
fn is_about(sum: f64, whole: f64) {
    assert!((sum - whole).abs() <= 1e-9 * whole.abs().max(1.0), "{sum} is not {whole}");
}
