//! The modules of a TOML scene.

use super::raw::RawModule;
use crate::input::toml_file::number::{Allowed, check};
use crate::input::toml_file::unique_names;
use crate::mistake::Mistake;
use crate::scene::{ModuleDescription, Weights};
use crate::source::Subject;

/// How far the weights may be from a total of 1.
const WEIGHTS_TOLERANCE: f64 = 1e-3;

/// Checks all modules.
pub(super) fn build_all(raw: Vec<RawModule>) -> Result<Vec<ModuleDescription>, Mistake> {
    unique_names(raw.iter().map(|m| m.name.as_str()), "module", Subject::Module)?;
    raw.into_iter()
        .enumerate()
        .map(|(index, module)| build(Subject::Module(index), module))
        .collect()
}

fn build(subject: Subject, raw: RawModule) -> Result<ModuleDescription, Mistake> {
    check(subject, "unit_cost_ms", raw.unit_cost_ms, Allowed::Positive)?;
    check(subject, "benefit_value", raw.benefit_value, Allowed::NotNegative)?;
    check(subject, "bias", raw.bias, Allowed::NotNegative)?;
    let weights = raw.weights.unwrap_or(Weights::DISTANCE_ONLY);
    check_weights(subject, weights)?;
    let optional = [
        ("max_distance", raw.max_distance, Allowed::NotNegativeOrInfinite),
        ("max_age", raw.max_age, Allowed::NotNegative),
        ("max_speed", raw.max_speed, Allowed::Positive),
    ];
    for (field, value, allowed) in optional {
        if let Some(value) = value {
            check(subject, field, value, allowed)?;
        }
    }
    require(subject, "max_age", raw.max_age, "age", weights.age)?;
    require(subject, "max_speed", raw.max_speed, "speed", weights.speed)?;
    Ok(ModuleDescription {
        name: raw.name,
        unit_cost_ms: raw.unit_cost_ms,
        benefit_value: raw.benefit_value,
        enabled: raw.enabled,
        continuous: raw.continuous,
        distance_importance: raw.distance_importance,
        weights,
        bias: raw.bias,
        max_distance: raw.max_distance.filter(|d| d.is_finite()),
        max_age: raw.max_age,
        max_speed: raw.max_speed,
    })
}

fn check_weights(subject: Subject, weights: Weights) -> Result<(), Mistake> {
    check(subject, "weights.distance", weights.distance, Allowed::NotNegative)?;
    check(subject, "weights.age", weights.age, Allowed::NotNegative)?;
    check(subject, "weights.speed", weights.speed, Allowed::NotNegative)?;
    let total = weights.distance + weights.age + weights.speed;
    if (total - 1.0).abs() <= WEIGHTS_TOLERANCE {
        return Ok(());
    }
    let message =
        format!("the weights total {total}, but must total 1 (within {WEIGHTS_TOLERANCE})");
    Err(Mistake::new(subject, "weights", message)
        .help("a weight that is left out is 0; without `weights`, distance counts alone"))
}

/// Asks for the reference that an importance needs to count.
fn require(
    subject: Subject,
    field: &'static str,
    value: Option<f64>,
    weight_name: &str,
    weight: f64,
) -> Result<(), Mistake> {
    if value.is_some() || weight <= 0.0 {
        return Ok(());
    }
    let message = format!("`{field}` is missing: the weight of {weight_name} is {weight}");
    let help = format!("add `{field}`, or set the weight of {weight_name} to 0");
    Err(Mistake::new(subject, field, message).help(help))
}
