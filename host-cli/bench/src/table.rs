//! What was measured, for eyes.

use std::io::{self, Write};

use clap::builder::styling::Style;
use comfy_table::{Cell, Row as Line};
use lodger_terminal::layout::{Column, number};
use lodger_terminal::{Look, count, percent, plain, wrapped, write_table};

use crate::report::{Incremental, Report, Size};

/// The columns of one number of actors, each with the narrowest terminal that has room for it.
const FIGURES: [(Column<'_>, usize); 6] = [
    (Column::Name("", 40), 0),
    (Column::Number("ns an actor"), 0),
    (Column::Number("half of all"), 80),
    (Column::Number("ms a tick"), 0),
    (Column::Number("memory passes"), 0),
    (Column::Number("of keep"), 90),
];
const INCREMENTAL: [Column<'_>; 5] = [
    Column::Name("The eye stands still", 40),
    Column::Name("moved", 30),
    Column::Number("ns an actor"),
    Column::Number("setting them"),
    Column::Number("of a full tick"),
];

/// Writes the report as text.
pub(crate) fn write(report: &Report, look: Look, out: &mut dyn Write) -> io::Result<()> {
    let Report { cpu, rounds, seconds, .. } = report;
    let head = format!(
        "{}, {}, {}: {} in {seconds:.0} s.",
        count(report.actors as usize, "actor"),
        count(report.threads, "thread"),
        plain(cpu),
        count(*rounds as usize, "round"),
    );
    writeln!(out, "{head}\n")?;
    if let Some(sizes) = &report.sweep {
        sweep(sizes, look, out)?;
        writeln!(out)?;
    }
    figures(report, look, out)?;
    if !report.incremental.is_empty() {
        writeln!(out)?;
        let rows = || report.incremental.iter().map(incremental);
        write_table(look, &INCREMENTAL, rows, out)?;
    }
    let what = "Medians; half of all samples are between the quartiles. A memory pass reads and writes what \
                every tick does, and decides nothing. Optimal: without trials. Steady: a change must earn \
                something. Moved: one actor in a hundred.";
    writeln!(out, "{}", look.paint(Style::new().dimmed(), &wrapped(what, look)))
}

/// What a figure is called in tables.
pub(crate) fn name(key: &str) -> String {
    match key {
        "textbook" => "textbook, boxed".to_owned(),
        "textbook_churned" => "textbook, boxed and churned".to_owned(),
        "textbook_columns" => "textbook, columns".to_owned(),
        "across_modules" => "across modules (default)".to_owned(),
        "keep_angular" => "keep, importance by angle".to_owned(),
        "keep_eight_ladders" => "keep, eight ladders".to_owned(),
        "incremental" => "keep, 1 % moved in runs".to_owned(),
        key => match key.strip_suffix("_steady") {
            Some(policy) => format!("{}, steady", policy.replace('_', " ")),
            None => key.replace('_', " "),
        },
    }
}

fn figures(report: &Report, look: Look, out: &mut dyn Write) -> io::Result<()> {
    let shown = FIGURES.iter().filter(|(_, narrowest)| *narrowest <= look.width);
    let columns: Vec<_> = shown.map(|(column, _)| *column).collect();
    let measured = report.ns_per_actor.0.iter().filter_map(|(key, ns)| Some((key, (*ns)?)));
    let row = |(key, ns): (&String, f64)| {
        let over = |other: &str| {
            let other = report.ns_per_actor.value(other).flatten();
            other.map_or("–".to_owned(), |other| figure(ns / other))
        };
        Line::from(columns.iter().map(|column| match column.heading() {
            "" => Cell::new(name(key)),
            "ns an actor" => number(figure(ns)),
            "half of all" => number(half(report, key)),
            "ms a tick" => number(figure(ns * f64::from(report.actors) / 1e6)),
            "memory passes" => number(over("memory_pass")),
            _ => number(over("keep")),
        }))
    };
    write_table(look, &columns, || measured.clone().map(row), out)
}

fn half(report: &Report, key: &str) -> String {
    let spread = report.spread.value(key);
    spread.map_or_else(String::new, |it| {
        format!("{}–{}", figure(it.lower_quartile), figure(it.upper_quartile))
    })
}

fn incremental(row: &Incremental) -> Line {
    let changed = match row.changed {
        "runs" => "runs of 64",
        other => other,
    };
    Line::from(vec![
        Cell::new(name(row.policy)),
        Cell::new(changed),
        number(figure(row.ns_per_actor)),
        number(figure(row.setting_ns_per_actor)),
        number(percent(row.of_full_tick)),
    ])
}

/// The growth: a row for each number of actors.
fn sweep(sizes: &[Size], look: Look, out: &mut dyn Write) -> io::Result<()> {
    let Some(first) = sizes.first() else { return Ok(()) };
    let keys: Vec<_> =
        first.ns_per_actor.0.iter().filter(|(_, ns)| ns.is_some()).map(|(key, _)| key).collect();
    let names: Vec<_> = keys.iter().map(|key| key.replace('_', " ")).collect();
    let columns: Vec<_> = std::iter::once(Column::Number("actors"))
        .chain(names.iter().map(|name| Column::Number(name)))
        .collect();
    let row = |size: &Size| {
        let ns =
            |key: &&String| number(figure(size.ns_per_actor.value(key).flatten().unwrap_or(0.0)));
        Line::from(std::iter::once(number(size.actors.to_string())).chain(keys.iter().map(ns)))
    };
    write_table(look, &columns, || sizes.iter().map(row), out)
}

/// To about three digits.
fn figure(number: f64) -> String {
    match number {
        number if number >= 99.95 => format!("{number:.0}"),
        number if number >= 9.995 => format!("{number:.1}"),
        number => format!("{number:.2}"),
    }
}
