//! How a line of a log is to look: the format strings that defmt's own tools take.
//!
//! Source: the defmt book, "Custom log output". Read here and not by defmt-decoder, which panics at a
//! mistake and cannot say where it is.

mod ink;
mod parse;
mod render;

pub use ink::{Colour, Effect, Ink, Piece};
pub use parse::BadLogFormat;

use parse::parse;
use std::str::FromStr;

use crate::log::LogLine;

/// A format, as `{t} {L} {s}` or `{L:bold:5} {f:>12}:{l:1} {s}`.
///
/// # Examples
/// ```
/// use lodger_probe::LogFormat;
///
/// assert!("{L} {s}".parse::<LogFormat>().is_ok());
/// let error = "{L} {s:bald}".parse::<LogFormat>().expect_err("no such style");
/// assert!(error.to_string().starts_with("at character 8: "));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogFormat(Vec<parse::Segment>);

impl FromStr for LogFormat {
    type Err = BadLogFormat;

    fn from_str(text: &str) -> Result<Self, BadLogFormat> {
        parse(text).map(Self)
    }
}

impl LogFormat {
    /// A line in this format. What has no level, as plain text and `defmt::println!`, is left as it is.
    #[must_use]
    pub fn pieces(&self, line: &LogLine) -> Vec<Piece> {
        if line.level.is_none() {
            return vec![Piece { text: line.text.clone(), ink: Ink::default() }];
        }
        render::line(&self.0, line)
    }
}

#[cfg(test)]
mod tests {
    use defmt_decoder::Table;
    use defmt_decoder::log::format::{Formatter, FormatterConfig};

    use super::*;
    use crate::fixture::{elf_that_logs, frame_of};
    use crate::log::{Level, Location};

    const FORMATS: [&str; 15] = [
        "{s}",
        "Log: {s}",
        "[{L}] {s}",
        "{L:bold:5} {f:white:<10} {s}",
        "{t} {L} {s} {c} {m} {F}:{l}",
        "{f} {ff} {fff} {ffff}|{s}",
        "{L:>8}|{L:<8}|{L:^8}|{L:08}|{L:>08}|{s}",
        "{l:1} {l} {l:^9} {s:30}|",
        "{[{L}]%bold} {s}",
        "{[{L:bold}]%underline} {s}",
        "{{[{L}]%bold} {f:>20}:%<35} {s}",
        "{t} {[{L}]%bold} {s} {({c:bold} {fff}:{l:1})%dimmed}",
        "{s:red}{s:werror}{s:severity}{s:bold:italic:underline:strike:dimmed}",
        "{L} {s}\n└─ {m} @ {F}:{l}",
        "{{s}%>20}",
    ];

    /// What defmt-decoder makes of the line, without colours.
    fn theirs(format: &str, with_place: bool) -> String {
        let table = Table::parse(&elf_that_logs("microbit")).expect("sound").expect("defmt");
        let mut stream = table.new_stream_decoder();
        stream.received(&frame_of(7));
        let frame = stream.decode().expect("a frame");
        let formatter = Formatter::new(FormatterConfig::custom(format));
        let place = with_place.then_some(("src/deep/app.rs", 12, "app::device"));
        let text = formatter.format_frame(
            frame,
            place.map(|(file, ..)| file),
            place.map(|(_, line, _)| line),
            place.map(|(.., module)| module),
        );
        let mut shown = String::new();
        let mut is_colour = false;
        for c in text.chars() {
            is_colour |= c == '\x1b';
            if !is_colour {
                shown.push(c);
            }
            is_colour &= c != 'm';
        }
        shown
    }

    fn warning(with_place: bool) -> LogLine {
        let mut line = LogLine::new("seven is 7".to_owned());
        line.level = Some(Level::Warn);
        let place = || Location::new("src/deep/app.rs".into(), 12, "app::device".to_owned());
        line.location = with_place.then(place);
        line
    }

    fn ours(format: &str, line: &LogLine) -> String {
        let format: LogFormat = format.parse().unwrap_or_else(|error| panic!("{format}: {error}"));
        format.pieces(line).into_iter().map(|piece| piece.text).collect()
    }

    #[test]
    fn formats_mean_what_they_mean_to_defmt() {
        for format in FORMATS {
            for with_place in [true, false] {
                let line = warning(with_place);
                assert_eq!(ours(format, &line), theirs(format, with_place), "{format}");
            }
        }
    }

    #[test]
    fn a_time_is_the_boards_own() {
        let mut line = warning(true);
        line.time = Some("0.5".to_owned());
        assert_eq!(ours("{t:>5} {s}", &line), "  0.5 seven is 7");
    }

    #[test]
    fn what_has_no_level_is_left_as_it_is() {
        let mut line = LogLine::new("hello".to_owned());
        line.time = Some("0.5".to_owned());
        assert_eq!(ours("{t} [{L}] {s}", &line), "hello");
    }
}
