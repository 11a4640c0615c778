//! The importance functions per number type, a thousand actors at a time.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use lodger_core::importance::{
    DistanceImportance, ImportanceCurve, age, angular, solid_angle, speed,
};
use lodger_core::{Fixed, Micro, Real};

const ACTORS: u32 = 1_000;

/// Scattered numbers from 0.5 to 200, the same in every run.
fn numbers<N: Real>(seed: u32) -> Vec<N> {
    (0..ACTORS)
        .map(|i| f64::from((i + seed).wrapping_mul(2_654_435_761) >> 16) / 65_536.0)
        .map(|unit| N::from_f64(0.5 + 199.5 * unit).unwrap_or(N::ONE))
        .collect()
}

fn number<N: Real>(value: f64) -> N {
    N::from_f64(value).unwrap_or(N::ONE)
}

fn scalar<N: Real>(c: &mut Criterion, name: &str, function: impl Fn(N, N) -> N) {
    let (xs, ys) = (numbers::<N>(1), numbers::<N>(7));
    let mut group = c.benchmark_group(name);
    group.throughput(Throughput::Elements(ACTORS.into()));
    group.bench_function(N::NAME, |b| {
        b.iter(|| {
            for (&x, &y) in xs.iter().zip(&ys) {
                black_box(function(x, y));
            }
        });
    });
}

fn prepared<N: Real>(c: &mut Criterion, name: &str, kind: DistanceImportance) {
    let curves: Vec<ImportanceCurve<N>> = numbers::<N>(1)
        .into_iter()
        .map(|x| kind.curve(x * number(0.02), Some(number(250.0))).unwrap_or_default())
        .collect();
    let distances: Vec<N::Square> = numbers::<N>(7).into_iter().map(Real::square).collect();
    let mut group = c.benchmark_group(name);
    group.throughput(Throughput::Elements(ACTORS.into()));
    group.bench_function(N::NAME, |b| {
        b.iter(|| {
            for (&curve, &distance_sq) in curves.iter().zip(&distances) {
                black_box(kind.at(curve, distance_sq));
            }
        });
    });
}

fn all<N: Real>(c: &mut Criterion) {
    let far = Some(number::<N>(250.0));
    scalar::<N>(c, "solid_angle, textbook", |r, x| solid_angle(r, x * number(0.02), far));
    scalar::<N>(c, "angular, textbook", |r, x| angular(r, x * number(0.02), far));
    scalar::<N>(c, "age", age);
    scalar::<N>(c, "speed", speed);
    prepared::<N>(c, "solid_angle, in a frame", DistanceImportance::SolidAngle);
    prepared::<N>(c, "angular, in a frame", DistanceImportance::Angular);
}

fn benches(c: &mut Criterion) {
    all::<f64>(c);
    all::<f32>(c);
    all::<Fixed>(c);
    all::<Micro>(c);
}

criterion_group!(importance, benches);
criterion_main!(importance);
