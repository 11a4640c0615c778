//! `lodger-board`: boards behind debug probes. `lodger board` finds this program and becomes it.
#![forbid(unsafe_code)]

mod args;
mod bars;
mod conform;
mod exit;
mod flash;
mod follow;
mod formatted;
mod json;
mod list;
mod monitor;
mod out;
#[cfg(test)]
mod page;
mod run;
mod target;
mod tell;
mod words;

use std::process::ExitCode;

use lodger_terminal::{Diagnostic, command_line};

use args::{Cli, Command};

fn main() -> ExitCode {
    let code = run(&command_line::<Cli>().command).unwrap_or_else(|diagnostic| {
        diagnostic.print();
        exit::USAGE_OR_INPUT
    });
    ExitCode::from(code)
}

fn run(command: &Command) -> Result<u8, Diagnostic> {
    match command {
        Command::List(args) => list::run(args),
        Command::Flash(args) => flash::run(args),
        Command::Run(args) => run::run(args),
        Command::Monitor(args) => monitor::run(args),
        Command::Conform(args) => conform::run(args),
    }
}
