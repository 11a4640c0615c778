//! The command line.

use std::ffi::OsString;

use clap::{Args, Parser, Subcommand};

use crate::commands::bench::BenchOptions;
use crate::commands::cost::CostArgs;
use crate::commands::linkset::LinksetArgs;
use crate::commands::lint::LintArgs;
use crate::commands::replay::ReplayArgs;
use crate::commands::schedule::ScheduleArgs;
use crate::commands::shell::{CompletionsArgs, ManArgs};
use crate::commands::simulate::SimulateArgs;
use crate::diagnostics::EXIT_CODES;

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
        after_long_help = include_str!("commands/schedule/help.txt"),
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
            A finding is a warning or a note; where there are only notes, the exit code is 0. Of an \
            archive, each mesh asset is checked. Physics costs are those at scale 1,1,1: an asset has \
            no scale of its own.",
        after_help = EXIT_CODES,
    )]
    Lint(LintArgs),

    /// Check whether objects can be linked into one, and by how much they cannot
    #[command(
        long_about = "Check whether objects can be linked into one, and by how much they cannot.",
        after_long_help = include_str!("commands/linkset/help.txt"),
        after_help = EXIT_CODES,
    )]
    Linkset(LinksetArgs),

    /// Decide the ticks of a log again: nothing may differ, or what does is named
    #[command(
        long_about = "Decide the ticks of a log again: nothing may differ, or what does is named.",
        after_long_help = include_str!("commands/replay/help.txt"),
        after_help = EXIT_CODES,
    )]
    Replay(ReplayArgs),

    /// Move a camera through a scene, with costs that are noisy and wrong at first
    #[command(
        long_about = "Move a camera through a scene, with costs that are noisy and wrong at first.\n\n\
            A third of the actors walk. The scheduler measures, learns and decides, 60 times a second, \
            and is compared with what could have been shown at the true costs.",
        after_long_help = include_str!("commands/simulate/help.txt"),
        after_help = EXIT_CODES,
    )]
    Simulate(Box<SimulateArgs>),

    /// Measure what deciding takes on this machine, beside the textbook's way and a pass over memory
    #[command(
        long_about = "Measure what deciding takes on this machine, beside the textbook's way and a pass over memory.\n\n\
            All decide for the same actors by turns. Nothing else should be running.",
        after_long_help = include_str!("commands/bench/help.txt"),
        after_help = EXIT_CODES,
    )]
    Bench(BenchOptions),

    /// Pack a model into mesh assets of the land impact that you want
    #[command(disable_help_flag = true)]
    Pack(ExternalArgs),

    /// Ask what a whole grid's meshes cost, in SQL: asset stores, databases, archives
    #[command(disable_help_flag = true)]
    Grid(ExternalArgs),

    /// Flash, run, watch and question boards through debug probes
    #[command(disable_help_flag = true)]
    Board(ExternalArgs),

    /// Print a script that completes the options of lodger and its programs in a shell
    #[command(after_long_help = include_str!("commands/shell/completions.txt"), after_help = EXIT_CODES)]
    Completions(CompletionsArgs),

    /// Write the man pages of lodger and its programs into a folder
    #[command(after_help = EXIT_CODES)]
    Man(ManArgs),
}

/// Arguments of a program behind a subcommand.
#[derive(Args, Debug)]
pub(crate) struct ExternalArgs {
    /// What the program behind the command takes; its --help says it
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, hide = true)]
    _arguments: Vec<OsString>,
}
