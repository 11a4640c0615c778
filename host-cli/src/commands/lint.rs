//! `lodger lint`: what an upload would refuse or punish.

mod args;
mod look;
mod report;

use lodger_archive::{Archive, Limits};
use lodger_core::cost::ObjectScale;
use lodger_files::{Content, Search, Source};
use lodger_mesh_asset::Asset;
use lodger_mesh_asset::lint::lint;
use rayon::prelude::*;

use crate::exit::Verdict;
use crate::files::{FileError, bad_asset};
use crate::rendering::Rendering;
use lodger_terminal::{Diagnostic, Look, Progress, Target, output, plain};
use report::{FileFindings, LintReport};

pub(crate) use args::LintArgs;

/// What came of a file, or of a mesh in an archive.
type Checked = Result<FileFindings, FileError>;

/// Runs the command.
pub(crate) fn run(args: &LintArgs) -> Result<Verdict, Diagnostic> {
    let target = Target::of(args.output.as_deref());
    let report = LintReport::new(check_all(args));
    let rendered = match args.format {
        Rendering::Json => output::json(&report)?,
        Rendering::Table => look::text(&report, Look::of(target)).into_bytes(),
    };
    output::write(target, &rendered)?;
    Ok(Verdict::of(report.is_clean()))
}

fn check_all(args: &LintArgs) -> Vec<Checked> {
    let found = lodger_files::find(&args.files, Search::Meshes);
    let lasts = matches!(&found[..], [Ok(only)] if only.is_archive());
    let progress = Progress::new(found.len(), lasts);
    let checked = found.into_par_iter().map(|source| match source {
        Ok(source) => {
            let checked = check(&source, &progress);
            progress.done();
            checked
        }
        Err(error) => vec![Err(error.into())],
    });
    checked.collect::<Vec<_>>().into_iter().flatten().collect()
}

fn check(source: &Source, progress: &Progress) -> Vec<Checked> {
    let name = source.name();
    progress.say(format!("reading {}", plain(name)));
    match source.open(Limits::default()) {
        Ok(Content::Mesh(bytes)) => vec![check_mesh(name.to_owned(), &bytes)],
        Ok(Content::Archive { archive, unreadable, .. }) => {
            progress.more(archive.meshes.len());
            progress.say(format!("checking {}", plain(name)));
            let mut checked = check_archive(name, &archive, progress);
            checked.extend(unreadable.into_iter().map(|error| Err(error.into())));
            checked
        }
        Err(error) => vec![Err(error.into())],
    }
}

fn check_archive(name: &str, archive: &Archive, progress: &Progress) -> Vec<Checked> {
    let refused = |error: String| FileError { file: name.to_owned(), error };
    if archive.meshes.is_empty() && archive.errors.is_empty() {
        return vec![Err(refused("there are no mesh assets in this archive".to_owned()))];
    }
    let meshes = archive.meshes.par_iter().map(|(id, bytes)| {
        let checked = check_mesh(format!("{name}/assets/{id}_mesh.llmesh"), bytes);
        progress.done();
        checked
    });
    let errors = archive.errors.par_iter().map(|error| Err(refused(error.to_string())));
    meshes.chain(errors).collect()
}

fn check_mesh(file: String, bytes: &[u8]) -> Checked {
    match Asset::parse(bytes) {
        Ok(asset) => Ok(FileFindings { file, findings: lint(&asset, ObjectScale::ONE) }),
        Err(error) => Err(FileError { file, error: bad_asset(&error) }),
    }
}
