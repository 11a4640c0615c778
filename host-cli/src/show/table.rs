//! The report for eyes: verdict, bar, modules, then the costliest actors.

use std::collections::HashMap;

use clap::builder::styling::Style;
use comfy_table::{
    Attribute, Cell, CellAlignment, Color, ColumnConstraint, ContentArrangement, LineStyle, Row,
    Table, TableStyle, Width,
};

use super::bar::bar;
use super::headline::headline;
use super::look::Look;
use super::number::{Milliseconds, count};
use super::plain::plain;
use crate::report::{ActorReport, Control, Report};

/// How many actors are shown unless all are asked for.
const COSTLIEST: usize = 20;
/// The columns of an actor, each with the narrowest terminal that has room for it.
const COLUMNS: [(&str, usize); 8] = [
    ("Actor", 0),
    ("Module", 70),
    ("LOD", 0),
    ("Cost ms", 0),
    ("Share ms", 70),
    ("Benefit", 90),
    ("Control", 110),
    ("Why", 0),
];
/// A name may wrap, but not take the table with it.
const LONGEST_NAME: usize = 60;
const TALLEST_ROW: usize = 2;

/// The report as text with a newline at its end.
pub(crate) fn table(report: &Report, all: bool, look: Look) -> String {
    let ms = Milliseconds::for_all([report.budget_ms, report.assigned_ms].into_iter());
    let mut parts = vec![headline(report, ms, look) + &bar(report, ms, look)];
    if !report.modules.is_empty() {
        parts.push(modules(report, look).trim_fmt() + "\n");
    }
    if !report.actors.is_empty() {
        parts.push(costliest(report, all, look));
    }
    parts.join("\n")
}

fn costliest(report: &Report, all: bool, look: Look) -> String {
    let mut costliest: Vec<_> = report.actors.iter().collect();
    costliest.sort_by(|a, b| b.cost_ms.total_cmp(&a.cost_ms));
    let shown = if all { costliest.len() } else { COSTLIEST.min(costliest.len()) };
    let mut text = actors(&costliest[..shown], look).trim_fmt() + "\n";
    let more = costliest.len() - shown;
    if more > 0 {
        let line = format!("… and {} more, costing less; --all shows all", count(more, "actor"));
        text += &look.paint(Style::new().dimmed(), &line);
        text.push('\n');
    }
    text
}

fn modules(report: &Report, look: Look) -> Table {
    let mut populations = HashMap::new();
    for actor in &report.actors {
        *populations.entry(actor.module.as_str()).or_insert(0_usize) += 1;
    }
    let ms =
        Milliseconds::for_all(report.modules.iter().flat_map(|m| [m.target_ms, m.assigned_ms]));
    let mut table = empty(look, &["Module", "Actors", "Benefit", "Target ms", "Assigned ms", ""]);
    for module in &report.modules {
        let population = populations.get(module.name.as_str()).copied().unwrap_or(0);
        let row = [
            name(&module.name),
            number(population.to_string()),
            number(format!("{:.3}", module.benefit)),
            number(if module.enabled { ms.show(module.target_ms) } else { "–".to_owned() }),
            number(ms.show(module.assigned_ms)),
            Cell::new(if module.enabled { "" } else { "disabled" }),
        ];
        let colour = (!module.enabled).then_some(Color::Yellow);
        table.add_row(row.map(|cell| tinted(cell, colour)));
    }
    table
}

fn actors(shown: &[&ActorReport], look: Look) -> Table {
    let ms =
        Milliseconds::for_all(shown.iter().flat_map(|a| [a.cost_ms, a.share_ms.unwrap_or(0.0)]));
    let columns: Vec<_> = COLUMNS
        .into_iter()
        .filter(|(_, narrowest)| *narrowest <= look.width)
        .map(|(heading, _)| heading)
        .collect();
    let mut table = empty(look, &columns);
    for actor in shown {
        let colour = (actor.control != Control::Automatic).then_some(Color::Yellow);
        let cells = columns.iter().map(|heading| tinted(cell(actor, heading, ms), colour));
        let mut row = Row::from(cells);
        row.max_height(TALLEST_ROW);
        table.add_row(row);
    }
    table
}

fn cell(actor: &ActorReport, heading: &str, ms: Milliseconds) -> Cell {
    let share = || actor.share_ms.map_or_else(|| "–".to_owned(), |share| ms.show(share));
    match heading {
        "Actor" => name(&actor.name),
        "Module" => name(&actor.module),
        "LOD" => number(lod(actor.lod)),
        "Cost ms" => number(ms.show(actor.cost_ms)),
        "Share ms" => number(share()),
        "Benefit" => number(format!("{:.3}", actor.benefit)),
        "Control" => Cell::new(control(actor.control)),
        _ => Cell::new(plain(&actor.reason)),
    }
}

/// A table without rows, its numbers kept in one piece.
fn empty(look: Look, headings: &[&str]) -> Table {
    let mut table = Table::new();
    table
        .load_style(TableStyle::new().header_separator(LineStyle::none().fill('─').junction('─')))
        .set_content_arrangement(ContentArrangement::Dynamic)
        .set_width(u16::try_from(look.width).unwrap_or(u16::MAX));
    if look.colour {
        table.enforce_styling();
    } else {
        table.force_no_tty();
    }
    let is_number =
        |heading: &str| heading.contains("ms") || ["LOD", "Actors", "Benefit"].contains(&heading);
    table.set_header(headings.iter().map(|heading| {
        let cell = Cell::new(heading).add_attribute(Attribute::Bold);
        if is_number(heading) { cell.set_alignment(CellAlignment::Right) } else { cell }
    }));
    for (column, heading) in table.column_iter_mut().zip(headings) {
        let is_last = column.index + 1 == headings.len();
        column.set_padding((0, if is_last { 0 } else { 2 }));
        if is_number(heading) {
            column.set_constraint(ColumnConstraint::ContentWidth);
        } else if *heading != "Why" {
            column.set_constraint(ColumnConstraint::UpperBoundary(Width::Percentage(28)));
        }
    }
    table
}

fn name(text: &str) -> Cell {
    let mut short: String = text.chars().take(LONGEST_NAME).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    Cell::new(plain(&short))
}

fn number(text: String) -> Cell {
    Cell::new_owned(text).set_alignment(CellAlignment::Right)
}

fn tinted(cell: Cell, colour: Option<Color>) -> Cell {
    match colour {
        Some(colour) => cell.fg(colour),
        None => cell,
    }
}

fn lod(lod: f64) -> String {
    if lod.fract() == 0.0 { format!("{lod}") } else { format!("{lod:.2}") }
}

fn control(control: Control) -> &'static str {
    match control {
        Control::Automatic => "automatic",
        Control::Forced => "forced",
        Control::Unmanaged => "unmanaged",
    }
}

#[cfg(test)]
mod tests;
