//! The plan for eyes: verdict, bar, modules, then the costliest actors.

mod bar;
mod headline;

#[cfg(test)]
mod tests;

use std::collections::HashMap;

use clap::builder::styling::Style;
use comfy_table::{Cell, Color, Row, Table};

use lodger_scheduler::Control;
use lodger_terminal::layout::{Column, empty, name, number, tinted};
use lodger_terminal::{Decimals, Look, Milliseconds, count};

use super::report::{ActorReport, Report};
use bar::bar;
use headline::headline;

/// How many actors are shown unless all are asked for.
const COSTLIEST: usize = 20;
/// The columns of an actor, each with the narrowest terminal that has room for it.
const COLUMNS: [(Column<'_>, usize); 8] = [
    (Column::Name("Actor", 28), 0),
    (Column::Name("Module", 28), 70),
    (Column::Number("LOD"), 0),
    (Column::Number("Cost ms"), 0),
    (Column::Number("Share ms"), 70),
    (Column::Number("Benefit"), 90),
    (Column::Name("Control", 28), 110),
    (Column::Words("Why"), 0),
];
/// The decimals of a benefit, where more do not show more.
const OF_BENEFIT: i32 = 3;
/// A name may wrap, but not take the table with it.
const TALLEST_ROW: usize = 2;

/// The digits of the columns of actors, each by what is shown in it.
#[derive(Clone, Copy)]
struct Digits {
    cost_ms: Milliseconds,
    share_ms: Milliseconds,
    benefit: Decimals,
}

/// The report as text with a newline at its end.
pub(super) fn table(report: &Report<'_>, all: bool, look: Look) -> String {
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

fn costliest(report: &Report<'_>, all: bool, look: Look) -> String {
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

fn modules(report: &Report<'_>, look: Look) -> Table {
    let mut populations = HashMap::new();
    for actor in &report.actors {
        *populations.entry(actor.module).or_insert(0_usize) += 1;
    }
    let all = &report.modules;
    let target_ms = Milliseconds::for_all(all.iter().map(|module| module.target_ms));
    let assigned_ms = Milliseconds::for_all(all.iter().map(|module| module.assigned_ms));
    let benefit = Decimals::at_least(OF_BENEFIT, all.iter().map(|module| module.benefit));
    let numbers = ["Actors", "Benefit", "Target ms", "Assigned ms"].map(Column::Number);
    let columns = [&[Column::Name("Module", 28)], &numbers[..], &[Column::Name("", 28)]].concat();
    let mut table = empty(look, &columns);
    for module in all {
        let population = populations.get(module.name).copied().unwrap_or(0);
        let row = [
            name(module.name),
            number(population.to_string()),
            number(benefit.show(module.benefit)),
            number(if module.enabled {
                target_ms.show(module.target_ms)
            } else {
                "–".to_owned()
            }),
            number(assigned_ms.show(module.assigned_ms)),
            Cell::new(if module.enabled { "" } else { "disabled" }),
        ];
        let colour = (!module.enabled).then_some(Color::Yellow);
        table.add_row(row.map(|cell| tinted(cell, colour)));
    }
    table
}

fn actors(shown: &[&ActorReport<'_>], look: Look) -> Table {
    let digits = Digits {
        cost_ms: Milliseconds::for_all(shown.iter().map(|actor| actor.cost_ms)),
        share_ms: Milliseconds::for_all(shown.iter().filter_map(|actor| actor.share_ms)),
        benefit: Decimals::at_least(OF_BENEFIT, shown.iter().map(|actor| actor.benefit)),
    };
    let columns: Vec<_> = COLUMNS
        .into_iter()
        .filter(|(_, narrowest)| *narrowest <= look.width)
        .map(|(column, _)| column)
        .collect();
    let mut table = empty(look, &columns);
    for actor in shown {
        let colour = (actor.control != Control::Automatic).then_some(Color::Yellow);
        let cells =
            columns.iter().map(|column| tinted(cell(actor, column.heading(), digits), colour));
        let mut row = Row::from(cells);
        row.max_height(TALLEST_ROW);
        table.add_row(row);
    }
    table
}

fn cell(actor: &ActorReport<'_>, heading: &str, digits: Digits) -> Cell {
    let share = || actor.share_ms.map_or_else(|| "–".to_owned(), |ms| digits.share_ms.show(ms));
    match heading {
        "Actor" => name(actor.name),
        "Module" => name(actor.module),
        "LOD" => number(lod(actor.lod)),
        "Cost ms" => number(digits.cost_ms.show(actor.cost_ms)),
        "Share ms" => number(share()),
        "Benefit" => number(digits.benefit.show(actor.benefit)),
        "Control" => Cell::new(actor.control),
        _ => Cell::new(actor.reason),
    }
}

fn lod(lod: f64) -> String {
    if lod.fract() == 0.0 { format!("{lod}") } else { format!("{lod:.2}") }
}
