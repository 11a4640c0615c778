//! The budget as a bar: fixed, automatic, free, and what is over.

use clap::builder::styling::{AnsiColor, Style};

use super::super::report::Report;
use lodger_terminal::{Look, Milliseconds, Segment};

/// The bar and its legend, in two lines.
pub(super) fn bar(report: &Report<'_>, ms: Milliseconds, look: Look) -> String {
    lodger_terminal::bar(&segments(report), ms, look)
}

fn segments(report: &Report<'_>) -> [Segment; 4] {
    let automatic_ms = (report.assigned_ms - report.fixed_ms).max(0.0);
    let fixed_within = report.fixed_ms.min(report.budget_ms);
    let segment =
        |name, glyph, style, told_ms, drawn_ms| Segment { name, glyph, style, told_ms, drawn_ms };
    let free_ms = (report.budget_ms - report.assigned_ms).max(0.0);
    let over_ms = (report.assigned_ms - report.budget_ms).max(0.0);
    [
        segment("fixed", "█", AnsiColor::Yellow.on_default(), report.fixed_ms, fixed_within),
        segment(
            "automatic",
            "▓",
            AnsiColor::Green.on_default(),
            automatic_ms,
            automatic_ms.min(report.budget_ms - fixed_within),
        ),
        segment("free", "░", Style::new().dimmed(), free_ms, free_ms),
        segment("over budget", "▒", AnsiColor::Red.on_default(), over_ms, over_ms),
    ]
}
