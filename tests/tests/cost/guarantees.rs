//! What holds for all inputs.

use std::f64::consts::PI;

use lodger_core::cost::ObjectScale;
use lodger_core::cost::land_impact::{ObjectWeight, greatest_weight, land_impact};
use lodger_core::cost::physics::{TriangleMesh, penalised};
use lodger_core::cost::streaming::{
    AssetColumns, LinksetPart, Lods, MeshLod, Reach, Rules, Streaming,
};
use lodger_core::{Fixed, Micro, Real};
use lodger_tests::oracle::cost::streaming::{NAMED, animated, filled_up};
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

/// Sizes that do not shrink towards the high LOD, which is there.
fn growing() -> impl Strategy<Value = [i32; 4]> {
    [1..2_000_000_i32, 1..2_000_000, 1..2_000_000, 1..2_000_000].prop_map(|mut sizes| {
        sizes.sort_unstable();
        sizes
    })
}

/// What rounding may add to a cost in `f32`.
fn slack(bytes: [i32; 4]) -> f32 {
    let most = filled_up(bytes).into_iter().max().unwrap();
    2e-6 * viewer::<f32>().cost(1.0, Lods { high: most, ..Lods::default() })
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
    fn animated_mesh_costs_what_the_oracle_says(bytes in sizes(), root: bool) {
        let part = if root { LinksetPart::Root } else { LinksetPart::Child };
        let expected = animated(&NAMED[1].1, bytes, root);
        let of_f32 = f64::from(viewer::<f32>().animated_cost(lods(bytes), part));
        let of_fixed = viewer::<Fixed>().animated_cost(lods(bytes), part).to_f64();
        prop_assert!((of_f32 - expected).abs() <= 1e-6 * expected);
        prop_assert!((of_fixed - expected).abs() <= 1e-6 * expected + 1.0 / 65_536.0);
    }

    #[test]
    fn a_ring_closes_where_the_region_ends(max_area in 10.0..1e6_f64, max_distance in 2.0..1e3_f64) {
        let rules = Rules { max_area, max_distance, ..Rules::VIEWER };
        let streaming = Streaming::<f64>::new(rules).unwrap();
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
        let total = |shares: Lods<f64>| shares.lowest + shares.low + shares.medium + shares.high;
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
    fn cost_grows_with_size_where_it_says_so(a in radius(), b in radius(), bytes in growing()) {
        let viewer = viewer::<f32>();
        let (small, large) = (a.min(b), a.max(b));
        prop_assert!(viewer.grows_with_size(lods(bytes)));
        let (small, large) = (viewer.cost(small, lods(bytes)), viewer.cost(large, lods(bytes)));
        prop_assert!(small <= large + slack(bytes), "{small} {large}");
    }

    #[test]
    fn nothing_larger_than_the_largest_radius_is_within(
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
    fn room_is_exact(radius in radius(), bytes in sizes(), limit in radius()) {
        let viewer = viewer::<f32>();
        let room = viewer.room(radius, lods(bytes), limit);
        for lod in MeshLod::ALL {
            let with = |size| viewer.cost(radius, lods(bytes).with(lod, size));
            match room.of(lod) {
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
        let Lods { lowest, low, medium, high } = &columns;
        let bytes = Lods { lowest: &lowest[..], low, medium, high };
        let mut out = vec![f32::NAN; rows.len()];
        viewer.costs(AssetColumns { radius: &radius, bytes }, &mut out);
        prop_assert_eq!(out.iter().map(|cost| cost.to_bits()).collect::<Vec<_>>(), &expected[..]);

        let charged: Vec<_> = rows.iter().map(|row| viewer.charged_bytes(lods(row.1))).collect();
        let column = |of: fn(&Lods<f32>) -> f32| charged.iter().map(of).collect::<Vec<_>>();
        let (lowest, low) = (column(|lods| lods.lowest), column(|lods| lods.low));
        let (medium, high) = (column(|lods| lods.medium), column(|lods| lods.high));
        let bytes = Lods { lowest: &lowest[..], low: &low, medium: &medium, high: &high };
        viewer.costs_of_charged(AssetColumns { radius: &radius, bytes }, &mut out);
        prop_assert_eq!(out.iter().map(|cost| cost.to_bits()).collect::<Vec<_>>(), &expected[..]);

        for (&(radius, bytes), expected) in rows.iter().zip(expected) {
            let micro = super::viewer::<Micro>().cost(Micro::from_f32(radius), lods(bytes));
            prop_assert_eq!(micro.to_f32().to_bits(), expected);
        }
    }

    #[test]
    fn what_is_shown_is_there(bytes in sizes(), lod in 0..4_usize) {
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
