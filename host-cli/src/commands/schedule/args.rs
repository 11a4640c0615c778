//! The arguments of `lodger schedule`.

use std::path::PathBuf;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use lodger_core::budget::Leftovers;
use lodger_core::units::{BenefitValue, Budget, UnitCost};
use lodger_scenes::PolicyName;
use lodger_scheduler::View;
use lodger_terminal::AllowanceArgs;

use crate::number::{Unfit, checked, coordinates, whole};

/// What to schedule, and how to show it.
#[derive(Args, Debug)]
pub(crate) struct ScheduleArgs {
    /// A .toml, .glb or .gltf scene, or the index of a Streamed SOG; `-` reads one from stdin; none is the
    /// built-in scene
    pub(super) scene: Option<PathBuf>,

    /// The budget in milliseconds, in place of the scene's; `inf` is unlimited
    #[arg(long, value_name = "X", value_parser = budget, allow_hyphen_values = true)]
    pub(super) budget_ms: Option<Budget>,

    /// The budget in whole units, for a scene that has a `unit`: k, M and G may stand behind it
    #[arg(long, value_name = "N", value_parser = units, allow_hyphen_values = true)]
    #[arg(conflicts_with = "budget_ms")]
    pub(super) budget: Option<Budget>,

    /// The eye in metres, in place of all the scene's views
    #[arg(long, value_name = "X,Y,Z", value_parser = eye, allow_hyphen_values = true)]
    pub(super) eye: Option<View<f32>>,

    /// How to divide the budget [default: what the scene says]
    #[arg(long, value_name = "NAME", value_parser = policy())]
    pub(super) policy: Option<PolicyName>,

    /// What to do with what the shares leave over [default: what the scene says, else across-modules]
    #[arg(long, value_name = "MODE", value_parser = leftovers())]
    pub(super) leftovers: Option<Leftovers>,

    /// How to show the plan
    #[arg(long, default_value = "table")]
    pub(super) format: Format,

    /// Write to a file, as a whole or not at all
    #[arg(long, value_name = "FILE")]
    pub(super) output: Option<PathBuf>,

    /// Show every actor in the table, not only the 20 most expensive
    #[arg(long)]
    pub(super) all: bool,

    /// Write out the built-in scene, to start one's own from
    #[arg(long, conflicts_with_all = ["scene", "budget_ms", "budget", "eye", "format", "all", "which"])]
    pub(super) print_example: bool,

    /// Nanoseconds per triangle of a glTF scene [default: 1.0]
    #[arg(long, value_name = "N", value_parser = unit_cost, allow_hyphen_values = true)]
    pub(super) unit_cost_ns: Option<UnitCost>,

    /// Milliseconds per unit of benefit of a glTF scene [default: 1.0]
    #[arg(long, value_name = "MS", value_parser = benefit_value, allow_hyphen_values = true)]
    pub(super) benefit_value: Option<BenefitValue>,

    /// Which scene of a glTF file, from 0 [default: the file's own choice]
    #[arg(long = "scene", value_name = "N")]
    pub(super) which: Option<usize>,

    #[command(flatten)]
    pub(super) allowance: AllowanceArgs,
}

/// How a plan is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// For eyes
    Table,
    /// One document, for scripts
    Json,
    /// One row per actor, for spreadsheets
    Csv,
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

/// The policies by core's words, with help for each.
fn leftovers() -> impl TypedValueParser<Value = Leftovers> {
    let values = Leftovers::ALL.iter().map(|policy| {
        PossibleValue::new(policy.to_string()).help(match policy {
            Leftovers::Keep => "Nothing: every actor gets what its share pays",
            Leftovers::WithinModule => "Each module spends what its own actors left over",
            Leftovers::AcrossModules => "The scene spends what any actor left over",
            Leftovers::WholeBudget => "The scene spends all that is left of the budget",
        })
    });
    PossibleValuesParser::new(values).try_map(|word| word.parse())
}

/// The policies by their names, with help for each.
fn policy() -> impl TypedValueParser<Value = PolicyName> {
    let help = |policy| match policy {
        PolicyName::Optimal => "The most benefit times quality that the budget buys",
        _ => "Shares by benefit and benefit value, as APEX LOD has it",
    };
    let values = PolicyName::ALL.map(|name| PossibleValue::new(name.to_string()).help(help(name)));
    PossibleValuesParser::new(values).try_map(|word| {
        PolicyName::ALL.into_iter().find(|name| name.to_string() == word).ok_or(Unfit::NoPolicy)
    })
}
