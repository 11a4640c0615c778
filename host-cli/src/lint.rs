//! `lodger lint`: what an upload would refuse or punish.

mod report;

use std::path::Path;

use lodger_core::cost::Scale;
use lodger_mesh_asset::Asset;
use lodger_mesh_asset::lint::lint;
use rayon::prelude::*;

use crate::args::LintArgs;
use crate::exit::Verdict;
use crate::input::assets::{self, FileError};
use crate::rendering::Rendering;
use crate::show;
use lodger_terminal::Diagnostic;
use lodger_terminal::Look;
use lodger_terminal::{Target, output};

pub(crate) use report::{FileFindings, LintReport};

/// Runs the command.
pub(crate) fn run(args: &LintArgs) -> Result<Verdict, Diagnostic> {
    let target = Target::of(args.output.as_deref());
    let files = assets::find(&args.files, assets::MESHES).into_par_iter();
    let checked: Vec<_> = files.map(|path| check(&path?)).collect();
    let report = LintReport::new(checked);
    let rendered = match args.format {
        Rendering::Json => lodger_terminal::output::json(&report)?,
        Rendering::Table => show::findings(&report, Look::of(target)).into_bytes(),
    };
    output::write(target, &rendered)?;
    Ok(Verdict::of(report.is_clean()))
}

fn check(path: &Path) -> Result<FileFindings, FileError> {
    let bytes = assets::read(path)?;
    let asset = Asset::parse(&bytes)
        .map_err(|error| FileError::new(path, format!("this is no mesh asset: {error}")))?;
    let findings = lint(&asset, Scale::ONE);
    Ok(FileFindings { file: path.display().to_string(), findings })
}
