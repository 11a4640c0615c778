//! The commands of `lodger-grid`.

mod ingest;
mod nodes;
mod query;

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use lodger_terminal::Diagnostic;

/// The exit code for invalid usage and input, as of clap.
pub(crate) const USAGE_OR_INPUT: u8 = 2;

/// Costs of all meshes and objects of a grid, in SQL.
#[derive(Debug, Parser)]
#[command(name = "lodger grid", bin_name = "lodger grid", version)]
pub(crate) struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Read archives, folders, asset stores and databases into a dataset.
    Ingest(ingest::Args),
    /// Query a dataset in SQL.
    Sql(query::SqlArgs),
    /// Show the most expensive objects, owners or regions.
    Top(query::TopArgs),
    /// Show waste: copied LODs, duplicates, thin triangles, unreferenced meshes.
    Waste(query::WasteArgs),
    /// Show the effect of other rules.
    Whatif(query::WhatifArgs),
    /// Run the scheduler of a cluster.
    Scheduler(nodes::SchedulerArgs),
    /// Run an executor of a cluster.
    Executor(nodes::ExecutorArgs),
}

/// Runs a command.
pub(crate) fn run(cli: Cli) -> Result<ExitCode, Diagnostic> {
    match cli.command {
        Command::Ingest(args) => ingest::run(&args),
        Command::Sql(args) => query::sql(&args),
        Command::Top(args) => query::top(&args),
        Command::Waste(args) => query::waste(&args),
        Command::Whatif(args) => query::whatif(&args),
        Command::Scheduler(args) => nodes::scheduler(&args),
        Command::Executor(args) => nodes::executor(&args),
    }
}
