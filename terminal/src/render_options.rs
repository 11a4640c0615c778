//! Width and colours of the output, sentences within that width, and a bar of segments.

use std::io;

use anstream::{AutoStream, ColorChoice};
use clap::builder::styling::Style;
use terminal_size::terminal_size_of;

use crate::text::{LONGEST_SENTENCE, clipped};
use crate::{Money, Target};

/// The width of what is not shown on a terminal.
const WIDTH_ELSEWHERE: usize = 100;
/// Below this, lines wrap instead.
const NARROWEST: usize = 60;
/// Above this, eyes lose the line.
const WIDEST: usize = 160;

/// How a table looks.
#[derive(Clone, Copy, Debug)]
pub struct Look {
    /// Characters in a line.
    pub width: usize,
    /// Whether to use colours.
    pub colour: bool,
}

impl Look {
    /// Colours and full width on a terminal, neither in a file.
    #[must_use]
    pub fn of(target: Target<'_>) -> Self {
        match target {
            Target::File(_) => Self { width: WIDTH_ELSEWHERE, colour: false },
            Target::Stdout => Self {
                width: terminal_size_of(io::stdout())
                    .map_or(WIDTH_ELSEWHERE, |(columns, _)| usize::from(columns.0))
                    .clamp(NARROWEST, WIDEST),
                colour: AutoStream::choice(&io::stdout()) != ColorChoice::Never,
            },
        }
    }

    /// The text in a style, if colours are wanted.
    #[must_use]
    pub fn paint(self, style: Style, text: &str) -> String {
        if self.colour { format!("{style}{text}{style:#}") } else { text.to_owned() }
    }
}

/// A wider bar tells no more.
const WIDEST_BAR: usize = 72;

/// A part of a bar.
#[derive(Clone, Copy, Debug)]
pub struct Segment {
    /// What it is.
    pub name: &'static str,
    /// What its cells look like.
    pub glyph: &'static str,
    /// How they are painted.
    pub style: Style,
    /// What is told, as money; a part of which nothing is told is not in the legend.
    pub told: f64,
    /// What is drawn, in the same unit, which may be infinite.
    pub drawn: f64,
}

/// A bar and its legend, in two lines.
#[must_use]
pub fn bar<const N: usize>(segments: &[Segment; N], money: Money<'_>, look: Look) -> String {
    let cells = (look.width - 2).min(WIDEST_BAR);
    let lengths = share_out(cells, &segments.each_ref().map(|segment| segment.drawn));
    let paint = |(segment, length): (&Segment, usize)| {
        look.paint(segment.style, &segment.glyph.repeat(length))
    };
    let parts: String = segments.iter().zip(lengths).map(paint).collect();
    let is_told = |segment: &&Segment| segment.told > 0.0;
    let tell = |Segment { name, glyph, style, told, .. }: &Segment| {
        format!("{} {name} {}", look.paint(*style, glyph), money.say(*told))
    };
    let legend: Vec<_> = segments.iter().filter(is_told).map(tell).collect();
    format!("  {parts}\n  {}\n", legend.join("   "))
}

/// Shares out the cells of a bar by the lengths of its parts, so that they add up and nothing that is there is
/// invisible. A part may be infinite: then the others have half of the bar.
#[must_use]
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "at most a line of cells"
)]
pub fn share_out<const N: usize>(cells: usize, parts: &[f64; N]) -> [usize; N] {
    // Beside an unlimited rest nothing else has a length worth telling.
    let finite = parts.map(|part| if part.is_finite() { part } else { 0.0 });
    let unlimited = parts.iter().any(|part| part.is_infinite());
    let total: f64 = finite.iter().sum::<f64>() * if unlimited { 2.0 } else { 1.0 };
    let mut lengths = finite.map(|part| {
        if part > 0.0 { ((part / total * cells as f64).round() as usize).max(1) } else { 0 }
    });
    let longest = (0..N).max_by_key(|&i| lengths[i]).unwrap_or(0);
    let used: usize = lengths.iter().sum();
    match parts.iter().position(|part| part.is_infinite()) {
        Some(rest) => lengths[rest] = cells.saturating_sub(used),
        None if used > 0 => lengths[longest] = (lengths[longest] + cells).saturating_sub(used),
        None => {}
    }
    lengths
}

/// The text with newlines where lines would be wider than the terminal.
#[must_use]
pub fn wrapped(text: &str, look: Look) -> String {
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
#[must_use]
pub fn hint(text: &str, look: Look) -> String {
    look.paint(Style::new().dimmed(), &wrapped(text, look)) + "\n"
}

/// A sentence whose first word says what it is, that word painted, and a newline at its end. The text may
/// be a stranger's: what a terminal would obey is replaced, and what is very long is clipped.
#[must_use]
pub fn labelled(label: &str, style: Style, text: &str, look: Look) -> String {
    let said = wrapped(&format!("{label} {}", clipped(text, LONGEST_SENTENCE)), look);
    format!("{}{}\n", look.paint(style, label), said.trim_start_matches(label))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_add_up_and_nothing_is_invisible() {
        assert_eq!(share_out(40, &[1.0, 2.0, 1.0]), [10, 20, 10]);
        assert_eq!(share_out(40, &[0.001, 5.0, 0.0]), [1, 39, 0]);
        assert_eq!(share_out(40, &[1.0, 1.0, 1.0]).iter().sum::<usize>(), 40);
        assert_eq!(share_out(40, &[0.0, 0.0, 0.0]), [0, 0, 0]);
        assert_eq!(share_out(40, &[0.0, 3.0, f64::INFINITY]), [0, 20, 20]);
    }

    #[test]
    fn a_note_is_one_line_of_a_stated_length() {
        let look = Look { width: 100, colour: false };
        let note = |text: &str| labelled("note:", Style::new(), text, look);
        assert_eq!(note("one\ntwo"), "note: one␊two\n");
        assert_eq!(note(&"x".repeat(1 << 20)).chars().filter(|c| *c == 'x').count(), 400);
        assert_eq!(note(&"x ".repeat(1 << 20)).matches('x').count(), 200);
    }

    #[test]
    fn lines_end_between_words() {
        let look = Look { width: 9, colour: false };
        assert_eq!(wrapped("one two three", look), "one two\nthree");
        assert_eq!(wrapped("indivisible one", look), "indivisible\none");
    }
}
