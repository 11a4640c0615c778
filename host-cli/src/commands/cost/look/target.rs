//! What a land impact allows, for eyes.

use std::fmt::Write as _;

use clap::builder::styling::{AnsiColor, Style};
use comfy_table::{Cell, Table};
use lodger_core::cost::streaming::{Lods, MeshLod};

use super::super::report::{Answer, Limit};
use super::headline::headline;
use super::lines::{self, verdict};
use lodger_terminal::layout::{Column, empty, number};
use lodger_terminal::{Look, hint, labelled, length};

/// What is as good as no limit.
const MOST: i32 = i32::MAX;

/// The answer as text with a newline at its end.
pub(crate) fn target(answer: &Answer, look: Look) -> String {
    let mut text = headline(&answer.now, look) + "\n";
    let target = answer.target;
    let heading = format!("Bytes for land impact {target} at this size");
    let _ = writeln!(text, "{}", look.paint(Style::new().bold(), &heading));
    if let Some(why_not) = &answer.bytes.why_not {
        let red = AnsiColor::Red.on_default().bold();
        text += &labelled("Impossible:", red, why_not, look);
    } else {
        text += &(bytes(answer, look).trim_fmt() + "\n");
        let note = "alone: if the other LODs stay as they are; together: if all change alike";
        text += &hint(note, look);
    }
    let heading = format!("Size for land impact {target} with the bytes it has");
    let _ = write!(text, "\n{}\n{}", look.paint(Style::new().bold(), &heading), size(answer, look));
    if !answer.notes.is_empty() {
        text += "\n";
        text += &lines::notes(answer.notes.iter().cloned(), true, look);
    }
    text
}

fn bytes(answer: &Answer, look: Look) -> Table {
    let numbers = ["Bytes now", "Alone", "Together"].map(Column::Number);
    let mut table = empty(look, &[&[Column::Name("LOD", 30)], &numbers[..]].concat());
    let alone = answer.bytes.alone.to_array();
    let together = answer.bytes.together.map(Lods::to_array);
    let now = answer.now.detail.lods.bytes.to_array();
    for (index, lod) in MeshLod::ALL.into_iter().enumerate() {
        let said = |size: Option<i32>, none: &str| match size {
            None => none.to_owned(),
            Some(MOST) => "no limit".to_owned(),
            Some(0) => "missing".to_owned(),
            Some(size) => size.to_string(),
        };
        table.add_row([
            Cell::new(lod),
            number(said(Some(now[index]), "")),
            number(said(alone[index], "impossible")),
            number(said(together.map(|sizes| sizes[index]), "impossible")),
        ]);
    }
    table
}

fn size(answer: &Answer, look: Look) -> String {
    let size = &answer.size;
    let lines = match (size.limit, size.scale) {
        (Limit::UpTo, Some(sides)) => {
            // Rounded down, so that what is read off is within the target.
            let [x, y, z] = sides.map(|side| length(floor(side)));
            verdict(true, &format!("Up to {x} × {y} × {z} m"), look)
                + " in these proportions (rounded down)"
        }
        (Limit::Never, _) => verdict(false, "Impossible:", look) + " it costs more at any size",
        _ if size.all_smaller => verdict(true, "Any size:", look) + " it never costs more",
        _ => verdict(true, "No upper limit:", look) + " it does not cost more when large",
    };
    let some_are_not = size.limit != Limit::Never && !size.all_smaller;
    let caveat = if some_are_not { "But not at every smaller size: see --sweep.\n" } else { "" };
    format!("{lines}\n{caveat}")
}

/// To four significant digits, downward.
fn floor(side: f64) -> f64 {
    if side <= 0.0 {
        return 0.0;
    }
    let step = 10_f64.powf(side.log10().floor() - 3.0);
    (side / step).floor() * step
}
