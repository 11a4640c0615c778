//! The modules of a TOML scene, its unit and its budget.

use lodger_core::Real as _;
use lodger_core::benefit::{BenefitRule, BenefitTerms, OutsideFactor, Priority, Weights};
use lodger_core::error::{Quantity, ValueError, ValueProblem};
use lodger_core::units::{BenefitValue, Budget, UnitCost};
use lodger_gltf::ellipsized;
use lodger_scheduler::{Module, SceneError};

use super::quality::{RawQuality, qualities};
use super::{RawModule, RawScene, RawWeights};
use crate::builder::Builder;
use crate::error::{SceneFileError, SceneFileErrorKind};
use crate::numbers::{CostUnit, narrow};
use crate::scene_file::SceneOverrides;
use crate::spans::Subject;

/// 2^53: a float cannot represent all larger integers.
const EXACT: f64 = 9_007_199_254_740_992.0;

pub(super) fn add(
    builder: &mut Builder<'_>,
    index: usize,
    raw: &RawModule,
) -> Result<(), SceneFileError> {
    let subject = Subject::Module(index);
    let unit_cost = unit_cost(subject, raw, &builder.file.unit)?;
    let value = benefit_value(subject, raw, &builder.file.unit)?;
    let mut module = Module::new(raw.name.as_str(), unit_cost)
        .managed(raw.enabled)
        .continuous(raw.continuous)
        .overhead(raw.overhead);
    if let Some(value) = value {
        module = module.benefit_value(value);
    }
    module = match &raw.quality {
        Some(RawQuality::Table(table)) => module.qualities(qualities(table, subject)?),
        Some(RawQuality::Curve(curve)) => module.quality_curve(*curve),
        None => module,
    };
    let module = rule(raw).and_then(|rule| {
        let priority = raw.priority.map_or(Ok(Priority::ONE), Priority::new)?;
        let outside = raw.outside.map_or(Ok(OutsideFactor::ONE), OutsideFactor::new)?;
        Ok(module.rule(rule).priority(priority).outside(outside))
    });
    builder.add_module(&raw.name, module, |error| refused(subject, raw, error)).map(drop)
}

fn rule(raw: &RawModule) -> Result<BenefitRule<f32>, ValueError> {
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
        // Ages of a file are not negative.
        max_age: max_age.map(|age| age.not_negative(Quantity::MaxAge)).transpose()?,
        max_speed: optional(raw.max_speed, Quantity::MaxSpeed)?,
    })
}

fn weights(RawWeights { distance, age, speed }: RawWeights) -> Result<Weights<f32>, ValueError> {
    let weight = |value| narrow(value, Quantity::Weight);
    Weights::new(weight(distance)?, weight(age)?, weight(speed)?)
}

fn refused(subject: Subject, raw: &RawModule, error: SceneError) -> SceneFileError {
    let weights = raw.weights.unwrap_or_default();
    if matches!(error, SceneError::NoBenefitValue(_)) {
        let name = ellipsized(&raw.name);
        let key = "benefit_value";
        let why = "the proportional policy divides the budget by it";
        let message = format!("`{key}` is missing in the module `{name}`: {why}");
        return SceneFileError::new(message, subject, key)
            .with_help("add `benefit_value`, or choose the optimal policy, which needs none");
    }
    let value_error = error.value_error();
    let whole = || of_module(subject, raw, error);
    let Some(refusal) = value_error else { return whole() };
    match (refusal.quantity(), refusal.problem()) {
        (Quantity::Weights, _) => {
            let total = weights.distance + weights.age + weights.speed;
            let message = format!("the weights total {total}, but {}", refusal.problem());
            SceneFileError::new(message, subject, "weights").caused_by(refusal).with_help(
                "a weight that is left out is 0; without `weights`, distance counts alone",
            )
        }
        (Quantity::MaxAge, ValueProblem::Missing) => {
            no_reference(subject, "max_age", "age", weights.age)
        }
        (Quantity::MaxSpeed, ValueProblem::Missing) => {
            no_reference(subject, "max_speed", "speed", weights.speed)
        }
        (Quantity::Priority | Quantity::Outside, _) => match number(raw, weights, refusal) {
            Some((key, value)) => SceneFileError::number(subject, key, value, refusal),
            None => whole(),
        },
        (_, ValueProblem::TooLarge | ValueProblem::TooSmall) => whole(),
        _ => match number(raw, weights, refusal) {
            Some((key, value)) => SceneFileError::number(subject, key, value, refusal),
            None => whole(),
        },
    }
}

fn of_module(subject: Subject, raw: &RawModule, error: SceneError) -> SceneFileError {
    SceneFileError::refused(subject, format_args!("module `{}`", ellipsized(&raw.name)), error)
}

fn no_reference(
    subject: Subject,
    key: &'static str,
    importance: &str,
    weight: f64,
) -> SceneFileError {
    let message = format!("`{key}` is missing: the weight of {importance} is {weight}");
    SceneFileError::new(message, subject, key)
        .with_help(format!("add `{key}`, or set the weight of {importance} to 0"))
}

fn number(
    raw: &RawModule,
    weights: RawWeights,
    refusal: ValueError,
) -> Option<(&'static str, f64)> {
    Some(match refusal.quantity() {
        Quantity::Bias => ("bias", raw.bias),
        Quantity::MaxDistance => ("max_distance", raw.max_distance?),
        Quantity::MaxAge => ("max_age", raw.max_age?),
        Quantity::MaxSpeed => ("max_speed", raw.max_speed?),
        Quantity::Priority => ("priority", raw.priority?),
        Quantity::Outside => ("outside", raw.outside?),
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

pub(super) fn unit(raw: &RawScene) -> Result<CostUnit, SceneFileError> {
    let Some(name) = &raw.unit else { return Ok(CostUnit::Time) };
    CostUnit::named(name).ok_or_else(|| {
        let name = ellipsized(name);
        let allowed = "a word of at most 24 letters, and not one of time";
        SceneFileError::new(
            format!("`unit` is `{name}`, but must be {allowed}"),
            Subject::File,
            "unit",
        )
        .with_help("write a word such as `unit = \"splat\"`, or leave it out for milliseconds")
    })
}

/// The file's budget must be valid, even if the overrides have another.
pub(super) fn budget(
    raw: &RawScene,
    unit: &CostUnit,
    overrides: &SceneOverrides,
) -> Result<Budget, SceneFileError> {
    let of_file = match (unit, raw.budget_ms, raw.budget) {
        (CostUnit::Time, _, Some(_)) => return Err(of_units(Subject::File, "budget", "budget_ms")),
        (CostUnit::Named(_), Some(_), _) => {
            return Err(of_time(Subject::File, "budget_ms", "budget", unit));
        }
        (CostUnit::Time, written, None) => {
            ("budget_ms", written.map(|ms| (ms, Budget::from_ms(ms))))
        }
        (CostUnit::Named(_), None, written) => {
            ("budget", written.map(|units| (units, whole(units))))
        }
    };
    let (key, written) = of_file;
    let written = written.map(|(value, budget)| {
        budget.map_err(|error| match error.problem() {
            ValueProblem::TooSmall | ValueProblem::TooLarge => {
                let allowed = "a whole number below 2^53; `inf` means no limit";
                let message = format!("`{key}` is {value}, but must be {allowed}");
                SceneFileError::new(message, Subject::File, key)
            }
            _ => SceneFileError::number(Subject::File, key, value, error),
        })
    });
    let written = written.transpose()?;
    let given = overrides.budget_in(unit)?;
    given.or(written).ok_or_else(|| {
        let missing = SceneFileError::new(format!("the scene has no `{key}`"), Subject::File, key);
        missing.of_kind(SceneFileErrorKind::NoBudget).with_help(match unit {
            CostUnit::Time => {
                "write `budget_ms = 16.6` (milliseconds; `inf` is unlimited) above the \
                first table"
                    .to_owned()
            }
            CostUnit::Named(name) => format!(
                "write `budget = 2000000` (whole units of `{name}`; `inf` is unlimited) above the \
                 first table"
            ),
        })
    })
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "whole and below 2^53")]
fn whole(units: f64) -> Result<Budget, ValueError> {
    let refuse = |problem| Err(ValueError::new(Quantity::Budget, problem));
    match units {
        f64::INFINITY => Ok(Budget::UNLIMITED),
        _ if units.is_nan() => refuse(ValueProblem::NotFinite),
        _ if units < 0.0 => refuse(ValueProblem::Negative),
        _ if units >= EXACT => refuse(ValueProblem::TooLarge),
        _ if units.fract() != 0.0 => refuse(ValueProblem::TooSmall),
        _ => Ok(Budget::from_ns(units as u64)),
    }
}

fn unit_cost(
    subject: Subject,
    raw: &RawModule,
    unit: &CostUnit,
) -> Result<UnitCost, SceneFileError> {
    match (unit, raw.unit_cost_ms, raw.unit_cost) {
        (CostUnit::Time, _, Some(_)) => Err(of_units(subject, "unit_cost", "unit_cost_ms")),
        (CostUnit::Time, None, None) => {
            Err(SceneFileError::new("`unit_cost_ms` is missing", subject, "unit_cost_ms")
                .with_help("add `unit_cost_ms`: milliseconds for one unit of work"))
        }
        (CostUnit::Time, Some(ms), None) => UnitCost::from_ms(ms)
            .map_err(|error| rejected_cost(subject, raw, ("unit_cost_ms", ms), error)),
        (CostUnit::Named(_), Some(_), _) => {
            Err(of_time(subject, "unit_cost_ms", "unit_cost", unit))
        }
        (CostUnit::Named(_), None, written) => {
            let cost = written.unwrap_or(1.0);
            UnitCost::from_ns(cost).map_err(|error| beyond(subject, ("unit_cost", cost), error))
        }
    }
}

fn benefit_value(
    subject: Subject,
    raw: &RawModule,
    unit: &CostUnit,
) -> Result<Option<BenefitValue>, SceneFileError> {
    /// The constructor rounds to the nearest nanosecond.
    const MS_PER_UNIT: f64 = 1e-6;
    let key = "benefit_value";
    let Some(value) = raw.benefit_value else { return Ok(None) };
    let read = match unit {
        CostUnit::Time => BenefitValue::from_ms(value)
            .map_err(|error| rejected_cost(subject, raw, (key, value), error)),
        CostUnit::Named(_) => BenefitValue::from_ms(value * MS_PER_UNIT)
            .map_err(|error| beyond(subject, (key, value), error)),
    };
    read.map(Some)
}

fn of_time(subject: Subject, key: &'static str, instead: &str, unit: &CostUnit) -> SceneFileError {
    let counts = format!("the costs of this scene are in `{unit}`");
    SceneFileError::new(format!("`{key}` is in milliseconds, but {counts}"), subject, key)
        .with_help(format!("write `{instead}` instead, in units of `{unit}`"))
}

fn of_units(subject: Subject, key: &'static str, instead: &str) -> SceneFileError {
    let why = "the costs of this scene are times, as it has no `unit`";
    SceneFileError::new(format!("`{key}` is in whole units, but {why}"), subject, key).with_help(
        format!("write `{instead}`, or set the unit above the first table: `unit = \"splat\"`"),
    )
}

fn rejected_cost(
    subject: Subject,
    raw: &RawModule,
    (key, value): (&'static str, f64),
    error: ValueError,
) -> SceneFileError {
    match error.problem() {
        ValueProblem::TooLarge | ValueProblem::TooSmall => of_module(subject, raw, error.into()),
        _ => SceneFileError::number(subject, key, value, error),
    }
}

fn beyond(
    subject: Subject,
    (key, value): (&'static str, f64),
    error: ValueError,
) -> SceneFileError {
    match error.problem() {
        ValueProblem::TooLarge | ValueProblem::TooSmall => {
            let message = format!("`{key}` is {value}, but must be from 2^-32 to below 2^32");
            SceneFileError::new(message, subject, key)
        }
        _ => SceneFileError::number(subject, key, value, error),
    }
}
