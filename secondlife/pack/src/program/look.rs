//! What was made, for eyes.

use std::fmt::Write as _;

use clap::builder::styling::{AnsiColor, Style};
use comfy_table::{Cell, Table};
use lodger_core::cost::streaming::MeshLod;
use lodger_terminal::layout::{Column, empty, number};
use lodger_terminal::{Decimals, Look, count, hint, labelled, length, percent, plain};

use super::findings::FindingRow;
use super::rows::{ObjectRow, PhysicsRow};
use super::summary::{Streaming, Summary};

/// Of more objects than this, only the first are shown.
const MOST_OBJECTS: usize = 20;
/// The warnings of an object that are shown.
const MOST_WARNINGS: usize = 5;
/// The decimals of a weight, so that what rounds up and what rounds down look different.
const OF_A_WEIGHT: i32 = 3;

/// What was made, as text with a newline at its end.
pub(super) fn text(summary: &Summary, look: Look) -> String {
    let mut text = headline(summary, look) + "\n" + &weights(summary, look).trim_fmt() + "\n";
    for object in summary.objects.iter().take(MOST_OBJECTS) {
        text += "\n";
        text += &of_object(object, summary.objects.len() > 1, look);
    }
    if let Some(more @ 1..) = summary.objects.len().checked_sub(MOST_OBJECTS) {
        text +=
            &hint(&format!("… and {}; --format json has all", count(more, "more object")), look);
    }
    if !summary.notes.is_empty() {
        text += "\n";
    }
    for note in &summary.notes {
        text += &labelled("note:", AnsiColor::Yellow.on_default(), &note.told, look);
    }
    text
}

fn headline(summary: &Summary, look: Look) -> String {
    let name = look.paint(Style::new().bold(), &plain(&summary.model));
    let objects = count(summary.objects.len(), "object");
    let mut text = format!("{name}: {objects} in {}\n", plain(&summary.output));
    let impact = &summary.land_impact;
    let bold = AnsiColor::Green.on_default().bold();
    text += &look.paint(bold, &format!("Land impact {}", impact.value));
    if let Some(asked) = summary.asked {
        let _ = write!(text, " of {asked}");
    }
    if let Some(weight) = impact.limited_by {
        let _ = write!(text, ", limited by {weight}");
    }
    text + "\n"
}

fn weights(summary: &Summary, look: Look) -> Table {
    let (streaming, physics) = (&summary.streaming, &summary.physics);
    let Streaming { rules, provenance, upload_provenance, .. } = streaming;
    let trust = format!("{rules} rules, {provenance}; {upload_provenance} after an upload of .glb");
    let rows = [
        ("streaming", streaming.cost, trust),
        ("physics", physics.cost, format!("as {}, {}", physics.shape, physics.provenance)),
        ("server", summary.server.cost, "half a prim for each object".to_owned()),
    ];
    let digits = Decimals::at_least(OF_A_WEIGHT, rows.iter().map(|row| row.1));
    let mut table =
        empty(look, &[Column::Name("Weight", 30), Column::Number("Cost"), Column::Words("")]);
    for (name, cost, what) in rows {
        table.add_row([Cell::new(name), number(digits.show(cost)), Cell::new(what)]);
    }
    table
}

fn of_object(object: &ObjectRow, is_one_of_many: bool, look: Look) -> String {
    let name = look.paint(Style::new().bold(), &plain(&object.file));
    let [x, y, z] = object.size.map(length);
    let mut text = format!("{name}, {x} × {y} × {z} m");
    if is_one_of_many {
        let [x, y, z] = object.position.map(length);
        let _ = write!(text, ", its middle at {x}, {y}, {z}");
    }
    text = format!("{text}\n{}\n", lods(object, look).trim_fmt());
    text += &physics(&object.physics, look);
    text += &repeated(&object.findings, look);
    let warnings: Vec<_> = object.findings.iter().filter(|finding| finding.is_warning()).collect();
    for finding in warnings.iter().take(MOST_WARNINGS) {
        let told = format!("{}: {}; {}", finding.place, finding.message, finding.advice);
        text += &labelled("warning:", AnsiColor::Yellow.on_default(), &told, look);
    }
    if let Some(more @ 1..) = warnings.len().checked_sub(MOST_WARNINGS) {
        text +=
            &hint(&format!("… and {}; --format json has all", count(more, "more warning")), look);
    }
    text
}

fn lods(object: &ObjectRow, look: Look) -> Table {
    let rows = MeshLod::ALL.map(|lod| (lod, object.lods.of(lod)));
    let digits = Decimals::at_least(OF_A_WEIGHT, rows.iter().map(|(_, row)| row.cost));
    let numbers = ["Bytes", "Triangles", "Vertices", "Error mm", "From m", "Cost"];
    let columns: Vec<_> = [Column::Name("LOD", 30)]
        .into_iter()
        .chain(numbers.map(Column::Number))
        .chain([Column::Words("Origin")])
        .collect();
    let mut table = empty(look, &columns);
    for (lod, row) in rows {
        table.add_row([
            Cell::new(lod),
            number(row.bytes.to_string()),
            number(row.triangles.to_string()),
            number(row.vertices.to_string()),
            number(length(row.error * 1000.0)),
            number(length(row.from)),
            number(digits.show(row.cost)),
            Cell::new(row.origin),
        ]);
    }
    table
}

/// Which levels are those above them, in one line: nobody needs to do anything about it.
fn repeated(findings: &[FindingRow], look: Look) -> String {
    let mut blocks = findings.iter().filter(|one| !one.is_warning()).filter_map(|one| one.block);
    let Some(first) = blocks.next() else { return String::new() };
    let names = blocks.fold(first.to_owned(), |names, block| format!("{names}, {block}"));
    let told = format!("{names}: the same as the level above, which the land impact pays for");
    labelled("note:", Style::new().bold(), &told, look)
}

fn physics(physics: &PhysicsRow, look: Look) -> String {
    let digits = Decimals::at_least(OF_A_WEIGHT, physics.types.iter().map(|one| one.cost));
    let columns = [
        Column::Name("Shape type", 40),
        Column::Number("Physics"),
        Column::Words("Made of"),
        Column::Words("How sure"),
    ];
    let mut table = empty(look, &columns);
    for one in &physics.types {
        table.add_row([
            Cell::new(one.shape),
            number(digits.show(one.cost)),
            Cell::new(&one.collides_as),
            Cell::new(one.provenance),
        ]);
    }
    let outside = if physics.outside > 0.0 {
        format!("at most {} mm of it are outside", length(physics.outside * 1000.0))
    } else {
        "nothing of it is outside".to_owned()
    };
    let volume = percent(physics.volume_error);
    let told = format!(
        "the hull is around the model, {outside}; the shape's volume is off by {volume} of the box"
    );
    format!("\n{}\n", table.trim_fmt()) + &labelled("physics:", Style::new().bold(), &told, look)
}
