//! `lodger`: a ledger for levels of detail, on the command line.
//!
//! The binary calls [`main`]. It is a library only so that fuzzing can drive the readers that
//! strangers' files go through; nothing in it is an interface to build on.
#![doc(hidden)]

mod args;
#[cfg(feature = "boards")]
mod board;
mod commands;
mod decide;
mod exit;
mod files;
pub mod fuzz;
mod input;
mod linkset;
mod mistake;
mod rendering;
mod report;
mod scene;
mod schedule;
mod show;
mod source;

use std::process::ExitCode;

use clap::Parser as _;

use args::{Cli, Command};
use commands::{cost, lint};
#[cfg(feature = "boards")]
use exit::FINDINGS;
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
        Command::Schedule(args) => schedule::run(&args).map(|()| Verdict::Fine),
        Command::Cost(args) => cost::run(&args),
        Command::Lint(args) => lint::run(&args),
        Command::Linkset(args) => linkset::run(&args),
        #[cfg(feature = "boards")]
        Command::Board(args) => board::run(&args),
        #[cfg(not(feature = "boards"))]
        Command::Board(_) => Err(Diagnostic::error("this lodger was built without boards")
            .help("build it with its default features: cargo build --release -p lodger-cli")),
    }
}
