//! Importances, benefits, and what they are made of.

use lodger_core::Error;
use lodger_core::benefit::{BenefitRule, BenefitTerms, State, Weights};
use lodger_core::calibration::Calibration;
use lodger_core::importance::{self, DistanceImportance};
use lodger_core::units::UnitCost;

use super::super::backend::Number;
use super::super::question::Function;
use super::super::scene::BenefitQuestion;
use super::super::words::{Words, push, push_wide};

pub(super) fn importance<N: Number>(
    function: Function,
    [value, extent]: [N; 2],
    end: Option<u32>,
    words: &mut Words,
) -> Result<(), Error> {
    let end = end.map(N::from_word);
    let range = extent.span();
    let (text, prepared) = match function {
        Function::SolidAngle => (
            importance::solid_angle(value, extent, end),
            DistanceImportance::SolidAngle.at(
                DistanceImportance::SolidAngle.curve(extent, end)?,
                N::norm_sq([value, N::ZERO, N::ZERO]),
            ),
        ),
        Function::Angular => (
            importance::angular(value, extent, end),
            DistanceImportance::Angular
                .at(DistanceImportance::Angular.curve(extent, end)?, value.square()),
        ),
        Function::Age => (importance::age(value, extent), N::ONE - value.fraction_of(range)),
        Function::Speed => (importance::speed(value, extent), value.fraction_of(range)),
    };
    push(words, text.word());
    push(words, prepared.word());
    Ok(())
}

/// The primitives. NaN is NaN: its sign and its other bits are the processor's own.
pub(super) fn arithmetic<N: Number>([a, b]: [N; 2], words: &mut Words) {
    for number in [a + b, a - b, a * b, a / b] {
        let is_number = number.partial_cmp(&number).is_some();
        push(words, if is_number { number.word() } else { f32::NAN.to_bits() });
    }
    push(words, a.sqrt().word());
    push(words, a.to_benefit());
    push(words, a.fraction_of(b.span()).word());
    push(words, a.lesser(b).word());
}

pub(super) fn benefit<N: Number>(
    question: &BenefitQuestion,
    words: &mut Words,
) -> Result<(), Error> {
    let [distance, age, speed] = question.weights.map(N::from_word);
    let weights = if question.normalised {
        Weights::normalised(distance, age, speed)?
    } else {
        Weights::new(distance, age, speed)?
    };
    let rule = BenefitRule::new(BenefitTerms {
        distance_importance: if question.angular {
            DistanceImportance::Angular
        } else {
            DistanceImportance::SolidAngle
        },
        max_distance: question.max_distance.map(N::from_word),
        weights,
        bias: N::from_word(question.bias),
        max_age: Some(N::from_word(question.max_age)),
        max_speed: Some(N::from_word(question.max_speed)),
    })?;
    let row = question.row;
    let state = State {
        position: row.position.map(N::from_word),
        age: N::from_word(row.age),
        speed: N::from_word(row.speed),
    };
    let curve = rule.curve(N::from_word(row.radius))?;
    let benefit = rule.benefit(&question.eyes.map(|eye| eye.map(N::from_word)), curve, state);
    push(words, benefit.is_some().into());
    push(words, benefit.unwrap_or_default().bits());
    Ok(())
}

/// Measurements, one after the other, and what a unit costs after each.
pub(super) fn calibration<N: Number>(
    unit_cost: N,
    observations: &[(u32, u32)],
    words: &mut Words,
) -> Result<(), Error> {
    let mut calibration = Calibration::new(UnitCost::from_ns(unit_cost.to_f64())?);
    for &(units, measured) in observations {
        push_wide(words, calibration.observe(units.into(), measured.into()).bits());
        push_wide(words, calibration.raw_unit_cost().bits());
    }
    Ok(())
}
