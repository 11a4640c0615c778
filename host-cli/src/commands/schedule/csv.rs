//! The actors of a plan as CSV.

use std::io::{self, Write};

use csv::{ErrorKind, Writer, WriterBuilder};
use lodger_terminal::csv_text;

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

/// Writes the actors as CSV, one row each, as they are made.
pub(super) fn write(report: &Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    let mut writer = WriterBuilder::new().has_headers(false).from_writer(out);
    writer.write_record(KEYS).map_err(as_io)?;
    report.actors.iter().try_for_each(|actor| row(&mut writer, &actor)).map_err(as_io)?;
    writer.flush()
}

/// One row; the units of the levels have spaces between them.
fn row(writer: &mut Writer<&mut dyn Write>, actor: &ActorReport<'_>) -> Result<(), csv::Error> {
    let along = |axis: usize| actor.position.map(|position| position[axis]);
    let work: Vec<_> = actor.work.iter().map(u32::to_string).collect();
    writer.serialize((
        (csv_text(actor.name), csv_text(actor.module), actor.benefit, actor.share_ms),
        (actor.lod.to_string(), actor.cost_ms, actor.control),
        (along(0), along(1), along(2), actor.radius),
        (work.join(" "), actor.ladder.to_string()),
    ))
}

fn as_io(error: csv::Error) -> io::Error {
    match error.into_kind() {
        ErrorKind::Io(error) => error,
        kind => io::Error::other(format!("{kind:?}")),
    }
}
