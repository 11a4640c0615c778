//! `lodger-board`: boards behind debug probes. `lodger board` finds this program and becomes it.
#![forbid(unsafe_code)]

mod args;
mod conform;
mod event_printer;
#[cfg(test)]
#[path = "../fixture.rs"]
#[expect(dead_code, reason = "the library's tests need all of it")]
mod fixture;
mod json;
mod list;
mod log_format;
mod monitor;
mod output;
#[cfg(test)]
mod page;
mod run;
mod target;
mod tasks;
mod text;

use std::process::ExitCode;

use lodger_terminal::{Diagnostic, command_line};

use args::{Cli, Command};

fn main() -> ExitCode {
    let code = run(&command_line::<Cli>().command).unwrap_or_else(|diagnostic| {
        diagnostic.print();
        output::USAGE_OR_INPUT
    });
    ExitCode::from(code)
}

fn run(command: &Command) -> Result<u8, Diagnostic> {
    match command {
        Command::List(args) => list::run(args),
        Command::Flash(args) => run::flash(args),
        Command::Run(args) => run::run(args),
        Command::Monitor(args) => monitor::run(args),
        Command::Conform(args) => conform::run(args),
    }
}
