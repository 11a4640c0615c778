//! The arguments of `lodger schedule`.

use std::path::PathBuf;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use lodger_core::budget::Leftovers;
use lodger_input::{SceneArgs, Unfit};
use lodger_scenes::PolicyName;
use lodger_terminal::AllowanceArgs;

/// What to schedule, and how to show it.
#[derive(Args, Debug)]
pub(crate) struct ScheduleArgs {
    #[command(flatten)]
    pub(super) scene: SceneArgs,

    /// How to divide the budget [default: what the scene says]
    #[arg(long, value_name = "NAME", value_parser = policy())]
    pub(super) policy: Option<PolicyName>,

    /// How the proportional policy spends what shares leave over [default: what the scene says, else
    /// across-modules]
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

    /// End with 1 if the budget is infeasible, and so exceeded
    #[arg(long)]
    pub(super) strict: bool,

    /// Write out the built-in scene, to start one's own from
    #[arg(long, conflicts_with_all = ["scene", "budget_ms", "budget", "eye", "format", "all", "which", "strict"])]
    pub(super) print_example: bool,

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
        PolicyName::Apex => "The APEX LOD document to the letter: proportional, leftovers are kept",
        _ => "Shares by benefit and benefit value; leftovers are spent as --leftovers says",
    };
    let values = PolicyName::ALL.map(|name| PossibleValue::new(name.to_string()).help(help(name)));
    PossibleValuesParser::new(values).try_map(|word| {
        PolicyName::ALL.into_iter().find(|name| name.to_string() == word).ok_or(Unfit::NoPolicy)
    })
}
