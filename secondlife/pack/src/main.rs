//! The program `lodger-pack`, which `lodger pack` runs.
#![forbid(unsafe_code)]

mod program;

use std::env;
use std::process::ExitCode;

use lodger_terminal::command_line;

fn main() -> ExitCode {
    if env::args_os().nth(1).is_some_and(|first| first == lodger_pack::DECOMPOSE_ARG) {
        return lodger_pack::run_decomposer();
    }
    program::run(&command_line()).unwrap_or_else(|diagnostic| {
        diagnostic.print();
        ExitCode::from(program::USAGE_OR_INPUT)
    })
}
