//! `lodger lint`: what an upload would refuse or punish.

mod args;
mod look;
mod report;

use std::path::Path;

use lodger_allowance::{Allowance, Spent};
use lodger_core::cost::ObjectScale;
use lodger_input::{FileError, bad_asset};
use lodger_mesh_asset::lint::lint;
use lodger_mesh_asset::{Asset, Limits as AssetLimits};
use lodger_opensim::archive::{Archive, Error as ArchiveError, Limits};
use lodger_opensim::files::{Content, Search, Source, each};
use rayon::prelude::*;

use crate::exit::Verdict;
use crate::files::{check_outputs, verdict};
use crate::rendering::Rendering;
use lodger_terminal::{Diagnostic, Look, Progress, Target, output, plain};
use report::{FileFindings, LintReport};

pub(crate) use args::LintArgs;

/// The bytes of a finding, or of what else is told of a file, while it is shown.
const PER_FINDING: u64 = 2 << 10;

/// What came of a file, or of a mesh in an archive.
type Checked = Result<FileFindings, FileError>;

/// Runs the command.
pub(crate) fn run(args: &LintArgs) -> Result<Verdict, Diagnostic> {
    check_outputs(&[("--output", args.output.as_deref())], &args.files)?;
    let target = Target::of(args.output.as_deref());
    let report = LintReport::new(check_all(args));
    let has_read = !report.files.is_empty();
    match args.format {
        Rendering::Json => output::write_json(target, &report)?,
        Rendering::Table if !has_read => {}
        Rendering::Table => {
            output::write(target, look::text(&report, Look::of(target)).as_bytes())?;
        }
    }
    Ok(match verdict(has_read, &report.errors) {
        Verdict::Fine => Verdict::of(report.is_clean()),
        verdict => verdict,
    })
}

fn check_all(args: &LintArgs) -> Vec<Checked> {
    let found = lodger_opensim::files::find(&args.files, Search::Meshes);
    let lasts = matches!(&found[..], [Ok(only)] if only.is_archive());
    let progress = Progress::new(found.len(), lasts);
    let one = |source: &Source, allowance: &Allowance| {
        let checked = check(source, &progress, allowance)?;
        progress.done();
        Ok(checked)
    };
    let checked = each(found, args.allowance.limits(), one).into_iter();
    checked.flat_map(|file| file.unwrap_or_else(|error| vec![Err(error.into())])).collect()
}

fn check(
    source: &Source,
    progress: &Progress,
    allowance: &Allowance,
) -> Result<Vec<Checked>, Spent> {
    let name = source.name();
    progress.say(format!("reading {}", plain(name)));
    Ok(match source.open(Limits::default(), allowance) {
        Ok(Content::Mesh(bytes)) => vec![check_mesh(name.to_owned(), &bytes, allowance)?],
        Ok(Content::Archive { archive, unreadable, .. }) => {
            progress.more(archive.meshes.len());
            progress.say(format!("checking {}", plain(name)));
            let mut checked = check_archive(source, &archive, (progress, allowance))?;
            checked.extend(unreadable.into_iter().map(|error| Err(error.into())));
            if checked.is_empty() {
                checked.push(Ok(FileFindings::without_meshes(name)));
            }
            checked
        }
        Err(error) => match error.problem().spent() {
            Some(spent) => return Err(spent),
            None => vec![Err(error.into())],
        },
    })
}

fn check_archive(
    source: &Source,
    archive: &Archive,
    (progress, allowance): (&Progress, &Allowance),
) -> Result<Vec<Checked>, Spent> {
    let name = source.name();
    let refused = |error: String| FileError { file: name.to_owned(), error };
    let meshes = archive.meshes.par_iter().map(|(id, bytes)| {
        let file = format!("{name}/assets/{id}_mesh.llmesh");
        let checked = check_mesh(file, bytes, allowance);
        progress.done();
        checked
    });
    allowance.rows(PER_FINDING.saturating_mul(archive.errors.len() as u64))?;
    let errors = archive.errors.par_iter().filter(|error| is_in_the_way(error, source));
    meshes.chain(errors.map(|error| Ok(Err(refused(error.to_string()))))).collect()
}

/// Whether there may be meshes that are not checked because of an error. Those about single objects,
/// items and parcels of an archive are for others to tell.
fn is_in_the_way(error: &ArchiveError, source: &Source) -> bool {
    let file = Path::new(source.file_name()).file_name();
    let is_of_an_entry = |entry: &Path| {
        entry.extension().is_some_and(|ending| ending == "xml") && Some(entry.as_os_str()) != file
    };
    error.ends_reading() || !error.entry().map(Path::new).is_some_and(is_of_an_entry)
}

fn check_mesh(file: String, bytes: &[u8], allowance: &Allowance) -> Result<Checked, Spent> {
    allowance.rows(PER_FINDING)?;
    let room = allowance.reserve(AssetLimits::default().most_memory(bytes.len()))?;
    let asset = match Asset::parse(bytes) {
        Ok(asset) => asset,
        Err(error) => return Ok(Err(FileError { file, error: bad_asset(&error) })),
    };
    let findings = lint(&asset, ObjectScale::ONE);
    allowance.work(asset.inflated_bytes())?;
    drop(room);
    allowance.rows(PER_FINDING.saturating_mul(findings.len() as u64))?;
    Ok(Ok(FileFindings::new(file, findings)))
}
