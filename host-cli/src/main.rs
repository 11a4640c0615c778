//! `lodger`: a ledger for levels of detail, on the command line.

mod args;
mod decide;
mod diagnostic;
mod input;
mod mistake;
mod output;
mod report;
mod scene;
mod schedule;
mod show;
mod source;

use std::process::ExitCode;

use clap::Parser as _;

use args::{Cli, Command};

/// The exit code for usage and input that cannot be worked with; clap uses the same.
const USAGE_OR_INPUT: u8 = 2;

fn main() -> ExitCode {
    let outcome = match Cli::parse().command {
        Command::Schedule(args) => schedule::run(&args),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(diagnostic) => {
            diagnostic.print();
            ExitCode::from(USAGE_OR_INPUT)
        }
    }
}
