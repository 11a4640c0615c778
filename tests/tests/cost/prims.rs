//! What is assumed of prims without a mesh, beside how they are drawn.

use lodger_core::cost::physics::{Body, Motion, Representation, ShapeType};
use lodger_core::cost::prims::{Primitive, Solid};
use lodger_core::cost::streaming::MeshLod;
use lodger_core::cost::{PrimKind, Provenance};
use lodger_tests::oracle::cost::physics::hulls;
use lodger_tests::oracle::cost::prims::{Path, Profile, corners, sculpted, triangles};

/// How a solid is drawn; a torus stands in for what has no name, and a sculpted prim has no profile.
fn drawn(solid: Solid) -> Option<(Profile, Path)> {
    Some(match solid {
        Solid::Box => (Profile::Square, Path::Straight),
        Solid::Cylinder => (Profile::Circle, Path::Straight),
        Solid::Prism => (Profile::Triangle, Path::Straight),
        Solid::Sphere => (Profile::HalfCircle, Path::Circle),
        Solid::Torus | Solid::Other => (Profile::Circle, Path::Circle),
        Solid::Tube => (Profile::Square, Path::Circle),
        Solid::Ring => (Profile::Triangle, Path::Circle),
        Solid::Sculpt => return None,
    })
}

#[test]
fn triangles_are_those_that_are_drawn() {
    for &solid in Solid::ALL {
        for (lod, level) in MeshLod::ALL.into_iter().enumerate() {
            let drawn = match drawn(solid) {
                Some((profile, path)) => triangles(profile, path, lod),
                None => f64::from(sculpted(lod)),
            };
            for (altered, times) in [(false, 1.0), (true, 2.0)] {
                let prim = Primitive { solid, altered };
                let count = f64::from(prim.triangles().of(level));
                assert_eq!(count.to_bits(), (drawn * times).to_bits(), "{prim:?} {level}");
                let bytes = f64::from(prim.bytes().of(level));
                assert_eq!(bytes.to_bits(), (drawn * times * 10.0).to_bits(), "{prim:?} {level}");
            }
        }
    }
}

#[test]
fn hulls_have_the_corners_that_are_drawn() {
    for &solid in Solid::ALL {
        for altered in [false, true] {
            let body: Body<f64> = Primitive { solid, altered }.body().unwrap();
            let physics = body.cost(ShapeType::ConvexHull, Motion::AT_REST);
            let simple = matches!(solid, Solid::Box | Solid::Cylinder | Solid::Sphere);
            let expected = if simple && !altered {
                (0.1, Representation::Prim, Provenance::Documented)
            } else {
                let corners = drawn(solid).map_or(36, |(profile, path)| corners(profile, path));
                let provenance = Primitive { solid, altered }.provenance();
                (hulls(corners, 1), Representation::Hull, provenance)
            };
            let got = (physics.cost, physics.representation, physics.provenance);
            assert!((got.0 - expected.0).abs() < 1e-12, "{solid}: {got:?}");
            assert_eq!((got.1, got.2), (expected.1, expected.2), "{solid}");
            let nothing = body.cost(ShapeType::None, Motion::AT_REST);
            assert_eq!((nothing.cost.to_bits(), nothing.provenance), (0, Provenance::Documented));
        }
    }
}

#[test]
fn only_what_has_no_name_is_unknown() {
    for &solid in Solid::ALL {
        let prim = Primitive { solid, altered: false };
        let expected =
            if solid == Solid::Other { Provenance::Unknown } else { Provenance::Estimated };
        assert_eq!(prim.provenance(), expected);
        assert_eq!(prim.kind() == PrimKind::Sculpted, solid == Solid::Sculpt);
        assert_eq!(solid.to_string().parse(), Ok(solid));
    }
    assert!(Provenance::Unknown > Provenance::Estimated);
}
