//! `lodger`: a ledger for levels of detail, on the command line.

mod args;
mod commands;
mod exit;
mod files;
mod mistake;
mod number;
mod programs;
mod rendering;

use std::process::ExitCode;

use clap::Parser as _;
use lodger_terminal::Diagnostic;

use args::{Cli, Command};
use commands::{cost, linkset, lint, schedule};
use exit::{USAGE_OR_INPUT, Verdict};

fn main() -> ExitCode {
    match run(Cli::parse().command) {
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
        Command::Cost(args) => cost::run(&args),
        Command::Lint(args) => lint::run(&args),
        Command::Linkset(args) => linkset::run(&args),
        Command::Board(_) => Err(programs::become_program("lodger-board")),
    }
}
