//! Format strings: text to segments.

use std::error::Error;
use std::fmt;

use super::ink::{Colour, Effect, Ink};

/// No line is wider than that.
const WIDEST: usize = 1_000;

/// A part of a format, and how it looks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Segment {
    pub(super) part: Part,
    pub(super) look: Look,
}

/// What a segment stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Part {
    /// Itself.
    Text(String),
    /// `c`
    Crate,
    /// `f`, with so many parts of the path as it is repeated
    FileName(usize),
    /// `F`
    FilePath,
    /// `l`
    Line,
    /// `s`
    Message,
    /// `L`
    Level,
    /// `m`
    Module,
    /// `t`
    Time,
    /// Segments that look alike.
    Group(Vec<Segment>),
}

/// How a segment looks.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Look {
    pub(super) width: Option<usize>,
    pub(super) align: Align,
    /// Whether what is missing to the width is filled with 0.
    pub(super) zeros: bool,
    pub(super) ink: Ink,
}

/// On which side of its width a segment stands.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Align {
    #[default]
    Left,
    Centre,
    Right,
}

/// A format that is none, and where.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BadLogFormat {
    /// The character, from 1.
    at: usize,
    why: Why,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Why {
    NoMessage,
    Stray,
    Unclosed,
    Empty,
    Unknown,
    NoParameter,
    Twice,
    TooWide,
}

impl fmt::Display for BadLogFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let why = match self.why {
            Why::NoMessage => {
                return f.write_str("without {s} there is nothing of what a line says");
            }
            Why::Stray => "`}` and `%` belong to a `{`, and cannot be shown",
            Why::Unclosed => "this `{` has no `}`",
            Why::Empty => "there is none of s, L, t, f, F, l, c and m in these braces",
            Why::Unknown => {
                "this is none of s (what it says), L (level), t (time), f (file), F (its path), l (line), \
                 c (crate), m (module), and no colour, style or width"
            }
            Why::NoParameter => "this is no colour, no style and no width",
            Why::Twice => "one of its kind was there already",
            Why::TooWide => "no line is that wide",
        };
        write!(f, "at character {}: {why}", self.at)
    }
}

impl Error for BadLogFormat {}

pub(super) fn parse(text: &str) -> Result<Vec<Segment>, BadLogFormat> {
    let mut parser = Parser { text: text.chars().collect(), at: 0 };
    let segments = parser.sequence()?;
    if parser.peek().is_some() {
        return Err(parser.wrong(Why::Stray));
    }
    if has(&segments, |part| *part == Part::Message) {
        Ok(segments)
    } else {
        Err(BadLogFormat { at: 1, why: Why::NoMessage })
    }
}

/// Whether there is such a part, in a group or not.
fn has(segments: &[Segment], is_one: fn(&Part) -> bool) -> bool {
    segments.iter().any(|segment| match &segment.part {
        Part::Group(segments) => has(segments, is_one),
        part => is_one(part),
    })
}

struct Parser {
    text: Vec<char>,
    at: usize,
}

impl Parser {
    fn peek(&self) -> Option<char> {
        self.text.get(self.at).copied()
    }

    fn wrong(&self, why: Why) -> BadLogFormat {
        BadLogFormat { at: self.at + 1, why }
    }

    fn take_until(&mut self, ends: &[char]) -> String {
        let rest = self.text.iter().skip(self.at);
        let taken: String = rest.take_while(|c| !ends.contains(c)).collect();
        self.at += taken.chars().count();
        taken
    }

    /// Text and braces, up to what ends a group.
    fn sequence(&mut self) -> Result<Vec<Segment>, BadLogFormat> {
        let mut segments = Vec::new();
        while let Some(c) = self.peek().filter(|c| !['}', '%'].contains(c)) {
            segments.push(if c == '{' {
                self.braces()?
            } else {
                let text = self.take_until(&['{', '}', '%']);
                Segment { part: Part::Text(text), look: Look::default() }
            });
        }
        Ok(segments)
    }

    fn braces(&mut self) -> Result<Segment, BadLogFormat> {
        let open = self.at;
        self.at += 1;
        let inside = self.at;
        let words = self.take_until(&['{', '}', '%']);
        let segment = if self.peek() == Some('}') {
            self.at = inside;
            self.single(&words)?
        } else {
            self.at = inside;
            self.group(open)?
        };
        if self.peek() != Some('}') {
            return Err(BadLogFormat { at: open + 1, why: Why::Unclosed });
        }
        self.at += 1;
        Ok(segment)
    }

    /// A part of a line with its parameters, separated by colons.
    fn single(&mut self, words: &str) -> Result<Segment, BadLogFormat> {
        let start = self.at;
        let (mut part, mut look) = (None, Look::default());
        for word in words.split(':') {
            match self::part(word) {
                Some(named) if part.is_none() => part = Some(named),
                Some(_) => return Err(self.wrong(Why::Twice)),
                None => self.parameter(word, &mut look, Why::Unknown)?,
            }
            self.at += word.chars().count() + 1;
        }
        self.at -= 1;
        let empty = BadLogFormat { at: start + 1, why: Why::Empty };
        part.map(|part| Segment { part, look }).ok_or(empty)
    }

    /// Segments, and the parameters of all of them, each behind a `%`.
    fn group(&mut self, open: usize) -> Result<Segment, BadLogFormat> {
        let segments = self.sequence()?;
        if !has(&segments, |part| !matches!(part, Part::Text(_))) {
            let why = if self.peek().is_some() { Why::Empty } else { Why::Unclosed };
            return Err(BadLogFormat { at: open + 1, why });
        }
        let mut look = Look::default();
        while self.peek() == Some('%') {
            self.at += 1;
            let start = self.at;
            let word = self.take_until(&['{', '}', '%']);
            let end = std::mem::replace(&mut self.at, start);
            self.parameter(&word, &mut look, Why::NoParameter)?;
            self.at = end;
        }
        Ok(Segment { part: Part::Group(segments), look })
    }

    fn parameter(&self, word: &str, look: &mut Look, none: Why) -> Result<(), BadLogFormat> {
        if let Some(colour) = Colour::named(word) {
            return match look.ink.colour.replace(colour) {
                None => Ok(()),
                Some(_) => Err(self.wrong(Why::Twice)),
            };
        }
        if let Some(effect) = Effect::named(word) {
            if look.ink.effects.contains(&effect) {
                return Err(self.wrong(Why::Twice));
            }
            look.ink.effects.push(effect);
            return Ok(());
        }
        let (align, digits) = match word.chars().next() {
            Some('<') => (Align::Left, &word[1..]),
            Some('^') => (Align::Centre, &word[1..]),
            Some('>') => (Align::Right, &word[1..]),
            _ => (Align::Left, word),
        };
        if digits.is_empty() || !digits.bytes().all(|digit| digit.is_ascii_digit()) {
            return Err(self.wrong(none));
        }
        let width = digits.parse().ok().filter(|width| *width <= WIDEST);
        let width = width.ok_or_else(|| self.wrong(Why::TooWide))?;
        if look.width.replace(width).is_some() {
            return Err(self.wrong(Why::Twice));
        }
        (look.align, look.zeros) = (align, digits.starts_with('0'));
        Ok(())
    }
}

fn part(word: &str) -> Option<Part> {
    Some(match word {
        "c" => Part::Crate,
        "F" => Part::FilePath,
        "l" => Part::Line,
        "s" => Part::Message,
        "L" => Part::Level,
        "m" => Part::Module,
        "t" => Part::Time,
        _ if !word.is_empty() && word.chars().all(|c| c == 'f') => Part::FileName(word.len()),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use defmt_decoder::log::format::{Formatter, FormatterConfig};

    use super::*;

    #[test]
    fn a_mistake_is_told_with_its_place() {
        for (format, at, why) in [
            ("", 1, Why::NoMessage),
            ("{L}", 1, Why::NoMessage),
            ("{s", 1, Why::Unclosed),
            ("{s} {L", 5, Why::Unclosed),
            ("{s} {[{L}]%bold", 5, Why::Unclosed),
            ("{s}}", 4, Why::Stray),
            ("{s} 50 %", 8, Why::Stray),
            ("ä {s} {}", 8, Why::Unknown),
            ("{bold} {s}", 2, Why::Empty),
            ("{[x]%bold} {s}", 1, Why::Empty),
            ("{s:bald}", 4, Why::Unknown),
            ("{s:bold:x}", 9, Why::Unknown),
            ("{s:<}", 4, Why::Unknown),
            ("{sL}", 2, Why::Unknown),
            ("{s:L}", 4, Why::Twice),
            ("{s:bold:bold}", 9, Why::Twice),
            ("{s:red:blue}", 8, Why::Twice),
            ("{s:5:6}", 6, Why::Twice),
            ("{s:1001}", 4, Why::TooWide),
            ("{[{s}]%bald}", 8, Why::NoParameter),
            ("{[{s}]%bold%}", 13, Why::NoParameter),
        ] {
            assert_eq!(parse(format), Err(BadLogFormat { at, why }), "{format}");
            let said = BadLogFormat { at, why }.to_string();
            assert!(said.contains(&format!("character {at}:")) || why == Why::NoMessage, "{said}");
        }
    }

    /// A format that defmt-decoder refuses must not be taken here.
    #[test]
    fn what_defmt_refuses_is_refused() {
        for format in ["", "{L}", "{s", "{s:bald}", "{bold}", "{s:bold:bold}", "{s:red:blue}"] {
            let formatter = || drop(Formatter::new(FormatterConfig::custom(format)));
            assert!(std::panic::catch_unwind(formatter).is_err(), "{format}");
            assert!(parse(format).is_err(), "{format}");
        }
    }

    #[test]
    fn any_text_is_a_format_or_none() {
        let mut state = 1_u32;
        for length in 0..4_000 {
            let text: String = (0..length % 24)
                .map(|_| {
                    state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    ['{', '}', '%', ':', 's', 'L', '<', '9', 'ü', 'f'][(state >> 24) as usize % 10]
                })
                .collect();
            if let Err(BadLogFormat { at, .. }) = parse(&text) {
                assert!(at <= text.chars().count() + 1, "{text}");
            }
        }
    }
}
