//! What comes out: a report as a table, JSON or CSV.

mod bar;
mod headline;
mod linkset;
mod table;

use crate::report::Report;
use lodger_terminal::Diagnostic;

pub(crate) use linkset::linkset;
pub(crate) use table::table;

/// The actors of the report as CSV, one row each.
pub(crate) fn csv(report: &Report) -> Result<Vec<u8>, Diagnostic> {
    let failed =
        |e: &dyn std::error::Error| Diagnostic::error(format!("cannot show the plan as CSV: {e}"));
    let mut writer = csv::WriterBuilder::new().has_headers(false).from_writer(Vec::new());
    writer.write_record(ACTOR_KEYS).map_err(|e| failed(&e))?;
    for actor in &report.actors {
        writer.serialize(actor).map_err(|e| failed(&e))?;
    }
    writer.into_inner().map_err(|e| failed(&e))
}

/// The keys of an actor, which are there even when no actor is.
const ACTOR_KEYS: [&str; 7] =
    ["name", "module", "benefit", "share_ms", "lod", "cost_ms", "control"];
