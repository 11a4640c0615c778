//! The XML of objects by itself.

use std::collections::HashSet;

use lodger_core::cost::streaming::Rules;
use lodger_opensim::archive::{Object, read_objects};
use lodger_opensim::files::{Candidate, apart, together};
use lodger_opensim::pricing::{Mesh, Pricing};

use super::limits::{OF_ARCHIVES, allowance};

/// The XML of objects: what is read of it is within the ranges that are promised, can be priced with
/// and without a mesh, and can be linked. It is valid if all of it could be read.
///
/// # Panics
/// If anything of this is not so.
#[must_use]
pub fn objects(bytes: &[u8]) -> bool {
    let Ok(found) = read_objects("fuzzed.xml", bytes, OF_ARCHIVES, &allowance()) else {
        return false;
    };
    assert!(found.errors.len() <= OF_ARCHIVES.errors + 1);
    for error in &found.errors {
        assert!(!error.to_string().is_empty());
    }
    let viewer = Pricing::new(Rules::VIEWER).expect("rules that hold");
    let mesh = Mesh::imagined(lodger_core::cost::streaming::Lods::default());
    for object in &found.objects {
        is_sound(object);
        assert_eq!(&*object.source, "fuzzed.xml");
        for known in [None, Some(&mesh)] {
            match viewer.linkset(object, |_| known) {
                Ok(price) => assert!(price.assessment.land_impact.value > 0),
                Err(error) => assert!(!error.to_string().is_empty()),
            }
        }
        let pieces = apart(object);
        assert_eq!(pieces.len(), object.parts().count());
        let names: HashSet<_> = pieces.iter().map(|piece| &piece.name).collect();
        assert_eq!(names.len(), pieces.len(), "two parts have one name");
        assert!(!Candidate::of(object).to_string().is_empty());
    }
    // None of them stands in a region.
    assert_eq!(together(&found.objects).is_ok(), found.objects.is_empty());
    !found.objects.is_empty() && found.errors.is_empty()
}

/// Holds an object against the ranges of its fields.
pub(crate) fn is_sound(object: &Object) {
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
