//! One mesh in detail: its weights, and what each LOD contributes.

use std::fmt::Write as _;

use clap::builder::styling::{AnsiColor, Style};
use comfy_table::{Cell, Color, Table};

use super::report::{FileRow, NoteRow};
use super::words::{self, length, percent, scale, weight};
use lodger_terminal::layout::{Column, empty, number, tinted};
use lodger_terminal::{Look, plain};

/// The cells of the longest bar.
const BAR: f64 = 24.0;

/// The mesh as text with a newline at its end.
pub(super) fn detail(row: &FileRow, notes: &[NoteRow], what_if: bool, look: Look) -> String {
    let mut text = headline(row, what_if, look);
    text += "\n";
    text += &(weights(row, look).trim_fmt() + "\n\n");
    text += &(lods(row, look).trim_fmt() + "\n");
    if !row.physics.choices.is_empty() {
        let _ = writeln!(text, "\n{}", choices(row, look).trim_fmt());
    }
    if !notes.is_empty() {
        text += "\n";
        text += &words::notes(notes.iter().map(|row| row.note.clone()), true, look);
    }
    text
}

/// What it is, at which size, and its land impact.
pub(super) fn headline(row: &FileRow, what_if: bool, look: Look) -> String {
    let name = if what_if { "These LODs".into() } else { plain(&row.file) };
    let name = look.paint(Style::new().bold(), &name);
    let mut text = format!("{name} at {}\n", scale(row.scale));
    let impact = &row.land_impact;
    let _ = writeln!(text, "{}", words::impact(impact.value, impact.limited_by, look));
    if row.scale.iter().all(|side| side.to_bits() == 1.0_f64.to_bits()) {
        let hint = "An asset has no size of its own: --scale X,Y,Z prices another one.";
        text += &words::hint(hint, look);
    }
    text
}

fn weights(row: &FileRow, look: Look) -> Table {
    let physics = &row.physics;
    let mut what = format!("{}, {}", physics.representation, physics.provenance);
    if physics.penalised > physics.cost {
        let _ = write!(what, "; {} before the penalty", weight(physics.cost));
    }
    let rows = [
        ("streaming", row.streaming.cost, format!("{} rules", row.streaming.rules)),
        ("physics", physics.penalised, what),
        ("server", row.server.cost, "prims and scripts".to_owned()),
    ];
    let greatest = rows.iter().map(|row| row.1).fold(0.0, f64::max);
    let columns = [
        Column::Name("Weight", 30),
        Column::Number("Cost"),
        Column::Name("", 40),
        Column::Words(""),
    ];
    let mut table = empty(look, &columns);
    for (name, cost, what) in rows {
        let limits = row.land_impact.limited_by == Some(name);
        let colour = limits.then_some(Color::Green);
        let cells = [Cell::new(name), number(weight(cost)), Cell::new(bar(cost, greatest))];
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
    let streaming = &row.streaming;
    let numbers = ["Bytes", "Triangles", "From m", "Area", "Cost", "Share"].map(Column::Number);
    let columns = [&[Column::Name("LOD", 30)], &numbers[..]].concat();
    let mut table = empty(look, &columns);
    let names = ["lowest", "low", "medium", "high"];
    for (index, name) in names.into_iter().enumerate() {
        let (bytes, share) = (streaming.bytes.each()[index], streaming.share.each()[index]);
        let missing = (bytes == 0).then_some(Color::Yellow);
        let cells = [
            Cell::new(name),
            tinted(
                number(if bytes == 0 { "missing".to_owned() } else { bytes.to_string() }),
                missing,
            ),
            number(format!("{:.1}", streaming.triangles.each()[index])),
            number(length(streaming.begins.each()[index])),
            number(percent(streaming.area.each()[index])),
            number(weight(share * streaming.cost)),
            number(percent(share)),
        ];
        table.add_row(cells);
    }
    let bytes: i64 = streaming.bytes.each().into_iter().map(i64::from).sum();
    let blank = || Cell::new("");
    let total = number(weight(streaming.cost));
    let total = [Cell::new("total"), number(bytes.to_string()), blank(), blank(), blank(), total];
    table.add_row(total.map(|cell| cell.add_attribute(comfy_table::Attribute::Bold)));
    table
}

/// The physics of each shape type, the one that counts in green.
fn choices(row: &FileRow, look: Look) -> Table {
    let columns =
        [Column::Name("Shape type", 40), Column::Number("Physics"), Column::Words("Made of")];
    let mut table = empty(look, &columns);
    for choice in &row.physics.choices {
        let colour = choice.chosen.then_some(Color::Green);
        let shape = if choice.chosen {
            format!("{} (as priced)", choice.shape)
        } else {
            choice.shape.to_owned()
        };
        let cells =
            [Cell::new_owned(shape), number(weight(choice.cost)), Cell::new(&choice.made_of)];
        table.add_row(cells.map(|cell| tinted(cell, colour)));
    }
    table
}

/// A sentence that is good news or bad.
pub(super) fn verdict(good: bool, text: &str, look: Look) -> String {
    let colour = if good { AnsiColor::Green } else { AnsiColor::Red };
    look.paint(colour.on_default().bold(), text)
}
