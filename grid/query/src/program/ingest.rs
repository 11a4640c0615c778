//! `lodger grid ingest`.

use std::process::ExitCode;

use lodger_terminal::Diagnostic;

/// Sources and where they go.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {}

/// Reads sources into a dataset.
pub(crate) fn run(_args: &Args) -> Result<ExitCode, Diagnostic> {
    todo!()
}
