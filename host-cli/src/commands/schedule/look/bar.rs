//! The budget as a bar: fixed, automatic, free, and what is over.

use clap::builder::styling::{AnsiColor, Style};

use super::super::report::Report;
use lodger_terminal::{Look, Milliseconds, share_out};

/// A wider bar tells no more.
const WIDEST: usize = 72;

struct Segment {
    name: &'static str,
    glyph: &'static str,
    style: Style,
    /// What is told, in milliseconds.
    told_ms: f64,
    /// What is drawn, in milliseconds.
    drawn_ms: f64,
}

/// The bar and its legend, in two lines.
pub(super) fn bar(report: &Report<'_>, ms: Milliseconds, look: Look) -> String {
    let segments = segments(report);
    let cells = (look.width - 2).min(WIDEST);
    let lengths = share_out(cells, &segments.each_ref().map(|s| s.drawn_ms));
    let drawn: String = segments
        .iter()
        .zip(lengths)
        .map(|(s, length)| look.paint(s.style, &s.glyph.repeat(length)))
        .collect();
    let legend: Vec<_> = segments
        .iter()
        .filter(|s| s.told_ms > 0.0)
        .map(|s| {
            let told = ms.say(s.told_ms);
            format!("{} {} {told}", look.paint(s.style, s.glyph), s.name)
        })
        .collect();
    format!("  {drawn}\n  {}\n", legend.join("   "))
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
