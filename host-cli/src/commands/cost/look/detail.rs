//! One mesh in detail: its weights, and what each LOD contributes.

use std::fmt::Write as _;

use comfy_table::{Attribute, Cell, Color, Table};
use lodger_core::cost::land_impact::ObjectWeight;
use lodger_core::cost::streaming::MeshLod;
use lodger_input::figures::{trusted, weight, weights as decimals};
use lodger_mesh_asset::Counts;

use super::super::report::{FileRow, NoteRow};
use super::headline::headline;
use super::lines;
use lodger_terminal::layout::{Column, empty, number, tinted};
use lodger_terminal::{Look, length, percent};

/// The cells of the longest bar.
const BAR: f64 = 24.0;
/// The narrowest terminal on which there is room for the cost of each LOD.
const WIDE: usize = 90;

/// The mesh as text with a newline at its end.
pub(super) fn detail(row: &FileRow, notes: &[NoteRow], look: Look) -> String {
    let mut text = headline(row, look) + "\n";
    text += &(weights(row, look).trim_fmt() + "\n");
    if let Some(resource) = &row.weights.resource_cost {
        let [simulator, region] = [resource.simulator, resource.region].map(weight);
        let _ = writeln!(
            text,
            "\nSimulator resource cost {simulator}, region resource cost {region} ({}, {})",
            resource.parameters, resource.provenance
        );
    }
    text += "\n";
    text += &(lods(row, look).trim_fmt() + "\n");
    if !row.detail.choices.is_empty() {
        let _ = writeln!(text, "\n{}", choices(row, look).trim_fmt());
    }
    if !notes.is_empty() {
        text += "\n";
        text += &lines::notes(notes.iter().map(|row| row.note.clone()), true, look);
    }
    text
}

fn weights(row: &FileRow, look: Look) -> Table {
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
    let digits = decimals(rows.iter().map(|row| row.1));
    let columns = [
        Column::Name("Weight", 30),
        Column::Number("Cost"),
        Column::Name("", 40),
        Column::Words(""),
    ];
    let mut table = empty(look, &columns);
    for (name, cost, what) in rows {
        let limits = counted.land_impact.limited_by == Some(name);
        let colour = limits.then_some(Color::Green);
        let cells = [Cell::new(name), number(digits.show(cost)), Cell::new(bar(cost, greatest))];
        let mut cells = cells.map(|cell| tinted(cell, colour)).to_vec();
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

fn lods(row: &FileRow, look: Look) -> Table {
    let (lods, cost) = (&row.detail.lods, row.detail.price.assessment.streaming);
    // Where there is little room, the cost gives way: it is a share of what stands above.
    let costs = (look.width >= WIDE).then_some("Cost");
    let real: &[_] = if lods.is_counted { &["Triangles", "Vertices"] } else { &[] };
    let numbers = ["Bytes"].iter().chain(real).chain(&["Charged", "From m", "Area"]).copied();
    let numbers = numbers.chain(costs).chain(["Share"]).map(Column::Number);
    let digits = decimals(lods.share.to_array().map(|share| share * cost));
    let columns: Vec<_> = [Column::Name("LOD", 30)].into_iter().chain(numbers).collect();
    let mut table = empty(look, &columns);
    for lod in MeshLod::ALL {
        let (bytes, share) = (lods.bytes.of(lod), lods.share.of(lod));
        let missing = (bytes == 0).then_some(Color::Yellow);
        let said = if bytes == 0 { "missing".to_owned() } else { bytes.to_string() };
        let counts = match lods.geometry.of(lod) {
            Some(Counts { triangles, vertices, .. }) => {
                [triangles, vertices].map(|n| n.to_string())
            }
            None if bytes == 0 => [const { String::new() }; 2],
            None => ["?", "?"].map(str::to_owned),
        };
        let mut cells = vec![Cell::new(lod), tinted(number(said), missing)];
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

/// The physics of each shape type, the one that counts in green.
fn choices(row: &FileRow, look: Look) -> Table {
    let columns =
        [Column::Name("Shape type", 40), Column::Number("Physics"), Column::Words("Made of")];
    let digits = decimals(row.detail.choices.iter().map(|choice| choice.physics.cost));
    let mut table = empty(look, &columns);
    for choice in &row.detail.choices {
        let colour = choice.chosen.then_some(Color::Green);
        let shape = if choice.chosen {
            format!("{} (as priced)", choice.shape)
        } else {
            choice.shape.to_string()
        };
        let cost = number(digits.show(choice.physics.cost));
        let cells = [Cell::new_owned(shape), cost, Cell::new(choice)];
        table.add_row(cells.map(|cell| tinted(cell, colour)));
    }
    table
}
