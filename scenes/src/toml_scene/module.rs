//! The modules of a TOML scene.

use std::sync::Arc;

use lodger_core::Real as _;
use lodger_core::benefit::{BenefitRule, BenefitTerms, Weights};
use lodger_core::budget::Policy;
use lodger_core::error::{Error as Refusal, Problem, Quantity};
use lodger_scheduler::{Module, SceneError};

use super::money;
use super::raw::{RawModule, RawWeights};
use crate::error::{Error, ErrorKind};
use crate::number::narrow;
use crate::place::Subject;
use crate::quality::qualities;
use crate::scene_file::{NamedModule, SceneFile};
use lodger_gltf::clipped;

/// Adds a module to the scene.
pub(super) fn add(
    file: &mut SceneFile,
    index: usize,
    raw: &RawModule,
    name: Arc<str>,
) -> Result<NamedModule, Error> {
    let subject = Subject::Module(index);
    let has_shares = matches!(file.scene.policy(), Policy::Proportional(_));
    let unit_cost = money::unit_cost(subject, raw, &file.unit)?;
    let value = money::benefit_value(subject, raw, &file.unit, has_shares)?;
    let qualities = raw.quality.as_deref().map(qualities).transpose();
    let qualities =
        qualities.map_err(|error| Error::new(ErrorKind::Quality(error), subject, "quality"))?;
    let added = rule(raw).map_err(SceneError::from).and_then(|rule| {
        let mut module = Module::new(raw.name.as_str(), unit_cost, value)
            .rule(rule)
            .managed(raw.enabled)
            .continuous(raw.continuous)
            .overhead(raw.overhead);
        if let Some(qualities) = qualities {
            module = module.qualities(qualities);
        }
        file.scene.add_module(module)
    });
    match added {
        Ok(id) => Ok(NamedModule { id, name }),
        Err(error) => Err(refused(subject, raw, error)),
    }
}

fn rule(raw: &RawModule) -> Result<BenefitRule<f32>, Refusal> {
    let optional = |value: Option<f64>, quantity| value.map(|v| narrow(v, quantity)).transpose();
    let max_age = optional(raw.max_age, Quantity::MaxAge)?;
    BenefitRule::new(BenefitTerms {
        distance_importance: raw.distance_importance,
        max_distance: optional(
            raw.max_distance.filter(|&metres| metres != f64::INFINITY),
            Quantity::MaxDistance,
        )?,
        weights: raw.weights.map_or(Ok(Weights::DISTANCE), weights)?,
        bias: narrow(raw.bias, Quantity::Bias)?,
        // A file says of no actor that it has died before it was born.
        max_age: max_age.map(|age| age.not_negative(Quantity::MaxAge)).transpose()?,
        max_speed: optional(raw.max_speed, Quantity::MaxSpeed)?,
    })
}

fn weights(RawWeights { distance, age, speed }: RawWeights) -> Result<Weights<f32>, Refusal> {
    let weight = |value| narrow(value, Quantity::Weight);
    Weights::new(weight(distance)?, weight(age)?, weight(speed)?)
}

/// Says in the words of the file what was refused.
fn refused(subject: Subject, raw: &RawModule, error: SceneError) -> Error {
    let weights = raw.weights.unwrap_or_default();
    let whole = || Error::refused(subject, format!("module `{}`", clipped(&raw.name)), error);
    let Some(refusal) = error.refused() else { return whole() };
    match (refusal.quantity(), refusal.problem()) {
        (Quantity::Weights, _) => {
            let total = weights.distance + weights.age + weights.speed;
            Error::new(ErrorKind::WeightsTotal { total, error: refusal }, subject, "weights")
                .with_help(
                    "a weight that is left out is 0; without `weights`, distance counts alone",
                )
        }
        (Quantity::MaxAge, Problem::Missing) => {
            no_reference(subject, "max_age", "age", weights.age)
        }
        (Quantity::MaxSpeed, Problem::Missing) => {
            no_reference(subject, "max_speed", "speed", weights.speed)
        }
        (_, Problem::TooLarge | Problem::TooSmall) => whole(),
        _ => match number(raw, weights, refusal) {
            Some((key, value)) => Error::number(subject, key, value, refusal),
            None => whole(),
        },
    }
}

fn no_reference(
    subject: Subject,
    key: &'static str,
    importance: &'static str,
    weight: f64,
) -> Error {
    Error::new(ErrorKind::NoReference { importance, weight }, subject, key)
        .with_help(format!("add `{key}`, or set the weight of {importance} to 0"))
}

/// The number that was refused, and its key.
fn number(raw: &RawModule, weights: RawWeights, refusal: Refusal) -> Option<(&'static str, f64)> {
    Some(match refusal.quantity() {
        Quantity::Bias => ("bias", raw.bias),
        Quantity::MaxDistance => ("max_distance", raw.max_distance?),
        Quantity::MaxAge => ("max_age", raw.max_age?),
        Quantity::MaxSpeed => ("max_speed", raw.max_speed?),
        Quantity::Weight => {
            let of = [
                ("weights.distance", weights.distance),
                ("weights.age", weights.age),
                ("weights.speed", weights.speed),
            ];
            of.into_iter().find(|(_, weight)| weight.not_negative(Quantity::Weight).is_err())?
        }
        _ => return None,
    })
}
