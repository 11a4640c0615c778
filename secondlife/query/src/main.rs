//! `lodger-grid`: a whole grid's mesh assets as columns and SQL. `lodger grid` finds this program and becomes it.
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
