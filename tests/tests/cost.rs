//! Costs: physics representations, prims and resized meshes here, values and guarantees below.

mod guarantees;
mod values;

use lodger_core::cost::land_impact::{
    Accounting, LandImpactInputs, LandImpactPart, ObjectWeight, assess,
};
use lodger_core::cost::physics::{
    CollisionBody, ConvexDecomposition, ConvexHull, CostData, Motion, PhysicsShapes,
    Representation, ShapeType, TriangleMesh,
};
use lodger_core::cost::prims::{SolidKind, SolidPrim};
use lodger_core::cost::simulator::FreeScripts;
use lodger_core::cost::streaming::{MeshLod, PerLod, StreamingModel, StreamingRules};
use lodger_core::cost::{ObjectScale, PrimKind, Provenance};
use lodger_core::error::ValueProblem;
use lodger_core::{Fixed, Micro, Real};
use lodger_tests::oracle::cost::{
    self as oracle, Path, Profile, RepresentationInputs, hull_cost, mesh_cost, prim_corners,
    prim_triangles, representation, sculpt_triangles,
};
use lodger_tests::tolerance::{Function, promise};
use proptest::prelude::*;

fn exact<N: Real>(value: f64) -> N {
    let number = N::from_f64(value).unwrap();
    assert_eq!(number.to_f64().to_bits(), value.to_bits(), "{value} is not a {}", N::NAME);
    number
}

fn lods<T>([lowest, low, medium, high]: [T; 4]) -> PerLod<T> {
    PerLod { lowest, low, medium, high }
}

fn viewer<N: Real>() -> StreamingModel<N> {
    StreamingModel::new(StreamingRules::VIEWER).unwrap()
}

fn square_mesh(side: f32) -> TriangleMesh<f32> {
    let triangle = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    TriangleMesh::measure([triangle], ObjectScale::new([2.0, side, 2.0]).unwrap()).unwrap().unwrap()
}

fn body(of: RepresentationInputs, cost_data: Option<CostData<f32>>) -> CollisionBody<f32> {
    let shapes = PhysicsShapes {
        hull: ConvexHull::new(8).unwrap(),
        decomposition: of.decomposition.then(|| ConvexDecomposition::new([8, 8]).unwrap()),
        mesh: of.mesh.then(|| square_mesh(if of.small { 0.49 } else { 0.5 })),
        cost_data,
    };
    match of {
        RepresentationInputs { simple: true, .. } => CollisionBody::Simple,
        RepresentationInputs { asset: true, .. } => CollisionBody::Mesh(shapes),
        _ => CollisionBody::Prim(shapes),
    }
}

fn all_inputs() -> impl Iterator<Item = (RepresentationInputs, ShapeType)> {
    let types =
        [("none", ShapeType::None), ("hull", ShapeType::ConvexHull), ("prim", ShapeType::Prim)];
    types.into_iter().flat_map(|(shape_type, shape)| {
        (0_u8..64).map(move |bits| {
            let bit = |number: u8| bits >> number & 1 == 1;
            let inputs = RepresentationInputs {
                simple: bit(0),
                asset: bit(1),
                shape_type,
                decomposition: bit(2),
                mesh: bit(3),
                dynamic: bit(4),
                small: bit(5),
            };
            (inputs, shape)
        })
    })
}

#[test]
fn every_combination_has_the_representation_of_the_rules() {
    for (of, shape) in all_inputs() {
        let motion = if of.dynamic { Motion::Physical } else { Motion::AT_REST };
        let physics = body(of, None).cost(shape, motion);
        assert_eq!(physics.representation.to_string(), representation(of), "{of:?}");
        let estimated =
            matches!(physics.representation, Representation::Hull | Representation::Decomposition);
        assert_eq!(physics.provenance == Provenance::Estimated, estimated, "{of:?}");
    }
}

#[test]
fn cost_data_of_the_grid_is_used_unchanged() {
    let data = CostData::new(Some(1.25), Some(7.5)).unwrap();
    for (of, shape) in all_inputs() {
        let motion = if of.dynamic { Motion::Physical } else { Motion::AT_REST };
        let physics = body(of, Some(data)).cost(shape, motion);
        let flipped = shape == ShapeType::Prim && of.asset && of.mesh && of.small && !of.dynamic;
        let expected = match physics.representation {
            // The cost is exact, but the choice of the hull is estimated.
            Representation::Hull if flipped => (1.25, Provenance::Estimated),
            Representation::Hull => (1.25, Provenance::Exact),
            Representation::Decomposition => (7.5, Provenance::Exact),
            _ => (physics.cost, Provenance::Documented),
        };
        assert_eq!(
            (physics.cost.to_bits(), physics.provenance),
            (expected.0.to_bits(), expected.1)
        );
    }
}

#[test]
fn shape_type_prim_needs_a_representation() {
    for (of, shape) in all_inputs() {
        let checked = body(of, None).check_shape_type(shape);
        let needed = shape == ShapeType::Prim && !of.simple && !of.mesh && !of.decomposition;
        assert_eq!(checked.is_err(), needed, "{of:?}");
        assert!(checked.is_ok() || checked.unwrap_err().problem() == ValueProblem::Missing);
    }
}

#[test]
fn inputs_beyond_their_limits_are_rejected() {
    assert_eq!(ConvexHull::new(0).unwrap_err().problem(), ValueProblem::NotPositive);
    assert_eq!(ConvexHull::new(257).unwrap_err().problem(), ValueProblem::TooLarge);
    assert!(ConvexHull::new(256).is_ok() && ConvexDecomposition::new([256; 256]).is_ok());
    assert_eq!(ConvexDecomposition::new([4; 257]).unwrap_err().problem(), ValueProblem::TooLarge);
    assert_eq!(ConvexDecomposition::new([4, 257]).unwrap_err().problem(), ValueProblem::TooLarge);
    assert_eq!(ConvexDecomposition::new([]).unwrap_err().problem(), ValueProblem::Missing);
    assert!(CostData::new(Some(f32::NAN), None).is_err());
    assert!(CostData::new(None, Some(-1.0)).is_err());
    assert!(ObjectScale::new([1.0, f32::NAN, 1.0]).is_err());
    assert!(ObjectScale::new([1.0, 1.0, -0.1]).is_err());
    assert!(ObjectScale::new([1.0, 1.0, 16_385.0]).is_err());
    let bad = [[0.0, 0.0, f32::NAN], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    assert_eq!(
        TriangleMesh::measure([bad], ObjectScale::ONE).unwrap_err().problem(),
        ValueProblem::NotFinite
    );
    let none: [[[f32; 3]; 3]; 0] = [];
    assert!(TriangleMesh::measure(none, ObjectScale::ONE).unwrap().is_none());
}

const LINKSET: LandImpactInputs<f32> = LandImpactInputs {
    size: ObjectScale::ONE,
    physical: true,
    scripts: 4,
    free_scripts: FreeScripts::One,
    simulator: None,
};

fn plain(shape: ShapeType, streaming: f32) -> LandImpactPart<f32> {
    let physics = CollisionBody::Simple.cost(shape, Motion::AT_REST);
    LandImpactPart { kind: PrimKind::Plain, shape, streaming, physics }
}

#[test]
fn weights_are_summed_capped_and_penalised_before_the_maximum() {
    let of = RepresentationInputs {
        simple: false,
        asset: true,
        shape_type: "hull",
        decomposition: false,
        mesh: false,
        dynamic: false,
        small: false,
    };
    let mesh = LandImpactPart {
        kind: PrimKind::Mesh,
        shape: ShapeType::ConvexHull,
        streaming: 3.25,
        physics: body(of, None).cost(ShapeType::ConvexHull, Motion::Physical),
    };
    let counted = assess([mesh, plain(ShapeType::Prim, 7.0), plain(ShapeType::None, 0.5)], LINKSET);
    let counted = counted.unwrap();
    assert_eq!((counted.accounting, counted.prims), (Accounting::New, 3));
    assert!((counted.streaming - (3.25 + 1.0 + 0.5)).abs() < 1e-6);
    assert!((counted.physics_base - (0.36 + 0.1)).abs() < 1e-6);
    assert!((counted.physics - (0.36 + 0.1) * 1.04).abs() < 1e-6);
    assert_eq!(counted.physics_provenance, Provenance::Estimated);
    assert!((counted.server - (1.5 + 0.75)).abs() < 1e-6);
    assert_eq!(counted.land_impact.value, 5);
    assert_eq!(counted.land_impact.limited_by, Some(ObjectWeight::Streaming));
}

#[test]
fn prims_that_do_not_opt_in_are_counted() {
    let counted = assess(vec![plain(ShapeType::Prim, 1.0); 7], LINKSET).unwrap();
    assert_eq!((counted.accounting, counted.land_impact.value), (Accounting::Old, 7));
    assert_eq!(counted.land_impact.limited_by, None);
    let opted_in = [ShapeType::Prim, ShapeType::None].map(|shape| plain(shape, 0.1));
    assert_eq!(assess(opted_in, LINKSET).unwrap().accounting, Accounting::New);
    assert_eq!(assess([], LINKSET).unwrap_err().problem(), ValueProblem::NotPositive);
}

/// A solid's shape: a torus for unknown solids; none for a sculpted prim.
fn shape_of(solid: SolidKind) -> Option<(Profile, Path)> {
    Some(match solid {
        SolidKind::Box => (Profile::Square, Path::Straight),
        SolidKind::Cylinder => (Profile::Circle, Path::Straight),
        SolidKind::Prism => (Profile::Triangle, Path::Straight),
        SolidKind::Sphere => (Profile::HalfCircle, Path::Circle),
        SolidKind::Torus | SolidKind::Other => (Profile::Circle, Path::Circle),
        SolidKind::Tube => (Profile::Square, Path::Circle),
        SolidKind::Ring => (Profile::Triangle, Path::Circle),
        SolidKind::Sculpt => return None,
    })
}

#[test]
fn prims_have_the_triangles_of_their_drawing() {
    for &solid in SolidKind::ALL {
        for (lod, level) in MeshLod::ALL.into_iter().enumerate() {
            let count_drawn = match shape_of(solid) {
                Some((profile, path)) => prim_triangles(profile, path, lod),
                None => f64::from(sculpt_triangles(lod)),
            };
            for (altered, times) in [(false, 1.0), (true, 2.0)] {
                let prim = SolidPrim { solid, altered };
                let count = f64::from(prim.triangles().of(level));
                assert_eq!(count.to_bits(), (count_drawn * times).to_bits(), "{prim:?} {level}");
                let bytes = f64::from(prim.bytes().of(level));
                assert_eq!(
                    bytes.to_bits(),
                    (count_drawn * times * 10.0).to_bits(),
                    "{prim:?} {level}"
                );
            }
        }
    }
}

#[test]
fn hulls_have_the_corners_of_their_drawing() {
    for &solid in SolidKind::ALL {
        for altered in [false, true] {
            let body: CollisionBody<f64> = SolidPrim { solid, altered }.body().unwrap();
            let physics = body.cost(ShapeType::ConvexHull, Motion::AT_REST);
            let simple = matches!(solid, SolidKind::Box | SolidKind::Cylinder | SolidKind::Sphere);
            let expected = if simple && !altered {
                (0.1, Representation::Prim, Provenance::Documented)
            } else {
                let corners =
                    shape_of(solid).map_or(36, |(profile, path)| prim_corners(profile, path));
                let provenance = SolidPrim { solid, altered }.provenance();
                (hull_cost(corners, 1), Representation::Hull, provenance)
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
fn only_other_solids_are_unknown() {
    for &solid in SolidKind::ALL {
        let prim = SolidPrim { solid, altered: false };
        let expected =
            if solid == SolidKind::Other { Provenance::Unknown } else { Provenance::Estimated };
        assert_eq!(prim.provenance(), expected);
        assert_eq!(prim.kind() == PrimKind::Sculpted, solid == SolidKind::Sculpt);
        assert_eq!(solid.to_string().parse(), Ok(solid));
    }
    assert!(Provenance::Unknown > Provenance::Estimated);
}

type Triangle = [[f64; 3]; 3];

/// A length in metres, which every number type holds exactly.
fn metres(of_256: i16) -> f64 {
    f64::from(of_256) / 256.0
}

fn triangles() -> impl Strategy<Value = Vec<(Triangle, u32)>> {
    let corner = || [-256..256_i16, -256..256_i16, -256..256_i16];
    let triangle = [corner(), corner(), corner()];
    let broad = |corners: [[i16; 3]; 3]| {
        let triangle = corners.map(|corner| corner.map(metres));
        (oracle::width(triangle) > 1e-3).then_some(triangle)
    };
    let triangle = triangle.prop_filter_map("a triangle without area", broad);
    prop::collection::vec((triangle, 1..600_u32), 1..6)
}

fn sides() -> impl Strategy<Value = [f64; 3]> {
    [16..512_i16, 16..512_i16, 16..512_i16].prop_map(|sides| sides.map(metres))
}

fn check<N: Real>(mesh: &TriangleMesh<N>, all: &[Triangle], sides: [f64; 3]) {
    let expected = mesh_cost(all, sides).min(N::MAX.to_f64());
    let slenderness = |triangle: &Triangle| oracle::slenderness(oracle::scaled(*triangle, sides));
    let slenderness = all.iter().map(slenderness).fold(0.0, f64::max);
    let error = (mesh.cost().to_f64() - expected).abs();
    let allowed = promise(Function::MeshCost, N::NAME).allowed(expected, slenderness);
    assert!(error <= allowed, "{}: {} for {expected}", N::NAME, mesh.cost().to_f64());
}

fn scale<N: Real>(sides: [f64; 3]) -> ObjectScale<N> {
    ObjectScale::new(sides.map(exact::<N>)).unwrap()
}

fn check_all_ways<N: Real>(triangles: &[(Triangle, u32)], sides: [f64; 3], times: f64) {
    let given = |&(triangle, count): &(Triangle, u32)| {
        (triangle.map(|corner| corner.map(exact::<N>)), count)
    };
    let repeated = |scale| {
        TriangleMesh::measure_repeated(triangles.iter().map(given), scale).unwrap().unwrap()
    };
    let each =
        |(triangle, count): (_, u32)| std::iter::repeat_n(triangle, count.try_into().unwrap());
    let all: Vec<Triangle> = triangles.iter().copied().flat_map(each).collect();
    let mesh = repeated(scale::<N>(sides));
    assert_eq!(usize::try_from(mesh.triangles()), Ok(all.len()));
    check(&mesh, &all, sides);
    let larger = sides.map(|side| side * times);
    let (resized, measured) = (mesh.resized(scale(larger)), repeated(scale(larger)));
    check(&resized, &all, larger);
    assert_eq!(resized.scale(), measured.scale());
    assert_eq!((resized.triangles(), resized.degenerate()), (mesh.triangles(), mesh.degenerate()));
    check(&measured.resized(scale(sides)), &all, sides);
    if times.log2().fract() == 0.0 {
        assert_eq!(resized.cost().to_f64().to_bits(), measured.cost().to_f64().to_bits());
    }
}

proptest! {
    #[test]
    fn a_mesh_costs_the_same_however_it_was_measured(
        triangles in triangles(), sides in sides(), times in 1..20_u8,
    ) {
        let times = f64::from(times);
        check_all_ways::<f64>(&triangles, sides, times);
        check_all_ways::<f32>(&triangles, sides, times);
        check_all_ways::<Fixed>(&triangles, sides, times);
        check_all_ways::<Micro>(&triangles, sides, times);
    }

    #[test]
    fn counts_of_1_change_no_bit(triangles in triangles(), sides in sides()) {
        let corners = || triangles.iter().map(|(triangle, _)| *triangle);
        let scale = ObjectScale::new(sides).unwrap();
        let plain = TriangleMesh::measure(corners(), scale).unwrap().unwrap();
        let ones = corners().map(|triangle| (triangle, 1));
        let ones = TriangleMesh::measure_repeated(ones, scale).unwrap().unwrap();
        prop_assert_eq!(plain.cost().to_bits(), ones.cost().to_bits());
        prop_assert_eq!(plain.resized(scale).cost().to_bits(), plain.cost().to_bits());
    }
}

#[test]
fn a_scale_without_extent_leaves_no_triangle_an_area() {
    let triangle = [[0.0_f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.25, 0.5, 0.0]];
    let nothing = ObjectScale::new([0.0; 3]).unwrap();
    let mesh = TriangleMesh::measure([triangle; 3], ObjectScale::ONE).unwrap().unwrap();
    let measured = TriangleMesh::measure([triangle; 3], nothing).unwrap().unwrap();
    for mesh in [mesh.resized(nothing), measured, measured.resized(ObjectScale::ONE)] {
        assert_eq!((mesh.degenerate(), mesh.cost().to_bits()), (3, 150.0_f32.to_bits()));
    }
}

#[test]
fn a_count_of_0_is_no_triangle() {
    let triangle = [[0.0_f64; 3]; 3];
    let none = TriangleMesh::measure_repeated([(triangle, 0)], ObjectScale::ONE);
    assert!(none.unwrap().is_none());
    let max = TriangleMesh::measure_repeated([(triangle, u32::MAX); 2], ObjectScale::ONE);
    assert_eq!(max.unwrap().map(|mesh| mesh.degenerate()), Some(u32::MAX));
}

#[test]
fn triangles_of_known_widths_cost_the_measured_amount() {
    fn check<N: Real>() {
        let of = |number: f64| N::from_f64(number).unwrap();
        let scale = ObjectScale::new([2.0, 1.0, 0.5].map(of)).unwrap();
        let widths = [0.5, 0.25, 0.125, 1.0, 8.0];
        // The longest edge is along x, and the height, along y, the width.
        let triangle = |width: f64| {
            [[0.0, 0.0, 0.0], [width, 0.0, 0.0], [width / 2.0, width, 0.0]].map(|at| at.map(of))
        };
        let measured = TriangleMesh::<N>::measure(widths.map(triangle), scale).unwrap().unwrap();
        let known = TriangleMesh::of_widths(widths.map(of), scale).unwrap().unwrap();
        assert!((known.cost().to_f64() / measured.cost().to_f64() - 1.0).abs() < 1e-3);
        assert_eq!((known.triangles(), known.degenerate()), (5, 0));
        let flat = TriangleMesh::of_widths([N::ZERO, N::ONE], scale).unwrap().unwrap();
        assert_eq!((flat.degenerate(), flat.cost()), (1, of(100.0)));
        assert!(TriangleMesh::of_widths([N::ZERO; 0], scale).unwrap().is_none());
        assert!(TriangleMesh::of_widths([-N::ONE], scale).is_err());
        assert!(TriangleMesh::of_widths([of(16_384.0) + N::ONE], scale).is_err());
    }
    check::<f32>();
    check::<f64>();
    check::<Fixed>();
    check::<Micro>();
}
