//! How everybody fared, for eyes.

use std::io::{self, Write};

use clap::builder::styling::Style;
use comfy_table::{Cell, Row as Line};
use lodger_simulation::{Report, Row, SettingsReport};
use lodger_terminal::layout::{Column, number};
use lodger_terminal::{Look, count, length, percent, plain, write_table};

/// The columns, each with the narrowest terminal that has room for it.
const COLUMNS: [(Column<'_>, usize); 8] = [
    (Column::Name("Policy", 40), 0),
    (Column::Name("Stability", 28), 90),
    (Column::Number("Over budget"), 0),
    (Column::Number("No spikes"), 100),
    (Column::Number("Shown"), 0),
    (Column::Number("Changes/s"), 0),
    (Column::Number("Back/s"), 0),
    (Column::Number("Cost error"), 70),
];

/// Writes the report as text.
pub(crate) fn write(report: &Report, look: Look, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}\n", conditions(&report.settings))?;
    let columns: Vec<_> = COLUMNS
        .into_iter()
        .filter(|(_, narrowest)| *narrowest <= look.width)
        .map(|(column, _)| column)
        .collect();
    let row = |row: &Row| Line::from(columns.iter().map(|column| cell(row, column.heading())));
    write_table(look, &columns, || report.rows.iter().map(row), out)?;
    let what = "Over budget: frames. Shown: of what no plan could exceed. Changes: of level; back: to the \
                level before, within half a second.";
    writeln!(out, "{}", look.paint(Style::new().dimmed(), &lodger_terminal::wrapped(what, look)))
}

/// In what it was measured.
pub(crate) fn conditions(settings: &SettingsReport) -> String {
    let SettingsReport { scene, actors, budget_ms, path, frames, reported_from, .. } = settings;
    let SettingsReport { noise, spike, wrong, seed, .. } = settings;
    let (seed, medians) = match settings.seeds {
        Some(seeds) => {
            (format!("seeds {seed} to {}", seed.wrapping_add(seeds as u64 - 1)), "medians ")
        }
        None => (format!("seed {seed}"), ""),
    };
    format!(
        "{}: {}, {} ms a frame, camera: {path}, {frames} frames.\nUnit costs {} times wrong at first, noise \
         {}, spikes {}, {seed}; {medians}from frame {reported_from} on:",
        plain(scene),
        count(*actors, "actor"),
        if budget_ms.is_finite() { length(*budget_ms) } else { "∞".to_owned() },
        length(*wrong),
        percent(*noise),
        percent(*spike),
    )
}

fn cell(row: &Row, heading: &str) -> Cell {
    let one = |number: f64| format!("{number:.1}");
    match heading {
        "Policy" => Cell::new(row.policy),
        "Stability" => Cell::new(row.stability.unwrap_or("–")),
        "Over budget" => number(percent(row.over_budget)),
        "No spikes" => number(percent(row.over_budget_without_spikes)),
        "Shown" => number(percent(row.worth())),
        "Changes/s" => number(one(row.flips_per_s)),
        "Back/s" => number(one(row.returns_per_s)),
        _ => number(row.unit_cost_error.map_or("–".to_owned(), percent)),
    }
}
