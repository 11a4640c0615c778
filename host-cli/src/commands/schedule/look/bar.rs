//! The budget as a bar: fixed, automatic, free, and what is over.

use clap::builder::styling::{AnsiColor, Style};

use lodger_scenes::{Amount, PlanReport};
use lodger_terminal::{Look, Money, Segment};

/// The bar and its legend, in two lines.
pub(super) fn bar(report: &PlanReport<'_>, money: Money<'_>, look: Look) -> String {
    lodger_terminal::bar(&segments(report), money, look)
}

fn segments(report: &PlanReport<'_>) -> [Segment; 4] {
    let [budget, fixed, assigned] =
        [report.budget, report.fixed, report.assigned].map(Amount::to_f64);
    let automatic = (assigned - fixed).max(0.0);
    let fixed_within = fixed.min(budget);
    let segment = |name, glyph, style, told, drawn| Segment { name, glyph, style, told, drawn };
    let free = (budget - assigned).max(0.0);
    let over = (assigned - budget).max(0.0);
    let automatic_within = automatic.min(budget - fixed_within);
    [
        segment("fixed", "█", AnsiColor::Yellow.on_default(), fixed, fixed_within),
        segment("automatic", "▓", AnsiColor::Green.on_default(), automatic, automatic_within),
        segment("free", "░", Style::new().dimmed(), free, free),
        segment("over budget", "▒", AnsiColor::Red.on_default(), over, over),
    ]
}
