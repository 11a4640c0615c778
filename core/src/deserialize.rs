//! `Deserialize` through the constructors, which check every value.

use serde::de::{Deserialize, Deserializer, Error as _};

use crate::benefit::{Benefit, BenefitRule, BenefitTerms, Weights};
use crate::budget::{Lod, LodControl};
use crate::error::{Quantity, ValueError, ValueProblem};
use crate::importance::DistanceImportance;
use crate::real::Real;
use crate::units::{BenefitValue, Budget, UnitCost};

fn checked<'de, D: Deserializer<'de>, T: Deserialize<'de>, U>(
    deserializer: D,
    constructor: impl FnOnce(T) -> Result<U, ValueError>,
) -> Result<U, D::Error> {
    constructor(T::deserialize(deserializer)?).map_err(D::Error::custom)
}

/// Implements `Deserialize` for types that are a number in a file.
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

fn real<N: Real>(value: f64, quantity: Quantity) -> Result<N, ValueError> {
    let problem = if value.is_finite() { ValueProblem::TooLarge } else { ValueProblem::NotFinite };
    N::from_f64(value).ok_or(ValueError::new(quantity, problem))
}

/// Missing weights are 0.
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

/// Missing terms are as in [`BenefitTerms::default`].
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
    fn terms(self) -> Result<BenefitTerms<N>, ValueError> {
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

#[cfg(test)]
mod tests {
    use std::string::{String, ToString as _};

    use serde::de::DeserializeOwned;
    use serde_json::from_str;

    use crate::benefit::{Benefit, BenefitRule, BenefitTerms, Weights};
    use crate::budget::{Leftovers, Lod, LodControl};
    use crate::importance::DistanceImportance;
    use crate::units::{BenefitValue, Budget, UnitCost};
    use crate::{Fixed, ValueError};

    fn refused<T: DeserializeOwned>(json: &str) -> String {
        let error = from_str::<T>(json).err().expect("a refusal").to_string();
        error.split(" at line").next().unwrap_or_default().to_string()
    }

    #[test]
    fn numbers_are_in_the_units_of_their_constructors() -> Result<(), ValueError> {
        assert_eq!(from_str::<Budget>("16.6").ok(), Some(Budget::from_ms(16.6)?));
        assert_eq!(from_str::<UnitCost>("0.0005").ok(), Some(UnitCost::from_ms(0.0005)?));
        assert_eq!(from_str::<BenefitValue>("3").ok(), Some(BenefitValue::from_ms(3.0)?));
        assert_eq!(from_str::<Benefit>("0.25").ok(), Some(Benefit::new(0.25)?));
        assert_eq!(from_str::<Lod>("1.5").ok(), Some(Lod::new(1, 1 << 15)));
        assert_eq!(from_str::<LodControl>("2").ok(), Some(LodControl::Forced(Lod::new(2, 0))));
        assert_eq!(from_str::<LodControl>("-1").ok(), Some(LodControl::Automatic));
        Ok(())
    }

    #[test]
    fn deserialising_has_the_errors_of_the_constructors() {
        assert_eq!(refused::<Budget>("-1"), "budget_ms must not be negative");
        assert_eq!(refused::<UnitCost>("0"), "unit_cost_ms must be above 0");
        assert_eq!(refused::<BenefitValue>("1e9"), "benefit_value is too large");
        assert_eq!(refused::<Benefit>("-0.5"), "benefit must not be negative");
        assert_eq!(refused::<Lod>("-1"), "lod must not be negative");
        let half = r#"{"distance": 0.5}"#;
        assert_eq!(refused::<Weights<f32>>(half), "weights must total 1, within 0.001");
        let negative = r#"{"distance": 1.5, "age": -0.5}"#;
        assert_eq!(refused::<Weights<f64>>(negative), "weight must not be negative");
        assert_eq!(refused::<BenefitRule<Fixed>>(r#"{"bias": 40000}"#), "bias is too large");
        let ageless = r#"{"weights": {"age": 1}}"#;
        assert_eq!(refused::<BenefitRule<f32>>(ageless), "max_age is missing");
    }

    #[test]
    fn missing_terms_have_their_defaults() {
        assert_eq!(from_str::<BenefitTerms<f32>>("{}").ok(), Some(BenefitTerms::default()));
        let json = r#"{"distance_importance": "angular", "max_distance": 60, "bias": 0.5,
            "weights": {"distance": 0.5, "speed": 0.5}, "max_speed": 12}"#;
        let rule = from_str::<BenefitRule<f32>>(json).expect("a rule");
        let expected = BenefitTerms {
            distance_importance: DistanceImportance::Angular,
            max_distance: Some(60.0),
            weights: Weights::new(0.5, 0.0, 0.5).expect("they total 1"),
            bias: 0.5,
            max_age: None,
            max_speed: Some(12.0),
        };
        assert_eq!(rule.terms(), &expected);
        assert!(
            refused::<BenefitTerms<f32>>(r#"{"raduis": 1}"#).starts_with("unknown field `raduis`")
        );
    }

    #[test]
    fn words_go_both_ways() {
        for &leftovers in Leftovers::ALL {
            let json = serde_json::to_string(&leftovers).expect("a word");
            assert_eq!(from_str::<Leftovers>(&json).ok(), Some(leftovers), "{json}");
        }
        assert_eq!(
            refused::<DistanceImportance>(r#""angle""#),
            "unknown variant `angle`, expected `solid-angle` or `angular`"
        );
        assert_eq!(
            refused::<DistanceImportance>("3"),
            "invalid type: integer `3`, expected one of the words `solid-angle`, `angular`"
        );
    }
}
