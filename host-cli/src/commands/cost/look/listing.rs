//! Many rows: objects, meshes and errors, the most expensive first, with their sums.

use std::fmt::Write as _;

use clap::builder::styling::{AnsiColor, Style};
use comfy_table::{Attribute, Cell, Color, Row, Table};
use lodger_core::cost::land_impact::{Assessment, ObjectWeight};
use lodger_pricing::{Total, most_expensive_first};

use super::super::report::{ObjectRow, Report};
use super::super::words::{self, weight};
use super::lines;
use lodger_terminal::layout::{Column, empty, name, number};
use lodger_terminal::{Look, plain, tail};

/// How many rows are shown unless all are asked for.
const MOST_SHOWN: usize = 20;
/// A name may wrap, but not take the table with it.
const TALLEST_ROW: usize = 2;
/// What part of the line a path may take, in percent.
const PATH: u16 = 40;
/// The widest terminal on which whole names of files would crowd out the numbers.
const WIDE: usize = 100;

/// The report as text with a newline at its end.
pub(super) fn listing(report: &Report, all: bool, look: Look) -> String {
    let mut parts = vec![headline(report, look)];
    if !report.objects.is_empty() {
        parts.push(objects(report, all, look));
    }
    if !report.files.is_empty() {
        parts.push(files(report, all, look));
    }
    if !report.errors.is_empty() {
        parts.push(errors(report, all, look));
    }
    if !report.notes.is_empty() {
        let notes = report.notes.iter().map(|row| format!("{}: {}", row.file, row.note));
        parts.push(lines::notes(notes, all, look));
    }
    parts.join("\n")
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
        let (scale, count) = (words::scale(first.scale), count(totals.files.count, "mesh"));
        let of = if totals.objects.count > 0 { "that no object uses" } else { "on their own" };
        let _ = writeln!(lines, "{} of {count} {of}, at {scale} each", impact(&totals.files));
    }
    if totals.errors > 0 {
        let text = format!("{} could not be priced.", count(totals.errors, "row"));
        lines += &look.paint(AnsiColor::Red.on_default().bold(), &text);
        lines.push('\n');
    }
    lines
}

fn objects(report: &Report, all: bool, look: Look) -> String {
    let several = report.objects.windows(2).any(|pair| pair[0].file != pair[1].file);
    let with_archive = several && look.width >= WIDE;
    let mut columns = vec![Column::Name("Object", 34)];
    columns.extend(with_archive.then_some(Column::Name("Archive", 20)));
    columns.push(Column::Number("Prims"));
    let rows = report.objects.iter().map(|row| {
        let mut cells = vec![name(&row.object)];
        cells.extend(with_archive.then(|| name(&row.file)));
        cells.push(number(row.prims.to_string()));
        (cells, &row.assessment, why(row))
    });
    let prims: u64 = report.objects.iter().map(|row| u64::from(row.prims)).sum();
    let mut total = vec![Cell::new("total")];
    total.extend(with_archive.then(|| Cell::new("")));
    total.push(number(prims.to_string()));
    priced(columns, rows, (total, &report.totals.objects), ("object", all), look)
}

/// What limits an object.
fn why(row: &ObjectRow) -> String {
    let by = row.assessment.land_impact.limited_by;
    let by = by.map_or_else(|| "prims".to_owned(), |weight| weight.to_string());
    if row.physical { format!("{by}, physical") } else { by }
}

fn files(report: &Report, all: bool, look: Look) -> String {
    let mut rows: Vec<_> = report.files.iter().map(|row| (row, &row.detail.price)).collect();
    rows.sort_by(|(_, a), (_, b)| most_expensive_first(&a.assessment, &b.assessment));
    let rows = rows.into_iter().map(|(row, price)| {
        let path = row.file.strip_suffix("_mesh.llmesh").unwrap_or(&row.file);
        let by = match price.assessment.land_impact.limited_by {
            Some(ObjectWeight::Physics) => format!("physics ({})", price.physics.representation),
            Some(weight) => weight.to_string(),
            None => String::new(),
        };
        (vec![name(&tail(path, room(look, PATH)))], &price.assessment, by)
    });
    let total = (vec![Cell::new("total")], &report.totals.files);
    priced(vec![Column::Name("Mesh", PATH)], rows, total, ("mesh", all), look)
}

/// The most expensive rows, as what begins each of them, its price and what limits it, with their sum.
fn priced<'r>(
    mut columns: Vec<Column<'_>>,
    rows: impl ExactSizeIterator<Item = (Vec<Cell>, &'r Assessment<f64>, String)>,
    (mut sums, total): (Vec<Cell>, &Total),
    (noun, all): (&str, bool),
    look: Look,
) -> String {
    columns.extend(["Streaming", "Physics", "Server", "Impact"].map(Column::Number));
    columns.push(Column::Words("Limited by"));
    let mut table = empty(look, &columns);
    let weights = |costs: [f64; 3]| costs.map(|cost| number(weight(cost)));
    let shown = shown(rows.len(), all);
    let more = rows.len() - shown;
    for (mut cells, price, by) in rows.take(shown) {
        cells.extend(weights([price.streaming, price.physics, price.server]));
        let impact = number(price.land_impact.value.to_string());
        cells.extend([impact.add_attribute(Attribute::Bold), Cell::new_owned(by)]);
        let mut row = Row::from(cells);
        row.max_height(TALLEST_ROW);
        table.add_row(row);
    }
    sums.extend(weights([total.streaming, total.physics, total.server]));
    sums.push(number(total.land_impact.to_string()));
    table.add_row(sums.into_iter().map(|cell| cell.add_attribute(Attribute::Bold)));
    with_rest(&table, more, noun, look)
}

fn errors(report: &Report, all: bool, look: Look) -> String {
    let mut table = empty(look, &[Column::Name("Not priced", PATH), Column::Words("Why")]);
    let shown = shown(report.errors.len(), all);
    for row in &report.errors[..shown] {
        let file = name(&tail(&row.file, room(look, PATH))).fg(Color::Red);
        // In full: a reason that is cut is none.
        table.add_row([file, Cell::new(plain(&row.error))]);
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

fn shown(rows: usize, all: bool) -> usize {
    if all { rows } else { MOST_SHOWN.min(rows) }
}

fn with_rest(table: &Table, more: usize, noun: &str, look: Look) -> String {
    let mut text = table.trim_fmt() + "\n";
    if more > 0 {
        let line = format!("… and {} more; --all shows all", count(more, noun));
        text += &look.paint(Style::new().dimmed(), &line);
        text.push('\n');
    }
    text
}

fn count(number: usize, noun: &str) -> String {
    let ending = match (number, noun) {
        (1, _) => "",
        (_, "mesh") => "es",
        _ => "s",
    };
    format!("{number} {noun}{ending}")
}
