//! Importances and benefits of every number type: the shared vectors, and random inputs against the oracle.

use lodger_core::benefit::{
    ActorState, BenefitRule, BenefitTerms, LensTask, OutsideFactor, Sight, StateColumns, Weights,
};
use lodger_core::importance::{DistanceImportance, age, angular, solid_angle, speed};
use lodger_core::view::View;
use lodger_core::{Benefit, Fixed, Micro, Real, ValueError};
use lodger_testkit::script::ScriptNumber;
use lodger_tests::oracle::importance::{self as oracle, BenefitInputs};
use lodger_tests::strategy::{
    ageing_inputs, angular_inputs, benefit_inputs, moving_inputs, representable,
    solid_angle_inputs, zooms,
};
use lodger_tests::tolerance::{
    Case, Function, angular_condition, check, check_all, solid_angle_condition,
};
use lodger_tests::vectors::{
    BenefitVectors, Distance, Expected, ImportanceVectors, Kind, Vectors as _,
};
use proptest::prelude::*;

/// Whether all values are in the range of the number type; only floats hold NaN and infinities.
fn holds<N: ScriptNumber>(values: &[f64]) -> bool {
    let has_infinities = N::NAME != Fixed::NAME;
    let is_held = |&value: &f64| {
        if value.is_finite() { N::from_f64(value).is_some() } else { has_infinities }
    };
    values.iter().all(is_held)
}

/// Whether the error of the root of `Micro` exceeds the range.
fn is_ill_conditioned<N: ScriptNumber>(condition: f64) -> bool {
    N::NAME == Micro::NAME && condition > 3.5
}

/// The row for a benefit: without a root, `Micro` is as exact as `f32`.
fn counting_type<N: ScriptNumber>(kind: DistanceImportance) -> &'static str {
    match (N::NAME, kind) {
        (Micro::NAME, DistanceImportance::SolidAngle) => f32::NAME,
        (name, _) => name,
    }
}

/// Whether a row is just outside the step of a maximum within the actor, which `Fixed` documents as soft.
fn is_on_soft_edge<N: ScriptNumber>(kind: DistanceImportance, row: &Distance) -> bool {
    let near = match kind {
        DistanceImportance::SolidAngle => row.radius * std::f64::consts::PI.sqrt(),
        DistanceImportance::Angular => row.radius,
    };
    let edge = near..near * (1.0 + 1.0 / 4_096.0);
    N::NAME == Fixed::NAME
        && row.max_distance.is_some_and(|end| end <= near)
        && edge.contains(&row.distance)
}

fn case(name: &str, condition: f64, got: impl Real, expected: f64) -> Case {
    Case { name: name.to_owned(), condition, got: got.to_f64(), expected }
}

/// Checks a distance importance in both forms, and rejected inputs.
fn distances<N: ScriptNumber>(
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
        let (radius, max_distance) =
            (N::from_script(row.radius), row.max_distance.map(N::from_script));
        let curve = kind.curve(radius, max_distance);
        match (&row.expected, curve) {
            (Expected::Refusal { refused }, Err(error)) => {
                assert_eq!(error.quantity().to_string(), *refused, "{}", row.name);
            }
            (&Expected::Value(expected), Ok(curve)) => {
                let condition = condition(row.radius, row.max_distance);
                if kind == DistanceImportance::Angular && is_ill_conditioned::<N>(condition) {
                    continue;
                }
                let distance = N::from_script(row.distance);
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
        check_all(function, N::NAME, &cases).unwrap();
    }
}

fn importances<N: ScriptNumber>() {
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
    for row in vectors.age.iter().filter(|row| holds::<N>(&[row.age, row.max_age])) {
        if let Expected::Value(expected) = row.expected {
            let (t, max) = (N::from_script(row.age), N::from_script(row.max_age));
            let prepared = N::ONE - t.fraction_of(max.range_end());
            ages.extend([age(t, max), prepared].map(|got| case(&row.name, 1.0, got, expected)));
        }
    }
    for row in vectors.speed.iter().filter(|row| holds::<N>(&[row.speed, row.max_speed])) {
        if let Expected::Value(expected) = row.expected {
            let (v, max) = (N::from_script(row.speed), N::from_script(row.max_speed));
            let prepared = v.fraction_of(max.range_end());
            speeds.extend([speed(v, max), prepared].map(|got| case(&row.name, 1.0, got, expected)));
        }
    }
    check_all(Function::Age, N::NAME, &ages).unwrap();
    check_all(Function::Speed, N::NAME, &speeds).unwrap();
}

const fn kind_of(kind: Kind) -> DistanceImportance {
    match kind {
        Kind::SolidAngle => DistanceImportance::SolidAngle,
        Kind::Angular => DistanceImportance::Angular,
    }
}

fn condition_of(inputs: &BenefitInputs) -> f64 {
    match inputs.importance {
        Kind::SolidAngle => solid_angle_condition(inputs.radius, inputs.max_distance),
        Kind::Angular => angular_condition(inputs.radius, inputs.max_distance),
    }
}

fn rule<N: ScriptNumber>(inputs: &BenefitInputs) -> Result<BenefitRule<N>, ValueError> {
    let [distance, age, speed] = inputs.weights.map(N::from_script);
    BenefitRule::new(BenefitTerms {
        distance_importance: kind_of(inputs.importance),
        max_distance: inputs.max_distance.map(N::from_script),
        weights: Weights::new(distance, age, speed)?,
        bias: N::from_script(inputs.bias),
        max_age: inputs.max_age.map(N::from_script),
        max_speed: inputs.max_speed.map(N::from_script),
    })
}

/// The benefit of an actor at the origin; `None` is a quarantine.
fn compute_benefit<N: ScriptNumber>(
    inputs: &BenefitInputs,
    eyes: impl Iterator<Item = [f64; 3]>,
) -> Result<Option<Benefit>, ValueError> {
    let rule = rule::<N>(inputs)?;
    let eyes: Vec<[N; 3]> = eyes.map(|eye| eye.map(N::from_script)).collect();
    let state = ActorState {
        position: [N::ZERO; 3],
        age: N::from_script(inputs.age),
        speed: N::from_script(inputs.speed),
    };
    Ok(rule.benefit(&eyes, rule.curve(N::from_script(inputs.radius))?, state))
}

fn benefits<N: ScriptNumber>() {
    let mut cases = Vec::new();
    for row in BenefitVectors::load().weighted {
        let inputs = row.inputs();
        let numbers = [row.bias, row.age, row.speed, row.radius].into_iter();
        let numbers = numbers.chain(row.weights).chain(row.offsets.iter().flatten().copied());
        let limits = [row.max_distance, row.max_age, row.max_speed].into_iter().flatten();
        let numbers = numbers.chain(limits);
        // Views, not rules, reject invalid eyes.
        let eyes_are_valid = row.offsets.iter().flatten().all(|value| value.is_finite());
        if !holds::<N>(&numbers.collect::<Vec<_>>()) || !eyes_are_valid || row.offsets.is_empty() {
            continue;
        }
        let condition = condition_of(&inputs);
        if is_ill_conditioned::<N>(condition) {
            continue;
        }
        // The offsets lead from the eyes to the actor.
        let eyes = row.offsets.iter().map(|offset| offset.map(|component| -component));
        match (&row.expected, compute_benefit::<N>(&inputs, eyes)) {
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
    check_all(Function::CountedBenefit, N::NAME, &cases).unwrap();
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
fn benefits_in_q16_of_every_number_type() {
    for row in BenefitVectors::load().direct {
        let counted = |benefit: Result<Benefit, ValueError>| benefit.map(Benefit::bits);
        assert_eq!(counted(Benefit::new(row.benefit)), Ok(row.q16), "{}", row.name);
        if row.benefit == f32::from_script(row.benefit).to_f64() {
            assert_eq!(
                counted(Benefit::new(f32::from_script(row.benefit))),
                Ok(row.q16),
                "{}",
                row.name
            );
            assert_eq!(
                counted(Benefit::new(Micro::from_script(row.benefit))),
                Ok(row.q16),
                "{}",
                row.name
            );
        }
        if let Some(fixed) = Fixed::from_f64(row.benefit).filter(|n| n.to_f64() == row.benefit) {
            assert_eq!(counted(Benefit::new(fixed)), Ok(row.q16), "{}", row.name);
        }
    }
}

fn close<N: ScriptNumber>(
    function: Function,
    condition: f64,
    got: [N; 2],
    expected: f64,
) -> Result<(), TestCaseError> {
    for got in got {
        check(function, N::NAME, condition, got.to_f64(), expected).map_err(TestCaseError::fail)?;
    }
    Ok(())
}

fn solid_angles<N: ScriptNumber>(
    (r, radius, max): (f64, f64, Option<f64>),
) -> Result<(), TestCaseError> {
    let function = max.map_or(Function::SolidAngle, |_| Function::SolidAngleBounded);
    let got = both_forms(DistanceImportance::SolidAngle, solid_angle::<N>, r, radius, max);
    let expected = oracle::solid_angle(r, radius, max).unwrap();
    close(function, solid_angle_condition(radius, max), got, expected)
}

fn angles<N: ScriptNumber>((r, radius, max): (f64, f64, Option<f64>)) -> Result<(), TestCaseError> {
    let condition = angular_condition(radius, max);
    if is_ill_conditioned::<N>(condition) {
        return Ok(());
    }
    let function = max.map_or(Function::Angular, |_| Function::AngularBounded);
    let got = both_forms(DistanceImportance::Angular, angular::<N>, r, radius, max);
    close(function, condition, got, oracle::angular(r, radius, max).unwrap())
}

fn both_forms<N: ScriptNumber>(
    kind: DistanceImportance,
    textbook: fn(N, N, Option<N>) -> N,
    distance: f64,
    radius: f64,
    max: Option<f64>,
) -> [N; 2] {
    let (distance, radius, max) =
        (N::from_script(distance), N::from_script(radius), max.map(N::from_script));
    let curve = kind.curve(radius, max).unwrap();
    [textbook(distance, radius, max), kind.at(curve, distance.square())]
}

fn youth<N: ScriptNumber>(t: f64, max: f64) -> Result<(), TestCaseError> {
    let (years, end) = (N::from_script(t), N::from_script(max));
    let got = [age(years, end), N::ONE - years.fraction_of(end.range_end())];
    close(Function::Age, 1.0, got, oracle::age(t, max).unwrap())
}

fn movement<N: ScriptNumber>(v: f64, reference: f64) -> Result<(), TestCaseError> {
    let (pace, end) = (N::from_script(v), N::from_script(reference));
    let got = [speed(pace, end), pace.fraction_of(end.range_end())];
    close(Function::Speed, 1.0, got, oracle::speed(v, reference).unwrap())
}

fn benefit<N: ScriptNumber>(inputs: &BenefitInputs) -> Result<(), TestCaseError> {
    let condition = condition_of(inputs);
    let counted = counting_type::<N>(kind_of(inputs.importance));
    if counted == Micro::NAME && is_ill_conditioned::<N>(condition) {
        return Ok(());
    }
    let eyes = inputs.distances.iter().map(|&distance| [0.0, 0.0, distance]);
    let benefit = compute_benefit::<N>(inputs, eyes).unwrap().expect("a valid state");
    let expected = oracle::benefit(inputs).unwrap();
    check(Function::CountedBenefit, counted, condition, benefit.to_f64(), expected)
        .map_err(TestCaseError::fail)
}

/// Compares the benefit at a zoom with the oracle's at nearer views.
fn zoomed<N: ScriptNumber>(inputs: &BenefitInputs, zoom: f64) -> Result<(), TestCaseError> {
    let condition = condition_of(inputs);
    let counted = counting_type::<N>(kind_of(inputs.importance));
    let far: Vec<_> = inputs.distances.iter().map(|near| representable(near * zoom)).collect();
    let nearer: Vec<_> = far.iter().map(|far| far / zoom).collect();
    // A short distance that is rounded may be on the other side of a step of the exact function.
    let is_close = |(near, exact): (&f64, &f64)| (near / exact - 1.0).abs() < 0.005;
    if counted == Micro::NAME && is_ill_conditioned::<N>(condition)
        || !nearer.iter().zip(&inputs.distances).all(is_close)
    {
        return Ok(());
    }
    let lens = |&far: &f64| {
        let eye = View::from_position([N::ZERO, N::ZERO, N::from_script(far)]).unwrap();
        Some(eye.zoom(zoom).unwrap().lens())
    };
    let lenses: Vec<_> = far.iter().map(lens).collect();
    let task = LensTask { lenses: &lenses, outside: OutsideFactor::ONE, radius: &[] };
    let rule = rule::<N>(inputs).unwrap();
    let columns = StateColumns {
        x: &[N::ZERO],
        y: &[N::ZERO],
        z: &[N::ZERO],
        age: &[N::from_script(inputs.age)],
        speed: &[N::from_script(inputs.speed)],
        curve: &[rule.curve(N::from_script(inputs.radius)).unwrap()],
    };
    let mut benefit = [Benefit::ZERO];
    assert_eq!(rule.benefits_through(task, Sight::All, columns, &mut benefit), 0);
    let expected = oracle::benefit(&BenefitInputs { distances: nearer, ..inputs.clone() }).unwrap();
    check(Function::CountedBenefit, counted, condition, benefit[0].to_f64(), expected)
        .map_err(TestCaseError::fail)
}

macro_rules! every_type {
    ($function:ident($($input:expr),*)) => {
        $function::<f64>($($input),*)?;
        $function::<f32>($($input),*)?;
        $function::<Fixed>($($input),*)?;
        $function::<Micro>($($input),*)?;
    };
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20_000))]

    #[test]
    fn solid_angles_are_within_tolerance(inputs in solid_angle_inputs()) {
        every_type!(solid_angles(inputs));
    }

    #[test]
    fn angles_are_within_tolerance(inputs in angular_inputs()) {
        every_type!(angles(inputs));
    }

    #[test]
    fn ages_are_within_tolerance((t, max) in ageing_inputs()) {
        every_type!(youth(t, max));
    }

    #[test]
    fn speeds_are_within_tolerance((v, reference) in moving_inputs()) {
        every_type!(movement(v, reference));
    }

    #[test]
    fn benefits_are_within_tolerance(inputs in benefit_inputs()) {
        every_type!(benefit(&inputs));
    }

    #[test]
    fn benefits_at_any_zoom_are_within_tolerance(inputs in benefit_inputs(), zoom in zooms()) {
        // Q16.16 ends at 32 768 m.
        let farthest = inputs.distances.iter().copied().fold(1.0, f64::max);
        let zoom = zoom.min(30_000.0 / farthest);
        every_type!(zoomed(&inputs, zoom));
    }
}

#[test]
fn a_maximum_inside_the_actor_is_a_step() {
    fn step<N: ScriptNumber>() {
        for kind in [DistanceImportance::SolidAngle, DistanceImportance::Angular] {
            let curve = kind.curve(N::from_script(4.0), Some(N::from_script(3.0))).unwrap();
            let at = |r: f64| kind.at(curve, N::from_script(r).square()).to_f64();
            assert_eq!([at(0.0), at(3.5), at(4.0)], [1.0; 3], "{} {kind:?}", N::NAME);
            assert_eq!([at(7.25), at(20.0)], [0.0; 2], "{} {kind:?}", N::NAME);
        }
    }
    step::<f64>();
    step::<f32>();
    step::<Fixed>();
    step::<Micro>();
}

#[test]
fn nan_and_infinity_have_importance_0() {
    for kind in [DistanceImportance::SolidAngle, DistanceImportance::Angular] {
        let curve = kind.curve(1.0_f32, Some(10.0)).unwrap();
        assert_eq!(kind.at(curve, f32::NAN), 0.0);
        assert_eq!(kind.at(curve, f32::INFINITY), 0.0);
        assert_eq!(kind.at(curve, 0.0), 1.0);
    }
    for function in [solid_angle::<f32>, angular] {
        for bad in [[f32::NAN, 1.0], [1.0, f32::NAN]] {
            assert_eq!(function(bad[0], bad[1], None), 0.0);
            assert_eq!(function(bad[0], bad[1], Some(10.0)), 0.0);
        }
        assert_eq!(function(5.0, 1.0, Some(f32::NAN)), 0.0);
    }
    for function in [age::<f32>, speed] {
        assert_eq!(function(f32::NAN, 1.0), 0.0);
        assert_eq!(function(1.0, f32::NAN), 0.0);
    }
}
