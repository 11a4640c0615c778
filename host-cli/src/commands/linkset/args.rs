//! The arguments of `lodger linkset`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use lodger_terminal::AllowanceArgs;

use crate::rendering::Rendering;

/// What to link, and by which rule.
#[derive(Args, Debug)]
pub(crate) struct LinksetArgs {
    /// A .toml file of objects, or objects of archives as in region.oar:House; the first is the
    /// root; `-` reads stdin
    #[arg(required = true, value_name = "FILE")]
    pub(super) files: Vec<PathBuf>,

    /// The rule that decides
    #[arg(long, default_value = "sphere")]
    pub(super) rule: Rule,

    /// How to show the answer
    #[arg(long, default_value = "table")]
    pub(super) format: Rendering,

    /// Write to a file, as a whole or not at all
    #[arg(long, value_name = "FILE")]
    pub(super) output: Option<PathBuf>,

    #[command(flatten)]
    pub(super) allowance: AllowanceArgs,
}

/// A rule of linking.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Rule {
    /// Since December 2010: one sphere around the centres of all prims, and a number of prims
    Sphere,
    /// Before: piece by piece, in the order given
    Span,
}
