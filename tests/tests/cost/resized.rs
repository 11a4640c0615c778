//! A physics mesh costs the same however it was measured: triangle by triangle, equal ones together, or
//! once for all sizes of its proportions.

use lodger_core::cost::ObjectScale;
use lodger_core::cost::physics::TriangleMesh;
use lodger_core::{Fixed, Micro, Real};
use lodger_tests::oracle::cost::physics;
use lodger_tests::tolerance::{Backend, Function, promise};
use proptest::prelude::*;

use super::exact;

type Triangle = [[f64; 3]; 3];

/// A coordinate or a side that every number type holds, from so many 256ths of a metre.
fn metres(of_256: i16) -> f64 {
    f64::from(of_256) / 256.0
}

fn triangles() -> impl Strategy<Value = Vec<(Triangle, u32)>> {
    let corner = || [-256..256_i16, -256..256_i16, -256..256_i16];
    let triangle = [corner(), corner(), corner()];
    let broad = |corners: [[i16; 3]; 3]| {
        let triangle = corners.map(|corner| corner.map(metres));
        (physics::width(triangle) > 1e-3).then_some(triangle)
    };
    let triangle = triangle.prop_filter_map("a triangle without area", broad);
    prop::collection::vec((triangle, 1..600_u32), 1..6)
}

fn sides() -> impl Strategy<Value = [f64; 3]> {
    [16..512_i16, 16..512_i16, 16..512_i16].prop_map(|sides| sides.map(metres))
}

/// Holds a cost against the oracle's, and the promise of measuring.
fn check<N: Real>(mesh: &TriangleMesh<N>, all: &[Triangle], sides: [f64; 3]) {
    let expected = physics::mesh(all, sides).min(N::MAX.to_f64());
    let slenderness = |triangle: &Triangle| physics::slenderness(physics::scaled(*triangle, sides));
    let slenderness = all.iter().map(slenderness).fold(0.0, f64::max);
    let error = (mesh.cost().to_f64() - expected).abs();
    let allowed =
        promise(Function::MeshCost, Backend::named(N::NAME)).allowed(expected, slenderness);
    assert!(error <= allowed, "{}: {} for {expected}", N::NAME, mesh.cost().to_f64());
}

fn scale<N: Real>(sides: [f64; 3]) -> ObjectScale<N> {
    ObjectScale::new(sides.map(exact::<N>)).unwrap()
}

fn every_way<N: Real>(triangles: &[(Triangle, u32)], sides: [f64; 3], times: f64) {
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
        every_way::<f64>(&triangles, sides, times);
        every_way::<f32>(&triangles, sides, times);
        every_way::<Fixed>(&triangles, sides, times);
        every_way::<Micro>(&triangles, sides, times);
    }

    #[test]
    fn numbers_of_one_change_no_bit(triangles in triangles(), sides in sides()) {
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
fn a_number_of_0_is_no_triangle() {
    let triangle = [[0.0_f64; 3]; 3];
    let none = TriangleMesh::measure_repeated([(triangle, 0)], ObjectScale::ONE);
    assert!(none.unwrap().is_none());
    let most = TriangleMesh::measure_repeated([(triangle, u32::MAX); 2], ObjectScale::ONE);
    assert_eq!(most.unwrap().map(|mesh| mesh.degenerate()), Some(u32::MAX));
}

#[test]
fn triangles_of_known_widths_cost_what_measuring_gives() {
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
