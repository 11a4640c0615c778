//! `vectors/benefit.toml`.

use serde::Deserialize;

use crate::oracle::importance::{DistanceImportance, Sight};

use super::Expected;

/// All rows of the file.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BenefitVectors {
    /// Sums over everything that counts.
    pub weighted: Vec<Weighted>,
    /// Benefits that an actor carries itself, and what the ledger counts.
    pub direct: Vec<Direct>,
}

/// A weighted sum.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Weighted {
    /// What the row is about.
    pub name: String,
    /// `solid-angle` or `angular`.
    #[serde(default)]
    pub importance: Kind,
    /// Metres from each view to the actor, by axis.
    pub offsets: Vec<[f64; 3]>,
    /// Metres.
    pub radius: f64,
    /// Metres; `None` is unbounded.
    pub max_distance: Option<f64>,
    /// Seconds.
    #[serde(default)]
    pub age: f64,
    /// Seconds.
    pub max_age: Option<f64>,
    /// Metres a second.
    #[serde(default)]
    pub speed: f64,
    /// Metres a second.
    pub max_speed: Option<f64>,
    /// Weights of distance, age and speed.
    pub weights: [f64; 3],
    /// Added to the sum.
    #[serde(default)]
    pub bias: f64,
    /// The answer.
    pub expected: Expected,
}

/// How a row's distance counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// Falls with the square of the distance.
    #[default]
    SolidAngle,
    /// Falls with the distance.
    Angular,
}

/// A benefit and its Q16.16.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Direct {
    /// What the row is about.
    pub name: String,
    /// The benefit.
    pub benefit: f64,
    /// What the ledger counts.
    pub q16: u32,
}

impl BenefitVectors {
    /// Reads the file's text.
    ///
    /// # Errors
    /// Whatever is not a row.
    pub fn parse(text: &str) -> Result<Self, toml::de::Error> {
        toml::from_str(text)
    }
}

impl Weighted {
    /// The row as the oracle's question.
    #[must_use]
    pub fn sight(&self) -> Sight {
        let length = |[x, y, z]: &[f64; 3]| (x * x + y * y + z * z).sqrt();
        Sight {
            importance: match self.importance {
                Kind::SolidAngle => DistanceImportance::SolidAngle,
                Kind::Angular => DistanceImportance::Angular,
            },
            distances: self.offsets.iter().map(length).collect(),
            radius: self.radius,
            max_distance: self.max_distance,
            age: self.age,
            max_age: self.max_age,
            speed: self.speed,
            max_speed: self.max_speed,
            weights: self.weights,
            bias: self.bias,
        }
    }
}
