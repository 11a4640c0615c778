//! No input, however odd, gives NaN or a panic.

use lodger_core::cost::ObjectScale;
use lodger_core::cost::land_impact::land_impact;
use lodger_core::cost::physics::{
    TriangleMesh, linkset, may_be_physical, penalised, triangle_width,
};
use lodger_core::cost::simulator::region_cost;
use lodger_core::cost::streaming::{LinksetPart, Lods, Rules, Streaming, capped};
use lodger_core::cost::{PrimKind, Provenance};
use lodger_core::{Fixed, Real};
use proptest::prelude::*;

use super::lods;

fn all_kinds() -> impl Strategy<Value = f32> {
    prop_oneof![
        any::<f32>(),
        Just(f32::NAN),
        Just(f32::INFINITY),
        Just(f32::NEG_INFINITY),
        Just(0.0),
        -100.0..100_f32
    ]
}

fn four<N: Copy>(lods: Lods<N>) -> [N; 4] {
    [lods.lowest, lods.low, lods.medium, lods.high]
}

/// Whatever streaming cost answers.
fn streaming_answers<N: Real>(radius: N, limit: N, sizes: [i32; 4], rules: Rules) -> Vec<f64> {
    let streaming = Streaming::<N>::new(rules).unwrap();
    let bytes = lods(sizes);
    let points = streaming.break_points();
    let mut all = vec![
        streaming.cost(radius, bytes),
        streaming.area_form(radius, bytes, limit),
        streaming.animated_cost(bytes, LinksetPart::Root),
        streaming.animated_triangles(bytes),
        streaming.prim_cost(PrimKind::Sculpted, radius, bytes),
        capped(PrimKind::Plain, limit),
        capped(PrimKind::Mesh, limit),
    ];
    all.extend(four(streaming.transition_distances(radius)));
    all.extend(four(streaming.area_shares(radius)));
    all.extend(four(streaming.triangles(bytes)));
    all.extend(four(streaming.cost_shares(radius, bytes)));
    all.extend(points.full.into_iter().chain(points.closed).chain(points.floor));
    let _ = streaming.largest_radius(bytes, limit);
    let _ = streaming.room(radius, bytes, limit);
    let _ = streaming.resized(radius, bytes, limit);
    let _ = (bytes.bytes_total(), streaming.grows_with_size(bytes));
    all.into_iter().map(Real::to_f64).collect()
}

fn other_answers<N: Real>(a: N, b: N, c: N, corners: [[N; 3]; 3]) -> Vec<f64> {
    let mut all = vec![region_cost(a, b), linkset([a, b, c])];
    let _ = (land_impact(a, b, c), may_be_physical(a));
    if let Ok(scale) = ObjectScale::new([a, b, c]) {
        all.extend([scale.radius(), scale.shortest(), penalised(a, scale), penalised(c, scale)]);
        if let Ok(Some(mesh)) = TriangleMesh::measure([corners], scale) {
            all.extend([mesh.cost(), mesh.mean_width(), triangle_width(corners, scale).unwrap()]);
            let other = ObjectScale::new([c, a, b]).unwrap();
            for mesh in [mesh.resized(other), mesh.resized(other).resized(scale)] {
                all.extend([mesh.cost(), mesh.mean_width(), mesh.cost_without_limits()]);
            }
        }
    }
    all.into_iter().map(Real::to_f64).collect()
}

fn rules() -> impl Strategy<Value = Rules> {
    let sizes =
        (0..=0x7fff_ffff_u32, 0..=0x7fff_ffff_u32, 1..=0x7fff_ffff_u32, 1..=0x7fff_ffff_u32);
    let odd = (sizes, 1.0..1e9_f64, 1.0..1e9_f64, 1e-9..1e9_f64).prop_map(
        |(
            (discount, minimum_size, bytes_per_triangle, triangle_budget),
            distance,
            area,
            factor,
        )| Rules {
            name: "odd",
            provenance: Provenance::Estimated,
            source: "odd",
            discount,
            minimum_size,
            bytes_per_triangle,
            triangle_budget,
            max_distance: distance,
            max_area: area,
            static_mesh_factor: factor,
        },
    );
    prop_oneof![Just(Rules::VIEWER), odd]
}

proptest! {
    #[test]
    fn floats(
        numbers in [all_kinds(), all_kinds(), all_kinds()], sizes: [i32; 4], rules in rules(),
        corners in [[all_kinds(), all_kinds(), all_kinds()], [all_kinds(), all_kinds(), all_kinds()], [all_kinds(), all_kinds(), all_kinds()]],
    ) {
        let [a, b, c] = numbers;
        let streaming = streaming_answers(a, b, sizes, rules);
        prop_assert!(streaming.iter().all(|answer| !answer.is_nan()), "{streaming:?}");
        let other = other_answers(a, b, c, corners);
        prop_assert!(other.iter().all(|answer| !answer.is_nan()), "{other:?}");
        let (a, b, c) = (f64::from(a), f64::from(b), f64::from(c));
        let other = other_answers(a, b, c, corners.map(|corner| corner.map(f64::from)));
        prop_assert!(other.iter().all(|answer| !answer.is_nan()), "{other:?}");
    }

    #[test]
    fn fixed(numbers: [i32; 3], sizes: [i32; 4], corners: [[i32; 3]; 3], rules in rules()) {
        let [a, b, c] = numbers.map(Fixed::from_bits);
        streaming_answers(a, b, sizes, rules);
        other_answers(a, b, c, corners.map(|corner| corner.map(Fixed::from_bits)));
        let [a, b, c] = numbers.map(|bits| Fixed::from_bits(bits >> 12));
        streaming_answers(a, b, sizes, rules);
        other_answers(a, b, c, corners.map(|corner| corner.map(|bits| Fixed::from_bits(bits >> 8))));
    }
}

#[test]
fn nan_costs_nothing() {
    let viewer = Streaming::<f32>::new(Rules::VIEWER).unwrap();
    let bytes = Lods { lowest: 600, low: 1500, medium: 5000, high: 20_000 };
    assert_eq!(viewer.cost(f32::NAN, bytes).to_bits(), 0);
    assert_eq!(viewer.cost(-1.0, bytes).to_bits(), 0);
}

#[test]
fn rules_that_make_no_sense_are_refused() {
    let refused = |change: fn(&mut Rules)| {
        let mut rules = Rules::VIEWER;
        change(&mut rules);
        Streaming::<f32>::new(rules).unwrap_err().to_string()
    };
    assert_eq!(refused(|rules| rules.discount = 1 << 31), "discount is too large");
    assert_eq!(refused(|rules| rules.bytes_per_triangle = 0), "bytes_per_triangle must be above 0");
    assert_eq!(refused(|rules| rules.triangle_budget = 0), "triangle_budget must be above 0");
    assert_eq!(refused(|rules| rules.max_area = 0.5), "max_area is too small");
    assert_eq!(
        refused(|rules| rules.max_distance = f64::NAN),
        "max_distance must be a finite number"
    );
    assert_eq!(refused(|rules| rules.static_mesh_factor = 0.0), "factor must be above 0");
}
