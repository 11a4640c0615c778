use std::fmt::Write as _;

use clap::builder::styling::{AnsiColor, Style};
use comfy_table::{Cell, Table};
use lodger_core::cost::streaming::MeshLod;
use lodger_terminal::layout::{TableColumn, new_table, number};
use lodger_terminal::{
    DecimalFormat, RenderOptions, count, hint, labelled, length, percent, sanitize,
};

use crate::program::summary::{
    FindingRow, PackSummary, PackedObjectRow, PhysicsRow, StreamingSummary,
};

const MAX_OBJECTS: usize = 20;
const MAX_WARNINGS: usize = 5;
/// Decimals of a weight, enough to tell rounding up from down.
const OF_A_WEIGHT: i32 = 3;

pub(super) fn text(summary: &PackSummary, style: RenderOptions) -> String {
    let mut text = headline(summary, style) + "\n" + &weights(summary, style).trim_fmt() + "\n";
    for object in summary.objects.iter().take(MAX_OBJECTS) {
        text += "\n";
        text += &of_object(object, summary.objects.len() > 1, style);
    }
    if let Some(more @ 1..) = summary.objects.len().checked_sub(MAX_OBJECTS) {
        text +=
            &hint(&format!("… and {}; --format json has all", count(more, "more object")), style);
    }
    if !summary.notes.is_empty() {
        text += "\n";
    }
    for note in &summary.notes {
        let yellow = AnsiColor::Yellow.on_default();
        text += &labelled("note:", yellow, &note.to_string(), style);
    }
    text
}

fn headline(summary: &PackSummary, style: RenderOptions) -> String {
    let name = style.paint(Style::new().bold(), &sanitize(&summary.model));
    let objects = count(summary.objects.len(), "object");
    let mut text = format!("{name}: {objects} in {}\n", sanitize(&summary.output));
    let impact = &summary.land_impact;
    let bold = AnsiColor::Green.on_default().bold();
    text += &style.paint(bold, &format!("Land impact {}", impact.value));
    if let Some(requested) = summary.requested {
        let _ = write!(text, " of {requested}");
    }
    if let Some(weight) = impact.limited_by {
        let _ = write!(text, ", limited by {weight}");
    }
    text + "\n"
}

fn weights(summary: &PackSummary, style: RenderOptions) -> Table {
    let (streaming, physics) = (&summary.streaming, &summary.physics);
    let StreamingSummary { rules, provenance, upload_provenance, .. } = streaming;
    let trust = format!("{rules} rules, {provenance}; {upload_provenance} after an upload of .glb");
    let rows = [
        ("streaming", streaming.cost, trust),
        ("physics", physics.cost, format!("as {}, {}", physics.shape, physics.provenance)),
        ("server", summary.server.cost, "half a prim for each object".to_owned()),
    ];
    let digits = DecimalFormat::at_least(OF_A_WEIGHT, rows.iter().map(|row| row.1));
    let mut table = new_table(
        style,
        &[TableColumn::Name("Weight", 30), TableColumn::Number("Cost"), TableColumn::Words("")],
    );
    for (name, cost, what) in rows {
        table.add_row([Cell::new(name), number(digits.show(cost)), Cell::new(what)]);
    }
    table
}

fn of_object(object: &PackedObjectRow, is_one_of_many: bool, style: RenderOptions) -> String {
    let name = style.paint(Style::new().bold(), &sanitize(&object.file));
    let [x, y, z] = object.size.map(length);
    let mut text = format!("{name}, {x} × {y} × {z} m");
    if is_one_of_many {
        let [x, y, z] = object.position.map(length);
        let _ = write!(text, ", its middle at {x}, {y}, {z}");
    }
    text = format!("{text}\n{}\n", lods(object, style).trim_fmt());
    text += &physics(&object.physics, style);
    text += &repeated(&object.findings, style);
    let warnings: Vec<_> = object.findings.iter().filter(|finding| finding.is_warning()).collect();
    for finding in warnings.iter().take(MAX_WARNINGS) {
        let sentence = format!("{}: {}; {}", finding.place, finding.message, finding.advice);
        text += &labelled("warning:", AnsiColor::Yellow.on_default(), &sentence, style);
    }
    if let Some(more @ 1..) = warnings.len().checked_sub(MAX_WARNINGS) {
        text +=
            &hint(&format!("… and {}; --format json has all", count(more, "more warning")), style);
    }
    text
}

fn lods(object: &PackedObjectRow, style: RenderOptions) -> Table {
    let rows = MeshLod::ALL.map(|lod| (lod, object.lods.of(lod)));
    let digits = DecimalFormat::at_least(OF_A_WEIGHT, rows.iter().map(|(_, row)| row.cost));
    let numbers = ["Bytes", "Triangles", "Vertices", "Error mm", "From m", "Cost"];
    let columns: Vec<_> = [TableColumn::Name("LOD", 30)]
        .into_iter()
        .chain(numbers.map(TableColumn::Number))
        .chain([TableColumn::Words("Origin")])
        .collect();
    let mut table = new_table(style, &columns);
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

/// Notes in one line all levels that equal the one above, which need no action.
fn repeated(findings: &[FindingRow], style: RenderOptions) -> String {
    let mut blocks = findings.iter().filter(|one| !one.is_warning()).filter_map(|one| one.block);
    let Some(first) = blocks.next() else { return String::new() };
    let names = blocks.fold(first.to_owned(), |names, block| format!("{names}, {block}"));
    let sentence = format!("{names}: the same as the level above, which the land impact pays for");
    labelled("note:", Style::new().bold(), &sentence, style)
}

fn physics(physics: &PhysicsRow, style: RenderOptions) -> String {
    let digits = DecimalFormat::at_least(OF_A_WEIGHT, physics.types.iter().map(|one| one.cost));
    let columns = [
        TableColumn::Name("Shape type", 40),
        TableColumn::Number("Physics"),
        TableColumn::Words("Made of"),
        TableColumn::Words("How sure"),
    ];
    let mut table = new_table(style, &columns);
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
    let sentence = format!(
        "the hull is around the model, {outside}; the shape's volume is off by {volume} of the box"
    );
    format!("\n{}\n", table.trim_fmt())
        + &labelled("physics:", Style::new().bold(), &sentence, style)
}
