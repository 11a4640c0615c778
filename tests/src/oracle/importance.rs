//! Importance and benefit in `f64`, case by case as the rules state them.
//!
//! Important terms: `distance` is r, `radius` is R, `max_distance` is D (`None` for unbounded), all in metres; ages are
//! in seconds and speeds in metres a second.

use std::f64::consts::PI;

use serde::Deserialize;

/// An input that the rules refuse, by the name of the quantity.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Refused(pub &'static str);

/// Which function turns a distance into an importance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DistanceImportance {
    /// Falls with the square of the distance.
    #[default]
    SolidAngle,
    /// Falls with the distance; used for cloth.
    Angular,
}

/// Everything that goes into the benefit of one actor.
#[derive(Debug, Clone, PartialEq)]
pub struct Sight {
    /// How distance counts.
    pub importance: DistanceImportance,
    /// Metres from each view to the actor; the nearest view decides.
    pub distances: Vec<f64>,
    /// Metres.
    pub radius: f64,
    /// Metres; `None` is unbounded.
    pub max_distance: Option<f64>,
    /// Seconds.
    pub age: f64,
    /// Seconds; needed where age has a weight.
    pub max_age: Option<f64>,
    /// Metres a second.
    pub speed: f64,
    /// Metres a second; needed where speed has a weight.
    pub max_speed: Option<f64>,
    /// Weights of distance, age and speed; they total 1 within 1e-3.
    pub weights: [f64; 3],
    /// Added to the weighted sum.
    pub bias: f64,
}

/// Approximate solid angle of a sphere, capped at 1; with `max_distance` it reaches 0 there.
///
/// # Errors
/// A negative or unbounded quantity.
pub fn solid_angle(distance: f64, radius: f64, max_distance: Option<f64>) -> Result<f64, Refused> {
    let (r2, area) = spans(distance, radius, max_distance)
        .map(|()| (distance * distance, PI * radius * radius))?;
    Ok(match max_distance.map(|limit| limit * limit) {
        _ if r2 <= area => 1.0,
        None => area / r2,
        Some(d2) if r2 >= d2 => 0.0,
        Some(d2) => (area / r2) * (d2 - r2) / (d2 - area),
    })
}

/// Approximate angle of a sphere, capped at 1; with `max_distance` it reaches 0 there.
///
/// # Errors
/// A negative or unbounded quantity.
pub fn angular(distance: f64, radius: f64, max_distance: Option<f64>) -> Result<f64, Refused> {
    spans(distance, radius, max_distance)?;
    Ok(match max_distance {
        _ if distance <= radius => 1.0,
        None => radius / distance,
        Some(limit) if distance >= limit => 0.0,
        Some(limit) => (radius / distance) * (limit - distance) / (limit - radius),
    })
}

/// Importance of youth: 1 at birth, falling in a straight line to 0 at `max_age`.
///
/// # Errors
/// A quantity that is not finite. A negative age is young; a `max_age` of 0 or less leaves no time between the two cases.
pub fn age(age: f64, max_age: f64) -> Result<f64, Refused> {
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

/// Importance of movement: the part of `max_speed` that is reached, at most 1.
///
/// # Errors
/// A negative speed, a reference speed that is not above 0, or anything not finite.
pub fn speed(speed: f64, max_speed: f64) -> Result<f64, Refused> {
    not_negative("speed", speed)?;
    not_negative("max_speed", max_speed)?;
    if max_speed == 0.0 {
        return Err(Refused("max_speed"));
    }
    Ok((speed / max_speed).min(1.0))
}

/// Weighted sum of the importances, in the order distance, age, speed, bias.
///
/// # Errors
/// Whatever a term refuses, weights that do not total 1, a weight without its maximum, or no view at all. An age or a
/// speed that is no number is refused whatever its weight.
pub fn benefit(sight: &Sight) -> Result<f64, Refused> {
    let [by_distance, by_age, by_speed] = sight.weights;
    for weight in sight.weights {
        not_negative("weights", weight)?;
    }
    not_negative("bias", sight.bias)?;
    if (by_distance + by_age + by_speed - 1.0).abs() > 1e-3 {
        return Err(Refused("weights"));
    }
    finite("age", sight.age)?;
    not_negative("speed", sight.speed)?;
    let near = nearest_view(sight)?;
    let young = term(by_age, sight.max_age, "max_age", |max| age(sight.age, max))?;
    let fast = term(by_speed, sight.max_speed, "max_speed", |max| speed(sight.speed, max))?;
    Ok(by_distance * near + by_age * young + by_speed * fast + sight.bias)
}

/// A benefit as the ledger counts it: unsigned Q16.16, nearest, ties to even, at most `2^24 − 1`.
///
/// Below 0, and what is not a number, count 0.
#[must_use]
pub fn benefit_q16(benefit: f64) -> u32 {
    const GREATEST: u32 = (1 << 24) - 1;
    let nearest = (benefit * 65_536.0).round_ties_even();
    if nearest >= f64::from(GREATEST) {
        return GREATEST;
    }
    // Below the greatest and not negative: the cast cuts nothing.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let bits = nearest.max(0.0) as u32;
    bits
}

fn nearest_view(sight: &Sight) -> Result<f64, Refused> {
    let importance = match sight.importance {
        DistanceImportance::SolidAngle => solid_angle,
        DistanceImportance::Angular => angular,
    };
    let mut greatest = Err(Refused("view"));
    for &distance in &sight.distances {
        let here = importance(distance, sight.radius, sight.max_distance)?;
        greatest = Ok(greatest.map_or(here, |best: f64| best.max(here)));
    }
    greatest
}

fn term(
    weight: f64,
    maximum: Option<f64>,
    name: &'static str,
    importance: impl Fn(f64) -> Result<f64, Refused>,
) -> Result<f64, Refused> {
    match maximum {
        Some(maximum) => importance(maximum),
        None if weight == 0.0 => Ok(0.0),
        None => Err(Refused(name)),
    }
}

fn spans(distance: f64, radius: f64, max_distance: Option<f64>) -> Result<(), Refused> {
    not_negative("distance", distance)?;
    not_negative("radius", radius)?;
    max_distance.map_or(Ok(()), |limit| not_negative("max_distance", limit))
}

fn not_negative(name: &'static str, value: f64) -> Result<(), Refused> {
    finite(name, value)?;
    if value < 0.0 { Err(Refused(name)) } else { Ok(()) }
}

fn finite(name: &'static str, value: f64) -> Result<(), Refused> {
    if value.is_finite() { Ok(()) } else { Err(Refused(name)) }
}
