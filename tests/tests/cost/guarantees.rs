//! Properties for all inputs: guarantees of costs, no NaN or panic for any input, and the primitives of `Fixed`.

use std::f64::consts::PI;

use lodger_core::cost::land_impact::{ObjectWeight, greatest_weight, land_impact};
use lodger_core::cost::physics::{
    TriangleMesh, linkset, may_be_physical, penalised, triangle_width,
};
use lodger_core::cost::simulator::region_cost;
use lodger_core::cost::streaming::{
    AssetColumns, LinksetPart, MeshLod, PerLod, Reach, StreamingModel, StreamingRules, capped,
};
use lodger_core::cost::{ObjectScale, PrimKind, Provenance};
use lodger_core::fixed::Wide;
use lodger_core::real::Square;
use lodger_core::{Fixed, Micro, Real};
use lodger_tests::oracle::cost::{NAMED, animated_cost, filled_up};
use proptest::prelude::*;

use super::{lods, viewer};

fn size() -> impl Strategy<Value = i32> {
    prop_oneof![1 => Just(0), 5 => 1..2000_i32, 5 => 1..2_000_000_i32]
}

fn sizes() -> impl Strategy<Value = [i32; 4]> {
    [size(), size(), size(), size()]
}

fn radius() -> impl Strategy<Value = f32> {
    (-6.0..6.0_f32).prop_map(f32::exp)
}

fn growing() -> impl Strategy<Value = [i32; 4]> {
    [1..2_000_000_i32, 1..2_000_000, 1..2_000_000, 1..2_000_000].prop_map(|mut sizes| {
        sizes.sort_unstable();
        sizes
    })
}

fn slack(bytes: [i32; 4]) -> f32 {
    let max = filled_up(bytes).into_iter().max().unwrap();
    2e-6 * viewer::<f32>().cost(1.0, PerLod { high: max, ..PerLod::default() })
}

proptest! {
    #[test]
    fn a_radius_is_half_the_diagonal(sides in [0..1000_i16, 0..1000_i16, 0..1000_i16]) {
        let exact = sides.map(f64::from).iter().map(|side| side * side).sum::<f64>().sqrt() / 2.0;
        let of_fixed = ObjectScale::new(sides.map(Fixed::from_int)).unwrap().radius().to_f64();
        let of_f32 = f64::from(ObjectScale::new(sides.map(f32::from)).unwrap().radius());
        prop_assert!((of_fixed - exact).abs() <= 1e-6 * exact + 1.0 / 65_536.0);
        prop_assert!((of_f32 - exact).abs() <= 1e-6 * exact);
    }

    #[test]
    fn animated_cost_is_the_oracles(bytes in sizes(), root: bool) {
        let part = if root { LinksetPart::Root } else { LinksetPart::Child };
        let expected = animated_cost(&NAMED[1].1, bytes, root);
        let of_f32 = f64::from(viewer::<f32>().animated_cost(lods(bytes), part));
        let of_fixed = viewer::<Fixed>().animated_cost(lods(bytes), part).to_f64();
        prop_assert!((of_f32 - expected).abs() <= 1e-6 * expected);
        prop_assert!((of_fixed - expected).abs() <= 1e-6 * expected + 1.0 / 65_536.0);
    }

    #[test]
    fn a_ring_closes_where_the_region_ends(max_area in 10.0..1e6_f64, max_distance in 2.0..1e3_f64) {
        let rules = StreamingRules { max_area, max_distance, ..StreamingRules::VIEWER };
        let streaming = StreamingModel::<f64>::new(rules).unwrap();
        let points = streaming.break_points();
        let full = (PI * max_distance * max_distance).min(max_area);
        let radius = |ratio: f64, circle: f64| ratio * (circle / PI).sqrt();
        let near = |a: f64, b: f64| (a - b).abs() <= 1e-9 * b;
        for (i, ratio) in [0.03, 0.06, 0.24].into_iter().enumerate() {
            prop_assert!(near(points.full[i], radius(ratio, full)));
            let last = if i == 0 { full.min(max_area - 1.0) } else { full - 1.0 };
            prop_assert!(near(points.closed[i], radius(ratio, last)));
        }
        let floors = [
            1.0 / (PI * (1.0 / 0.0009 - 1.0 / 0.0036)),
            1.0 / (PI * (1.0 / 0.0036 - 1.0 / 0.0576)),
            0.0576 / PI,
        ];
        prop_assert!(points.floor.iter().zip(floors).all(|(&point, sq)| near(point, sq.sqrt())));
    }

    #[test]
    fn shares_total_one(radius in radius(), bytes in sizes()) {
        let (viewer, radius) = (viewer::<f64>(), f64::from(radius));
        let total = |shares: PerLod<f64>| shares.lowest + shares.low + shares.medium + shares.high;
        prop_assert!((total(viewer.area_shares(radius)) - 1.0).abs() < 1e-12);
        let of_cost = total(viewer.cost_shares(radius, lods(bytes)));
        prop_assert!((of_cost - f64::from(u8::from(bytes[3] > 0))).abs() < 1e-12);
    }

    #[test]
    fn one_lod_in_all_slots_costs_the_same_at_any_size(radius in radius(), high in 1..2_000_000) {
        let (viewer, radius) = (viewer::<f64>(), f64::from(radius));
        let expected = (f64::from(high) - 384.0).max(16.0) / 16.0 * 0.06;
        for bytes in [[0, 0, 0, high], [high; 4]] {
            prop_assert!((viewer.cost(radius, lods(bytes)) - expected).abs() <= 1e-12 * expected);
        }
    }

    #[test]
    fn more_bytes_never_cost_less(
        radius in radius(), bytes in [1..2_000_000_i32, 1..2_000_000, 1..2_000_000, 1..2_000_000],
        lod in 0..4_usize, more in 0..100_000,
    ) {
        let before = lods(bytes);
        let after = before.with(MeshLod::ALL[lod], bytes[lod] + more);
        prop_assert!(viewer::<f32>().cost(radius, after) >= viewer::<f32>().cost(radius, before));
        let radius = Fixed::from_f64(radius.into()).unwrap();
        prop_assert!(viewer::<Fixed>().cost(radius, after) >= viewer::<Fixed>().cost(radius, before));
    }

    #[test]
    fn cost_grows_with_size_if_sizes_grow(a in radius(), b in radius(), bytes in growing()) {
        let viewer = viewer::<f32>();
        let (small, large) = (a.min(b), a.max(b));
        prop_assert!(viewer.grows_with_size(lods(bytes)));
        let (small, large) = (viewer.cost(small, lods(bytes)), viewer.cost(large, lods(bytes)));
        prop_assert!(small <= large + slack(bytes), "{small} {large}");
    }

    #[test]
    fn no_larger_radius_is_within_the_limit(
        bytes in sizes(), limit in radius(), factor in 1.001..100.0_f32,
    ) {
        let (viewer, bytes) = (viewer::<f32>(), lods(bytes));
        let above = match viewer.largest_radius(bytes, limit) {
            Reach::Always => return Ok(()),
            Reach::Never => factor - 1.0,
            Reach::UpTo(radius) => {
                prop_assert!(viewer.cost(radius, bytes) <= limit);
                radius * factor
            }
        };
        let cost = viewer.cost(above, bytes);
        let bytes = [bytes.lowest, bytes.low, bytes.medium, bytes.high];
        prop_assert!(cost > limit - slack(bytes), "{cost} at {above} m");
    }

    #[test]
    fn the_free_size_is_exact(radius in radius(), bytes in sizes(), limit in radius()) {
        let viewer = viewer::<f32>();
        let free = viewer.room(radius, lods(bytes), limit);
        for lod in MeshLod::ALL {
            let with = |size| viewer.cost(radius, lods(bytes).with(lod, size));
            match free.of(lod) {
                None => prop_assert!(with(1) > limit),
                Some(i32::MAX) => prop_assert!(with(i32::MAX) <= limit),
                Some(size) => prop_assert!(with(size) <= limit && with(size + 1) > limit),
            }
        }
    }

    #[test]
    fn resized_assets_are_within_the_limit(radius in radius(), bytes in sizes(), limit in radius()) {
        let (viewer, bytes) = (viewer::<f64>(), lods(bytes));
        let (radius, limit) = (f64::from(radius), f64::from(limit));
        if let Some(resized) = viewer.resized(radius, bytes, limit) {
            prop_assert!(viewer.cost(radius, resized) <= limit);
            prop_assert_eq!(resized.map(|size| size > 0), bytes.map(|size| size > 0));
        } else {
            prop_assert!(viewer.cost(radius, bytes.map(|size| size.min(1))) > limit);
        }
    }

    #[test]
    fn columns_and_micro_have_the_bits_of_f32(
        rows in prop::collection::vec((any::<f32>(), sizes()), 0..40),
    ) {
        let viewer = viewer::<f32>();
        let expected: Vec<u32> =
            rows.iter().map(|&(radius, bytes)| viewer.cost(radius, lods(bytes)).to_bits()).collect();
        let radius: Vec<f32> = rows.iter().map(|row| row.0).collect();
        let columns = lods([0, 1, 2, 3]).map(|lod| rows.iter().map(|row| row.1[lod]).collect::<Vec<_>>());
        let PerLod { lowest, low, medium, high } = &columns;
        let bytes = PerLod { lowest: &lowest[..], low, medium, high };
        let mut out = vec![f32::NAN; rows.len()];
        viewer.costs(AssetColumns { radius: &radius, bytes }, &mut out);
        prop_assert_eq!(out.iter().map(|cost| cost.to_bits()).collect::<Vec<_>>(), &expected[..]);

        let charged: Vec<_> = rows.iter().map(|row| viewer.charged_bytes(lods(row.1))).collect();
        let column = |of: fn(&PerLod<f32>) -> f32| charged.iter().map(of).collect::<Vec<_>>();
        let (lowest, low) = (column(|lods| lods.lowest), column(|lods| lods.low));
        let (medium, high) = (column(|lods| lods.medium), column(|lods| lods.high));
        let bytes = PerLod { lowest: &lowest[..], low: &low, medium: &medium, high: &high };
        viewer.costs_of_charged(AssetColumns { radius: &radius, bytes }, &mut out);
        prop_assert_eq!(out.iter().map(|cost| cost.to_bits()).collect::<Vec<_>>(), &expected[..]);

        for (&(radius, bytes), expected) in rows.iter().zip(expected) {
            let micro = super::viewer::<Micro>().cost(Micro::from_f32(radius), lods(bytes));
            prop_assert_eq!(micro.to_f32().to_bits(), expected);
        }
    }

    #[test]
    fn the_displayed_lod_has_bytes(bytes in sizes(), lod in 0..4_usize) {
        let (wanted, sizes) = (MeshLod::ALL[lod], lods(bytes));
        match sizes.displayed(wanted) {
            None => prop_assert_eq!(bytes, [0; 4]),
            Some(shown) => {
                prop_assert!(sizes.of(shown) > 0 && sizes.bytes_visible(wanted) > 0);
                let lower = MeshLod::ALL.into_iter().filter(|&lod| shown < lod && lod <= wanted);
                let higher = MeshLod::ALL.into_iter().filter(|&lod| lod < shown && shown > wanted);
                prop_assert!(lower.chain(higher).all(|lod| sizes.of(lod) == 0));
            }
        }
    }

    #[test]
    fn land_impact_names_the_greatest(weights in [0.0..50_f32, 0.0..50_f32, 0.0..50_f32]) {
        let [streaming, physics, server] = weights;
        let impact = land_impact(streaming, physics, server);
        let named = match impact.limited_by.unwrap() {
            ObjectWeight::Streaming => streaming,
            ObjectWeight::Physics => physics,
            ObjectWeight::Server => server,
        };
        prop_assert!(weights.iter().all(|&weight| weight <= named));
        prop_assert!(impact.value >= 1);
        prop_assert!(impact.value == 1 || (f64::from(impact.value) - f64::from(named)).abs() <= 0.5);
    }

    #[test]
    fn the_greatest_weight_is_the_greatest(value in 1..30_000_u32) {
        fn check<N: Real>(value: u32) -> bool {
            let weight = greatest_weight::<N>(value);
            let above = N::from_f64(f64::from(value) + 0.5).unwrap();
            let of = |weight| land_impact(weight, N::ZERO, N::ZERO).value;
            above.next_below() == weight && of(weight) == value && of(above) == value + 1
        }
        prop_assert!(check::<f32>(value) && check::<f64>(value));
        prop_assert!(check::<Fixed>(value) && check::<Micro>(value));
    }

    #[test]
    fn a_penalty_never_makes_cheaper(base in 0.0..100_f32, size in [0.0..64_f32, 0.0..64_f32, 0.0..64_f32]) {
        prop_assert!(penalised(base, ObjectScale::new(size).unwrap()) >= base);
    }

    #[test]
    fn stretching_a_mesh_never_makes_it_more_expensive(
        corners in prop::collection::vec([[-0.5..0.5_f64, -0.5..0.5, -0.5..0.5], [-0.5..0.5_f64, -0.5..0.5, -0.5..0.5], [-0.5..0.5_f64, -0.5..0.5, -0.5..0.5]], 1..20),
        side in 0.01..10_f64, factor in 1.0..6_f64,
    ) {
        let cost = |side: f64| {
            let scale = ObjectScale::new([side; 3]).unwrap();
            TriangleMesh::measure(corners.iter().copied(), scale).unwrap().unwrap().cost()
        };
        prop_assert!(cost(side * factor) <= cost(side) * (1.0 + 1e-12));
        prop_assert!(cost(side) >= 0.5);
    }
}

fn any_float() -> impl Strategy<Value = f32> {
    prop_oneof![
        any::<f32>(),
        Just(f32::NAN),
        Just(f32::INFINITY),
        Just(f32::NEG_INFINITY),
        Just(0.0),
        -100.0..100_f32
    ]
}

fn four<N: Copy>(lods: PerLod<N>) -> [N; 4] {
    [lods.lowest, lods.low, lods.medium, lods.high]
}

fn streaming_results<N: Real>(
    radius: N,
    limit: N,
    sizes: [i32; 4],
    rules: StreamingRules,
) -> Vec<f64> {
    let streaming = StreamingModel::<N>::new(rules).unwrap();
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

fn other_results<N: Real>(a: N, b: N, c: N, corners: [[N; 3]; 3]) -> Vec<f64> {
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

fn rules() -> impl Strategy<Value = StreamingRules> {
    let sizes =
        (0..=0x7fff_ffff_u32, 0..=0x7fff_ffff_u32, 1..=0x7fff_ffff_u32, 1..=0x7fff_ffff_u32);
    let odd = (sizes, 1.0..1e9_f64, 1.0..1e9_f64, 1e-9..1e9_f64).prop_map(
        |(
            (discount, minimum_size, bytes_per_triangle, triangle_budget),
            distance,
            area,
            factor,
        )| StreamingRules {
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
    prop_oneof![Just(StreamingRules::VIEWER), odd]
}

proptest! {
    #[test]
    fn no_float_gives_nan(
        numbers in [any_float(), any_float(), any_float()], sizes: [i32; 4], rules in rules(),
        corners in [[any_float(), any_float(), any_float()], [any_float(), any_float(), any_float()], [any_float(), any_float(), any_float()]],
    ) {
        let [a, b, c] = numbers;
        let streaming = streaming_results(a, b, sizes, rules);
        prop_assert!(streaming.iter().all(|result| !result.is_nan()), "{streaming:?}");
        let other = other_results(a, b, c, corners);
        prop_assert!(other.iter().all(|result| !result.is_nan()), "{other:?}");
        let (a, b, c) = (f64::from(a), f64::from(b), f64::from(c));
        let other = other_results(a, b, c, corners.map(|corner| corner.map(f64::from)));
        prop_assert!(other.iter().all(|result| !result.is_nan()), "{other:?}");
    }

    #[test]
    fn no_fixed_number_panics(numbers: [i32; 3], sizes: [i32; 4], corners: [[i32; 3]; 3], rules in rules()) {
        let [a, b, c] = numbers.map(Fixed::from_bits);
        streaming_results(a, b, sizes, rules);
        other_results(a, b, c, corners.map(|corner| corner.map(Fixed::from_bits)));
        let [a, b, c] = numbers.map(|bits| Fixed::from_bits(bits >> 12));
        streaming_results(a, b, sizes, rules);
        other_results(a, b, c, corners.map(|corner| corner.map(|bits| Fixed::from_bits(bits >> 8))));
    }
}

#[test]
fn nan_costs_nothing() {
    let viewer = StreamingModel::<f32>::new(StreamingRules::VIEWER).unwrap();
    let bytes = PerLod { lowest: 600, low: 1500, medium: 5000, high: 20_000 };
    assert_eq!(viewer.cost(f32::NAN, bytes).to_bits(), 0);
    assert_eq!(viewer.cost(-1.0, bytes).to_bits(), 0);
}

#[test]
fn invalid_rules_are_rejected() {
    let error = |change: fn(&mut StreamingRules)| {
        let mut rules = StreamingRules::VIEWER;
        change(&mut rules);
        StreamingModel::<f32>::new(rules).unwrap_err().to_string()
    };
    assert_eq!(error(|rules| rules.discount = 1 << 31), "discount is too large");
    assert_eq!(error(|rules| rules.bytes_per_triangle = 0), "bytes_per_triangle must be above 0");
    assert_eq!(error(|rules| rules.triangle_budget = 0), "triangle_budget must be above 0");
    assert_eq!(error(|rules| rules.max_area = 0.5), "max_area is too small");
    assert_eq!(
        error(|rules| rules.max_distance = f64::NAN),
        "max_distance must be a finite number"
    );
    assert_eq!(error(|rules| rules.static_mesh_factor = 0.0), "factor must be above 0");
}

const CLOSE: f64 = 1.0 / (1_u64 << 30) as f64;

fn near(got: Wide, exact: f64) -> bool {
    (got.to_f64() - exact).abs() <= exact * CLOSE
}

proptest! {
    #[test]
    fn wide_numbers_hold_32_bits(exponent in -60.0..60_f64, whole: i32) {
        let value = exponent.exp2();
        prop_assert!(near(Wide::from_f64(value), value));
        prop_assert!(near(Wide::from_f64(value).root(), value.sqrt()));
        let whole = whole.saturating_abs();
        prop_assert_eq!(Wide::from_i32(whole).to_f64().to_bits(), f64::from(whole).to_bits());
        prop_assert_eq!(Wide::from_i32(-whole), Wide::default());
    }

    #[test]
    fn cross_products_are_exact_to_32_bits(v: [i32; 3], w: [i32; 3]) {
        let got = Fixed::cross(v.map(Fixed::from_bits), w.map(Fixed::from_bits));
        for ((i, j), got) in [(1, 2), (2, 0), (0, 1)].into_iter().zip(got) {
            let exact = i128::from(v[i]) * i128::from(w[j]) - i128::from(v[j]) * i128::from(w[i]);
            let exact = i64::try_from(exact.abs()).unwrap() as f64 / (1_u64 << 32) as f64;
            prop_assert!(near(got, exact), "{} {exact}", got.to_f64());
        }
    }

    #[test]
    fn the_next_number_below_is_the_next(bits in (i32::MIN + 1)..=i32::MAX) {
        prop_assert_eq!(Fixed::from_bits(bits).next_below().to_bits(), bits - 1);
    }
}

#[test]
fn squares_are_not_negative() {
    for not_positive in [0.0, -1.0, f64::NAN] {
        assert_eq!(Wide::from_f64(not_positive), Wide::default());
        assert_eq!(Square::root(not_positive).to_bits(), 0);
    }
    assert_eq!(Wide::default().root(), Wide::default());
    assert_eq!(Fixed::from_bits(i32::MIN).next_below().to_bits(), i32::MIN);
}
