//! 256 prims under both rules, and their naive forms: Welzl's recursion, and both spheres computed from the members
//! whenever two pieces are tested.

use std::hint::black_box;
use std::time::{Duration, Instant};

use criterion::Criterion;
use lodger_core::linkability::{
    Ball, Fit, LinkPrim, LinkScratch, LinkedPiece, SphereRule, enclosing_ball, link,
};

const PRIMS: usize = 256;

type Object = [LinkPrim<f32>; 1];

/// 256 prims of up to 3 m in a cube of 24 m, from a fixed sequence.
fn build() -> Vec<Object> {
    let mut state = 1_u64;
    let mut unit = move || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        f32::from(u16::try_from(state >> 48).unwrap_or(0)) / 65_536.0
    };
    let mut three = |length: f32| [unit() * length, unit() * length, unit() * length];
    (0..PRIMS).map(|_| [LinkPrim { position: three(24.0), scale: three(3.0) }]).collect()
}

fn sphere_rule(objects: &[Object]) -> f64 {
    SphereRule::VIEWER.check(objects).map_or(0.0, |answer| answer.enclosing.diameter())
}

/// Returns the ball around points, some of them on its surface (Welzl, 1991).
fn welzl(points: &[[f64; 3]], surface: &mut Vec<[f64; 3]>) -> ([f64; 3], f64) {
    let Some((&last, others)) = points.split_last() else {
        return around(surface);
    };
    if surface.len() == 4 {
        return around(surface);
    }
    let (center, radius_sq) = welzl(others, surface);
    let offset = minus(last, center);
    if dot(offset, offset) <= radius_sq * (1.0 + 1e-12) {
        return (center, radius_sq);
    }
    surface.push(last);
    let found = welzl(others, surface);
    surface.pop();
    found
}

fn minus(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn det(a: [f64; 3], b: [f64; 3], c: [f64; 3]) -> f64 {
    dot(a, [b[1] * c[2] - b[2] * c[1], b[2] * c[0] - b[0] * c[2], b[0] * c[1] - b[1] * c[0]])
}

/// Returns the ball with at most four points on its surface, by Cramer's rule; radius −1 for none.
fn around(points: &[[f64; 3]]) -> ([f64; 3], f64) {
    let Some((&first, rest)) = points.split_first() else {
        return ([0.0; 3], -1.0);
    };
    let arms: Vec<_> = rest.iter().map(|&point| minus(point, first)).collect();
    let row = |i: usize| {
        let product = |j: usize| match (arms.get(i), arms.get(j)) {
            (Some(&a), Some(&b)) => dot(a, b),
            _ => f64::from(u8::from(i == j)),
        };
        [product(0), product(1), product(2)]
    };
    let (a, b, c) = (row(0), row(1), row(2));
    let half = [0, 1, 2].map(|i| arms.get(i).map_or(0.0, |&arm| dot(arm, arm) / 2.0));
    let parts = [det(half, b, c), det(a, half, c), det(a, b, half)];
    let mut offset = [0.0; 3];
    for (arm, part) in arms.iter().zip(parts) {
        offset = minus(offset, arm.map(|x| -x * part / det(a, b, c)));
    }
    (minus(first, offset.map(|x| -x)), dot(offset, offset))
}

fn naive_sphere_rule(objects: &[Object]) -> f64 {
    let prims = objects.iter().flatten();
    let points: Vec<_> = prims.map(|prim| prim.position.map(f64::from)).collect();
    2.0 * welzl(&points, &mut Vec::new()).1.sqrt()
}

fn span_rule(objects: &[Object], spheres: &mut [Ball<f64>], pieces: &mut [LinkedPiece]) -> usize {
    link(objects, LinkScratch { spheres, pieces }).map_or(0, |linked| linked.places().count())
}

fn naive_span_rule(objects: &[Object]) -> usize {
    let spheres = objects.iter().flatten().filter_map(|prim| prim.bounding_sphere().ok());
    let mut pieces: Vec<Vec<Ball<f64>>> = spheres.map(|sphere| vec![sphere]).collect();
    let fits = |a: &[Ball<f64>], b: &[Ball<f64>]| match (enclosing_ball(a), enclosing_ball(b)) {
        (Ok(a), Ok(b)) => Fit::of(&a.ball(), &b.ball()).fits(),
        _ => false,
    };
    loop {
        let before = pieces.len();
        let mut a = 0;
        while a < pieces.len() {
            let mut b = a + 1;
            while b < pieces.len() {
                if fits(&pieces[a], &pieces[b]) {
                    let merged = pieces.remove(b);
                    pieces[a].extend(merged);
                } else {
                    b += 1;
                }
            }
            a += 1;
        }
        if pieces.len() == before {
            return before;
        }
    }
}

fn keep<T>(value: T) {
    let _ = black_box(value);
}

fn time(mut run: impl FnMut()) -> Duration {
    let one = |_| {
        let start = Instant::now();
        run();
        start.elapsed()
    };
    (0..100).map(one).min().unwrap_or_default()
}

fn main() {
    let objects = build();
    let (mut spheres, mut pieces) =
        (vec![Ball::default(); PRIMS], vec![LinkedPiece::default(); PRIMS]);
    assert!((sphere_rule(&objects) - naive_sphere_rule(&objects)).abs() < 1e-9);
    assert_eq!(span_rule(&objects, &mut spheres, &mut pieces), naive_span_rule(&objects));

    let mut criterion = Criterion::default().configure_from_args();
    let mut group = criterion.benchmark_group("linkability of 256 prims");
    group.bench_function("sphere rule", |b| {
        b.iter(|| sphere_rule(black_box(&objects)));
    });
    group.bench_function("sphere rule, naive", |b| {
        b.iter(|| naive_sphere_rule(black_box(&objects)));
    });
    group.bench_function("span rule", |b| {
        b.iter(|| span_rule(black_box(&objects), &mut spheres, &mut pieces));
    });
    group.bench_function("span rule, naive", |b| {
        b.iter(|| naive_span_rule(black_box(&objects)));
    });
    group.finish();
    criterion.final_summary();

    let ratio = |naive: Duration, own: Duration| naive.as_secs_f64() / own.as_secs_f64();
    let own = time(|| keep(sphere_rule(black_box(&objects))));
    let naive = time(|| keep(naive_sphere_rule(black_box(&objects))));
    println!("sphere rule: {own:?}, naive {naive:?}: {:.1} times", ratio(naive, own));
    let own = time(|| keep(span_rule(black_box(&objects), &mut spheres, &mut pieces)));
    let naive = time(|| keep(naive_span_rule(black_box(&objects))));
    println!("span rule: {own:?}, naive {naive:?}: {:.1} times", ratio(naive, own));
}
