//! What a mesh is, at which size, and its land impact.

use std::fmt::Write as _;

use clap::builder::styling::{AnsiColor, Style};
use lodger_input::figures::scale;

use super::super::report::FileRow;
use lodger_terminal::{Look, hint, plain};

/// What it is, at which size, and its land impact.
pub(super) fn headline(row: &FileRow, look: Look) -> String {
    let name = match (row.detail.lods.is_counted, row.detail.price.assessment.prims) {
        (true, _) => plain(&row.file),
        (false, 1) => "These LODs".into(),
        (false, prims) => format!("{prims} prims of these LODs").into(),
    };
    let name = look.paint(Style::new().bold(), &name);
    let mut text = format!("{name} at {}\n", scale(row.scale));
    let impact = &row.weights.land_impact;
    let bold = AnsiColor::Green.on_default().bold();
    text += &look.paint(bold, &format!("Land impact {}", impact.value));
    let _ = match impact.limited_by {
        Some(weight) => writeln!(text, ", limited by {weight}"),
        None => writeln!(text, ", the number of prims (old accounting)"),
    };
    if row.scale.iter().all(|side| side.to_bits() == 1.0_f64.to_bits()) {
        let one = "An asset has no size of its own: --scale X,Y,Z prices another one.";
        text += &hint(one, look);
    }
    text
}
