//! The command line of `lodger lint`.

use std::path::PathBuf;

use clap::Args;
use lodger_terminal::AllowanceArgs;

use crate::rendering::Rendering;

/// What to check, and how to show what was found.
#[derive(Args, Debug)]
pub(crate) struct LintArgs {
    /// Mesh assets, .iar and .oar archives, or folders to search for them; `-` reads stdin
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,

    /// How to show the findings
    #[arg(long, default_value = "table")]
    pub(crate) format: Rendering,

    /// Write to a file, as a whole or not at all
    #[arg(long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) allowance: AllowanceArgs,
}
