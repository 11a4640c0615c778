//! The actors of a plan as CSV.

use std::io::{self, Write};

use csv::{ErrorKind, Writer, WriterBuilder};
use lodger_scenes::{ActorReport, PlanReport};
use lodger_terminal::csv_text;

/// Writes the actors as CSV, one row each, as they are made.
pub(super) fn write(report: &PlanReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    let mut writer = WriterBuilder::new().has_headers(false).from_writer(out);
    let has_file_lods = !report.levels.is_empty();
    writer.write_record(keys(report, has_file_lods)).map_err(as_io)?;
    let mut rows = report.actors.iter();
    rows.try_for_each(|actor| row(&mut writer, &actor, has_file_lods)).map_err(as_io)?;
    writer.flush()
}

/// The keys of an actor, which are there even when no actor is.
fn keys(report: &PlanReport<'_>, has_file_lods: bool) -> Vec<&'static str> {
    let [share, cost] =
        if report.unit.name().is_some() { ["share", "cost"] } else { ["share_ms", "cost_ms"] };
    let mut keys = vec!["name", "module", "benefit", share, "lod", cost, "control"];
    keys.extend(["position_x", "position_y", "position_z", "radius", "work", "ladder", "quality"]);
    keys.extend(has_file_lods.then_some("file_lod"));
    keys.push("reason");
    keys
}

/// One row; the units of the levels have spaces between them.
fn row(
    writer: &mut Writer<&mut dyn Write>,
    actor: &ActorReport<'_>,
    has_file_lods: bool,
) -> Result<(), csv::Error> {
    let along = |axis: usize| actor.position.map(|position| position[axis]);
    let work: Vec<_> = actor.work.iter().map(u32::to_string).collect();
    let told = (
        (csv_text(actor.name), csv_text(actor.module), actor.benefit, actor.share),
        (actor.lod.to_string(), actor.cost, actor.control),
        (along(0), along(1), along(2), actor.radius),
        (work.join(" "), actor.ladder.to_string(), actor.quality),
    );
    if has_file_lods {
        writer.serialize((told, actor.file_lod, actor.reason))
    } else {
        writer.serialize((told, actor.reason))
    }
}

fn as_io(error: csv::Error) -> io::Error {
    match error.into_kind() {
        ErrorKind::Io(error) => error,
        kind => io::Error::other(format!("{kind:?}")),
    }
}
