//! The plan as a table: verdict, bar, modules, then the most expensive actors.

use std::collections::HashMap;
use std::io::{self, Write};

use clap::builder::styling::{AnsiColor, Style};
use comfy_table::{Cell, Color, Row};
use lodger_scenes::{
    ASSUMED_SHARES, ActorReport, ActorReports, Amount, LadderSource, ModuleReport, PlanReport,
};
use lodger_scheduler::Control;
use lodger_terminal::layout::{Column, name, number, tinted};
use lodger_terminal::{Decimals, Look, Money, Segment, count, greatest, percent, write_table};

#[cfg(test)]
mod tests;

/// How many actors are shown unless all are asked for.
const COSTLIEST: usize = 20;
/// The columns of an actor, each with the narrowest terminal that has room for it.
const COLUMNS: [(ActorColumn, usize); 9] = [
    (ActorColumn::Name, 0),
    (ActorColumn::Module, 70),
    (ActorColumn::Lod, 0),
    (ActorColumn::Cost, 0),
    (ActorColumn::Share, 70),
    (ActorColumn::Quality, 70),
    (ActorColumn::Benefit, 90),
    (ActorColumn::Control, 110),
    (ActorColumn::Why, 0),
];
/// The decimals of a benefit or a quality, where more do not show more.
const OF_BENEFIT: i32 = 3;
/// A name may wrap, but not take the table with it.
const TALLEST_ROW: usize = 2;

/// A column of an actor.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ActorColumn {
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
struct ColumnFormats<'u> {
    cost: Money<'u>,
    share: Money<'u>,
    quality: Decimals,
    benefit: Decimals,
}

/// What is counted over all actors.
struct ActorCounts<'a> {
    /// How many actors each module has.
    by_module: HashMap<&'a str, usize>,
    /// How many have levels that the file does not say.
    assumed: usize,
}

impl<'a> ActorCounts<'a> {
    fn of(actors: &ActorReports<'a>) -> Self {
        let mut counts = Self { by_module: HashMap::new(), assumed: 0 };
        for actor in actors.iter() {
            *counts.by_module.entry(actor.module).or_default() += 1;
            counts.assumed += usize::from(actor.ladder == LadderSource::Assumed);
        }
        counts
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
    let counts = ActorCounts::of(&report.actors);
    let headline = headline(report, counts.assumed, money, look);
    write!(out, "{headline}{}", lodger_terminal::bar(&segments(report), money, look))?;
    if !report.modules.is_empty() {
        writeln!(out)?;
        modules(report, &counts, look, out)?;
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
    counts: &ActorCounts<'_>,
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
        let population = counts.by_module.get(module.name).copied().unwrap_or(0);
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
    let digits = ColumnFormats {
        cost: Money::for_all(unit, actors().map(|actor| actor.cost.to_f64())),
        share: Money::for_all(unit, actors().filter_map(|actor| Some(actor.share?.to_f64()))),
        quality: Decimals::at_least(OF_BENEFIT, actors().map(|actor| actor.quality)),
        benefit: Decimals::at_least(OF_BENEFIT, actors().map(|actor| actor.benefit)),
    };
    // Where there are shares, they decide, and else qualities do.
    let unused = if report.scale.is_some() { ActorColumn::Quality } else { ActorColumn::Share };
    let is_told =
        |(told, narrowest): &(ActorColumn, usize)| *narrowest <= look.width && *told != unused;
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

fn column(told: ActorColumn, [cost, share]: &[String; 2]) -> Column<'_> {
    match told {
        ActorColumn::Name => Column::Name("Actor", 28),
        ActorColumn::Module => Column::Name("Module", 28),
        ActorColumn::Lod => Column::Number("LOD"),
        ActorColumn::Cost => Column::Number(cost),
        ActorColumn::Share => Column::Number(share),
        ActorColumn::Quality => Column::Number("Quality"),
        ActorColumn::Benefit => Column::Number("Benefit"),
        ActorColumn::Control => Column::Name("Control", 28),
        ActorColumn::Why => Column::Words("Why"),
    }
}

fn cell(actor: &ActorReport<'_>, told: ActorColumn, digits: ColumnFormats<'_>) -> Cell {
    let share =
        || actor.share.map_or_else(|| "–".to_owned(), |share| digits.share.show(share.to_f64()));
    match told {
        ActorColumn::Name => name(actor.name),
        ActorColumn::Module => name(actor.module),
        ActorColumn::Lod => number(lod(actor.lod)),
        ActorColumn::Cost => number(digits.cost.show(actor.cost.to_f64())),
        ActorColumn::Share => number(share()),
        ActorColumn::Quality => number(digits.quality.show(actor.quality)),
        ActorColumn::Benefit => number(digits.benefit.show(actor.benefit)),
        ActorColumn::Control => Cell::new(actor.control),
        ActorColumn::Why => Cell::new(actor.reason),
    }
}

fn lod(lod: f64) -> String {
    if lod.fract() == 0.0 { format!("{lod}") } else { format!("{lod:.2}") }
}

/// The headline of a report.
fn headline(report: &PlanReport<'_>, assumed: usize, money: Money<'_>, look: Look) -> String {
    let (verdict, colour, rest) = verdict(report, money);
    let verdict = look.paint(colour.on_default().bold(), &verdict);
    let mut lines = format!("{verdict} {rest}\n");
    if let Some(worth) = worth(report) {
        lines += &worth;
        lines.push('\n');
    }
    if report.quarantined > 0 {
        let text = format!(
            "{} quarantined: position, age or speed is not a number.",
            count(report.quarantined, "actor")
        );
        lines += &look.paint(AnsiColor::Yellow.on_default(), &text);
        lines.push('\n');
    }
    if assumed > 0 {
        lines += &look.paint(Style::new().dimmed(), &of_assumed(assumed, report.actors.len()));
        lines.push('\n');
    }
    lines
}

/// Which levels are nobody's but ours.
fn of_assumed(assumed: usize, actors: usize) -> String {
    let [lower @ .., highest] = ASSUMED_SHARES.map(|share| f64::from(share) / 10.0);
    let lower: Vec<_> = lower.iter().map(f64::to_string).collect();
    let (have, their) = if assumed == 1 { ("has", "its") } else { ("have", "their") };
    format!(
        "{assumed} of {} {have} assumed levels: {} and {highest} % of {their} triangles.",
        count(actors, "actor"),
        lower.join(", "),
    )
}

/// What the plan is worth, where any plan is worth something.
fn worth(report: &PlanReport<'_>) -> Option<String> {
    let certificate = report.certificate;
    let (value, bound) = (certificate.value(), certificate.upper_bound());
    let decimals = Decimals::at_least(1, [value, bound]);
    let proof = if certificate.value == certificate.upper_bound {
        "no plan is worth more".to_owned()
    } else {
        format!("within {} of the best", percent(certificate.gap()))
    };
    let (value, bound) = (decimals.show(value), decimals.show(bound));
    (certificate.upper_bound > 0).then(|| format!("Worth {value} of at most {bound}: {proof}."))
}

fn verdict(report: &PlanReport<'_>, money: Money<'_>) -> (String, AnsiColor, String) {
    let assigned = money.say(report.assigned.to_f64());
    let budget = money.say(report.budget.to_f64());
    if !report.feasible {
        return (
            format!("Over budget by {}:", money.say(report.overcommit.to_f64())),
            AnsiColor::Red,
            format!("{assigned} assigned of {budget}, nothing left to lower."),
        );
    }
    let targets = match report.scale {
        Some(scale) if scale < 1.0 => format!(", targets scaled to {}", percent(scale)),
        Some(_) => ", every target met".to_owned(),
        None => String::new(),
    };
    if report.budget == Amount::Unlimited {
        let rest = format!("{assigned} assigned{targets}.");
        return ("Unlimited:".to_owned(), AnsiColor::Green, rest);
    }
    let rest = format!("{assigned} assigned of {budget}{targets}.");
    ("Within budget:".to_owned(), AnsiColor::Green, rest)
}

/// The budget as a bar: fixed, automatic, free, and over budget.
fn segments(report: &PlanReport<'_>) -> [Segment; 4] {
    let [budget, fixed, assigned] =
        [report.budget, report.fixed, report.assigned].map(Amount::to_f64);
    let automatic = (assigned - fixed).max(0.0);
    let fixed_within = fixed.min(budget);
    let segment = |name, glyph, style, told, drawn| Segment { name, glyph, style, told, drawn };
    let free = (budget - assigned).max(0.0);
    let over = (assigned - budget).max(0.0);
    let automatic_within = automatic.min(budget - fixed_within);
    [
        segment("fixed", "█", AnsiColor::Yellow.on_default(), fixed, fixed_within),
        segment("automatic", "▓", AnsiColor::Green.on_default(), automatic, automatic_within),
        segment("free", "░", Style::new().dimmed(), free, free),
        segment("over budget", "▒", AnsiColor::Red.on_default(), over, over),
    ]
}
