//! `lodger`: a ledger for levels of detail, on the command line.
//!
//! The binary calls [`main`]. It is a library only so that fuzzing can drive the readers that
//! strangers' files go through; nothing in it is an interface to build on.
#![doc(hidden)]

mod args;
mod cost;
mod decide;
pub mod fuzz;
mod input;
mod linkset;
mod lint;
mod mistake;
mod programs;
mod report;
mod scene;
mod schedule;
mod show;
mod source;

use std::process::ExitCode;

use clap::Parser as _;

use args::{Cli, Command};
use lodger_terminal::Diagnostic;

/// The exit code where there are findings, or some rows failed.
const FINDINGS: u8 = 1;
/// The exit code for usage and input that cannot be worked with; clap uses the same.
const USAGE_OR_INPUT: u8 = 2;

/// How a command that could do its work ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    /// All is well.
    Fine,
    /// There are findings, or some rows failed.
    Findings,
}

impl Verdict {
    /// Fine, unless it is not.
    fn of(fine: bool) -> Self {
        if fine { Self::Fine } else { Self::Findings }
    }
}

/// Runs the command line.
#[must_use]
pub fn main() -> ExitCode {
    match run(Cli::parse().command) {
        Ok(Verdict::Fine) => ExitCode::SUCCESS,
        Ok(Verdict::Findings) => ExitCode::from(FINDINGS),
        Err(diagnostic) => {
            diagnostic.print();
            ExitCode::from(USAGE_OR_INPUT)
        }
    }
}

fn run(command: Command) -> Result<Verdict, Diagnostic> {
    match command {
        Command::Schedule(args) => schedule::run(&args).map(|()| Verdict::Fine),
        Command::Cost(args) => cost::run(&args),
        Command::Lint(args) => lint::run(&args),
        Command::Linkset(args) => linkset::run(&args),
        Command::Board(_) => Err(programs::become_program("lodger-board")),
    }
}
