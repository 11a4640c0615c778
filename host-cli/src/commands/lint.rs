//! `lodger lint`: faults that an upload rejects or charges for.

use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::styling::{AnsiColor, Style};
use lodger_core::cost::ObjectScale;
use lodger_mesh_asset::lint::{Finding, FindingCost, FindingSeverity, lint};
use lodger_mesh_asset::{Asset, AssetBlock, AssetLimits};
use lodger_opensim::archive::{Archive, ArchiveError, ArchiveLimits};
use lodger_opensim::files::{FileFilter, InputSource, SourceContent, map_sources};
use lodger_quota::{Quota, QuotaExceeded};
use lodger_terminal::{
    Diagnostic, MAX_SENTENCE, OutputFormat, ProgressReport, QuotaArgs, RenderOptions, ReportArgs,
    count, sanitize, sanitize_to, tail,
};
use rayon::prelude::*;
use serde::{Serialize, Serializer};
use serde_json::json;

use crate::diagnostics::{CommandStatus, ErrorRow, bad_asset, check_outputs, status};

/// Bytes of a finding or an error while it is shown.
const PER_FINDING: u64 = 2 << 10;

type LintOutcome = Result<FileFindings, ErrorRow>;

pub(crate) fn run(args: &LintArgs) -> Result<CommandStatus, Diagnostic> {
    check_outputs(&[("--output", args.report.output.as_deref())], &args.files)?;
    let report = LintReport::new(check_all(args));
    let has_read = !report.files.is_empty();
    if has_read || args.report.format == OutputFormat::Json {
        args.report.write(&report, |style, out| out.write_all(text(&report, style).as_bytes()))?;
    }
    Ok(match status(has_read, &report.errors) {
        CommandStatus::Fine => CommandStatus::from_success(report.is_clean()),
        status => status,
    })
}

fn check_all(args: &LintArgs) -> Vec<LintOutcome> {
    let found = lodger_opensim::files::expand_paths(&args.files, FileFilter::Meshes);
    let lasts = matches!(&found[..], [Ok(only)] if only.is_archive());
    let progress = ProgressReport::new(found.len(), lasts);
    let one = |source: &InputSource, quota: &Quota| {
        let checked = check(source, &progress, quota)?;
        progress.done();
        Ok(checked)
    };
    let checked = map_sources(found, args.quota.limits(), one).into_iter();
    checked.flat_map(|file| file.unwrap_or_else(|error| vec![Err(error.into())])).collect()
}

fn check(
    source: &InputSource,
    progress: &ProgressReport,
    quota: &Quota,
) -> Result<Vec<LintOutcome>, QuotaExceeded> {
    let name = source.name();
    progress.say(format!("reading {}", sanitize(name)));
    Ok(match source.open(ArchiveLimits::default(), quota) {
        Ok(SourceContent::Mesh(bytes)) => vec![check_mesh(name.to_owned(), &bytes, quota)?],
        Ok(SourceContent::Archive { archive, unreadable, .. }) => {
            progress.more(archive.meshes.len());
            progress.say(format!("checking {}", sanitize(name)));
            let mut checked = check_archive(source, &archive, (progress, quota))?;
            checked.extend(unreadable.into_iter().map(|error| Err(error.into())));
            if checked.is_empty() {
                checked.push(Ok(FileFindings::without_meshes(name)));
            }
            checked
        }
        Err(error) => match error.kind().quota_exceeded() {
            Some(exceeded) => return Err(exceeded),
            None => vec![Err(error.into())],
        },
    })
}

fn check_archive(
    source: &InputSource,
    archive: &Archive,
    (progress, quota): (&ProgressReport, &Quota),
) -> Result<Vec<LintOutcome>, QuotaExceeded> {
    let name = source.name();
    let refused = |error: String| ErrorRow { file: name.to_owned(), error };
    let meshes = archive.meshes.par_iter().map(|(id, bytes)| {
        let file = format!("{name}/assets/{id}_mesh.llmesh");
        let checked = check_mesh(file, bytes, quota);
        progress.done();
        checked
    });
    quota.charge_rows(PER_FINDING.saturating_mul(archive.errors.len() as u64))?;
    let mut outcomes: Vec<LintOutcome> = meshes.collect::<Result<_, _>>()?;
    let errors = archive.errors.iter().filter(|error| is_in_the_way(error, source));
    outcomes.extend(errors.map(|error| Err(refused(error.to_string()))));
    Ok(outcomes)
}

/// Whether an error may hide meshes. Errors of single objects, items and parcels of an archive do
/// not.
fn is_in_the_way(error: &ArchiveError, source: &InputSource) -> bool {
    let file = Path::new(source.file_name()).file_name();
    let is_of_an_entry = |entry: &Path| {
        entry.extension().is_some_and(|ending| ending == "xml") && Some(entry.as_os_str()) != file
    };
    error.ends_reading() || !error.entry().map(Path::new).is_some_and(is_of_an_entry)
}

fn check_mesh(file: String, bytes: &[u8], quota: &Quota) -> Result<LintOutcome, QuotaExceeded> {
    quota.charge_rows(PER_FINDING)?;
    let room = quota.reserve(AssetLimits::default().max_memory(bytes.len()))?;
    let asset = match Asset::parse(bytes) {
        Ok(asset) => asset,
        Err(error) => return Ok(Err(ErrorRow { file, error: bad_asset(&error) })),
    };
    let findings = lint(&asset, ObjectScale::ONE);
    quota.charge_work(asset.inflated_bytes())?;
    drop(room);
    quota.charge_rows(PER_FINDING.saturating_mul(findings.len() as u64))?;
    Ok(Ok(FileFindings::new(file, findings)))
}

/// Options of the command.
#[derive(Args, Debug)]
pub(crate) struct LintArgs {
    /// Mesh assets, .iar and .oar archives, or folders to search for them; `-` reads stdin
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    #[command(flatten)]
    report: ReportArgs,

    #[command(flatten)]
    quota: QuotaArgs,
}

#[derive(Clone, Debug, Serialize)]
struct LintReport {
    schema: u32,
    files: Vec<FileFindings>,
    /// Files that could not be checked.
    errors: Vec<ErrorRow>,
}

/// The findings of a file.
#[derive(Clone, Debug, Serialize)]
struct FileFindings {
    file: String,
    #[serde(serialize_with = "as_rows")]
    findings: Vec<Finding>,
    #[serde(skip)]
    is_without_meshes: bool,
}

impl FileFindings {
    fn new(file: String, findings: Vec<Finding>) -> Self {
        Self { file, findings, is_without_meshes: false }
    }

    fn without_meshes(file: &str) -> Self {
        Self { file: file.to_owned(), findings: Vec::new(), is_without_meshes: true }
    }
}

/// A finding in JSON; fields that do not apply are null.
#[derive(Debug, Serialize)]
struct LintRow {
    kind: &'static str,
    severity: &'static str,
    block: Option<&'static str>,
    face: Option<usize>,
    triangle: Option<usize>,
    hull: Option<usize>,
    /// An object with one key, which names the kind of cost.
    cost: Option<serde_json::Value>,
    message: String,
    advice: &'static str,
}

impl LintReport {
    fn new(checked: Vec<Result<FileFindings, ErrorRow>>) -> Self {
        let mut report = Self { schema: 1, files: Vec::new(), errors: Vec::new() };
        for file in checked {
            match file {
                Ok(file) => report.files.push(file),
                Err(error) => report.errors.push(error),
            }
        }
        report
    }

    fn is_clean(&self) -> bool {
        let mut findings = self.files.iter().flat_map(|file| &file.findings);
        self.errors.is_empty() && findings.all(|found| found.severity() != FindingSeverity::Warning)
    }
}

impl From<&Finding> for LintRow {
    fn from(finding: &Finding) -> Self {
        let cost = finding.cost.map(|cost| match cost {
            FindingCost::Bytes(bytes) => json!({ "bytes": bytes }),
            FindingCost::Physics(cost) => json!({ "physics": cost }),
            FindingCost::PhysicsOfMesh(cost) => json!({ "physics_of_mesh": cost }),
        });
        Self {
            kind: finding.kind.code(),
            severity: finding.severity().code(),
            block: finding.block.map(AssetBlock::key),
            face: finding.face,
            triangle: finding.triangle,
            hull: finding.hull,
            cost,
            message: finding.kind.to_string(),
            advice: finding.advice(),
        }
    }
}

fn as_rows<S: Serializer>(findings: &[Finding], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(findings.iter().map(LintRow::from))
}

const SHOWN: usize = 10;
/// Above this number of files, files without findings are only counted.
const FEW: usize = 20;

fn text(report: &LintReport, style: RenderOptions) -> String {
    let has_few = report.files.len() <= FEW;
    let listed = report.files.iter().filter(|file| has_few || !file.findings.is_empty());
    let mut lines: Vec<String> = listed.flat_map(|file| of_file(file, style)).collect();
    lines.extend(report.errors.iter().map(|error| of_error(error, style)));
    if report.files.len() + report.errors.len() > 1 {
        if !lines.is_empty() {
            lines.push(String::new());
        }
        lines.push(summary(report, has_few));
    }
    let is_physics = |finding: &Finding| {
        matches!(finding.cost, Some(FindingCost::Physics(_) | FindingCost::PhysicsOfMesh(_)))
    };
    if report.files.iter().flat_map(|file| &file.findings).any(is_physics) {
        lines.push("Physics costs are those at scale 1,1,1.".to_owned());
    }
    lines.join("\n") + "\n"
}

fn of_file(file: &FileFindings, style: RenderOptions) -> Vec<String> {
    let findings = &file.findings;
    let verdict = match findings.len() {
        0 if file.is_without_meshes => "no mesh assets in it".to_owned(),
        0 => "nothing to complain about".to_owned(),
        _ => counts(findings),
    };
    let is_warned = findings.iter().any(|found| found.severity() == FindingSeverity::Warning);
    let colour = if is_warned { AnsiColor::Yellow } else { AnsiColor::Green };
    let name = style.paint(colour.on_default().bold(), &path(&file.file));
    let alike = |a: &Finding, b: &Finding| (a.kind.code(), a.block) == (b.kind.code(), b.block);
    let groups = file.findings.chunk_by(alike).flat_map(|group| of_group(group, style));
    std::iter::once(format!("{name}: {verdict}")).chain(groups).collect()
}

fn counts<'f>(findings: impl IntoIterator<Item = &'f Finding>) -> String {
    let (warnings, notes): (Vec<_>, Vec<_>) =
        findings.into_iter().partition(|found| found.severity() == FindingSeverity::Warning);
    match (warnings.len(), notes.len()) {
        (0, 0) => count(0, "finding"),
        (warnings, 0) => count(warnings, "warning"),
        (0, notes) => count(notes, "note"),
        (warnings, notes) => format!("{}, {}", count(warnings, "warning"), count(notes, "note")),
    }
}

fn of_group(group: &[Finding], style: RenderOptions) -> Vec<String> {
    let mut lines: Vec<_> = group.iter().take(SHOWN).map(line).collect();
    if let Some(more @ 1..) = group.len().checked_sub(SHOWN) {
        let more = format!("  … and {more} more like these; --format json names them all");
        lines.push(style.paint(Style::new().dimmed(), &more));
    }
    let advice = group.first().map_or("", Finding::advice);
    lines.push(style.paint(AnsiColor::Cyan.on_default(), &format!("    → {advice}")));
    lines
}

fn line(finding: &Finding) -> String {
    let kind = finding.kind.to_string();
    let cost = finding.cost.map_or_else(String::new, |cost| format!(" ({cost})"));
    let (severity, place) = (finding.severity().code(), finding.location());
    format!("  {severity}: {place}: {}{cost}", sanitize_to(&kind, MAX_SENTENCE))
}

fn of_error(error: &ErrorRow, style: RenderOptions) -> String {
    let file = style.paint(AnsiColor::Red.on_default().bold(), &path(&error.file));
    format!("{file}: cannot be checked: {}", sanitize_to(&error.error, MAX_SENTENCE))
}

fn path(file: &str) -> String {
    sanitize_to(&tail(file, MAX_SENTENCE), MAX_SENTENCE).into_owned()
}

fn summary(report: &LintReport, has_few: bool) -> String {
    let findings = counts(report.files.iter().flat_map(|file| &file.findings));
    let files = report.files.iter().filter(|file| !file.findings.is_empty()).count();
    let checked = count(report.files.len(), "file");
    let clean = match report.files.len() - files {
        clean @ 1.. if !has_few => format!("; {clean} clean ones are not listed"),
        _ => String::new(),
    };
    let errors = match report.errors.len() {
        0 => String::new(),
        errors => format!("; {errors} could not be checked"),
    };
    format!("{checked} checked: {findings} in {files} of them{clean}{errors}.")
}
