//! Points with whole coordinates, whose smallest enclosing ball is known as a fraction.

use lodger_core::linkability::{Ball, LinkPrim, SphereRule, enclosing_ball_of_points};
use lodger_tests::tolerance::{BALL, LINK_LIMIT};

use super::brute::certify;
use super::sets::Random;

type Point = [i128; 3];

fn minus(a: Point, b: Point) -> Point {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

fn dot(a: Point, b: Point) -> i128 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// The determinant of three columns.
fn det(a: Point, b: Point, c: Point) -> i128 {
    let cross = [b[1] * c[2] - b[2] * c[1], b[2] * c[0] - b[0] * c[2], b[0] * c[1] - b[1] * c[0]];
    dot(a, cross)
}

/// The smallest ball around at most four points that touches all of them: twice its centre relative
/// to the first as a numerator, and the common denominator; `None` if they are dependent.
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
    let mut random = Random::new(3);
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
fn exactly_54_m_is_too_much() {
    let sphere = on_the_limit();
    let mut random = Random::new(4);
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
        let answer = SphereRule::DOCUMENT.check(&p.map(prim)).unwrap();
        assert!(!answer.linkable, "{p:?}: {}", answer.enclosing.diameter());
        assert!(answer.enclosing.diameter() < 54.0 + LINK_LIMIT);
    }
}
