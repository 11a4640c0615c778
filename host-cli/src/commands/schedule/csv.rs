//! The actors of a plan as CSV.

use std::error::Error;

use csv::{Writer, WriterBuilder};
use lodger_terminal::{Diagnostic, csv_text};

use super::report::{ActorReport, Report};

/// The keys of an actor, which are there even when no actor is.
const KEYS: [&str; 13] = [
    "name",
    "module",
    "benefit",
    "share_ms",
    "lod",
    "cost_ms",
    "control",
    "position_x",
    "position_y",
    "position_z",
    "radius",
    "work",
    "ladder",
];

/// The actors as CSV, one row each.
pub(super) fn csv(report: &Report<'_>) -> Result<Vec<u8>, Diagnostic> {
    let failed =
        |error: &dyn Error| Diagnostic::error(format!("cannot show the plan as CSV: {error}"));
    let mut writer = WriterBuilder::new().has_headers(false).from_writer(Vec::new());
    writer.write_record(KEYS).map_err(|error| failed(&error))?;
    for actor in &report.actors {
        write(&mut writer, actor).map_err(|error| failed(&error))?;
    }
    writer.into_inner().map_err(|error| failed(&error))
}

/// One row; the units of the levels have spaces between them.
fn write(writer: &mut Writer<Vec<u8>>, actor: &ActorReport<'_>) -> Result<(), csv::Error> {
    let along = |axis: usize| actor.position.map(|position| position[axis]);
    let work: Vec<_> = actor.work.iter().map(u32::to_string).collect();
    writer.serialize((
        (csv_text(actor.name), csv_text(actor.module), actor.benefit, actor.share_ms),
        (actor.lod.to_string(), actor.cost_ms, actor.control),
        (along(0), along(1), along(2), actor.radius),
        (work.join(" "), actor.ladder.to_string()),
    ))
}
