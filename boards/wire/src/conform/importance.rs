//! Vectors of importance functions, arithmetic, benefits and calibration, and their evaluation.

use lodger_core::ValueError;
use lodger_core::benefit::{ActorState, BenefitRule, BenefitTerms, Weights};
use lodger_core::calibration::Calibration;
use lodger_core::importance::{self, DistanceImportance};
use lodger_core::units::UnitCost;
use serde::{Deserialize, Serialize};

use super::number::{Number, Words, push, push_wide};

/// An importance function.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum ImportanceFunction {
    /// Solid angle by distance, radius and maximum distance: textbook form and curve.
    SolidAngle,
    /// Angular importance by distance, radius and maximum distance: textbook form and curve.
    Angular,
    /// Age by age and maximum age: textbook form and prepared range.
    Age,
    /// Speed by speed and maximum speed: textbook form and prepared range.
    Speed,
}

/// The terms of a benefit and an actor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct BenefitVector {
    /// Whether importance is angular, not by solid angle.
    pub angular: bool,
    /// The distance of importance 0, in metres.
    pub max_distance: Option<u32>,
    /// The weights of distance, age and speed.
    pub weights: [u32; 3],
    /// Whether the weights are normalised to a total of 1.
    pub normalised: bool,
    /// A constant part of every benefit.
    pub bias: u32,
    /// The age of importance 0, in seconds.
    pub max_age: u32,
    /// The speed of importance 1, in metres per second.
    pub max_speed: u32,
    /// The positions of the viewers, in metres.
    pub eyes: [[u32; 3]; 2],
    /// The actor.
    pub row: RowVector,
}

/// The state of an actor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct RowVector {
    /// The position, in metres.
    pub position: [u32; 3],
    /// The bounding radius, in metres.
    pub radius: u32,
    /// The age, in seconds.
    pub age: u32,
    /// The speed, in metres per second.
    pub speed: u32,
}

impl RowVector {
    /// The state in a number type.
    #[must_use]
    pub fn state<N: Number>(&self) -> ActorState<N> {
        let [age, speed] = [self.age, self.speed].map(N::from_word);
        ActorState { position: self.position.map(N::from_word), age, speed }
    }
}

/// Evaluates an importance function in both forms.
pub(super) fn importance<N: Number>(
    function: ImportanceFunction,
    [value, extent]: [N; 2],
    end: Option<u32>,
    words: &mut Words,
) -> Result<(), ValueError> {
    let end = end.map(N::from_word);
    let range = extent.range_end();
    let (text, prepared) = match function {
        ImportanceFunction::SolidAngle => (
            importance::solid_angle(value, extent, end),
            DistanceImportance::SolidAngle.at(
                DistanceImportance::SolidAngle.curve(extent, end)?,
                N::norm_sq([value, N::ZERO, N::ZERO]),
            ),
        ),
        ImportanceFunction::Angular => (
            importance::angular(value, extent, end),
            DistanceImportance::Angular
                .at(DistanceImportance::Angular.curve(extent, end)?, value.square()),
        ),
        ImportanceFunction::Age => {
            (importance::age(value, extent), N::ONE - value.fraction_of(range))
        }
        ImportanceFunction::Speed => (importance::speed(value, extent), value.fraction_of(range)),
    };
    push(words, text.word());
    push(words, prepared.word());
    Ok(())
}

/// Evaluates primitives. Each NaN is written as the same bits, because its sign and payload depend on the processor.
pub(super) fn arithmetic<N: Number>([a, b]: [N; 2], words: &mut Words) {
    for number in [a + b, a - b, a * b, a / b] {
        let is_number = number.partial_cmp(&number).is_some();
        push(words, if is_number { number.word() } else { f32::NAN.to_bits() });
    }
    push(words, a.sqrt().word());
    push(words, a.to_benefit());
    push(words, a.fraction_of(b.range_end()).word());
    push(words, a.lesser(b).word());
}

pub(super) fn benefit<N: Number>(
    vector: &BenefitVector,
    words: &mut Words,
) -> Result<(), ValueError> {
    let [distance, age, speed] = vector.weights.map(N::from_word);
    let weights = if vector.normalised {
        Weights::normalised(distance, age, speed)?
    } else {
        Weights::new(distance, age, speed)?
    };
    let rule = BenefitRule::new(BenefitTerms {
        distance_importance: if vector.angular {
            DistanceImportance::Angular
        } else {
            DistanceImportance::SolidAngle
        },
        max_distance: vector.max_distance.map(N::from_word),
        weights,
        bias: N::from_word(vector.bias),
        max_age: Some(N::from_word(vector.max_age)),
        max_speed: Some(N::from_word(vector.max_speed)),
    })?;
    let curve = rule.curve(N::from_word(vector.row.radius))?;
    let eyes = vector.eyes.map(|eye| eye.map(N::from_word));
    let benefit = rule.benefit(&eyes, curve, vector.row.state());
    push(words, benefit.is_some().into());
    push(words, benefit.unwrap_or_default().bits());
    Ok(())
}

/// Evaluates measurements in turn, and the unit cost after each.
pub(super) fn calibration<N: Number>(
    unit_cost: N,
    observations: &[(u32, u32)],
    words: &mut Words,
) -> Result<(), ValueError> {
    let mut calibration = Calibration::new(UnitCost::from_ns(unit_cost.to_f64())?);
    for &(units, measured) in observations {
        push_wide(words, calibration.observe(units.into(), measured.into()).bits());
        push_wide(words, calibration.raw_unit_cost().bits());
    }
    Ok(())
}
