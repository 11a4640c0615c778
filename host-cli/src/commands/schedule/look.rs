//! The plan for eyes: verdict, bar, modules, then the costliest actors.

mod bar;
mod headline;

#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::io::{self, Write};

use clap::builder::styling::Style;
use comfy_table::{Cell, Color, Row};
use lodger_scenes::{ActorReport, ActorReports, Amount, LadderSource, ModuleReport, PlanReport};
use lodger_scheduler::Control;
use lodger_terminal::layout::{Column, name, number, tinted};
use lodger_terminal::{Decimals, Look, Money, count, greatest, write_table};

use bar::bar;
use headline::headline;

/// How many actors are shown unless all are asked for.
const COSTLIEST: usize = 20;
/// What is told of an actor, each with the narrowest terminal that has room for it.
const COLUMNS: [(Told, usize); 9] = [
    (Told::Name, 0),
    (Told::Module, 70),
    (Told::Lod, 0),
    (Told::Cost, 0),
    (Told::Share, 70),
    (Told::Quality, 70),
    (Told::Benefit, 90),
    (Told::Control, 110),
    (Told::Why, 0),
];
/// The decimals of a benefit or a quality, where more do not show more.
const OF_BENEFIT: i32 = 3;
/// A name may wrap, but not take the table with it.
const TALLEST_ROW: usize = 2;

/// What is told of an actor.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Told {
    Name,
    Module,
    Lod,
    Cost,
    Share,
    Quality,
    Benefit,
    Control,
    Why,
}

/// The digits of the columns of actors, each by what is shown in it.
#[derive(Clone, Copy)]
struct Digits<'u> {
    cost: Money<'u>,
    share: Money<'u>,
    quality: Decimals,
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
    fn of(actors: &ActorReports<'a>) -> Self {
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
    report: &PlanReport<'_>,
    all: bool,
    look: Look,
    out: &mut dyn Write,
) -> io::Result<()> {
    let told = [report.budget, report.assigned].map(Amount::to_f64);
    let money = Money::for_all(report.unit.name(), told.into_iter());
    let census = Census::of(&report.actors);
    let headline = headline(report, census.assumed, money, look);
    write!(out, "{headline}{}", bar(report, money, look))?;
    if !report.modules.is_empty() {
        writeln!(out)?;
        modules(report, &census, look, out)?;
    }
    if !report.levels.is_empty() {
        writeln!(out)?;
        levels(report, look, out)?;
    }
    if !report.actors.is_empty() {
        writeln!(out)?;
        costliest(report, all, look, out)?;
    }
    Ok(())
}

fn costliest(
    report: &PlanReport<'_>,
    all: bool,
    look: Look,
    out: &mut dyn Write,
) -> io::Result<()> {
    let actors = &report.actors;
    let shown = if all { actors.len() } else { COSTLIEST.min(actors.len()) };
    let costs = actors.iter().enumerate().map(|(index, actor)| (actor.cost.to_f64(), index));
    self::actors(report, &greatest(costs, shown), look, out)?;
    let more = actors.len() - shown;
    if more > 0 {
        let line = format!("… and {} more, costing less; --all shows all", count(more, "actor"));
        writeln!(out, "{}", look.paint(Style::new().dimmed(), &line))?;
    }
    Ok(())
}

fn modules(
    report: &PlanReport<'_>,
    census: &Census<'_>,
    look: Look,
    out: &mut dyn Write,
) -> io::Result<()> {
    let (all, unit) = (&report.modules, report.unit.name());
    let targets = || all.iter().filter_map(|module| module.target);
    let target = Money::for_all(unit, targets().map(Amount::to_f64));
    let assigned = Money::for_all(unit, all.iter().map(|module| module.assigned.to_f64()));
    let benefit = Decimals::at_least(OF_BENEFIT, all.iter().map(|module| module.benefit));
    let has_targets = report.scale.is_some();
    let headings = ["Target", "Assigned"].map(|what| format!("{what} {}", report.unit));
    let mut columns = vec![Column::Name("Module", 28)];
    columns.extend(["Actors", "Benefit"].map(Column::Number));
    columns.extend(headings.iter().skip(usize::from(!has_targets)).map(|it| Column::Number(it)));
    columns.push(Column::Name("", 28));
    let row = |module: &ModuleReport<'_>| {
        let population = census.by_module.get(module.name).copied().unwrap_or(0);
        let asked = module.target.filter(|_| module.enabled);
        let asked = asked.map_or_else(|| "–".to_owned(), |asked| target.show(asked.to_f64()));
        let cells = [
            Some(name(module.name)),
            Some(number(population.to_string())),
            Some(number(benefit.show(module.benefit))),
            has_targets.then(|| number(asked)),
            Some(number(assigned.show(module.assigned.to_f64()))),
            Some(Cell::new(if module.enabled { "" } else { "disabled" })),
        ];
        let colour = (!module.enabled).then_some(Color::Yellow);
        Row::from(cells.into_iter().flatten().map(|cell| tinted(cell, colour)))
    };
    write_table(look, &columns, || all.iter().map(row), out)
}

/// How the actors are split among the levels of the file.
fn levels(report: &PlanReport<'_>, look: Look, out: &mut dyn Write) -> io::Result<()> {
    let assigned = format!("Assigned {}", report.unit);
    let columns = ["Level of the file", "Actors", &assigned].map(Column::Number);
    let money = Money::for_all(report.unit.name(), std::iter::empty());
    let rows = report.levels.iter().map(|level| {
        let cells = [level.file_lod.to_string(), level.actors.to_string()];
        let cells = cells.into_iter().chain([money.show(level.assigned.to_f64())]);
        Row::from(cells.map(number))
    });
    write_table(look, &columns, || rows.clone(), out)
}

fn actors(
    report: &PlanReport<'_>,
    shown: &[usize],
    look: Look,
    out: &mut dyn Write,
) -> io::Result<()> {
    let actors = || shown.iter().filter_map(|&index| report.actors.get(index));
    let unit = report.unit.name();
    let digits = Digits {
        cost: Money::for_all(unit, actors().map(|actor| actor.cost.to_f64())),
        share: Money::for_all(unit, actors().filter_map(|actor| Some(actor.share?.to_f64()))),
        quality: Decimals::at_least(OF_BENEFIT, actors().map(|actor| actor.quality)),
        benefit: Decimals::at_least(OF_BENEFIT, actors().map(|actor| actor.benefit)),
    };
    // Where there are shares, they decide, and else qualities do.
    let unused = if report.scale.is_some() { Told::Quality } else { Told::Share };
    let is_told = |(told, narrowest): &(Told, usize)| *narrowest <= look.width && *told != unused;
    let told: Vec<_> = COLUMNS.into_iter().filter(is_told).map(|(told, _)| told).collect();
    let headings = ["Cost", "Share"].map(|what| format!("{what} {}", report.unit));
    let columns: Vec<_> = told.iter().map(|told| column(*told, &headings)).collect();
    let row = |actor: ActorReport<'_>| {
        let colour = (actor.control != Control::Automatic).then_some(Color::Yellow);
        let mut row =
            Row::from(told.iter().map(|told| tinted(cell(&actor, *told, digits), colour)));
        row.max_height(TALLEST_ROW);
        row
    };
    write_table(look, &columns, || actors().map(row), out)
}

fn column(told: Told, [cost, share]: &[String; 2]) -> Column<'_> {
    match told {
        Told::Name => Column::Name("Actor", 28),
        Told::Module => Column::Name("Module", 28),
        Told::Lod => Column::Number("LOD"),
        Told::Cost => Column::Number(cost),
        Told::Share => Column::Number(share),
        Told::Quality => Column::Number("Quality"),
        Told::Benefit => Column::Number("Benefit"),
        Told::Control => Column::Name("Control", 28),
        Told::Why => Column::Words("Why"),
    }
}

fn cell(actor: &ActorReport<'_>, told: Told, digits: Digits<'_>) -> Cell {
    let share =
        || actor.share.map_or_else(|| "–".to_owned(), |share| digits.share.show(share.to_f64()));
    match told {
        Told::Name => name(actor.name),
        Told::Module => name(actor.module),
        Told::Lod => number(lod(actor.lod)),
        Told::Cost => number(digits.cost.show(actor.cost.to_f64())),
        Told::Share => number(share()),
        Told::Quality => number(digits.quality.show(actor.quality)),
        Told::Benefit => number(digits.benefit.show(actor.benefit)),
        Told::Control => Cell::new(actor.control),
        Told::Why => Cell::new(actor.reason),
    }
}

fn lod(lod: f64) -> String {
    if lod.fract() == 0.0 { format!("{lod}") } else { format!("{lod:.2}") }
}
