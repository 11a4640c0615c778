//! Many rows: objects, meshes and errors, the most expensive first, with their sums.

use std::fmt::Write as _;

use clap::builder::styling::AnsiColor;
use comfy_table::{Cell, Color};
use lodger_core::cost::land_impact::ObjectWeight;
use lodger_input::figures;
use lodger_opensim::pricing::{MeshPrice, Total, most_expensive_first};

use super::super::report::Report;
use super::lines;
use super::objects::{groups, objects};
use super::parts::parts;
use super::rows::{Priced, Trust, least_certain, priced, shown, with_rest};
use lodger_terminal::layout::{Column, empty, name, sentence};
use lodger_terminal::{Look, count, tail};

/// What part of the line a path may take, in percent.
const PATH: u16 = 40;

/// The report as text with a newline at its end.
pub(super) fn listing(report: &Report, all: bool, look: Look) -> String {
    let mut sections = vec![headline(report, look)];
    if let Some(by) = &report.by {
        sections.push(groups(report, by, all, look));
    } else if report.objects.iter().any(|row| !row.object.parts.is_empty()) {
        sections.push(parts(report, all, look));
    } else if !report.objects.is_empty() {
        sections.push(objects(report, all, look));
    }
    if !report.files.is_empty() {
        sections.push(files(report, all, look));
    }
    if !report.errors.is_empty() {
        sections.push(errors(report, all, look));
    }
    if !report.notes.is_empty() {
        let notes = report.notes.iter().map(|row| format!("{}: {}", row.file, row.note));
        sections.push(lines::notes(notes, all, look));
    }
    sections.retain(|section| !section.is_empty());
    sections.join("\n")
}

fn headline(report: &Report, look: Look) -> String {
    let bold = AnsiColor::Green.on_default().bold();
    let mut lines = String::new();
    let impact = |total: &Total| look.paint(bold, &format!("Land impact {}", total.land_impact));
    let totals = &report.totals;
    if totals.objects.count > 0 {
        let what = count(totals.objects.count, "object");
        let _ = writeln!(lines, "{} of {what}, each from its own scale", impact(&totals.objects));
    }
    if let Some(first) = report.files.first() {
        let (scale, count) = (figures::scale(first.scale), count(totals.files.count, "mesh"));
        let of = if totals.objects.count > 0 { "by themselves" } else { "on their own" };
        let _ = writeln!(lines, "{} of {count} {of}, at {scale} each", impact(&totals.files));
    }
    if totals.errors > 0 {
        let text = format!("{} could not be priced.", count(totals.errors, "row"));
        lines += &look.paint(AnsiColor::Red.on_default().bold(), &text);
        lines.push('\n');
    }
    lines
}

fn files(report: &Report, all: bool, look: Look) -> String {
    let mut rows: Vec<_> = report.files.iter().map(|row| (row, &row.detail.price)).collect();
    rows.sort_by(|(_, a), (_, b)| most_expensive_first(&a.assessment, &b.assessment));
    let more = (rows.len() - shown(rows.len(), all), "mesh");
    rows.truncate(shown(rows.len(), all));
    let rows = rows.into_iter().map(|(row, price)| {
        let path = row.file.strip_suffix("_mesh.llmesh").unwrap_or(&row.file);
        let cells = vec![name(&tail(path, room(look, PATH)))];
        let (total, trust) = (Total::from(&price.assessment), trust(price));
        Priced { cells, price: total, trust, by: why(price) }
    });
    let least = least_certain(report.files.iter().map(|row| trust(&row.detail.price)));
    let total = (vec![Cell::new("total")], &report.totals.files, least);
    priced(vec![Column::Name("Mesh", PATH)], rows.collect(), total, more, (true, look))
}

fn trust(price: &MeshPrice) -> Trust {
    [price.streaming_provenance, price.physics.provenance]
}

/// What limits a mesh.
fn why(price: &MeshPrice) -> String {
    match price.assessment.land_impact.limited_by {
        Some(ObjectWeight::Physics) => format!("physics ({})", price.physics.representation),
        Some(weight) => weight.to_string(),
        None => String::new(),
    }
}

fn errors(report: &Report, all: bool, look: Look) -> String {
    let mut table = empty(look, &[Column::Name("Not priced", PATH), Column::Words("Why")]);
    let shown = shown(report.errors.len(), all);
    for row in &report.errors[..shown] {
        let file = name(&tail(&row.file, room(look, PATH))).fg(Color::Red);
        table.add_row([file, sentence(&row.error)]);
    }
    with_rest(&table, report.errors.len() - shown, "error", look)
}

/// The characters of a column of names.
fn room(look: Look, percent: u16) -> usize {
    /// Between columns, and for the borders that are not drawn.
    const PADDING: usize = 4;
    /// What three weights, the land impact and what limits it take at least.
    const NUMBERS: usize = 56;
    let part = (look.width * usize::from(percent) / 100).saturating_sub(PADDING);
    part.min(look.width.saturating_sub(NUMBERS))
}
