//! `lodger lint`: what an upload would refuse or punish.

mod args;
mod look;
mod report;

use std::path::Path;

use lodger_core::cost::ObjectScale;
use lodger_mesh_asset::Asset;
use lodger_mesh_asset::lint::lint;
use rayon::prelude::*;

use crate::exit::Verdict;
use crate::files::{self, FileError};
use crate::rendering::Rendering;
use lodger_terminal::{Diagnostic, Look, Target, output};
use report::{FileFindings, LintReport};

pub(crate) use args::LintArgs;

/// Runs the command.
pub(crate) fn run(args: &LintArgs) -> Result<Verdict, Diagnostic> {
    let target = Target::of(args.output.as_deref());
    let found = files::find(&args.files, files::MESHES).into_par_iter();
    let checked: Vec<_> = found.map(|path| check(&path?)).collect();
    let report = LintReport::new(checked);
    let rendered = match args.format {
        Rendering::Json => output::json(&report)?,
        Rendering::Table => look::text(&report, Look::of(target)).into_bytes(),
    };
    output::write(target, &rendered)?;
    Ok(Verdict::of(report.is_clean()))
}

fn check(path: &Path) -> Result<FileFindings, FileError> {
    let bytes = files::read(path)?;
    let asset = Asset::parse(&bytes)
        .map_err(|error| FileError::new(path, format!("this is no mesh asset: {error}")))?;
    let findings = lint(&asset, ObjectScale::ONE);
    Ok(FileFindings { file: path.display().to_string(), findings })
}
