//! Lines of a log in a format that somebody wants.

use clap::builder::styling::{AnsiColor, Style};
use lodger_probe::{Colour, Effect, Ink, Level, LogFormat, LogLine};
use lodger_terminal::{Look, plain};

use crate::words;

/// A line of the log, in as many lines as it and the format have.
pub(crate) fn log(format: &LogFormat, line: &LogLine, look: Look) -> String {
    let painted = |text: &str, ink: &Ink| {
        let text = plain(text);
        let style = style(ink, line.level);
        if style == Style::new() { text.into_owned() } else { look.paint(style, &text) }
    };
    let pieces = format.pieces(line).into_iter().map(|piece| {
        let lines = piece.text.split('\n').map(|text| painted(text, &piece.ink));
        lines.collect::<Vec<_>>().join("\n")
    });
    pieces.collect()
}

fn style(ink: &Ink, level: Option<Level>) -> Style {
    let mut style = ink.colour.map_or(Style::new(), |colour| coloured(colour, level));
    for effect in &ink.effects {
        style = match effect {
            Effect::Bold => style.bold(),
            Effect::Italic => style.italic(),
            Effect::Underline => style.underline(),
            Effect::Strike => style.strikethrough(),
            Effect::Dimmed => style.dimmed(),
        };
    }
    style
}

fn coloured(colour: Colour, level: Option<Level>) -> Style {
    let colour = match colour {
        Colour::Severity => return level.map_or(Style::new(), words::style),
        Colour::Werror => {
            let level = level.filter(|level| *level >= Level::Warn);
            return level.map_or(Style::new(), words::style);
        }
        Colour::Black => AnsiColor::Black,
        Colour::Red => AnsiColor::Red,
        Colour::Green => AnsiColor::Green,
        Colour::Yellow => AnsiColor::Yellow,
        Colour::Blue => AnsiColor::Blue,
        Colour::Magenta => AnsiColor::Magenta,
        Colour::Cyan => AnsiColor::Cyan,
        Colour::White => AnsiColor::White,
    };
    colour.on_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(format: &str, level: Level, colour: bool) -> String {
        let mut line = LogLine::new("too \u{1b}[31m\nmuch".to_owned());
        line.level = Some(level);
        log(&format.parse().expect("a format"), &line, Look { width: 80, colour })
    }

    #[test]
    fn what_a_board_says_is_obeyed_by_no_terminal() {
        assert_eq!(shown("[{L:>7}] {s}\n-", Level::Warn, false), "[   WARN] too ␛[31m\nmuch\n-");
    }

    #[test]
    fn colours_and_styles_are_those_of_the_format() {
        let red = |text: &str| format!("\u{1b}[31m{text}\u{1b}[0m");
        let lines = format!("{}\n{}", red("too ␛[31m"), red("much"));
        assert_eq!(shown("{s:red}", Level::Info, true), lines);
        assert_eq!(shown("{s:werror}", Level::Info, true), "too ␛[31m\nmuch");
        assert!(shown("{s:werror}", Level::Error, true).contains("\u{1b}[31m"));
        assert!(shown("{s:bold:underline}", Level::Info, true).starts_with("\u{1b}[1m\u{1b}[4m"));
    }
}
