//! The command line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::commands::cost::CostArgs;
use crate::commands::lint::LintArgs;
use crate::rendering::Rendering;
use crate::report::Leftovers;

pub(crate) use crate::exit::EXIT_CODES;

/// A ledger for levels of detail: who gets how much of the frame, and why.
#[derive(Debug, Parser)]
#[command(name = "lodger", version, after_help = EXIT_CODES, arg_required_else_help = true)]
pub(crate) struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// What lodger can do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Hand out a budget: which level of detail each actor of a scene gets, and why
    #[command(
        long_about = "Hand out a budget: which level of detail each actor of a scene gets, and why.\n\n\
            Each actor's benefit (its distance, age and speed, weighted) buys it a share of the \
            budget; if all shares together cost too much, all are scaled down alike.",
        after_long_help = include_str!("schedule_help.txt"),
        after_help = EXIT_CODES,
    )]
    Schedule(ScheduleArgs),

    /// Price meshes and objects: land impact, what limits it, what each LOD contributes
    #[command(
        long_about = "Price meshes and objects: land impact, what limits it, what each LOD contributes.",
        after_long_help = include_str!("commands/cost/help.txt"),
        after_help = EXIT_CODES,
    )]
    Cost(Box<CostArgs>),

    /// Check mesh assets: what an upload would refuse or punish, and what that costs
    #[command(
        long_about = "Check mesh assets: what an upload would refuse or punish, and what that costs.\n\n\
            Physics costs are those at scale 1,1,1: an asset has no scale of its own.",
        after_help = EXIT_CODES,
    )]
    Lint(LintArgs),

    /// Check whether objects can be linked into one, and by how much they cannot
    #[command(
        long_about = "Check whether objects can be linked into one, and by how much they cannot.",
        after_long_help = include_str!("linkset_help.txt"),
        after_help = EXIT_CODES,
    )]
    Linkset(LinksetArgs),

    /// Flash, run, watch and question boards through debug probes
    #[cfg(feature = "boards")]
    #[command(
        long_about = "Flash, run, watch and question boards through debug probes.",
        after_long_help = include_str!("board_help.txt"),
        after_help = EXIT_CODES,
    )]
    Board(crate::board::BoardArgs),

    /// Flash, run, watch and question boards; this lodger was built without it
    #[cfg(not(feature = "boards"))]
    Board(NoBoards),
}

/// What somebody wanted of a board.
#[cfg(not(feature = "boards"))]
#[derive(Args, Debug)]
pub(crate) struct NoBoards {
    #[arg(hide = true, trailing_var_arg = true, allow_hyphen_values = true)]
    _wanted: Vec<std::ffi::OsString>,
}

/// What to schedule, and how to show it.
#[derive(Args, Debug)]
pub(crate) struct ScheduleArgs {
    /// A .toml, .glb or .gltf scene; `-` reads TOML from stdin; none is the built-in scene
    pub(crate) scene: Option<PathBuf>,

    /// The budget in milliseconds, in place of the scene's; `inf` is unlimited
    #[arg(long, value_name = "X", value_parser = budget_ms, allow_hyphen_values = true)]
    pub(crate) budget_ms: Option<f64>,

    /// The eye in metres, in place of all the scene's views
    #[arg(long, value_name = "X,Y,Z", value_parser = eye, allow_hyphen_values = true)]
    pub(crate) eye: Option<[f64; 3]>,

    /// What to do with what the shares leave over
    #[arg(long, value_name = "MODE", default_value = "across-modules")]
    pub(crate) leftovers: Leftovers,

    /// How to show the plan
    #[arg(long, default_value = "table")]
    pub(crate) format: Format,

    /// Write to a file, as a whole or not at all
    #[arg(long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// Show every actor in the table, not only the 20 costliest
    #[arg(long)]
    pub(crate) all: bool,

    /// Write out the built-in scene, to start one's own from
    #[arg(long, conflicts_with_all = ["scene", "budget_ms", "eye", "format", "all"])]
    pub(crate) print_example: bool,

    /// Nanoseconds per triangle of a glTF scene [default: 1.0]
    #[arg(long, value_name = "N", value_parser = unit_cost_ns, allow_hyphen_values = true)]
    pub(crate) unit_cost_ns: Option<f64>,

    /// Milliseconds per unit of benefit of a glTF scene [default: 1.0]
    #[arg(long, value_name = "MS", value_parser = benefit_value, allow_hyphen_values = true)]
    pub(crate) benefit_value: Option<f64>,
}

/// What to link, and by which rule.
#[derive(Args, Debug)]
pub(crate) struct LinksetArgs {
    /// A .toml file of objects, the first being the root; `-` reads stdin
    pub(crate) file: PathBuf,

    /// The rule that decides
    #[arg(long, default_value = "sphere")]
    pub(crate) rule: Rule,

    /// How to show the answer
    #[arg(long, default_value = "table")]
    pub(crate) format: Rendering,

    /// Write to a file, as a whole or not at all
    #[arg(long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

/// A rule of linking.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Rule {
    /// Since December 2010: one sphere around the centres of all prims, and a number of prims
    Sphere,
    /// Before: piece by piece, in the order of the file
    Span,
}

/// How a plan is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For eyes
    Table,
    /// One document, for scripts
    Json,
    /// One row per actor, for spreadsheets
    Csv,
}

/// Any number.
pub(crate) fn number(text: &str) -> Result<f64, String> {
    text.trim().parse().map_err(|_| "a number is expected".to_owned())
}

fn budget_ms(text: &str) -> Result<f64, String> {
    let value = number(text)?;
    if value >= 0.0 {
        Ok(value)
    } else {
        Err("a budget is at least 0; `inf` is unlimited".to_owned())
    }
}

fn unit_cost_ns(text: &str) -> Result<f64, String> {
    let value = number(text)?;
    if value.is_finite() && value > 0.0 {
        Ok(value)
    } else {
        Err("a unit cost is finite and above 0".to_owned())
    }
}

fn benefit_value(text: &str) -> Result<f64, String> {
    let value = number(text)?;
    if value.is_finite() && value >= 0.0 {
        Ok(value)
    } else {
        Err("a benefit value is finite and at least 0".to_owned())
    }
}

fn eye(text: &str) -> Result<[f64; 3], String> {
    let expected = || "three finite numbers are expected, as in 0,1.7,-4".to_owned();
    let numbers = text
        .split(',')
        .map(|part| number(part).ok().filter(|n| n.is_finite()))
        .collect::<Option<Vec<_>>>()
        .ok_or_else(expected)?;
    numbers.try_into().map_err(|_| expected())
}
