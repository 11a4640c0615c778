//! `lodger grid scheduler` and `lodger grid executor`.

use std::process::ExitCode;

use lodger_terminal::Diagnostic;

/// Where a scheduler listens.
#[derive(Debug, clap::Args)]
pub(crate) struct SchedulerArgs {}

/// Where an executor works, and for whom.
#[derive(Debug, clap::Args)]
pub(crate) struct ExecutorArgs {}

/// Runs a scheduler until it is ended.
pub(crate) fn scheduler(_args: &SchedulerArgs) -> Result<ExitCode, Diagnostic> {
    todo!()
}

/// Runs an executor until it is ended.
pub(crate) fn executor(_args: &ExecutorArgs) -> Result<ExitCode, Diagnostic> {
    todo!()
}
