//! Many rows: objects, meshes and errors, the dearest first, with their sums.

use std::fmt::Write as _;

use clap::builder::styling::{AnsiColor, Style};
use comfy_table::{Attribute, Cell, Color, Row, Table};

use super::report::{FileRow, ObjectRow, Report};
use super::totals::Total;
use super::words::{self, weight};
use lodger_terminal::layout::{Column, empty, name, number};
use lodger_terminal::{Look, plain};

/// How many rows are shown unless all are asked for.
const DEAREST: usize = 20;
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
        parts.push(words::notes(notes, all, look));
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
    let mut columns = vec![Column::Name("Object", 34)];
    if several && look.width >= WIDE {
        columns.push(Column::Name("Archive", 20));
    }
    columns.push(Column::Number("Prims"));
    columns.extend(WEIGHTS.map(Column::Number));
    columns.push(Column::Words("Limited by"));
    let mut table = empty(look, &columns);
    let shown = shown(report.objects.len(), all);
    for row in &report.objects[..shown] {
        let mut cells = vec![name(&row.object)];
        if several && look.width >= WIDE {
            cells.push(name(&row.file));
        }
        cells.push(number(row.prims.to_string()));
        let costs = [row.streaming.cost, row.physics.penalised, row.server.cost];
        cells.extend(costs.map(|cost| number(weight(cost))));
        cells.push(number(row.land_impact.value.to_string()).add_attribute(Attribute::Bold));
        cells.push(Cell::new(why(row)));
        add(&mut table, cells);
    }
    let prims: u64 = report.objects.iter().map(|row| u64::from(row.prims)).sum();
    let mut total = vec![Cell::new("total")];
    if several && look.width >= WIDE {
        total.push(Cell::new(""));
    }
    total.push(number(prims.to_string()));
    sum(&mut table, total, &report.totals.objects);
    with_rest(&table, report.objects.len() - shown, "object", look)
}

/// What limits an object.
fn why(row: &ObjectRow) -> String {
    let by = row.land_impact.limited_by.unwrap_or("prims");
    if row.physical { format!("{by}, physical") } else { by.to_owned() }
}

fn files(report: &Report, all: bool, look: Look) -> String {
    let mut dearest: Vec<&FileRow> = report.files.iter().collect();
    let greatest =
        |row: &FileRow| row.streaming.cost.max(row.physics.penalised).max(row.server.cost);
    dearest.sort_by(|a, b| greatest(b).total_cmp(&greatest(a)));
    let mut columns = vec![Column::Name("Mesh", PATH)];
    columns.extend(WEIGHTS.map(Column::Number));
    columns.push(Column::Words("Limited by"));
    let mut table = empty(look, &columns);
    let shown = shown(dearest.len(), all);
    for row in &dearest[..shown] {
        let path = row.file.strip_suffix("_mesh.llmesh").unwrap_or(&row.file);
        let mut cells = vec![name(&words::tail(path, room(look, PATH)))];
        let costs = [row.streaming.cost, row.physics.penalised, row.server.cost];
        cells.extend(costs.map(|cost| number(weight(cost))));
        cells.push(number(row.land_impact.value.to_string()).add_attribute(Attribute::Bold));
        let by = row.land_impact.limited_by.unwrap_or_default();
        let physics = format!("physics ({})", row.physics.representation);
        cells.push(Cell::new(if by == "physics" { physics } else { by.to_owned() }));
        add(&mut table, cells);
    }
    sum(&mut table, vec![Cell::new("total")], &report.totals.files);
    with_rest(&table, dearest.len() - shown, "mesh", look)
}

/// The headings of three weights and what they come to.
const WEIGHTS: [&str; 4] = ["Streaming", "Physics", "Server", "Impact"];

fn errors(report: &Report, all: bool, look: Look) -> String {
    let mut table = empty(look, &[Column::Name("Not priced", PATH), Column::Words("Why")]);
    let shown = shown(report.errors.len(), all);
    for row in &report.errors[..shown] {
        let file = name(&words::tail(&row.file, room(look, PATH))).fg(Color::Red);
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
    if all { rows } else { DEAREST.min(rows) }
}

fn add(table: &mut Table, cells: Vec<Cell>) {
    let mut row = Row::from(cells);
    row.max_height(TALLEST_ROW);
    table.add_row(row);
}

/// Adds the last row: a total of the weights.
fn sum(table: &mut Table, mut cells: Vec<Cell>, total: &Total) {
    let costs = [total.streaming, total.physics, total.server];
    cells.extend(costs.map(|cost| number(weight(cost))));
    cells.push(number(total.land_impact.to_string()));
    table.add_row(cells.into_iter().map(|cell| cell.add_attribute(Attribute::Bold)));
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
