//! Which scene is read, and what replaces its values.

use std::path::PathBuf;

use clap::Args;
use lodger_core::units::{BenefitValue, Budget, UnitCost};
use lodger_scheduler::View;

use crate::number::{Unfit, checked, coordinates, whole};

/// Which scene is read, and what replaces its values.
#[derive(Args, Debug)]
pub struct SceneArgs {
    /// A .toml, .glb or .gltf scene, or the index of a Streamed SOG; `-` reads one from stdin; none is the
    /// built-in scene
    pub scene: Option<PathBuf>,

    /// The budget in milliseconds, in place of the scene's; `inf` is unlimited
    #[arg(long, value_name = "X", value_parser = budget, allow_hyphen_values = true)]
    pub budget_ms: Option<Budget>,

    /// The budget in whole units, for a scene that has a `unit`: k, M and G may stand behind it
    #[arg(long, value_name = "N", value_parser = units, allow_hyphen_values = true)]
    #[arg(conflicts_with = "budget_ms")]
    pub budget: Option<Budget>,

    /// The eye in metres, in place of all the scene's views
    #[arg(long, value_name = "X,Y,Z", value_parser = eye, allow_hyphen_values = true)]
    pub eye: Option<View<f32>>,

    /// Nanoseconds per triangle of a glTF scene [default: 1.0]
    #[arg(long, value_name = "N", value_parser = unit_cost, allow_hyphen_values = true)]
    pub unit_cost_ns: Option<UnitCost>,

    /// Milliseconds per unit of benefit of a glTF scene [default: 1.0]
    #[arg(long, value_name = "MS", value_parser = benefit_value, allow_hyphen_values = true)]
    pub benefit_value: Option<BenefitValue>,

    /// Which scene of a glTF file, from 0 [default: the file's own choice]
    #[arg(long = "scene", value_name = "N")]
    pub which: Option<usize>,
}

fn budget(text: &str) -> Result<Budget, Unfit> {
    checked(text, Budget::from_ms)
}

fn units(text: &str) -> Result<Budget, Unfit> {
    Ok(if text == "inf" { Budget::UNLIMITED } else { Budget::from_ns(whole(text)?) })
}

fn unit_cost(text: &str) -> Result<UnitCost, Unfit> {
    checked(text, UnitCost::from_ns)
}

fn benefit_value(text: &str) -> Result<BenefitValue, Unfit> {
    checked(text, BenefitValue::from_ms)
}

fn eye(text: &str) -> Result<View<f32>, Unfit> {
    View::eye(coordinates(text)?).map_err(|_| Unfit::NoPlace)
}
