//! `vectors/importance.toml`.

use serde::Deserialize;

/// All rows of the file.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ImportanceVectors {
    /// Solid angles, unbounded and bounded.
    pub solid_angle: Vec<Distance>,
    /// Angles, unbounded and bounded.
    pub angular: Vec<Distance>,
    /// Importances of youth.
    pub age: Vec<Age>,
    /// Importances of movement.
    pub speed: Vec<Speed>,
}

/// What a row expects.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
pub enum Expected {
    /// This value, within the tolerance of the number type.
    Value(f64),
    /// A refusal.
    Refusal {
        /// The name of the quantity that is wrong.
        refused: String,
    },
}

/// A row about a distance.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Distance {
    /// What the row is about.
    pub name: String,
    /// Metres to the viewer.
    pub distance: f64,
    /// Metres.
    pub radius: f64,
    /// Metres; `None` is unbounded.
    pub max_distance: Option<f64>,
    /// The answer.
    pub expected: Expected,
}

/// A row about an age.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Age {
    /// What the row is about.
    pub name: String,
    /// Seconds.
    pub age: f64,
    /// Seconds.
    pub max_age: f64,
    /// The answer.
    pub expected: Expected,
}

/// A row about a speed.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Speed {
    /// What the row is about.
    pub name: String,
    /// Metres a second.
    pub speed: f64,
    /// Metres a second.
    pub max_speed: f64,
    /// The answer.
    pub expected: Expected,
}

impl ImportanceVectors {
    /// Reads the file's text.
    ///
    /// # Errors
    /// Whatever is not a row.
    pub fn parse(text: &str) -> Result<Self, toml::de::Error> {
        toml::from_str(text)
    }
}
