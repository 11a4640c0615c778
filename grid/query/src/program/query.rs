//! `lodger grid sql`, `top`, `waste` and `whatif`.

use std::process::ExitCode;

use lodger_terminal::Diagnostic;

/// A question in SQL.
#[derive(Debug, clap::Args)]
pub(crate) struct SqlArgs {}

/// What to rank.
#[derive(Debug, clap::Args)]
pub(crate) struct TopArgs {}

/// Which waste to look for.
#[derive(Debug, clap::Args)]
pub(crate) struct WasteArgs {}

/// Which rules to compare.
#[derive(Debug, clap::Args)]
pub(crate) struct WhatifArgs {}

/// Answers a question.
pub(crate) fn sql(_args: &SqlArgs) -> Result<ExitCode, Diagnostic> {
    todo!()
}

/// Ranks.
pub(crate) fn top(_args: &TopArgs) -> Result<ExitCode, Diagnostic> {
    todo!()
}

/// Looks for waste.
pub(crate) fn waste(_args: &WasteArgs) -> Result<ExitCode, Diagnostic> {
    todo!()
}

/// Compares.
pub(crate) fn whatif(_args: &WhatifArgs) -> Result<ExitCode, Diagnostic> {
    todo!()
}
