//! How an answer is shown.

use clap::ValueEnum;

/// How an answer is shown that has no rows for a spreadsheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Rendering {
    /// For eyes
    Table,
    /// One document, for scripts
    Json,
}
