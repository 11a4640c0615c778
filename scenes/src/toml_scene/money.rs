//! What the money of a TOML scene counts, and how much of it there is.

use lodger_core::error::{Error as Refusal, Problem, Quantity};
use lodger_core::units::{BenefitValue, Budget, UnitCost};

use super::raw::{RawModule, RawScene};
use crate::error::{Error, ErrorKind};
use crate::place::Subject;
use crate::settings::Settings;
use crate::unit::Unit;
use lodger_gltf::clipped;

/// From there on a number does not count every unit.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// What the money of a scene counts.
pub(super) fn unit(raw: &RawScene) -> Result<Unit, Error> {
    let Some(name) = &raw.unit else { return Ok(Unit::Time) };
    Unit::named(name).ok_or_else(|| {
        let kind = ErrorKind::NoUnit { name: clipped(name).into_owned() };
        Error::new(kind, Subject::File, "unit")
            .with_help("write a word such as `unit = \"splat\"`, or leave it out for milliseconds")
    })
}

/// The budget: the settings', else the file's, which must be right in any case.
pub(super) fn budget(raw: &RawScene, unit: &Unit, settings: &Settings) -> Result<Budget, Error> {
    let of_file = match (unit, raw.budget_ms, raw.budget) {
        (Unit::Time, _, Some(_)) => return Err(of_units(Subject::File, "budget", "budget_ms")),
        (Unit::Named(_), Some(_), _) => {
            return Err(of_time(Subject::File, "budget_ms", "budget", unit));
        }
        (Unit::Time, written, None) => ("budget_ms", written.map(|ms| (ms, Budget::from_ms(ms)))),
        (Unit::Named(_), None, written) => ("budget", written.map(|units| (units, whole(units)))),
    };
    let (key, written) = of_file;
    let written = written.map(|(value, budget)| {
        budget.map_err(|error| match error.problem() {
            Problem::TooSmall | Problem::TooLarge => {
                Error::new(ErrorKind::NotWhole { value }, Subject::File, key)
            }
            _ => Error::number(Subject::File, key, value, error),
        })
    });
    let written = written.transpose()?;
    let given = settings.budget_in(unit)?;
    given.or(written).ok_or_else(|| {
        Error::new(ErrorKind::NoBudget, Subject::File, key).with_help(match unit {
            Unit::Time => "write `budget_ms = 16.6` (milliseconds; `inf` is unlimited) above the \
                first table"
                .to_owned(),
            Unit::Named(name) => format!(
                "write `budget = 2000000` (whole units of `{name}`; `inf` is unlimited) above the \
                 first table"
            ),
        })
    })
}

/// A budget in whole units.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "whole and below 2^53")]
fn whole(units: f64) -> Result<Budget, Refusal> {
    let refuse = |problem| Err(Refusal::new(Quantity::Budget, problem));
    match units {
        f64::INFINITY => Ok(Budget::UNLIMITED),
        _ if units.is_nan() => refuse(Problem::NotFinite),
        _ if units < 0.0 => refuse(Problem::Negative),
        _ if units >= EXACT => refuse(Problem::TooLarge),
        _ if units.fract() != 0.0 => refuse(Problem::TooSmall),
        _ => Ok(Budget::from_ns(units as u64)),
    }
}

/// What a unit of a module's work costs.
pub(super) fn unit_cost(subject: Subject, raw: &RawModule, unit: &Unit) -> Result<UnitCost, Error> {
    match (unit, raw.unit_cost_ms, raw.unit_cost) {
        (Unit::Time, _, Some(_)) => Err(of_units(subject, "unit_cost", "unit_cost_ms")),
        (Unit::Time, None, None) => {
            Err(Error::new(ErrorKind::Missing { why: "" }, subject, "unit_cost_ms")
                .with_help("add `unit_cost_ms`: milliseconds for one unit of work"))
        }
        (Unit::Time, Some(ms), None) => UnitCost::from_ms(ms)
            .map_err(|error| refused(subject, raw, ("unit_cost_ms", ms), error)),
        (Unit::Named(_), Some(_), _) => Err(of_time(subject, "unit_cost_ms", "unit_cost", unit)),
        (Unit::Named(_), None, written) => {
            let cost = written.unwrap_or(1.0);
            UnitCost::from_ns(cost).map_err(|error| beyond(subject, ("unit_cost", cost), error))
        }
    }
}

/// What a unit of benefit may cost in a module. Only the proportional policy asks for it.
pub(super) fn benefit_value(
    subject: Subject,
    raw: &RawModule,
    unit: &Unit,
    is_needed: bool,
) -> Result<BenefitValue, Error> {
    /// The constructor rounds to the nearest nanosecond.
    const MS_PER_UNIT: f64 = 1e-6;
    let key = "benefit_value";
    match (unit, raw.benefit_value) {
        (_, None) if is_needed => {
            let why = ": the proportional policy shares money by it";
            Err(Error::new(ErrorKind::Missing { why }, subject, key)
                .with_help("add `benefit_value`, or choose the optimal policy, which needs none"))
        }
        (_, None) => Ok(BenefitValue::default()),
        (Unit::Time, Some(ms)) => {
            BenefitValue::from_ms(ms).map_err(|error| refused(subject, raw, (key, ms), error))
        }
        (Unit::Named(_), Some(units)) => BenefitValue::from_ms(units * MS_PER_UNIT)
            .map_err(|error| beyond(subject, (key, units), error)),
    }
}

/// A key of scenes in milliseconds.
fn of_time(subject: Subject, key: &'static str, instead: &str, unit: &Unit) -> Error {
    Error::new(ErrorKind::InMilliseconds { unit: unit.to_string() }, subject, key)
        .with_help(format!("write `{instead}` instead, in units of `{unit}`"))
}

/// A key of scenes with another unit.
fn of_units(subject: Subject, key: &'static str, instead: &str) -> Error {
    Error::new(ErrorKind::InUnits, subject, key).with_help(format!(
        "write `{instead}`, or say above the first table what money counts: `unit = \"splat\"`"
    ))
}

fn refused(
    subject: Subject,
    raw: &RawModule,
    (key, value): (&'static str, f64),
    error: Refusal,
) -> Error {
    match error.problem() {
        Problem::TooLarge | Problem::TooSmall => {
            Error::refused(subject, format!("module `{}`", clipped(&raw.name)), error.into())
        }
        _ => Error::number(subject, key, value, error),
    }
}

fn beyond(subject: Subject, (key, value): (&'static str, f64), error: Refusal) -> Error {
    match error.problem() {
        Problem::TooLarge | Problem::TooSmall => {
            Error::new(ErrorKind::Beyond { value }, subject, key)
        }
        _ => Error::number(subject, key, value, error),
    }
}
