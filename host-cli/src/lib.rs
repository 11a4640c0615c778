//! `lodger`: a ledger for levels of detail, on the command line.
//!
//! The binary calls [`main`]. It is a library only so that fuzzing can drive the readers that
//! strangers' files go through; nothing in it is an interface to build on.
#![doc(hidden)]

mod args;
mod commands;
mod cost;
mod exit;
pub mod fuzz;
mod input;
mod lint;
mod mistake;
mod number;
mod programs;
mod rendering;
mod show;

use std::process::ExitCode;

use clap::Parser as _;

use args::{Cli, Command};
use commands::{linkset, schedule};
use exit::{USAGE_OR_INPUT, Verdict};
use lodger_terminal::Diagnostic;

/// Runs the command line.
#[must_use]
pub fn main() -> ExitCode {
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
