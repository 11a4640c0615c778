//! `lodger`: a ledger for levels of detail, on the command line.

mod args;
mod commands;
mod exit;
mod files;
mod rendering;

use std::process::ExitCode;

use lodger_terminal::{Diagnostic, become_program, command_line, on_threads};

use args::{Cli, Command};
use commands::{bench, cost, linkset, lint, replay, schedule, simulate};
use exit::{USAGE_OR_INPUT, Verdict};

/// What builds `lodger-grid`, which is in a workspace of its own, to lie beside lodger.
const BUILD_GRID: &str = "--release --manifest-path grid/query/Cargo.toml --target-dir target";

fn main() -> ExitCode {
    match run(command_line::<Cli>().command) {
        Ok(verdict) => verdict.into(),
        Err(diagnostic) => {
            diagnostic.print();
            ExitCode::from(USAGE_OR_INPUT)
        }
    }
}

fn run(command: Command) -> Result<Verdict, Diagnostic> {
    match command {
        Command::Schedule(args) => schedule::run(&args),
        Command::Cost(args) => on_threads(|| cost::run(&args))?,
        Command::Lint(args) => on_threads(|| lint::run(&args))?,
        Command::Linkset(args) => linkset::run(&args),
        Command::Replay(args) => replay::run(&args),
        Command::Simulate(args) => simulate::run(&args),
        Command::Bench(options) => bench::run(&options),
        Command::Pack(_) => Err(become_program("lodger-pack", "--release -p lodger-pack")),
        Command::Grid(_) => Err(become_program("lodger-grid", BUILD_GRID)),
        Command::Board(_) => Err(become_program("lodger-board", "--release -p lodger-board")),
    }
}
