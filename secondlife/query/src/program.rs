mod ingest;
mod nodes;
mod query;

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use lodger_terminal::Diagnostic;

pub(crate) const USAGE_OR_INPUT: u8 = 2;

/// Costs of all meshes and objects of a grid, in SQL.
#[derive(Debug, Parser)]
#[command(name = "lodger grid", bin_name = "lodger grid", version)]
pub(crate) struct Cli {
    #[command(subcommand)]
    command: GridCommand,
}

#[derive(Debug, Subcommand)]
enum GridCommand {
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

pub(crate) fn run(cli: Cli) -> Result<ExitCode, Diagnostic> {
    match cli.command {
        GridCommand::Ingest(args) => ingest::run(&args),
        GridCommand::Sql(args) => query::sql(&args),
        GridCommand::Top(args) => query::top(&args),
        GridCommand::Waste(args) => query::waste(&args),
        GridCommand::Whatif(args) => query::whatif(&args),
        GridCommand::Scheduler(args) => nodes::scheduler(&args),
        GridCommand::Executor(args) => nodes::executor(&args),
    }
}
