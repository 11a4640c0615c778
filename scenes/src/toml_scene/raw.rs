//! The shape of a TOML scene, before anything but its types is checked.

use lodger_core::budget::Leftovers;
use lodger_core::importance::DistanceImportance;
use lodger_gltf::Numbers;
use serde::Deserialize;

use crate::policy::PolicyName;

/// The whole file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a scene")]
pub(super) struct RawScene {
    /// What money counts, unless it is time.
    pub(super) unit: Option<String>,
    /// Milliseconds.
    pub(super) budget_ms: Option<f64>,
    /// Whole units.
    pub(super) budget: Option<f64>,
    pub(super) policy: Option<PolicyName>,
    pub(super) leftovers: Option<Leftovers>,
    /// Whether disabled modules are on the books.
    #[serde(default = "yes")]
    pub(super) count_unmanaged: bool,
    /// `[[view]]`.
    #[serde(default)]
    pub(super) view: Vec<RawView>,
    /// `[[module]]`.
    #[serde(default)]
    pub(super) module: Vec<RawModule>,
    /// `[[actor]]`.
    pub(super) actor: Option<Vec<RawActor>>,
}

/// A part of the file that is one `[[actor]]`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a scene")]
pub(super) struct RawActors {
    pub(super) actor: [RawActor; 1],
}

/// One `[[view]]`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a [[view]] table")]
pub(super) struct RawView {
    /// Metres.
    pub(super) eye: Numbers<f64, 3>,
}

/// One `[[module]]`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a [[module]] table")]
pub(super) struct RawModule {
    pub(super) name: String,
    pub(super) unit_cost_ms: Option<f64>,
    /// In the scene's unit.
    pub(super) unit_cost: Option<f64>,
    /// Milliseconds, or in the scene's unit.
    pub(super) benefit_value: Option<f64>,
    pub(super) quality: Option<Vec<f64>>,
    /// Units of work.
    #[serde(default)]
    pub(super) overhead: u32,
    #[serde(default = "yes")]
    pub(super) enabled: bool,
    #[serde(default)]
    pub(super) continuous: bool,
    #[serde(default)]
    pub(super) distance_importance: DistanceImportance,
    pub(super) weights: Option<RawWeights>,
    #[serde(default)]
    pub(super) bias: f64,
    pub(super) max_distance: Option<f64>,
    pub(super) max_age: Option<f64>,
    pub(super) max_speed: Option<f64>,
}

/// The weights of a module, each by itself so that each has a place; what is left out counts nothing.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default, expecting = "a table of weights")]
pub(super) struct RawWeights {
    pub(super) distance: f64,
    pub(super) age: f64,
    pub(super) speed: f64,
}

/// One `[[actor]]`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an [[actor]] table")]
pub(super) struct RawActor {
    pub(super) name: String,
    pub(super) module: String,
    pub(super) benefit: Option<f64>,
    pub(super) position: Option<Numbers<f64, 3>>,
    pub(super) radius: Option<f64>,
    pub(super) age: Option<f64>,
    pub(super) speed: Option<f64>,
    pub(super) work: Vec<u32>,
    pub(super) quality: Option<Vec<f64>>,
    pub(super) lod_range: Option<Numbers<u32, 2>>,
    pub(super) force_lod: Option<f64>,
}

fn yes() -> bool {
    true
}
