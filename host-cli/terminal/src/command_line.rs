//! The command line, and what it asks of clap alone.

use std::io::{self, ErrorKind, Write as _};
use std::process;

use clap::Parser;

use crate::Diagnostic;

/// The exit code of a command line that is wrong; clap uses the same.
pub(crate) const USAGE: i32 = 2;

/// What a command line asks for. Where it is wrong, or asks for help or the version, that is told, and the
/// program ends: with 2 if the command line is wrong or stdout cannot be written to, else with 0. A reader
/// who closed the pipe has seen enough.
#[must_use]
pub fn command_line<P: Parser>() -> P {
    P::try_parse().unwrap_or_else(|answer| {
        let told = answer.print().and_then(|()| io::stdout().flush());
        let code = match told {
            Err(error) if !answer.use_stderr() && error.kind() != ErrorKind::BrokenPipe => {
                Diagnostic::error(format!("cannot write to stdout: {error}")).print();
                USAGE
            }
            _ => answer.exit_code(),
        };
        process::exit(code)
    })
}
