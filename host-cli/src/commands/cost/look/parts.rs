//! Objects with their parts below them.

use clap::builder::styling::Style;
use comfy_table::Cell;
use lodger_input::figures::{scale, weights};
use lodger_opensim::pricing::{PartPrice, first_digits, whereabouts};
use lodger_terminal::layout::{Column, empty, name, number};
use lodger_terminal::{Look, plain};

use super::super::report::{ObjectRow, Report};
use super::objects::why;
use super::rows::{rest, shown};

/// What stands before the parts of an object.
const INDENT: &str = "  ";
/// The narrowest terminal on which there is room for scales, scripts and meshes.
const WIDE: usize = 120;
/// The characters of a place.
const PLACE: usize = 40;

/// The objects of a report, as far as all are asked for, each with all of its parts.
pub(super) fn parts(report: &Report, all: bool, look: Look) -> String {
    let rows = &report.objects[..shown(report.objects.len(), all)];
    let blocks = rows.iter().zip(whereabouts(rows.iter().map(|row| &row.object), PLACE)).map(
        |(row, place)| {
            let heading = look.paint(Style::new().bold(), &plain(&row.object.name));
            let place = if place.is_empty() { place } else { format!(" ({})", plain(&place)) };
            let impact = row.price.assessment.land_impact.value;
            let line = format!("{heading}{place}: land impact {impact}, limited by {}", why(row));
            line + "\n" + &table(row, look)
        },
    );
    let blocks: Vec<_> = blocks.collect();
    blocks.join("\n") + &rest(report.objects.len() - rows.len(), "object", look)
}

fn table(row: &ObjectRow, look: Look) -> String {
    let is_wide = look.width >= WIDE;
    let parts = &row.object.parts;
    let mut columns =
        vec![Column::Number("#"), Column::Name("Part", 30), Column::Name("Shape", 12)];
    columns.extend(is_wide.then_some(Column::Name("Scale", 24)));
    columns.extend(is_wide.then_some(Column::Number("Scripts")));
    columns.extend(["Triangles", "Streaming", "Physics"].map(Column::Number));
    columns.push(Column::Words("Trust; collides as"));
    let width = look.width - INDENT.len();
    let mut table = empty(Look { width, ..look }, &columns);
    let streaming = weights(parts.iter().map(|part| part.streaming));
    let physics = weights(parts.iter().map(|part| part.physics.cost));
    for (index, part) in parts.iter().enumerate() {
        let mesh = part.mesh().filter(|_| is_wide).map(first_digits);
        let shape = [Some(part.shape.to_string()), mesh].into_iter().flatten();
        let mut cells = vec![number((index + 1).to_string()), name(&part.name)];
        cells.push(Cell::new_owned(shape.collect::<Vec<_>>().join(" ")));
        cells.extend(is_wide.then(|| Cell::new_owned(scale(part.scale))));
        cells.extend(is_wide.then(|| number(part.scripts.to_string())));
        cells.push(number(triangles(part)));
        cells.push(number(streaming.show(part.streaming)));
        cells.push(number(physics.show(part.physics.cost)));
        let (trust, physics) = (part.streaming_provenance, &part.physics);
        let collides = format!("{trust}; {}, {}", physics.representation, physics.provenance);
        cells.push(Cell::new_owned(collides));
        table.add_row(cells);
    }
    let text = table.trim_fmt().replace('\n', &format!("\n{INDENT}"));
    format!("{INDENT}{text}\n")
}

/// Those of the high LOD, for a part that shows a mesh.
fn triangles(part: &PartPrice) -> String {
    let high = part.geometry.and_then(|lods| lods.high);
    match (part.mesh(), high) {
        (_, Some(counts)) => counts.triangles.to_string(),
        (Some(_), None) => "?".to_owned(),
        (None, None) => String::new(),
    }
}
