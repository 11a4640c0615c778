//! `lodger`: levels of detail within a budget, on the command line.
#![forbid(unsafe_code)]

mod args;
mod commands {
    pub(crate) mod bench;
    pub(crate) mod cost;
    pub(crate) mod linkset;
    pub(crate) mod lint;
    pub(crate) mod replay;
    pub(crate) mod schedule;
    pub(crate) mod simulate;
}
mod diagnostics;
mod inputs;

use std::process::ExitCode;

use lodger_terminal::{Diagnostic, command_line, exec_program, with_default_threads};

use args::{Cli, LodgerCommand, completions, man};
use commands::{bench, cost, linkset, lint, replay, schedule, simulate};
use diagnostics::{CommandStatus, USAGE_OR_INPUT};

const BUILD_GRID: &str =
    "--release --manifest-path secondlife/query/Cargo.toml --target-dir target";

fn main() -> ExitCode {
    match run(command_line::<Cli>().command) {
        Ok(status) => status.into(),
        Err(diagnostic) => {
            diagnostic.print();
            ExitCode::from(USAGE_OR_INPUT)
        }
    }
}

fn run(command: LodgerCommand) -> Result<CommandStatus, Diagnostic> {
    match command {
        LodgerCommand::Schedule(args) => schedule::run(&args),
        LodgerCommand::Cost(args) => with_default_threads(|| cost::run(&args))?,
        LodgerCommand::Lint(args) => with_default_threads(|| lint::run(&args))?,
        LodgerCommand::Linkset(args) => linkset::run(&args),
        LodgerCommand::Replay(args) => replay::run(&args),
        LodgerCommand::Simulate(args) => simulate::run(&args),
        LodgerCommand::Bench(options) => bench::run(&options),
        LodgerCommand::Pack(_) => Err(exec_program("lodger-pack", "--release -p lodger-pack")),
        LodgerCommand::Grid(_) => Err(exec_program("lodger-grid", BUILD_GRID)),
        LodgerCommand::Board(_) => Err(exec_program("lodger-board", "--release -p lodger-board")),
        LodgerCommand::Completions(args) => completions(&args),
        LodgerCommand::Man(args) => man(&args),
    }
}
