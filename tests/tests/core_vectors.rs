//! Every number type gives the importances and benefits of the shared vectors.

use lodger_core::benefit::{BenefitRule, BenefitTerms, State, Weights};
use lodger_core::importance::{DistanceImportance, age, angular, solid_angle, speed};
use lodger_core::{Benefit, Error, Fixed, Micro, Real};
use lodger_tests::tolerance::{
    Backend, Case, Function, angular_condition, check_all, solid_angle_condition,
};
use lodger_tests::vectors::{
    BenefitVectors, Distance, Expected, ImportanceVectors, Kind, Vectors as _, Weighted,
};

/// A number type and its name in the table of tolerances.
pub(crate) trait Tested: Real {
    const BACKEND: Backend;

    /// The number, which the vectors promise to be exact in every type but for what no type should take.
    fn of(value: f64) -> Self;
}

impl Tested for f64 {
    const BACKEND: Backend = Backend::F64;
    fn of(value: f64) -> Self {
        value
    }
}

impl Tested for f32 {
    const BACKEND: Backend = Backend::F32;
    #[allow(clippy::cast_possible_truncation)] // exact, or meant to be infinite
    fn of(value: f64) -> Self {
        value as Self
    }
}

impl Tested for Micro {
    const BACKEND: Backend = Backend::Micro;
    fn of(value: f64) -> Self {
        Self::from_f32(f32::of(value))
    }
}

impl Tested for Fixed {
    const BACKEND: Backend = Backend::Fixed;
    fn of(value: f64) -> Self {
        Self::from_f64(value).unwrap_or_else(|| panic!("{value} is not a value of Q16.16"))
    }
}

/// A maximum that the vectors leave out, or the number.
fn limit<N: Tested>(value: Option<f64>) -> Option<N> {
    value.map(N::of)
}

/// Whether the number type can hold what a row asks. Only `Fixed` has no NaN and no infinity to refuse.
fn holds<N: Tested>(values: &[f64]) -> bool {
    N::BACKEND != Backend::Fixed || values.iter().all(|value| value.is_finite())
}

/// Where the root of `Micro` is magnified so much that any answer would do.
pub(crate) fn is_hopeless<N: Tested>(condition: f64) -> bool {
    N::BACKEND == Backend::Micro && condition > 3.5
}

/// The row of the table for a benefit: without a root in it, that of `Micro` is as good as that of `f32`.
pub(crate) fn counting_backend<N: Tested>(kind: DistanceImportance) -> Backend {
    match (N::BACKEND, kind) {
        (Backend::Micro, DistanceImportance::SolidAngle) => Backend::F32,
        (backend, _) => backend,
    }
}

/// Whether a row is just outside the edge that a maximum within the actor makes: `Fixed` documents that edge as soft.
fn is_on_soft_edge<N: Tested>(kind: DistanceImportance, row: &Distance) -> bool {
    let near = match kind {
        DistanceImportance::SolidAngle => row.radius * std::f64::consts::PI.sqrt(),
        DistanceImportance::Angular => row.radius,
    };
    let edge = near..near * (1.0 + 1.0 / 4_096.0);
    N::BACKEND == Backend::Fixed
        && row.max_distance.is_some_and(|end| end <= near)
        && edge.contains(&row.distance)
}

fn case(name: &str, condition: f64, got: impl Real, expected: f64) -> Case {
    Case { name: name.to_owned(), condition, got: got.to_f64(), expected }
}

/// Both forms of a distance importance, for the rows that have a value; the rest must be refused by name.
fn distances<N: Tested>(
    kind: DistanceImportance,
    functions: [Function; 2],
    rows: &[Distance],
    textbook: impl Fn(N, N, Option<N>) -> N,
    condition: impl Fn(f64, Option<f64>) -> f64,
) {
    let mut cases = [Vec::new(), Vec::new()];
    for row in rows {
        let numbers = [row.distance, row.radius, row.max_distance.unwrap_or(0.0)];
        if !holds::<N>(&numbers) || is_on_soft_edge::<N>(kind, row) {
            continue;
        }
        let (radius, max_distance) = (N::of(row.radius), limit(row.max_distance));
        let curve = kind.curve(radius, max_distance);
        match (&row.expected, curve) {
            (Expected::Refusal { refused }, Err(error)) => {
                assert_eq!(error.quantity().to_string(), *refused, "{}", row.name);
            }
            (&Expected::Value(expected), Ok(curve)) => {
                let condition = condition(row.radius, row.max_distance);
                if kind == DistanceImportance::Angular && is_hopeless::<N>(condition) {
                    continue;
                }
                let distance = N::of(row.distance);
                let forms = [
                    textbook(distance, radius, max_distance),
                    kind.at(curve, N::norm_sq([N::ZERO, distance, N::ZERO])),
                ];
                cases[usize::from(row.max_distance.is_some())]
                    .extend(forms.map(|got| case(&row.name, condition, got, expected)));
            }
            (expected, got) => panic!("{}: {got:?} instead of {expected:?}", row.name),
        }
    }
    for (function, cases) in functions.into_iter().zip(cases) {
        check_all(function, N::BACKEND, &cases).unwrap();
    }
}

fn importances<N: Tested>() {
    let vectors = ImportanceVectors::load();
    distances::<N>(
        DistanceImportance::SolidAngle,
        [Function::SolidAngle, Function::SolidAngleBounded],
        &vectors.solid_angle,
        solid_angle,
        solid_angle_condition,
    );
    distances::<N>(
        DistanceImportance::Angular,
        [Function::Angular, Function::AngularBounded],
        &vectors.angular,
        angular,
        angular_condition,
    );
    let (mut ages, mut speeds) = (Vec::new(), Vec::new());
    for row in &vectors.age {
        if let Expected::Value(expected) = row.expected {
            let (t, max) = (N::of(row.age), N::of(row.max_age));
            let prepared = N::ONE - t.fraction_of(max.span());
            ages.extend([age(t, max), prepared].map(|got| case(&row.name, 1.0, got, expected)));
        }
    }
    for row in &vectors.speed {
        if let Expected::Value(expected) = row.expected {
            let (v, max) = (N::of(row.speed), N::of(row.max_speed));
            let prepared = v.fraction_of(max.span());
            speeds.extend([speed(v, max), prepared].map(|got| case(&row.name, 1.0, got, expected)));
        }
    }
    check_all(Function::Age, N::BACKEND, &ages).unwrap();
    check_all(Function::Speed, N::BACKEND, &speeds).unwrap();
}

/// The benefit of a row, or what was refused; `None` from the rule is a quarantine.
fn weighted<N: Tested>(row: &Weighted) -> Result<Option<Benefit>, Error> {
    let [distance, age, speed] = row.weights.map(N::of);
    let rule = BenefitRule::new(BenefitTerms {
        distance_importance: match row.importance {
            Kind::SolidAngle => DistanceImportance::SolidAngle,
            Kind::Angular => DistanceImportance::Angular,
        },
        max_distance: limit(row.max_distance),
        weights: Weights::new(distance, age, speed)?,
        bias: N::of(row.bias),
        max_age: limit(row.max_age),
        max_speed: limit(row.max_speed),
    })?;
    // The views are where the offsets lead from, and the actor is at the origin.
    let eyes: Vec<[N; 3]> =
        row.offsets.iter().map(|offset| offset.map(|component| N::of(-component))).collect();
    let state = State { position: [N::ZERO; 3], age: N::of(row.age), speed: N::of(row.speed) };
    Ok(rule.benefit(&eyes, rule.curve(N::of(row.radius))?, state))
}

fn benefits<N: Tested>() {
    let mut cases = Vec::new();
    for row in BenefitVectors::load().weighted {
        let sight = row.sight();
        let numbers = [row.bias, row.age, row.speed, row.radius].into_iter();
        let numbers = numbers.chain(row.weights).chain(row.offsets.iter().flatten().copied());
        // An eye is checked by the view that it belongs to, and there must be one.
        let eyes_are_sound = row.offsets.iter().flatten().all(|value| value.is_finite());
        if !holds::<N>(&numbers.collect::<Vec<_>>()) || !eyes_are_sound || row.offsets.is_empty() {
            continue;
        }
        let condition = match row.importance {
            Kind::SolidAngle => solid_angle_condition(sight.radius, sight.max_distance),
            Kind::Angular => angular_condition(sight.radius, sight.max_distance),
        };
        if is_hopeless::<N>(condition) {
            continue;
        }
        match (&row.expected, weighted::<N>(&row)) {
            (&Expected::Value(expected), Ok(Some(benefit))) => {
                cases.push(case(&row.name, condition, benefit.to_f64(), expected));
            }
            (Expected::Refusal { refused }, Err(error)) => {
                let name = error.quantity().to_string();
                assert!(
                    name == *refused || format!("{name}s") == *refused,
                    "{}: {error}",
                    row.name
                );
            }
            (Expected::Refusal { refused }, Ok(None)) => {
                assert!(["age", "speed"].contains(&&**refused), "{}", row.name);
            }
            (expected, got) => panic!("{}: {got:?} instead of {expected:?}", row.name),
        }
    }
    check_all(Function::CountedBenefit, N::BACKEND, &cases).unwrap();
}

#[test]
fn importances_of_every_number_type() {
    importances::<f64>();
    importances::<f32>();
    importances::<Fixed>();
    importances::<Micro>();
}

#[test]
fn benefits_of_every_number_type() {
    benefits::<f64>();
    benefits::<f32>();
    benefits::<Fixed>();
    benefits::<Micro>();
}

#[test]
fn what_the_ledger_counts_of_every_number_type() {
    for row in BenefitVectors::load().direct {
        let counted = |benefit: Result<Benefit, Error>| benefit.map(Benefit::bits);
        assert_eq!(counted(Benefit::new(row.benefit)), Ok(row.q16), "{}", row.name);
        if row.benefit == f32::of(row.benefit).to_f64() {
            assert_eq!(counted(Benefit::new(f32::of(row.benefit))), Ok(row.q16), "{}", row.name);
            assert_eq!(counted(Benefit::new(Micro::of(row.benefit))), Ok(row.q16), "{}", row.name);
        }
        if let Some(fixed) = Fixed::from_f64(row.benefit).filter(|n| n.to_f64() == row.benefit) {
            assert_eq!(counted(Benefit::new(fixed)), Ok(row.q16), "{}", row.name);
        }
    }
}
