//! The plan for eyes: verdict, bar, modules, then the costliest actors.

mod bar;
mod headline;

#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::io::{self, Write};

use clap::builder::styling::Style;
use comfy_table::{Cell, Color, Row};
use lodger_scenes::LadderSource;
use lodger_scheduler::Control;
use lodger_terminal::layout::{Column, name, number, tinted};
use lodger_terminal::{Decimals, Look, Milliseconds, count, greatest, write_table};

use super::report::{ActorReport, Actors, ModuleReport, Report};
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

/// What is counted over all actors.
struct Census<'a> {
    /// How many actors each module has.
    by_module: HashMap<&'a str, usize>,
    /// How many have levels that the file does not say.
    assumed: usize,
}

impl<'a> Census<'a> {
    fn of(actors: &Actors<'a>) -> Self {
        let mut census = Self { by_module: HashMap::new(), assumed: 0 };
        for actor in actors.iter() {
            *census.by_module.entry(actor.module).or_default() += 1;
            census.assumed += usize::from(actor.ladder == LadderSource::Assumed);
        }
        census
    }
}

/// Writes the report as text, as it is laid out.
pub(super) fn write(
    report: &Report<'_>,
    all: bool,
    look: Look,
    out: &mut dyn Write,
) -> io::Result<()> {
    let ms = Milliseconds::for_all([report.budget_ms, report.assigned_ms].into_iter());
    let census = Census::of(&report.actors);
    let headline = headline(report, census.assumed, ms, look);
    write!(out, "{headline}{}", bar(report, ms, look))?;
    if !report.modules.is_empty() {
        writeln!(out)?;
        modules(&report.modules, &census, look, out)?;
    }
    if report.actors.len() > 0 {
        writeln!(out)?;
        costliest(&report.actors, all, look, out)?;
    }
    Ok(())
}

fn costliest(actors: &Actors<'_>, all: bool, look: Look, out: &mut dyn Write) -> io::Result<()> {
    let shown = if all { actors.len() } else { COSTLIEST.min(actors.len()) };
    let costs = actors.iter().enumerate().map(|(index, actor)| (actor.cost_ms, index));
    self::actors(actors, &greatest(costs, shown), look, out)?;
    let more = actors.len() - shown;
    if more > 0 {
        let line = format!("… and {} more, costing less; --all shows all", count(more, "actor"));
        writeln!(out, "{}", look.paint(Style::new().dimmed(), &line))?;
    }
    Ok(())
}

fn modules(
    all: &[ModuleReport<'_>],
    census: &Census<'_>,
    look: Look,
    out: &mut dyn Write,
) -> io::Result<()> {
    let target_ms = Milliseconds::for_all(all.iter().map(|module| module.target_ms));
    let assigned_ms = Milliseconds::for_all(all.iter().map(|module| module.assigned_ms));
    let benefit = Decimals::at_least(OF_BENEFIT, all.iter().map(|module| module.benefit));
    let numbers = ["Actors", "Benefit", "Target ms", "Assigned ms"].map(Column::Number);
    let columns = [&[Column::Name("Module", 28)], &numbers[..], &[Column::Name("", 28)]].concat();
    let row = |module: &ModuleReport<'_>| {
        let population = census.by_module.get(module.name).copied().unwrap_or(0);
        let target =
            if module.enabled { target_ms.show(module.target_ms) } else { "–".to_owned() };
        let row = [
            name(module.name),
            number(population.to_string()),
            number(benefit.show(module.benefit)),
            number(target),
            number(assigned_ms.show(module.assigned_ms)),
            Cell::new(if module.enabled { "" } else { "disabled" }),
        ];
        let colour = (!module.enabled).then_some(Color::Yellow);
        Row::from(row.map(|cell| tinted(cell, colour)))
    };
    write_table(look, &columns, || all.iter().map(row), out)
}

fn actors(all: &Actors<'_>, shown: &[usize], look: Look, out: &mut dyn Write) -> io::Result<()> {
    let actors = || shown.iter().filter_map(|&index| all.get(index));
    let digits = Digits {
        cost_ms: Milliseconds::for_all(actors().map(|actor| actor.cost_ms)),
        share_ms: Milliseconds::for_all(actors().filter_map(|actor| actor.share_ms)),
        benefit: Decimals::at_least(OF_BENEFIT, actors().map(|actor| actor.benefit)),
    };
    let columns: Vec<_> = COLUMNS
        .into_iter()
        .filter(|(_, narrowest)| *narrowest <= look.width)
        .map(|(column, _)| column)
        .collect();
    let row = |actor: ActorReport<'_>| {
        let colour = (actor.control != Control::Automatic).then_some(Color::Yellow);
        let cells =
            columns.iter().map(|column| tinted(cell(&actor, column.heading(), digits), colour));
        let mut row = Row::from(cells);
        row.max_height(TALLEST_ROW);
        row
    };
    write_table(look, &columns, || actors().map(row), out)
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
