//! Costs, sizes and remarks in words and figures for eyes.

use clap::builder::styling::{AnsiColor, Style};

use lodger_terminal::{Look, plain};

/// More notes than this are told only if all rows are.
const MOST_NOTES: usize = 5;

/// A weight: three decimals, so that what rounds up and what rounds down look different.
pub(super) fn weight(cost: f64) -> String {
    if cost > 0.0 && cost < 0.0005 { "<0.001".to_owned() } else { format!("{cost:.3}") }
}

/// A length without its unit, to four significant digits.
pub(super) fn length(metres: f64) -> String {
    let decimals = match metres {
        m if m >= 1000.0 || m == 0.0 => 0,
        m if m >= 100.0 => 1,
        m if m >= 10.0 => 2,
        m if m >= 0.1 => 3,
        m if m >= 0.01 => 4,
        _ => 6,
    };
    let text = format!("{metres:.decimals$}");
    match text.split_once('.') {
        Some(_) => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        None => text,
    }
}

/// A scale with its unit.
pub(super) fn scale(sides: [f64; 3]) -> String {
    let [x, y, z] = sides.map(length);
    format!("{x} × {y} × {z} m")
}

/// A part of a whole.
pub(super) fn percent(part: f64) -> String {
    let percent = part * 100.0;
    if percent > 0.0 && percent < 0.05 { "<0.1 %".to_owned() } else { format!("{percent:.1} %") }
}

/// The end of a path, which tells more than its beginning.
pub(super) fn tail(text: &str, most: usize) -> String {
    let count = text.chars().count();
    if count <= most {
        return text.to_owned();
    }
    let rest = text.chars().skip(count - most.saturating_sub(1));
    std::iter::once('…').chain(rest).collect()
}

/// A land impact and what it comes from, the first in bold.
pub(super) fn impact(value: u32, limited_by: Option<&str>, look: Look) -> String {
    let value = look.paint(AnsiColor::Green.on_default().bold(), &format!("Land impact {value}"));
    match limited_by {
        Some(weight) => format!("{value}, limited by {weight}"),
        None => format!("{value}, the number of prims (old accounting)"),
    }
}

/// The text with newlines where lines would be wider than the terminal.
pub(super) fn wrapped(text: &str, look: Look) -> String {
    let mut lines = String::with_capacity(text.len());
    let mut width = 0;
    for word in text.split(' ') {
        let length = word.chars().count();
        if width > 0 && width + 1 + length > look.width {
            lines.push('\n');
            width = 0;
        } else if width > 0 {
            lines.push(' ');
            width += 1;
        }
        lines.push_str(word);
        width += length;
    }
    lines
}

/// What is good to know, in faint letters and with a newline at its end.
pub(super) fn hint(text: &str, look: Look) -> String {
    look.paint(Style::new().dimmed(), &wrapped(text, look)) + "\n"
}

/// Remarks, a line each; `--all` tells all of them.
pub(super) fn notes(notes: impl ExactSizeIterator<Item = String>, all: bool, look: Look) -> String {
    let more = if all { 0 } else { notes.len().saturating_sub(MOST_NOTES) };
    let shown = notes.len() - more;
    let yellow = AnsiColor::Yellow.on_default();
    let line = |note: String| {
        let text = wrapped(&format!("note: {}", plain(&note)), look);
        let rest = text.trim_start_matches("note:");
        format!("{}{rest}\n", look.paint(yellow, "note:"))
    };
    let mut text: String = notes.take(shown).map(line).collect();
    if more > 0 {
        text += &hint(&format!("… and {more} more notes; --all shows all"), look);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{length, percent, tail, weight, wrapped};
    use lodger_terminal::Look;

    #[test]
    fn lines_end_between_words() {
        let look = Look { width: 9, colour: false };
        assert_eq!(wrapped("one two three", look), "one two\nthree");
        assert_eq!(wrapped("indivisible one", look), "indivisible\none");
    }

    #[test]
    fn figures_are_short_and_tell_small_from_none() {
        assert_eq!(weight(0.0), "0.000");
        assert_eq!(weight(0.0001), "<0.001");
        assert_eq!(weight(2.4996), "2.500");
        assert_eq!(length(1.0), "1");
        assert_eq!(length(0.5), "0.5");
        assert_eq!(length(43.4399), "43.44");
        assert_eq!(length(100.0), "100");
        assert_eq!(length(0.135_41), "0.135");
        assert_eq!(percent(0.000_01), "<0.1 %");
        assert_eq!(percent(1.0), "100.0 %");
        assert_eq!(tail("a/long/path", 5), "…path");
        assert_eq!(tail("short", 5), "short");
    }
}
