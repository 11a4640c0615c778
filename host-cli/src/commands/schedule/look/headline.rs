//! The verdict, in a sentence or two.

use clap::builder::styling::{AnsiColor, Style};
use lodger_scenes::{ASSUMED_SHARES, Amount, PlanReport};
use lodger_terminal::{Decimals, Look, Money, count, percent};

/// The headline of a report.
pub(super) fn headline(
    report: &PlanReport<'_>,
    assumed: usize,
    money: Money<'_>,
    look: Look,
) -> String {
    let (verdict, colour, rest) = verdict(report, money);
    let verdict = look.paint(colour.on_default().bold(), &verdict);
    let mut lines = format!("{verdict} {rest}\n");
    if let Some(worth) = worth(report) {
        lines += &worth;
        lines.push('\n');
    }
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

/// What the plan is worth, where any plan is worth something.
fn worth(report: &PlanReport<'_>) -> Option<String> {
    let certificate = report.certificate;
    let (value, bound) = (certificate.value(), certificate.upper_bound());
    let decimals = Decimals::at_least(1, [value, bound]);
    let proof = if certificate.value == certificate.upper_bound {
        "no plan is worth more".to_owned()
    } else {
        format!("within {} of the best", percent(certificate.gap()))
    };
    let (value, bound) = (decimals.show(value), decimals.show(bound));
    (certificate.upper_bound > 0).then(|| format!("Worth {value} of at most {bound}: {proof}."))
}

fn verdict(report: &PlanReport<'_>, money: Money<'_>) -> (String, AnsiColor, String) {
    let assigned = money.say(report.assigned.to_f64());
    let budget = money.say(report.budget.to_f64());
    if !report.feasible {
        return (
            format!("Over budget by {}:", money.say(report.overcommit.to_f64())),
            AnsiColor::Red,
            format!("{assigned} assigned of {budget}, nothing left to lower."),
        );
    }
    let targets = match report.scale {
        Some(scale) if scale < 1.0 => format!(", targets scaled to {}", percent(scale)),
        Some(_) => ", every target met".to_owned(),
        None => String::new(),
    };
    if report.budget == Amount::Unlimited {
        let rest = format!("{assigned} assigned{targets}.");
        return ("Unlimited:".to_owned(), AnsiColor::Green, rest);
    }
    let rest = format!("{assigned} assigned of {budget}{targets}.");
    ("Within budget:".to_owned(), AnsiColor::Green, rest)
}
