//! The enclosing ball: against brute force, against exact fractions, its certificate, and any order of its balls.

use lodger_core::error::{Quantity, ValueError, ValueProblem};
use lodger_core::linkability::{
    Ball, EnclosingBall, LinkPrim, SphereRule, enclosing_ball, enclosing_ball_of_points,
};
use lodger_core::{Fixed, Real};
use lodger_testkit::SplitMix64;
use lodger_tests::tolerance::{BALL, LINK_LIMIT};
use proptest::prelude::*;

use super::brute::{FAMILIES, Sphere, certify, family, least_radius};

fn balls(set: &[Sphere]) -> Vec<Ball<f64>> {
    set.iter().map(|&(c, r)| Ball::new(c, r).unwrap()).collect()
}

fn extent(set: &[Sphere]) -> f64 {
    let numbers = set.iter().flat_map(|&([x, y, z], r)| [x, y, z, r]);
    numbers.fold(1e-30, |max, number| max.max(number.abs()))
}

/// The ball of a set, checked, with the gap and the distance from the hull as parts of the extent.
fn certified(set: &[Sphere]) -> (EnclosingBall, f64, f64) {
    let given = balls(set);
    let found = enclosing_ball(&given).unwrap();
    let proof = certify(&found, &given);
    assert_eq!(proof.outside, 0.0);
    let total: f64 = found.support().iter().map(|held| held.weight).sum();
    assert!((total - 1.0).abs() < BALL && found.support().iter().all(|held| held.weight >= 0.0));
    assert!((1..=4).contains(&found.support().len()));
    let (gap, off_hull) = (proof.gap.abs() / extent(set), proof.off_hull / extent(set));
    assert!(gap <= BALL && off_hull <= BALL, "gap {gap:e}, {off_hull:e} from the hull: {set:?}");
    (found, gap, off_hull)
}

#[test]
fn brute_force_agrees() {
    for (kind, name) in FAMILIES.iter().enumerate() {
        let mut random = SplitMix64::new(kind as u64);
        let (mut worst_gap, mut worst_hull, mut worst) = (0.0_f64, 0.0_f64, 0.0_f64);
        for round in 0..300 {
            let set = family(kind, 1 + round % 9, &mut random);
            let (found, gap, off_hull) = certified(&set);
            let error = (found.ball().radius() - least_radius(&set)).abs() / extent(&set);
            assert!(error <= BALL, "{name}: {error:e} from brute force for {set:?}");
            worst_gap = worst_gap.max(gap);
            worst_hull = worst_hull.max(off_hull);
            worst = worst.max(error);
        }
        println!(
            "{name:18} gap {worst_gap:.1e}, off hull {worst_hull:.1e}, from brute force {worst:.1e}"
        );
    }
}

#[test]
fn large_sets_are_certified() {
    for (kind, name) in FAMILIES.iter().enumerate() {
        let mut random = SplitMix64::new(100 + kind as u64);
        let mut worst = 0.0_f64;
        for round in 0..80 {
            let set = family(kind, [16, 64, 256, 1000][round % 4], &mut random);
            worst = worst.max(certified(&set).1);
        }
        println!("{name:18} gap {worst:.1e}");
    }
}

#[test]
fn order_changes_no_bit() {
    for kind in 0..FAMILIES.len() {
        let mut random = SplitMix64::new(200 + kind as u64);
        for round in 0..200 {
            let mut set = family(kind, 1 + round % 40, &mut random);
            let first = certified(&set).0;
            for _ in 0..4 {
                for i in (1..set.len()).rev() {
                    set.swap(i, random.below(i as u64 + 1) as usize);
                }
                let again = certified(&set).0;
                assert_eq!(again.ball(), first.ball());
                assert_eq!(again.support().len(), first.support().len());
            }
        }
    }
}

#[test]
fn f32_is_computed_as_f64() {
    for kind in 0..FAMILIES.len() {
        let mut random = SplitMix64::new(300 + kind as u64);
        for round in 0..100 {
            let set = family(kind, 1 + round % 30, &mut random);
            let narrow: Vec<Ball<f32>> = set
                .iter()
                .map(|&(c, r)| Ball::new(c.map(|x| x as f32), r as f32).unwrap())
                .collect();
            let wide: Vec<Ball<f64>> = narrow.iter().map(|ball| ball.to_f64()).collect();
            let found = enclosing_ball(&narrow).unwrap();
            assert_eq!(found, enclosing_ball(&wide).unwrap());
            // Rounding to f32 moves every ball by at most half a unit in each of four numbers.
            let moved = 2.5 * f64::from(f32::EPSILON) * extent(&set);
            let exact = certified(&set).0.ball().radius();
            assert!((found.ball().radius() - exact).abs() <= moved);
        }
    }
}

#[test]
fn fixed_is_converted_exactly() {
    let fixed = |x: f64| Fixed::from_f64(x).unwrap();
    let points = [[-3.0, 0.0, 0.0], [5.0, 0.0, 0.0], [1.0, 1.0, 2.0]].map(|p| p.map(fixed));
    assert_eq!(enclosing_ball_of_points(&points).unwrap().diameter(), 8.0);
}

#[test]
fn a_perturbed_ball_has_no_certificate() {
    let mut random = SplitMix64::new(5);
    for kind in [0, 1, 4, 10] {
        let set = family(kind, 40, &mut random);
        let (found, ..) = certified(&set);
        let grown: Vec<Sphere> = set.iter().map(|&(c, r)| (c, r + 1e-9 * extent(&set))).collect();
        assert!(certify(&found, &balls(&grown)).outside > 0.9e-9 * extent(&set));
        let mut without: Vec<Sphere> = set.clone();
        let held = found.support()[0].index;
        without[held] = (set[held].0.map(|x| x * 0.99), set[held].1 * 0.9);
        let proof = certify(&found, &balls(&without));
        assert!(proof.gap > 1e-5 * extent(&set) || proof.off_hull > 1e-5 * extent(&set));
        let proof = certify(&found, &balls(&set[..held]));
        assert!(proof.gap > 1e-5 * extent(&set) || proof.off_hull > 1e-5 * extent(&set));
    }
}

#[test]
fn small_cases_are_exact() {
    let found = |set: &[Sphere]| {
        let (found, ..) = certified(set);
        (found.ball().center(), found.ball().radius(), found.support().len())
    };
    assert_eq!(found(&[([1.0, 2.0, 3.0], 0.5)]), ([1.0, 2.0, 3.0], 0.5, 1));
    assert_eq!(found(&[([1.0; 3], 0.0); 256]), ([1.0; 3], 0.0, 1));
    // One contains all, and some are tangent to it.
    let one = [([0.0; 3], 5.0), ([3.0, 0.0, 0.0], 2.0), ([0.0, -4.0, 0.0], 1.0), ([0.0; 3], 5.0)];
    assert_eq!(found(&one), ([0.0; 3], 5.0, 1));
    // Two, and a third that is tangent at the same point.
    let two = [([-3.0, 0.0, 0.0], 1.0), ([3.0, 0.0, 0.0], 1.0), ([2.0, 0.0, 0.0], 2.0)];
    assert_eq!(found(&two).1, 4.0);
    // A regular tetrahedron in a cube of 2 m, all with radius 1.
    let corners = [[1.0, 1.0, 1.0], [1.0, -1.0, -1.0], [-1.0, 1.0, -1.0], [-1.0, -1.0, 1.0]];
    let (center, radius, support) = found(&corners.map(|c| (c, 1.0)));
    assert!(center.iter().all(|x| x.abs() < 1e-15));
    assert!((radius - 1.0 - 3.0_f64.sqrt()).abs() < 1e-15);
    assert_eq!(support, 4);
}

#[test]
fn very_large_and_very_small_sets_are_certified() {
    for scale in [1e-140, 1e-60, 1e60, 1e99] {
        let set: Vec<Sphere> = family(1, 50, &mut SplitMix64::new(9))
            .into_iter()
            .map(|(c, r)| (c.map(|x| x * scale / 250.0), r * scale / 250.0))
            .collect();
        let given = balls(&set);
        let proof = certify(&enclosing_ball(&given).unwrap(), &given);
        assert!(proof.outside == 0.0 && proof.gap.abs() <= BALL * scale, "{scale:e}: {proof:?}");
    }
}

#[test]
fn invalid_numbers_are_rejected() {
    let error_of = |center, radius| Ball::<f64>::new(center, radius).err();
    let error = |quantity, problem| Some(ValueError::new(quantity, problem));
    let (position, radius) = (Quantity::Position, Quantity::Radius);
    assert_eq!(error_of([0.0, f64::NAN, 0.0], 1.0), error(position, ValueProblem::NotFinite));
    assert_eq!(error_of([0.0, -1e101, 0.0], 1.0), error(position, ValueProblem::TooLarge));
    assert_eq!(error_of([0.0; 3], -1.0), error(radius, ValueProblem::Negative));
    assert_eq!(error_of([0.0; 3], f64::INFINITY), error(radius, ValueProblem::NotFinite));
    let none = ValueError::new(Quantity::Count, ValueProblem::Missing);
    assert_eq!(enclosing_ball::<f32>(&[]), Err(none));
    assert_eq!(enclosing_ball_of_points::<f64>(&[]), Err(none));
    let points = enclosing_ball_of_points(&[[0.0; 3], [f32::NAN; 3]]);
    assert_eq!(points, Err(ValueError::new(position, ValueProblem::NotFinite)));
}

/// The exact radii were computed with 80 decimal digits. The discriminants of the last two sets cancel.
#[test]
fn coarse_sets_match_80_digits() {
    let cases: [(&[Sphere], f64); 3] = [
        (
            &[([0.0, -1.0, 2.0], 1.0), ([0.0, 1.0, -1.0], 2.0), ([0.0, 2.0, 1.0], 2.0)],
            3.393_923_869_780_812_7,
        ),
        (
            &[
                ([1.0, -2.0, 1.0], 0.0),
                ([1.0, 1.0, -1.0], 3.0),
                ([1.0, 0.0, -2.0], 2.0),
                ([0.0, 2.0, -1.0], 2.0),
            ],
            3.391_779_299_851_551_2,
        ),
        (
            &[([2.0, 2.0, -1.0], 0.0), ([-2.0, -2.0, 2.0], 1.0), ([0.0, -1.0, 1.0], 3.0)],
            3.703_514_320_647_092,
        ),
    ];
    for (set, exact) in cases {
        let found = certified(set).0.ball().radius();
        assert!((found - exact).abs() <= BALL * extent(set), "{found} for {set:?}");
        let brute = least_radius(set);
        assert!((brute - exact).abs() <= BALL * extent(set), "brute force: {brute} for {set:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn any_set_is_certified(
        set in prop::collection::vec(
            (prop::array::uniform3(-256.0..256.0_f64), prop_oneof![Just(0.0), 0.0..100.0_f64]),
            1..80,
        ),
    ) {
        certified(&set);
    }

    /// Few distinct numbers, so that points coincide, line up and lie on common spheres.
    #[test]
    fn any_coarse_set_is_certified(
        set in prop::collection::vec((prop::array::uniform3(-2..=2_i8), 0..=3_i8), 1..12),
    ) {
        let set: Vec<Sphere> = set.iter().map(|&(c, r)| (c.map(f64::from), f64::from(r))).collect();
        let (found, ..) = certified(&set);
        prop_assert!((found.ball().radius() - least_radius(&set)).abs() <= BALL * extent(&set));
    }

    /// More balls never make the ball smaller; one that is inside changes nothing.
    #[test]
    fn the_ball_grows_with_the_set(
        set in prop::collection::vec((prop::array::uniform3(-9.0..9.0_f64), 0.0..3.0_f64), 2..30),
    ) {
        let all = certified(&set).0.ball();
        let fewer = certified(&set[1..]).0.ball();
        prop_assert!(fewer.radius() <= all.radius() + BALL * extent(&set));
        let mut more = set.clone();
        more.push((all.center(), all.radius() * 0.5));
        prop_assert_eq!(certified(&more).0.ball(), all);
    }
}

type Point = [i128; 3];

fn minus(a: Point, b: Point) -> Point {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

fn dot(a: Point, b: Point) -> i128 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn det(a: Point, b: Point, c: Point) -> i128 {
    let cross = [b[1] * c[2] - b[2] * c[1], b[2] * c[0] - b[0] * c[2], b[0] * c[1] - b[1] * c[0]];
    dot(a, cross)
}

/// The smallest ball through at most four points: numerator of twice its centre relative to the first, and
/// denominator; `None` if they are dependent.
fn circumscribed(points: &[Point]) -> Option<(Point, i128)> {
    let q: Vec<Point> = points[1..].iter().map(|&p| minus(p, points[0])).collect();
    let row = |i: usize| {
        let unit = [0, 1, 2].map(|j| i128::from(i == j));
        q.get(i).map_or(unit, |&qi| [0, 1, 2].map(|j| q.get(j).map_or(0, |&qj| dot(qi, qj))))
    };
    let right = [0, 1, 2].map(|i| q.get(i).map_or(0, |&qi| dot(qi, qi)));
    // The Gram matrix is symmetric: its rows are its columns.
    let (a, b, c) = (row(0), row(1), row(2));
    let denominator = det(a, b, c);
    let parts = [det(right, b, c), det(a, right, c), det(a, b, right)];
    let center = [0, 1, 2].map(|axis| q.iter().zip(parts).map(|(qi, part)| qi[axis] * part).sum());
    (denominator != 0).then_some((center, denominator))
}

/// The square of the diameter of the smallest enclosing ball, as a fraction.
fn diameter_sq(points: &[Point]) -> (i128, i128) {
    let n = points.len();
    let mut best: Option<(i128, i128)> = None;
    for bits in 1_u32..1 << n {
        if bits.count_ones() > 4 {
            continue;
        }
        let chosen = points.iter().enumerate().filter(|(i, _)| bits & (1 << i) != 0);
        let support: Vec<Point> = chosen.map(|(_, &p)| p).collect();
        let Some((center, denominator)) = circumscribed(&support) else {
            continue;
        };
        let square = dot(center, center);
        let is_inside = |&p: &Point| {
            let from_first = minus(p, support[0]).map(|x| 2 * denominator * x);
            let offset = minus(from_first, center);
            dot(offset, offset) <= square
        };
        if points.iter().all(is_inside) {
            let found = (square, denominator * denominator);
            if best.is_none_or(|best| found.0 * best.1 < best.0 * found.1) {
                best = Some(found);
            }
        }
    }
    best.unwrap()
}

#[test]
fn grids_full_of_ties() {
    let mut random = SplitMix64::new(3);
    let mut worst = 0.0_f64;
    for round in 0..2000 {
        let side = [2, 3, 5, 9][round % 4];
        let points: Vec<Point> =
            (0..=random.below(8)).map(|_| [0; 3].map(|_| i128::from(random.below(side)))).collect();
        let (numerator, denominator) = diameter_sq(&points);
        let exact = (numerator as f64 / denominator as f64).sqrt();
        let floats: Vec<[f64; 3]> = points.iter().map(|p| p.map(|x| x as f64)).collect();
        let found = enclosing_ball_of_points(&floats).unwrap();
        let balls: Vec<_> = floats.iter().map(|&point| Ball::point(point).unwrap()).collect();
        assert_eq!(certify(&found, &balls).outside, 0.0);
        worst = worst.max((found.diameter() - exact).abs());
        let narrow: Vec<[f32; 3]> = points.iter().map(|p| p.map(|x| x as f32)).collect();
        assert_eq!(enclosing_ball_of_points(&narrow), Ok(found));
    }
    println!("worst error of a diameter on grids of up to 8 m: {worst:.1e} m");
    assert!(worst <= BALL);
}

/// All whole points at 27 m from the origin.
fn on_the_limit() -> Vec<Point> {
    let mut points = Vec::new();
    for x in -27..=27_i128 {
        for y in -27..=27 {
            for z in -27..=27 {
                if x * x + y * y + z * z == 27 * 27 {
                    points.push([x, y, z]);
                }
            }
        }
    }
    points
}

#[test]
fn exactly_54_m_is_not_linkable() {
    let sphere = on_the_limit();
    let mut random = SplitMix64::new(4);
    let mut tried = 0;
    while tried < 2000 {
        let p = [0; 4].map(|_| sphere[random.below(sphere.len() as u64) as usize]);
        let weights = [
            det(p[1], p[2], p[3]),
            -det(p[0], p[2], p[3]),
            det(p[0], p[1], p[3]),
            -det(p[0], p[1], p[2]),
        ];
        if !(weights.iter().all(|&w| w > 0) || weights.iter().all(|&w| w < 0)) {
            continue;
        }
        tried += 1;
        let prim = |p: Point| [LinkPrim { position: p.map(|x| x as f64), scale: [1.0; 3] }];
        let check = SphereRule::DOCUMENT.check(&p.map(prim)).unwrap();
        assert!(!check.linkable, "{p:?}: {}", check.enclosing.diameter());
        assert!(check.enclosing.diameter() < 54.0 + LINK_LIMIT);
    }
}
