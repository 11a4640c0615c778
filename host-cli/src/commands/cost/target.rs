use std::fmt::Write as _;

use clap::builder::styling::{AnsiColor, Style};
use comfy_table::{Cell, Table};
use lodger_core::cost::ObjectScale;
use lodger_core::cost::streaming::{MeshLod, PerLod, Reach};
use lodger_opensim::pricing::{BytesInfeasible, PriceNote, TargetLimits};
use lodger_terminal::layout::{TableColumn, new_table, number};
use lodger_terminal::{RenderOptions, hint, labelled, length};
use serde::Serialize;

use super::render::{headline, notes, verdict};
use super::report::FileRow;
use super::weights::PriceBasis;

#[derive(Debug, Serialize)]
pub(crate) struct TargetReport {
    schema: u32,
    rules_source: &'static str,
    pub(crate) target: u32,
    pub(crate) now: FileRow,
    pub(crate) bytes: ByteLimitReport,
    /// The limit of the size with the current bytes.
    pub(crate) size: SizeLimitReport,
    pub(crate) notes: Vec<String>,
}

#[derive(Debug, Serialize)]
pub(crate) struct ByteLimitReport {
    /// Whether any number of bytes reaches the target.
    pub(crate) possible: bool,
    pub(crate) why_not: Option<String>,
    /// The limit of each LOD, if the others stay; `None` if not one byte is left.
    pub(crate) alone: PerLod<Option<i32>>,
    /// Limits of all LODs, if each changes by the same factor.
    pub(crate) together: Option<PerLod<i32>>,
}

#[derive(Debug, Serialize)]
pub(crate) struct SizeLimitReport {
    pub(crate) limit: Limit,
    /// The greatest scale of the same proportions, in metres; `None` if there is no limit, or no
    /// size.
    pub(crate) scale: Option<[f64; 3]>,
    /// The longest side of that scale, in metres.
    pub(crate) longest_side: Option<f64>,
    pub(crate) all_smaller: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Limit {
    /// No size is within the target.
    Never,
    /// Sizes up to a limit are within the target.
    UpTo,
    /// Any size is within the target.
    Always,
}

impl TargetReport {
    pub(crate) fn new(file: String, target: TargetLimits, basis: PriceBasis) -> Self {
        let TargetLimits { land_impact, now, bytes, size, .. } = target;
        let (limit, scale) = match size.reach {
            Reach::Never => (Limit::Never, None),
            Reach::UpTo(scale) => (Limit::UpTo, Some(scale)),
            Reach::Always => (Limit::Always, None),
        };
        Self {
            schema: 1,
            rules_source: basis.source,
            target: land_impact,
            notes: now.notes.iter().map(PriceNote::to_string).collect(),
            now: FileRow::new(file, now, basis),
            bytes: ByteLimitReport {
                possible: bytes.none.is_none(),
                why_not: bytes.none.as_ref().map(BytesInfeasible::to_string),
                alone: bytes.each,
                together: bytes.scaled,
            },
            size: SizeLimitReport {
                limit,
                scale: scale.map(ObjectScale::sides),
                longest_side: scale.map(ObjectScale::longest),
                all_smaller: size.all_smaller,
            },
        }
    }
}

const MOST: i32 = i32::MAX;

pub(super) fn table(answer: &TargetReport, style: RenderOptions) -> String {
    let mut text = headline(&answer.now, style) + "\n";
    let target = answer.target;
    let heading = format!("Bytes for land impact {target} at this size");
    let _ = writeln!(text, "{}", style.paint(Style::new().bold(), &heading));
    if let Some(why_not) = &answer.bytes.why_not {
        let red = AnsiColor::Red.on_default().bold();
        text += &labelled("Impossible:", red, why_not, style);
    } else {
        text += &(bytes(answer, style).trim_fmt() + "\n");
        let note = "alone: if the other LODs stay as they are; together: if all change alike";
        text += &hint(note, style);
    }
    let heading = format!("Size for land impact {target} with the bytes it has");
    let _ =
        write!(text, "\n{}\n{}", style.paint(Style::new().bold(), &heading), size(answer, style));
    if !answer.notes.is_empty() {
        text += "\n";
        text += &notes(answer.notes.iter().cloned(), true, style);
    }
    text
}

fn bytes(answer: &TargetReport, style: RenderOptions) -> Table {
    let numbers = ["Bytes now", "Alone", "Together"].map(TableColumn::Number);
    let mut table = new_table(style, &[&[TableColumn::Name("LOD", 30)], &numbers[..]].concat());
    let alone = answer.bytes.alone.to_array();
    let together = answer.bytes.together.map(PerLod::to_array);
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

fn size(answer: &TargetReport, style: RenderOptions) -> String {
    let size = &answer.size;
    let lines = match (size.limit, size.scale) {
        (Limit::UpTo, Some(sides)) => {
            // Rounded down, so that the shown size is within the target.
            let [x, y, z] = sides.map(|side| length(floor(side)));
            verdict(true, &format!("Up to {x} × {y} × {z} m"), style)
                + " in these proportions (rounded down)"
        }
        (Limit::Never, _) => verdict(false, "Impossible:", style) + " it costs more at any size",
        _ if size.all_smaller => verdict(true, "Any size:", style) + " it never costs more",
        _ => verdict(true, "No upper limit:", style) + " it does not cost more when large",
    };
    let some_are_not = size.limit != Limit::Never && !size.all_smaller;
    let caveat = if some_are_not { "But not at every smaller size: see --sweep.\n" } else { "" };
    format!("{lines}\n{caveat}")
}

/// Rounds down to four significant digits.
fn floor(side: f64) -> f64 {
    if side <= 0.0 {
        return 0.0;
    }
    let step = 10_f64.powf(side.log10().floor() - 3.0);
    (side / step).floor() * step
}
