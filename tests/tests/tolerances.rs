//! Every row of the table of tolerances can fail.

use std::f64::consts::PI;

use lodger_tests::tolerance::{
    Case, Function, TABLE, angular_condition, check, check_all, promise, solid_angle_condition,
};

#[test]
fn more_than_the_tolerance_fails_and_half_of_it_passes() {
    for row in &TABLE {
        for (unit, slenderness, expected) in [(1.0, 1.0, 0.5), (3.5, 40.0, 0.25), (1.0, 0.0, 0.0)] {
            let allowed = row.allowed(unit, slenderness);
            assert!(0.0 < allowed && allowed < 0.5, "{row:?} allows {allowed}");
            let grows = row.allowed(unit * 1.02, slenderness) > allowed;
            assert!(row.relative == 0.0 || grows, "{row:?}");
            let passing = |times: f64| {
                let got = expected + times * row.allowed(unit, 0.0);
                let all =
                    row.functions.iter().flat_map(|f| row.number_types.iter().map(move |b| (f, b)));
                let held = all.map(|(f, b)| check(*f, b, unit, got, expected).is_ok());
                held.collect::<Vec<_>>()
            };
            for sign in [-1.0, 1.0] {
                assert!(!passing(sign * 1.01).contains(&true), "{row:?} at {unit}");
                assert!(!passing(sign * 0.5).contains(&false), "{row:?} at {unit}");
            }
        }
    }
}

#[test]
fn every_function_and_number_type_has_one_row_and_a_reason() {
    for (index, row) in TABLE.iter().enumerate() {
        for &function in row.functions {
            for &name in row.number_types {
                let first = TABLE.iter().position(|other| {
                    other.functions.contains(&function) && other.number_types.contains(&name)
                });
                assert_eq!(first, Some(index), "{row:?} is there twice");
            }
        }
        assert!(!row.reason.is_empty());
    }
    // Tolerances of costs are small parts of their units; only those of Fixed have an absolute part.
    let costs = [Function::StreamingCost, Function::MeshCost, Function::OtherCost];
    for (function, name) in costs.into_iter().flat_map(|f| ["f64", "f32", "Micro"].map(|n| (f, n)))
    {
        let row = promise(function, name);
        let worst = row.allowed(2_000.0, 3.0);
        assert!(row.absolute == 0.0 && worst < 0.01 * 2_000.0, "{row:?} allows {worst}");
    }
    for function in costs.into_iter().chain([Function::StreamingCostOfGrid]) {
        let row = promise(function, "Fixed");
        for unit in [0.06, 1.0, 2_000.0_f64] {
            assert!(row.allowed(unit, 40.0) < 0.01 * unit.max(0.1), "{row:?}");
        }
    }
}

#[test]
fn only_the_tolerance_of_f64_does_not_grow_with_the_condition() {
    let wide = |name| promise(Function::SolidAngleBounded, name).allowed(8.0, 0.0);
    assert_eq!(wide("Fixed").to_bits(), (8.0f64 / 16_384.0).to_bits());
    assert_eq!(wide("f32").to_bits(), 8e-6f64.to_bits());
    assert_eq!(wide("f64").to_bits(), 1e-12f64.to_bits());
}

#[test]
fn nan_is_the_worst_case() {
    let case = |name: &str, got| Case { name: name.to_owned(), condition: 1.0, got, expected: 0.5 };
    for nan in [f64::NAN, -f64::NAN] {
        let cases = [case("fine", 0.5), case("none", nan), case("far", 0.9)];
        let failure = check_all(Function::Age, "f32", &cases).unwrap_err();
        assert!(failure.contains("none"), "{failure}");
    }
}

#[test]
fn the_worst_case_is_named() {
    let case =
        |name: &str, condition, got| Case { name: name.to_owned(), condition, got, expected: 0.5 };
    // The second is further off, but its condition allows for that.
    let cases = [case("steady", 1.0, 0.502), case("squeezed", 100.0, 0.504)];
    let failure = check_all(Function::SolidAngleBounded, "Fixed", &cases).unwrap_err();
    assert!(failure.contains("steady: 0.502 instead of 0.5"), "{failure}");
}

#[test]
fn a_check_that_cannot_fail_is_an_error() {
    assert!(check_all(Function::Age, "f64", &[]).is_err());
    let anything = f64::INFINITY;
    assert!(check(Function::AngularBounded, "Fixed", anything, 0.5, 0.5).is_err());
    assert!(check(Function::Age, "f64", f64::NAN, 0.5, 0.5).is_ok());
}

#[test]
fn conditions() {
    let near = |got: f64, expected: f64| assert!((got - expected).abs() < 1e-12, "{got}");
    near(solid_angle_condition(1.0, None), 1.0);
    near(solid_angle_condition(1.0, Some(1000.0)), 1.0);
    near(solid_angle_condition(1.0, Some(2.0)), 2.0 / (4.0 - PI));
    near(solid_angle_condition(1.0, Some(1.0)), 1.0);
    near(angular_condition(1.0, Some(1.125)), 4.5);
    near(angular_condition(1.0, None), 1.0);
}
