//! What the importance functions promise over their whole range.

use lodger_tests::oracle::importance::{age, angular, benefit, benefit_q16, solid_angle, speed};
use lodger_tests::strategy::{
    ageing_inputs, angular_inputs, moving_inputs, sights, solid_angle_inputs,
};
use lodger_tests::tolerance::{angular_condition, solid_angle_condition};
use proptest::prelude::*;

/// Whether Q16.16 and the 24 bits of a float both hold a number.
fn is_representable(value: f64) -> bool {
    let q16 = value * 65_536.0;
    #[allow(clippy::cast_possible_truncation)] // whether that loses bits is the question
    let short = f64::from(value as f32);
    q16.fract() == 0.0 && short.to_bits() == value.to_bits()
}

proptest! {
    #[test]
    fn a_solid_angle_falls_from_1_to_0((r, radius, limit) in solid_angle_inputs(), step in 0.0..10.0) {
        let here = solid_angle(r, radius, limit).unwrap();
        prop_assert!((0.0..=1.0).contains(&here));
        prop_assert!(solid_angle(r + step, radius, limit).unwrap() <= here);
        prop_assert!(here <= solid_angle(r, radius, None).unwrap(), "a bound never adds");
    }

    #[test]
    fn an_angle_falls_from_1_to_0((r, radius, limit) in angular_inputs(), step in 0.0..10.0) {
        let here = angular(r, radius, limit).unwrap();
        prop_assert!((0.0..=1.0).contains(&here));
        prop_assert!(angular(r + step, radius, limit).unwrap() <= here);
        prop_assert!(here <= angular(r, radius, None).unwrap(), "a bound never adds");
    }

    /// The document's form: a/r² + b, clamped, both constants made from its two conditions.
    #[test]
    fn the_documents_form_is_the_textbooks((r, radius, limit) in solid_angle_inputs()) {
        let area = std::f64::consts::PI * radius * radius;
        let d2 = limit.map_or(0.0, |limit| limit * limit);
        prop_assume!(d2 > area && r > 0.0);
        let (a, b) = (area * d2 / (d2 - area), -area / (d2 - area));
        let clamped = (a / (r * r) + b).clamp(0.0, 1.0);
        prop_assert!((clamped - solid_angle(r, radius, limit).unwrap()).abs() < 1e-12);
    }

    #[test]
    fn the_bounded_solid_angle_is_continuous_at_both_ends((_, radius, limit) in solid_angle_inputs()) {
        let near = radius * std::f64::consts::PI.sqrt();
        let limit = limit.filter(|&limit| limit > near);
        prop_assume!(limit.is_some());
        let at = |r: f64| solid_angle(r, radius, limit).unwrap();
        let narrow = 1e-9 * solid_angle_condition(radius, limit);
        prop_assert!((at(near * (1.0 + 1e-10)) - 1.0).abs() < narrow);
        prop_assert!(at(limit.unwrap() * (1.0 - 1e-10)).abs() < narrow);
    }

    #[test]
    fn youth_and_movement_stay_within_0_and_1((t, max) in ageing_inputs(), (v, reference) in moving_inputs()) {
        prop_assert!((0.0..=1.0).contains(&age(t, max).unwrap()));
        prop_assert!((0.0..=1.0).contains(&speed(v, reference).unwrap()));
        prop_assert!(age(t + 1.0, max).unwrap() <= age(t, max).unwrap());
        prop_assert!(speed(v + 1.0, reference).unwrap() >= speed(v, reference).unwrap());
    }

    #[test]
    fn a_benefit_is_at_most_1_and_the_bias(sight in sights()) {
        let sum = benefit(&sight).unwrap();
        prop_assert!((0.0..=1.0 + sight.bias + 1e-12).contains(&sum));
        prop_assert!((f64::from(benefit_q16(sum)) / 65_536.0 - sum).abs() <= 0.5 / 65_536.0);
    }

    #[test]
    fn another_view_never_lowers_a_benefit(sight in sights(), further in 0.0..4096.0) {
        let mut more = sight.clone();
        more.distances.push(further);
        prop_assert!(benefit(&more).unwrap() >= benefit(&sight).unwrap());
    }

    #[test]
    fn generated_inputs_belong_to_every_number_type(
        (r, radius, limit) in solid_angle_inputs(),
        (s, width, end) in angular_inputs(),
        ((t, max), (v, reference)) in (ageing_inputs(), moving_inputs()),
    ) {
        for value in [r, radius, limit.unwrap_or(0.0), s, width, end.unwrap_or(0.0), t, max, v, reference] {
            prop_assert!(is_representable(value), "{value}");
        }
        prop_assert!(solid_angle_condition(radius, limit) < 100.0);
        prop_assert!(angular_condition(width, end) < 100.0);
    }
}
