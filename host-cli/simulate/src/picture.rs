//! How everybody fared, as a picture.

use lodger_plot::{Comparison, Entry, comparison};
use lodger_simulation::{Report, Simulation};
use lodger_terminal::{Diagnostic, percent, plain, tail};

use crate::table::conditions;

/// Characters of a scene's name that the heading has room for.
const LONGEST_NAME: usize = 44;

/// The times of all frames as SVG.
pub(crate) fn svg(simulation: &Simulation, report: &Report) -> Result<String, Diagnostic> {
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
    comparison(&drawn).map_err(|error| Diagnostic::error(error.to_string()))
}
