//! Every number type against the oracle, over the whole documented range.

use lodger_core::benefit::{BenefitRule, BenefitTerms, State, Weights};
use lodger_core::importance::{DistanceImportance, age, angular, solid_angle, speed};
use lodger_core::{Fixed, Micro};
use lodger_tests::oracle::importance::{self as oracle, Sight};
use lodger_tests::strategy::{
    ageing_inputs, angular_inputs, moving_inputs, sights, solid_angle_inputs,
};
use lodger_tests::tolerance::{Backend, Function, angular_condition, check, solid_angle_condition};
use proptest::prelude::*;

use crate::core_vectors::{Tested, counting_backend, is_hopeless};

fn close<N: Tested>(
    function: Function,
    condition: f64,
    got: [N; 2],
    expected: f64,
) -> Result<(), TestCaseError> {
    for got in got {
        check(function, N::BACKEND, condition, got.to_f64(), expected)?;
    }
    Ok(())
}

fn solid_angles<N: Tested>(r: f64, radius: f64, limit: Option<f64>) -> Result<(), TestCaseError> {
    let kind = DistanceImportance::SolidAngle;
    let (distance, size, end) = (N::of(r), N::of(radius), limit.map(N::of));
    let curve = kind.curve(size, end).unwrap();
    let got = [solid_angle(distance, size, end), kind.at(curve, distance.square())];
    let function = limit.map_or(Function::SolidAngle, |_| Function::SolidAngleBounded);
    let expected = oracle::solid_angle(r, radius, limit).unwrap();
    close(function, solid_angle_condition(radius, limit), got, expected)
}

fn angles<N: Tested>(r: f64, radius: f64, limit: Option<f64>) -> Result<(), TestCaseError> {
    let kind = DistanceImportance::Angular;
    let (distance, size, end) = (N::of(r), N::of(radius), limit.map(N::of));
    let curve = kind.curve(size, end).unwrap();
    let got = [angular(distance, size, end), kind.at(curve, distance.square())];
    let function = limit.map_or(Function::Angular, |_| Function::AngularBounded);
    let expected = oracle::angular(r, radius, limit).unwrap();
    let condition = angular_condition(radius, limit);
    if is_hopeless::<N>(condition) {
        return Ok(());
    }
    close(function, condition, got, expected)
}

fn youth<N: Tested>(t: f64, max: f64) -> Result<(), TestCaseError> {
    let (years, end) = (N::of(t), N::of(max));
    let got = [age(years, end), N::ONE - years.fraction_of(end.span())];
    close(Function::Age, 1.0, got, oracle::age(t, max).unwrap())
}

fn movement<N: Tested>(v: f64, reference: f64) -> Result<(), TestCaseError> {
    let (pace, end) = (N::of(v), N::of(reference));
    let got = [speed(pace, end), pace.fraction_of(end.span())];
    close(Function::Speed, 1.0, got, oracle::speed(v, reference).unwrap())
}

fn benefits<N: Tested>(sight: &Sight) -> Result<(), TestCaseError> {
    let [by_distance, by_age, by_speed] = sight.weights.map(N::of);
    let (distance_importance, condition) = match sight.importance {
        oracle::DistanceImportance::SolidAngle => (
            DistanceImportance::SolidAngle,
            solid_angle_condition(sight.radius, sight.max_distance),
        ),
        oracle::DistanceImportance::Angular => {
            (DistanceImportance::Angular, angular_condition(sight.radius, sight.max_distance))
        }
    };
    if counting_backend::<N>(distance_importance) == Backend::Micro && is_hopeless::<N>(condition) {
        return Ok(());
    }
    let rule = BenefitRule::new(BenefitTerms {
        distance_importance,
        max_distance: sight.max_distance.map(N::of),
        weights: Weights::new(by_distance, by_age, by_speed).unwrap(),
        bias: N::of(sight.bias),
        max_age: sight.max_age.map(N::of),
        max_speed: sight.max_speed.map(N::of),
    })
    .unwrap();
    let eyes: Vec<[N; 3]> = sight.distances.iter().map(|&r| [N::ZERO, N::ZERO, N::of(r)]).collect();
    let state = State { position: [N::ZERO; 3], age: N::of(sight.age), speed: N::of(sight.speed) };
    let curve = rule.curve(N::of(sight.radius)).unwrap();
    let benefit = rule.benefit(&eyes, curve, state).expect("a sound state");
    let expected = oracle::benefit(sight).unwrap();
    let backend = counting_backend::<N>(distance_importance);
    Ok(check(Function::CountedBenefit, backend, condition, benefit.to_f64(), expected)?)
}

/// The same question to every number type.
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
    fn solid_angles_are_as_good_as_promised((r, radius, limit) in solid_angle_inputs()) {
        every_type!(solid_angles(r, radius, limit));
    }

    #[test]
    fn angles_are_as_good_as_promised((r, radius, limit) in angular_inputs()) {
        every_type!(angles(r, radius, limit));
    }

    #[test]
    fn ages_are_as_good_as_promised((t, max) in ageing_inputs()) {
        every_type!(youth(t, max));
    }

    #[test]
    fn speeds_are_as_good_as_promised((v, reference) in moving_inputs()) {
        every_type!(movement(v, reference));
    }

    #[test]
    fn benefits_are_as_good_as_promised(sight in sights()) {
        every_type!(benefits(&sight));
    }
}

/// A maximum distance inside the actor is a step: 1 up to the near case, 0 beyond.
#[test]
fn a_maximum_inside_the_actor_is_a_step() {
    fn step<N: Tested>() {
        for kind in [DistanceImportance::SolidAngle, DistanceImportance::Angular] {
            let curve = kind.curve(N::of(4.0), Some(N::of(3.0))).unwrap();
            let at = |r: f64| kind.at(curve, N::of(r).square()).to_f64();
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
fn no_number_gives_no_importance() {
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
