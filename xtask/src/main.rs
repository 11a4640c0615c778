//! `cargo xtask`: lodger's own tools. One file per command; what they share is in `steps`, `command` and `tools`.
//!
//! A command is a function from [`Steps`] to success or the first [`Failure`]: it installs what it
//! needs through `tools`, runs external commands as steps, and knows nothing of reports or exit codes.

mod ci;
mod command;
mod failure;
mod steps;
mod test;
mod tools;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::failure::Failure;
use crate::steps::Steps;

/// lodger's own tools: set-up, tests and what CI checks.
#[derive(Parser)]
#[command(
    bin_name = "cargo xtask",
    after_help = "After cloning: cargo xtask test. Before sending a change: cargo xtask ci.\n\
                  Works from any folder of the workspace. Each step says the command it runs, the first \
                  failure stops, and a table of steps and seconds ends every run.\n\
                  Exit codes: 0 everything passed, 1 a step failed, 2 usage."
)]
struct Cli {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Run every test of the workspace.
    ///
    /// Unit, vector, property, command-line and doc tests, with all features and the dev profile's
    /// overflow checks. It needs nothing but Rust.
    Test,
    /// Run what CI runs: `test` and every other check a change must pass.
    ///
    /// From cheap to dear: formatting, lodger-core without std for Cortex-M targets, clippy on all
    /// targets (benches too), rustdoc, licences and sources of the dependencies, and the tests.
    /// What is missing is installed first: rustfmt, clippy and the targets through rustup,
    /// cargo-deny through cargo.
    Ci,
}

fn main() -> ExitCode {
    let task = Cli::parse().task;
    match run(&task) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("\nerror: {failure}");
            ExitCode::FAILURE
        }
    }
}

fn run(task: &Task) -> Result<(), Failure> {
    let mut steps = Steps::of_workspace()?;
    let outcome = match task {
        Task::Test => test::run(&mut steps),
        Task::Ci => ci::run(&mut steps),
    };
    eprint!("\n{steps}");
    outcome
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_well_formed() {
        super::Cli::command().debug_assert();
    }
}
