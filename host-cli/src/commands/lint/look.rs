//! Findings for eyes: file by file, what is alike together, with what to do about it.

use clap::builder::styling::{AnsiColor, Style};
use lodger_input::FileError;
use lodger_mesh_asset::lint::{Cost, Finding, FindingSeverity};

use super::report::{FileFindings, LintReport};
use lodger_terminal::{LONGEST_SENTENCE, Look, clipped, count, tail};

/// Of findings that are alike, so many are shown.
const SHOWN: usize = 10;
/// Of more files than this, those without findings are only counted.
const FEW: usize = 20;

/// The report as text with a newline at its end.
pub(super) fn text(report: &LintReport, look: Look) -> String {
    let has_few = report.files.len() <= FEW;
    let listed = report.files.iter().filter(|file| has_few || !file.findings.is_empty());
    let mut lines: Vec<String> = listed.flat_map(|file| of_file(file, look)).collect();
    lines.extend(report.errors.iter().map(|error| of_error(error, look)));
    if report.files.len() + report.errors.len() > 1 {
        if !lines.is_empty() {
            lines.push(String::new());
        }
        lines.push(summary(report, has_few));
    }
    let is_physics =
        |finding: &Finding| matches!(finding.cost, Some(Cost::Physics(_) | Cost::PhysicsOfMesh(_)));
    if report.files.iter().flat_map(|file| &file.findings).any(is_physics) {
        lines.push("Physics costs are those at scale 1,1,1.".to_owned());
    }
    lines.join("\n") + "\n"
}

fn of_file(file: &FileFindings, look: Look) -> Vec<String> {
    let findings = &file.findings;
    let verdict = match findings.len() {
        0 if file.is_without_meshes => "no mesh assets in it".to_owned(),
        0 => "nothing to complain about".to_owned(),
        _ => counts(findings),
    };
    let is_warned = findings.iter().any(|found| found.severity() == FindingSeverity::Warning);
    let colour = if is_warned { AnsiColor::Yellow } else { AnsiColor::Green };
    let name = look.paint(colour.on_default().bold(), &path(&file.file));
    let alike = |a: &Finding, b: &Finding| (a.kind.code(), a.block) == (b.kind.code(), b.block);
    let groups = file.findings.chunk_by(alike).flat_map(|group| of_group(group, look));
    std::iter::once(format!("{name}: {verdict}")).chain(groups).collect()
}

/// The numbers of warnings and notes.
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

fn of_group(group: &[Finding], look: Look) -> Vec<String> {
    let mut lines: Vec<_> = group.iter().take(SHOWN).map(line).collect();
    if let Some(more @ 1..) = group.len().checked_sub(SHOWN) {
        let more = format!("  … and {more} more like these; --format json names them all");
        lines.push(look.paint(Style::new().dimmed(), &more));
    }
    let advice = group.first().map_or("", Finding::advice);
    lines.push(look.paint(AnsiColor::Cyan.on_default(), &format!("    → {advice}")));
    lines
}

fn line(finding: &Finding) -> String {
    let kind = finding.kind.to_string();
    let cost = finding.cost.map_or_else(String::new, |cost| format!(" ({cost})"));
    let (severity, place) = (finding.severity().code(), finding.place());
    format!("  {severity}: {place}: {}{cost}", clipped(&kind, LONGEST_SENTENCE))
}

fn of_error(error: &FileError, look: Look) -> String {
    let file = look.paint(AnsiColor::Red.on_default().bold(), &path(&error.file));
    format!("{file}: cannot be checked: {}", clipped(&error.error, LONGEST_SENTENCE))
}

fn path(file: &str) -> String {
    clipped(&tail(file, LONGEST_SENTENCE), LONGEST_SENTENCE).into_owned()
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
