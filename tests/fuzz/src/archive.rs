//! Archives: whole ones, their entries without tar and compression, and the XML of objects.

use std::collections::HashSet;

use lodger_core::cost::streaming::{PerLod, StreamingRules};
use lodger_opensim::archive::{Archive, ArchiveReader, Object, is_tar, read, read_objects};
use lodger_opensim::files::{ObjectCandidate, link_objects, link_parts};
use lodger_opensim::pricing::{
    ArchivePrice, CostTotal, GroupBy, MeshInputs, MeshReadLimits, MeshUse, PartPrice, Pricer,
};

use super::{ARCHIVE_LIMITS, MESH_LIMITS, quota};

/// An archive: every object has a price or an error, sums agree, and limits hold. Valid if all of it is readable.
///
/// # Panics
/// If a property does not hold.
#[must_use]
pub fn archive(bytes: &[u8]) -> bool {
    let Ok(found) = read(bytes, ARCHIVE_LIMITS, &quota()) else {
        return false;
    };
    assert!(found.entries == 0 || bytes.starts_with(&[0x1f, 0x8b]) || is_tar(bytes));
    inspect(&found);
    found.errors.is_empty()
}

fn inspect(found: &Archive) {
    check_limits(found);
    for error in &found.errors {
        assert!(!error.to_string().is_empty());
    }
    for object in found.objects.iter().chain(&found.nested) {
        check_object(object);
        if let Some(parcel) = found.parcel_of(object) {
            assert!(found.parcels.contains(parcel));
        }
    }
    price(found);
}

fn check_limits(found: &Archive) {
    let limits = ARCHIVE_LIMITS;
    assert!(found.entries <= limits.entries);
    assert!(found.errors.len() <= limits.errors + 1, "{} errors", found.errors.len());
    let largest = found.meshes.values().map(Vec::len).max().unwrap_or(0);
    assert!(largest as u64 <= limits.entry_bytes, "{largest} bytes of one mesh");
    let kept: usize = found.meshes.values().map(Vec::len).sum();
    let names: usize = found.objects.iter().flat_map(Object::parts).map(|it| it.name.len()).sum();
    assert!((kept + names) as u64 <= quota().limits().memory, "{kept} and {names} bytes");
}

fn price(found: &Archive) {
    let viewer = Pricer::new(StreamingRules::VIEWER).expect("valid rules");
    let usage = MeshUse::default();
    let (one, other) = (quota(), quota());
    let within = |quota| MeshReadLimits { limits: MESH_LIMITS, quota };
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
                let sum =
                    |part: fn(&PartPrice) -> f64| -> f64 { in_parts.parts.iter().map(part).sum() };
                assert_about(sum(|part| part.streaming), price.assessment.streaming);
                assert_about(sum(|part| part.physics.cost), price.assessment.physics_base);
            }
        }
    }
    for by in [GroupBy::Owner, GroupBy::Parcel] {
        groups_add_up(&priced, by);
    }
}

fn groups_add_up(priced: &ArchivePrice, by: GroupBy) {
    let with_price = priced.objects.iter().filter_map(|object| object.price.as_ref().ok());
    let total: CostTotal = with_price.map(|price| &price.assessment).collect();
    let groups = by.sum(&priced.objects);
    assert_eq!(groups.iter().map(|group| group.total.count).sum::<usize>(), total.count);
    assert_eq!(groups.iter().map(|group| group.total.land_impact).sum::<u64>(), total.land_impact);
    assert_about(groups.iter().map(|group| group.total.streaming).sum(), total.streaming);
    assert_about(groups.iter().map(|group| group.total.server).sum(), total.server);
}

fn assert_about(sum: f64, whole: f64) {
    assert!((sum - whole).abs() <= 1e-9 * whole.abs().max(1.0), "{sum} is not {whole}");
}

const BETWEEN: &[u8] = b"\n--\n";

/// Entries, each a path, a newline and a content, separated by lines of `--`. Valid if all are readable.
///
/// # Panics
/// If a property of an archive does not hold.
#[must_use]
pub fn entries(bytes: &[u8]) -> bool {
    let quota = quota();
    let mut reading = ArchiveReader::new(ARCHIVE_LIMITS, &quota);
    let mut count = 0;
    for (path, content) in pieces(bytes).filter_map(entry) {
        count += 1;
        if let Err(error) = reading.entry(path, content.len() as u64, content) {
            let is_over = error.is_limit();
            reading.record_error(error);
            if is_over {
                break;
            }
        }
    }
    let Ok(archive) = reading.finish() else { return false };
    assert!(archive.entries <= count);
    inspect(&archive);
    count > 0 && archive.errors.is_empty()
}

fn pieces(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = Some(bytes);
    std::iter::from_fn(move || {
        let bytes = rest?;
        let end = bytes.windows(BETWEEN.len()).position(|window| window == BETWEEN);
        rest = end.map(|end| &bytes[end + BETWEEN.len()..]);
        Some(&bytes[..end.unwrap_or(bytes.len())])
    })
}

fn entry(piece: &[u8]) -> Option<(&str, &[u8])> {
    let end = piece.iter().position(|&byte| byte == b'\n')?;
    Some((std::str::from_utf8(&piece[..end]).ok()?, &piece[end + 1..]))
}

/// The XML of objects: every object is within the promised ranges, can be priced with and without a mesh, and can be
/// linked. Valid if all of it is readable.
///
/// # Panics
/// If a property does not hold.
#[must_use]
pub fn objects(bytes: &[u8]) -> bool {
    let Ok(found) = read_objects("fuzzed.xml", bytes, ARCHIVE_LIMITS, &quota()) else {
        return false;
    };
    assert!(found.errors.len() <= ARCHIVE_LIMITS.errors + 1);
    for error in &found.errors {
        assert!(!error.to_string().is_empty());
    }
    let viewer = Pricer::new(StreamingRules::VIEWER).expect("valid rules");
    let mesh = MeshInputs::from_lod_bytes(PerLod::default());
    for object in &found.objects {
        check_object(object);
        assert_eq!(&*object.source, "fuzzed.xml");
        for known in [None, Some(&mesh)] {
            match viewer.linkset(object, |_| known) {
                Ok(price) => assert!(price.assessment.land_impact.value > 0),
                Err(error) => assert!(!error.to_string().is_empty()),
            }
        }
        let pieces = link_parts(object);
        assert_eq!(pieces.len(), object.parts().count());
        let names: HashSet<_> = pieces.iter().map(|piece| &piece.name).collect();
        assert_eq!(names.len(), pieces.len(), "two parts have one name");
        assert!(!ObjectCandidate::from_object(object).to_string().is_empty());
    }
    // None of them is in a region.
    assert_eq!(link_objects(&found.objects).is_ok(), found.objects.is_empty());
    !found.objects.is_empty() && found.errors.is_empty()
}

fn check_object(object: &Object) {
    let is_unit = |rotation: [f64; 4]| {
        let square: f64 = rotation.iter().map(|component| component * component).sum();
        (square - 1.0).abs() < 1e-6
    };
    assert!(is_unit(object.rotation), "{:?}", object.rotation);
    for part in object.parts() {
        assert!(part.scale.iter().all(|side| side.is_finite() && *side >= 0.0), "{:?}", part.scale);
        assert!(part.offset.iter().all(|metres| metres.is_finite()), "{:?}", part.offset);
        assert!(is_unit(part.rotation), "{:?}", part.rotation);
        assert!(!part.shape.to_string().is_empty());
    }
}
