//! The verdict, in a sentence or two.

use clap::builder::styling::{AnsiColor, Style};
use lodger_scenes::ASSUMED_SHARES;

use super::super::report::Report;
use lodger_terminal::{Look, Milliseconds, count, percent};

/// The headline of a report.
pub(super) fn headline(
    report: &Report<'_>,
    assumed: usize,
    ms: Milliseconds,
    look: Look,
) -> String {
    let (verdict, colour, rest) = verdict(report, ms);
    let verdict = look.paint(colour.on_default().bold(), &verdict);
    let mut lines = format!("{verdict} {rest}\n");
    if report.quarantined > 0 {
        let text = format!(
            "{} quarantined: position, age or speed is not a number.",
            count(report.quarantined, "actor")
        );
        lines += &look.paint(AnsiColor::Yellow.on_default(), &text);
        lines.push('\n');
    }
    if assumed > 0 {
        lines += &look.paint(Style::new().dimmed(), &of_assumed(assumed, report.actors.len()));
        lines.push('\n');
    }
    lines
}

/// Which levels are nobody's but ours.
fn of_assumed(assumed: usize, actors: usize) -> String {
    let [lower @ .., highest] = ASSUMED_SHARES.map(|share| f64::from(share) / 10.0);
    let lower: Vec<_> = lower.iter().map(f64::to_string).collect();
    let (have, their) = if assumed == 1 { ("has", "its") } else { ("have", "their") };
    format!(
        "{assumed} of {} {have} assumed levels: {} and {highest} % of {their} triangles.",
        count(actors, "actor"),
        lower.join(", "),
    )
}

fn verdict(report: &Report<'_>, ms: Milliseconds) -> (String, AnsiColor, String) {
    let assigned = ms.say(report.assigned_ms);
    if !report.feasible {
        return (
            format!("Over budget by {}:", ms.say(report.overcommit_ms)),
            AnsiColor::Red,
            format!("{assigned} assigned of {}, nothing left to lower.", ms.say(report.budget_ms)),
        );
    }
    if report.budget_ms.is_infinite() {
        let rest = format!("{assigned} assigned, every target met.");
        return ("Unlimited:".to_owned(), AnsiColor::Green, rest);
    }
    let targets = if report.scale < 1.0 {
        format!("targets scaled to {}", percent(report.scale))
    } else {
        "every target met".to_owned()
    };
    let rest = format!("{assigned} assigned of {}, {targets}.", ms.say(report.budget_ms));
    ("Within budget:".to_owned(), AnsiColor::Green, rest)
}
