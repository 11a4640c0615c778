//! What comes out: a report as a table, JSON or CSV.

mod bar;
mod findings;
mod headline;
pub(crate) mod layout;
mod linkset;
mod look;
mod number;
mod plain;
mod table;

use serde::Serialize;

use crate::diagnostic::Diagnostic;
use crate::report::Report;

pub(crate) use findings::findings;
pub(crate) use linkset::linkset;
pub(crate) use look::Look;
#[cfg(feature = "boards")]
pub(crate) use number::{Milliseconds, count, percent};
pub(crate) use plain::plain;
pub(crate) use table::table;

/// A report as one JSON document.
pub(crate) fn json(report: &impl Serialize) -> Result<Vec<u8>, Diagnostic> {
    let mut bytes = serde_json::to_vec_pretty(report)
        .map_err(|e| Diagnostic::error(format!("cannot show the result as JSON: {e}")))?;
    bytes.push(b'\n');
    Ok(bytes)
}

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
