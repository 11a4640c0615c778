//! `lodger-grid`: a whole grid's mesh assets as columns and SQL. `lodger grid` finds this program and becomes it.
#![forbid(unsafe_code)]

mod program;

use std::process::ExitCode;

use lodger_terminal::command_line;
use mimalloc::MiMalloc;

/// Threads that ask for many short pieces of memory, as those of a query and of ingest do, wait less for this one.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    program::run(command_line()).unwrap_or_else(|diagnostic| {
        diagnostic.print();
        ExitCode::from(program::USAGE_OR_INPUT)
    })
}
