//! Importance and benefit in `f64`, case by case as in the rules.
//!
//! `distance` is r, `radius` is R, `max_distance` is D (`None` for unbounded), all in metres; ages are in seconds and
//! speeds in metres a second.

use std::f64::consts::PI;

use serde::Deserialize;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RejectedInput(pub &'static str);

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DistanceImportance {
    /// Inverse to the square of the distance.
    #[default]
    SolidAngle,
    /// Inverse to the distance; used for cloth.
    Angular,
}

#[derive(Debug, Clone, PartialEq)]
pub struct BenefitInputs {
    pub importance: DistanceImportance,
    /// The distance of each view; the nearest view counts.
    pub distances: Vec<f64>,
    pub radius: f64,
    /// The greatest distance; `None` is unbounded.
    pub max_distance: Option<f64>,
    pub age: f64,
    /// The greatest age, needed if age has a weight.
    pub max_age: Option<f64>,
    pub speed: f64,
    /// The greatest speed, needed if speed has a weight.
    pub max_speed: Option<f64>,
    /// Weights of distance, age and speed; they total 1 within 1e-3.
    pub weights: [f64; 3],
    pub bias: f64,
}

/// Approximate solid angle of a sphere, at most 1; it is 0 at `max_distance`.
///
/// # Errors
/// A negative or unbounded quantity.
pub fn solid_angle(
    distance: f64,
    radius: f64,
    max_distance: Option<f64>,
) -> Result<f64, RejectedInput> {
    let (r2, area) = check_lengths(distance, radius, max_distance)
        .map(|()| (distance * distance, PI * radius * radius))?;
    Ok(match max_distance.map(|limit| limit * limit) {
        _ if r2 <= area => 1.0,
        None => area / r2,
        Some(d2) if r2 >= d2 => 0.0,
        Some(d2) => (area / r2) * (d2 - r2) / (d2 - area),
    })
}

/// Approximate angle of a sphere, at most 1; it is 0 at `max_distance`.
///
/// # Errors
/// A negative or unbounded quantity.
pub fn angular(
    distance: f64,
    radius: f64,
    max_distance: Option<f64>,
) -> Result<f64, RejectedInput> {
    check_lengths(distance, radius, max_distance)?;
    Ok(match max_distance {
        _ if distance <= radius => 1.0,
        None => radius / distance,
        Some(limit) if distance >= limit => 0.0,
        Some(limit) => (radius / distance) * (limit - distance) / (limit - radius),
    })
}

/// Importance of age: 1 at age 0, linear to 0 at `max_age`.
///
/// # Errors
/// A quantity that is not finite. A negative age counts as 0; a `max_age` of 0 or less is a step from 1 to 0.
pub fn age(age: f64, max_age: f64) -> Result<f64, RejectedInput> {
    finite("age", age)?;
    finite("max_age", max_age)?;
    Ok(if age <= 0.0 {
        1.0
    } else if age >= max_age {
        0.0
    } else {
        1.0 - age / max_age
    })
}

/// Importance of speed: `speed / max_speed`, at most 1.
///
/// # Errors
/// A negative speed, a `max_speed` that is not above 0, or a quantity that is not finite.
pub fn speed(speed: f64, max_speed: f64) -> Result<f64, RejectedInput> {
    not_negative("speed", speed)?;
    not_negative("max_speed", max_speed)?;
    if max_speed == 0.0 {
        return Err(RejectedInput("max_speed"));
    }
    Ok((speed / max_speed).min(1.0))
}

/// Weighted sum of the importances, in the order distance, age, speed, bias.
///
/// # Errors
/// An input that a term rejects (even if its weight is 0), weights that do not total 1, a weight without its maximum,
/// or no view.
pub fn benefit(inputs: &BenefitInputs) -> Result<f64, RejectedInput> {
    let [by_distance, by_age, by_speed] = inputs.weights;
    for weight in inputs.weights {
        not_negative("weights", weight)?;
    }
    not_negative("bias", inputs.bias)?;
    if (by_distance + by_age + by_speed - 1.0).abs() > 1e-3 {
        return Err(RejectedInput("weights"));
    }
    finite("age", inputs.age)?;
    not_negative("speed", inputs.speed)?;
    let near = nearest_view(inputs)?;
    let young = term(by_age, inputs.max_age, "max_age", |max| age(inputs.age, max))?;
    let fast = term(by_speed, inputs.max_speed, "max_speed", |max| speed(inputs.speed, max))?;
    Ok(by_distance * near + by_age * young + by_speed * fast + inputs.bias)
}

/// A benefit as the ledger's Q16.16: nearest, ties to even, from 0 to `2^24 − 1`; 0 for NaN.
#[must_use]
pub fn benefit_q16(benefit: f64) -> u32 {
    const MAX: u32 = (1 << 24) - 1;
    let nearest = (benefit * 65_536.0).round_ties_even();
    if nearest >= f64::from(MAX) {
        return MAX;
    }
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "an integer from 0 to the maximum"
    )]
    let bits = nearest.max(0.0) as u32;
    bits
}

fn nearest_view(inputs: &BenefitInputs) -> Result<f64, RejectedInput> {
    let importance = match inputs.importance {
        DistanceImportance::SolidAngle => solid_angle,
        DistanceImportance::Angular => angular,
    };
    let mut greatest = Err(RejectedInput("view"));
    for &distance in &inputs.distances {
        let here = importance(distance, inputs.radius, inputs.max_distance)?;
        greatest = Ok(greatest.map_or(here, |best: f64| best.max(here)));
    }
    greatest
}

fn term(
    weight: f64,
    maximum: Option<f64>,
    name: &'static str,
    importance: impl Fn(f64) -> Result<f64, RejectedInput>,
) -> Result<f64, RejectedInput> {
    match maximum {
        Some(maximum) => importance(maximum),
        None if weight == 0.0 => Ok(0.0),
        None => Err(RejectedInput(name)),
    }
}

fn check_lengths(
    distance: f64,
    radius: f64,
    max_distance: Option<f64>,
) -> Result<(), RejectedInput> {
    not_negative("distance", distance)?;
    not_negative("radius", radius)?;
    max_distance.map_or(Ok(()), |limit| not_negative("max_distance", limit))
}

fn not_negative(name: &'static str, value: f64) -> Result<(), RejectedInput> {
    finite(name, value)?;
    if value < 0.0 { Err(RejectedInput(name)) } else { Ok(()) }
}

fn finite(name: &'static str, value: f64) -> Result<(), RejectedInput> {
    if value.is_finite() { Ok(()) } else { Err(RejectedInput(name)) }
}
