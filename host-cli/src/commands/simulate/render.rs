//! The simulation as a table and as a picture.

use std::io::{self, Write};

use clap::builder::styling::Style;
use comfy_table::{Cell, Row as Line};
use lodger_cli::simulation::{Report, Row, SettingsReport, Simulation};
use lodger_terminal::layout::{Column, number};
use lodger_terminal::plot::{Comparison, Entry, comparison};
use lodger_terminal::{
    Diagnostic, Look, count, length, percent, plain, tail, wrapped, write_table,
};

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
pub(super) fn table(report: &Report, look: Look, out: &mut dyn Write) -> io::Result<()> {
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
    writeln!(out, "{}", look.paint(Style::new().dimmed(), &wrapped(what, look)))
}

/// In what it was measured.
fn conditions(settings: &SettingsReport) -> String {
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

/// Characters of a scene's name that the heading has room for.
const LONGEST_NAME: usize = 44;

/// The times of all frames as SVG.
pub(super) fn picture(simulation: &Simulation, report: &Report) -> Result<String, Diagnostic> {
    let entries: Vec<_> = simulation
        .times()
        .zip(simulation.changes())
        .zip(&report.rows)
        .map(|(((name, times), changes), row)| Entry {
            name: name.to_owned(),
            times,
            changes: changes.to_vec(),
            figures: [
                percent(row.over_budget_without_spikes),
                percent(row.worth()),
                format!("{:.0}", row.flips_per_s),
                format!("{:.0}", row.returns_per_s),
            ],
        })
        .collect();
    let conditions = conditions(&report.settings);
    let (_, conditions) = conditions.split_once(": ").unwrap_or_default();
    let drawn = Comparison {
        heading: &format!(
            "Ways to spend a frame: {}",
            tail(&plain(&report.settings.scene), LONGEST_NAME)
        ),
        conditions: &conditions.trim_end_matches(':').replace('\n', " "),
        frames_per_s: report.settings.frames_per_s,
        columns: [
            "frames over,\nno spike",
            "shown of\npossible",
            "level\nchanges/s",
            "there and\nback/s",
        ],
        entries: &entries,
    };
    comparison(&drawn)
}
