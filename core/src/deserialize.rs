//! `Deserialize` through the constructors, which check every value.

use serde::de::{Deserialize, Deserializer, Error as _};

use crate::benefit::{Benefit, BenefitRule, BenefitTerms, Weights};
use crate::budget::{Lod, LodControl};
use crate::error::{Error, Problem, Quantity};
use crate::importance::DistanceImportance;
use crate::real::Real;
use crate::units::{BenefitValue, Budget, UnitCost};

#[cfg(test)]
mod tests;

/// Deserialises the constructor's argument and calls the constructor.
fn checked<'de, D: Deserializer<'de>, T: Deserialize<'de>, U>(
    deserializer: D,
    constructor: impl FnOnce(T) -> Result<U, Error>,
) -> Result<U, D::Error> {
    constructor(T::deserialize(deserializer)?).map_err(D::Error::custom)
}

/// Types that are a plain number in a file.
macro_rules! numbers {
    ($($type:ty: $constructor:expr;)+) => {$(
        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                checked(deserializer, $constructor)
            }
        }
    )+};
}

numbers! {
    Budget: Budget::from_ms;
    UnitCost: UnitCost::from_ms;
    BenefitValue: BenefitValue::from_ms;
    Benefit: Benefit::new::<f64>;
    Lod: Lod::from_f64;
    LodControl: LodControl::from_number;
}

/// Converts to the number type of the formulas; the number may not fit.
fn real<N: Real>(value: f64, quantity: Quantity) -> Result<N, Error> {
    let problem = if value.is_finite() { Problem::TooLarge } else { Problem::NotFinite };
    N::from_f64(value).ok_or(Error::new(quantity, problem))
}

/// Weights as a table; missing weights are 0.
#[derive(serde::Deserialize, Default)]
#[serde(deny_unknown_fields, default, expecting = "a table of weights")]
struct WeightsTable {
    distance: f64,
    age: f64,
    speed: f64,
}

impl<'de, N: Real> Deserialize<'de> for Weights<N> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        checked(deserializer, |WeightsTable { distance, age, speed }| {
            let weight = |value| real(value, Quantity::Weight);
            Self::new(weight(distance)?, weight(age)?, weight(speed)?)
        })
    }
}

/// Terms as a table; missing terms are as in [`BenefitTerms::default`].
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields, bound = "N: Real", expecting = "a table of the terms of a benefit")]
struct TermsTable<N> {
    #[serde(default)]
    distance_importance: DistanceImportance,
    max_distance: Option<f64>,
    #[serde(default = "distance_alone")]
    weights: Weights<N>,
    #[serde(default)]
    bias: f64,
    max_age: Option<f64>,
    max_speed: Option<f64>,
}

fn distance_alone<N: Real>() -> Weights<N> {
    Weights::DISTANCE
}

impl<N: Real> TermsTable<N> {
    fn terms(self) -> Result<BenefitTerms<N>, Error> {
        let optional =
            |value: Option<f64>, quantity| value.map(|value| real(value, quantity)).transpose();
        Ok(BenefitTerms {
            distance_importance: self.distance_importance,
            max_distance: optional(self.max_distance, Quantity::MaxDistance)?,
            weights: self.weights,
            bias: real(self.bias, Quantity::Bias)?,
            max_age: optional(self.max_age, Quantity::MaxAge)?,
            max_speed: optional(self.max_speed, Quantity::MaxSpeed)?,
        })
    }
}

impl<'de, N: Real> Deserialize<'de> for BenefitTerms<N> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        checked(deserializer, TermsTable::terms)
    }
}

impl<'de, N: Real> Deserialize<'de> for BenefitRule<N> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        checked(deserializer, Self::new)
    }
}
