//! The budget as a bar: fixed, automatic, free, and what is over.

use clap::builder::styling::{AnsiColor, Style};

use super::super::report::Report;
use lodger_terminal::{Look, Milliseconds};

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
    let lengths = lengths(&segments.each_ref().map(|s| s.drawn_ms), cells);
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

/// Shares out the cells so that they add up and nothing that is there is invisible.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "at most a line of cells"
)]
fn lengths<const N: usize>(parts_ms: &[f64; N], cells: usize) -> [usize; N] {
    // Beside an unlimited rest nothing else has a length worth telling.
    let finite = parts_ms.map(|ms| if ms.is_finite() { ms } else { 0.0 });
    let unlimited = parts_ms.iter().any(|ms| ms.is_infinite());
    let total: f64 = finite.iter().sum::<f64>() * if unlimited { 2.0 } else { 1.0 };
    let mut lengths = finite
        .map(|ms| if ms > 0.0 { ((ms / total * cells as f64).round() as usize).max(1) } else { 0 });
    let longest = (0..N).max_by_key(|&i| lengths[i]).unwrap_or(0);
    let used: usize = lengths.iter().sum();
    match parts_ms.iter().position(|ms| ms.is_infinite()) {
        Some(rest) => lengths[rest] = cells.saturating_sub(used),
        None if used > 0 => lengths[longest] = (lengths[longest] + cells).saturating_sub(used),
        None => {}
    }
    lengths
}

#[cfg(test)]
mod tests {
    use super::lengths;

    #[test]
    fn cells_add_up_and_nothing_is_invisible() {
        assert_eq!(lengths(&[1.0, 2.0, 1.0], 40), [10, 20, 10]);
        assert_eq!(lengths(&[0.001, 5.0, 0.0], 40), [1, 39, 0]);
        assert_eq!(lengths(&[1.0, 1.0, 1.0], 40).iter().sum::<usize>(), 40);
        assert_eq!(lengths(&[0.0, 0.0, 0.0], 40), [0, 0, 0]);
        assert_eq!(lengths(&[0.0, 3.0, f64::INFINITY], 40), [0, 20, 20]);
    }
}
