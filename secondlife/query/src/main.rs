//! `lodger-grid`, the program that `lodger grid` executes: SQL on all mesh assets and objects of a
//! grid.
#![forbid(unsafe_code)]

mod program;

use std::process::ExitCode;

use lodger_terminal::command_line;

fn main() -> ExitCode {
    program::run(command_line()).unwrap_or_else(|diagnostic| {
        diagnostic.print();
        ExitCode::from(program::USAGE_OR_INPUT)
    })
}
