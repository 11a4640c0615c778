//! A mesh in detail: its weights, and the share of each LOD; numbers and notes of all tables.

use std::fmt::Write as _;

use clap::builder::styling::{AnsiColor, Style};
use comfy_table::{Attribute, Cell, Color, Table};
use lodger_core::cost::Provenance;
use lodger_core::cost::land_impact::ObjectWeight;
use lodger_core::cost::streaming::MeshLod;
use lodger_mesh_asset::GeometryCounts;
use lodger_terminal::layout::{TableColumn, colored, new_table, number};
use lodger_terminal::{DecimalFormat, RenderOptions, hint, labelled, length, percent, sanitize};

use super::report::{FileRow, NoteRow};

const BAR: f64 = 24.0;
const WIDE: usize = 90;

pub(super) fn detail(row: &FileRow, notes: &[NoteRow], style: RenderOptions) -> String {
    let mut text = headline(row, style) + "\n";
    text += &(weight_table(row, style).trim_fmt() + "\n");
    if let Some(resource) = &row.weights.resource_cost {
        let [simulator, region] = [resource.simulator, resource.region].map(weight);
        let _ = writeln!(
            text,
            "\nSimulator resource cost {simulator}, region resource cost {region} ({}, {})",
            resource.parameters, resource.provenance
        );
    }
    text += "\n";
    text += &(lods(row, style).trim_fmt() + "\n");
    if !row.detail.choices.is_empty() {
        let _ = writeln!(text, "\n{}", choices(row, style).trim_fmt());
    }
    if !notes.is_empty() {
        text += "\n";
        text += &self::notes(notes.iter().map(|row| row.note.clone()), true, style);
    }
    text
}

fn weight_table(row: &FileRow, style: RenderOptions) -> Table {
    let (counted, physics) = (&row.detail.price.assessment, &row.detail.price.physics);
    let mut what = format!("{}, {}", physics.representation, physics.provenance);
    if counted.physics > counted.physics_base {
        let _ = write!(what, "; {} before the penalty", weight(counted.physics_base));
    }
    let streaming = &row.weights.streaming;
    let rules = trusted(&format!("{} rules", streaming.rules), streaming.provenance);
    let rows = [
        (ObjectWeight::Streaming, counted.streaming, rules),
        (ObjectWeight::Physics, counted.physics, what),
        (ObjectWeight::Server, counted.server, "prims and scripts".to_owned()),
    ];
    let greatest = rows.iter().map(|row| row.1).fold(0.0, f64::max);
    let digits = weights(rows.iter().map(|row| row.1));
    let columns = [
        TableColumn::Name("Weight", 30),
        TableColumn::Number("Cost"),
        TableColumn::Name("", 40),
        TableColumn::Words(""),
    ];
    let mut table = new_table(style, &columns);
    for (name, cost, what) in rows {
        let limits = counted.land_impact.limited_by == Some(name);
        let colour = limits.then_some(Color::Green);
        let cells = [Cell::new(name), number(digits.show(cost)), Cell::new(bar(cost, greatest))];
        let mut cells = cells.map(|cell| colored(cell, colour)).to_vec();
        cells.push(Cell::new(if limits { format!("limits: {what}") } else { what }));
        table.add_row(cells);
    }
    table
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a part of a line")]
fn bar(cost: f64, greatest: f64) -> String {
    let cells = if greatest > 0.0 { (cost / greatest * BAR).round() as usize } else { 0 };
    if cost > 0.0 { "█".repeat(cells.max(1)) } else { String::new() }
}

fn lods(row: &FileRow, style: RenderOptions) -> Table {
    let (lods, cost) = (&row.detail.lods, row.detail.price.assessment.streaming);
    // On a narrow terminal the cost is left out: it is a share of the streaming weight.
    let costs = (style.width >= WIDE).then_some("Cost");
    let real: &[_] = if lods.is_counted { &["Triangles", "Vertices"] } else { &[] };
    let numbers = ["Bytes"].iter().chain(real).chain(&["Charged", "From m", "Area"]).copied();
    let numbers = numbers.chain(costs).chain(["Share"]).map(TableColumn::Number);
    let digits = weights(lods.share.to_array().map(|share| share * cost));
    let columns: Vec<_> = [TableColumn::Name("LOD", 30)].into_iter().chain(numbers).collect();
    let mut table = new_table(style, &columns);
    for lod in MeshLod::ALL {
        let (bytes, share) = (lods.bytes.of(lod), lods.share.of(lod));
        let missing = (bytes == 0).then_some(Color::Yellow);
        let said = if bytes == 0 { "missing".to_owned() } else { bytes.to_string() };
        let counts = match lods.geometry.of(lod) {
            Some(GeometryCounts { triangles, vertices, .. }) => {
                [triangles, vertices].map(|n| n.to_string())
            }
            None if bytes == 0 => [const { String::new() }; 2],
            None => ["?", "?"].map(str::to_owned),
        };
        let mut cells = vec![Cell::new(lod), colored(number(said), missing)];
        cells.extend(counts.into_iter().take(real.len()).map(number));
        cells.extend([
            number(format!("{:.1}", lods.triangles.of(lod))),
            number(length(lods.begins.of(lod))),
            number(percent(lods.area.of(lod))),
        ]);
        cells.extend(costs.map(|_| number(digits.show(share * cost))));
        cells.push(number(percent(share)));
        table.add_row(cells);
    }
    let bytes = number(lods.bytes.bytes_total().to_string());
    let mut total = vec![Cell::new("total"), bytes];
    total.resize(columns.len() - 1 - costs.iter().len(), Cell::new(""));
    total.extend(costs.map(|_| number(digits.show(cost))));
    table.add_row(total.into_iter().map(|cell| cell.add_attribute(Attribute::Bold)));
    table
}

fn choices(row: &FileRow, style: RenderOptions) -> Table {
    let columns = [
        TableColumn::Name("Shape type", 40),
        TableColumn::Number("Physics"),
        TableColumn::Words("Made of"),
    ];
    let digits = weights(row.detail.choices.iter().map(|choice| choice.physics.cost));
    let mut table = new_table(style, &columns);
    for choice in &row.detail.choices {
        let colour = choice.chosen.then_some(Color::Green);
        let shape = if choice.chosen {
            format!("{} (as priced)", choice.shape)
        } else {
            choice.shape.to_string()
        };
        let cost = number(digits.show(choice.physics.cost));
        let cells = [Cell::new_owned(shape), cost, Cell::new(choice)];
        table.add_row(cells.map(|cell| colored(cell, colour)));
    }
    table
}

pub(super) fn headline(row: &FileRow, style: RenderOptions) -> String {
    let name = match (row.detail.lods.is_counted, row.detail.price.assessment.prims) {
        (true, _) => sanitize(&row.file),
        (false, 1) => "These LODs".into(),
        (false, prims) => format!("{prims} prims of these LODs").into(),
    };
    let name = style.paint(Style::new().bold(), &name);
    let mut text = format!("{name} at {}\n", scale(row.scale));
    let impact = &row.weights.land_impact;
    let bold = AnsiColor::Green.on_default().bold();
    text += &style.paint(bold, &format!("Land impact {}", impact.value));
    let _ = match impact.limited_by {
        Some(weight) => writeln!(text, ", limited by {weight}"),
        None => writeln!(text, ", the number of prims (old accounting)"),
    };
    if row.scale.iter().all(|side| side.to_bits() == 1.0_f64.to_bits()) {
        let one = "An asset has no size of its own: --scale X,Y,Z prices another one.";
        text += &hint(one, style);
    }
    text
}

const MAX_NOTES: usize = 5;

pub(super) fn verdict(good: bool, text: &str, style: RenderOptions) -> String {
    let colour = if good { AnsiColor::Green } else { AnsiColor::Red };
    style.paint(colour.on_default().bold(), text)
}

pub(super) fn notes(
    notes: impl ExactSizeIterator<Item = String>,
    all: bool,
    style: RenderOptions,
) -> String {
    let more = if all { 0 } else { notes.len().saturating_sub(MAX_NOTES) };
    let shown = notes.len() - more;
    let yellow = AnsiColor::Yellow.on_default();
    let line = |note: String| labelled("note:", yellow, &note, style);
    let mut text: String = notes.take(shown).map(line).collect();
    if more > 0 {
        text += &hint(&format!("… and {more} more notes; --all shows all"), style);
    }
    text
}

/// A text with its provenance, unless a document states it.
fn trusted(what: &str, provenance: Provenance) -> String {
    if provenance >= Provenance::Estimated {
        format!("{what} ({provenance})")
    } else {
        what.to_owned()
    }
}

/// Decimals of a weight, enough to distinguish weights that round up and down.
const OF_A_WEIGHT: i32 = 3;

fn weight(cost: f64) -> String {
    DecimalFormat::exactly(OF_A_WEIGHT).show(cost)
}

pub(super) fn weights(column: impl IntoIterator<Item = f64>) -> DecimalFormat {
    DecimalFormat::at_least(OF_A_WEIGHT, column)
}

pub(super) fn scale(sides: [f64; 3]) -> String {
    let [x, y, z] = sides.map(length);
    format!("{x} × {y} × {z} m")
}

#[cfg(test)]
mod tests {
    use super::weight;

    #[test]
    fn small_weights_differ_from_zero() {
        assert_eq!([0.0, 0.0001, 2.4996].map(weight), ["0", "<0.001", "2.500"]);
    }
}
