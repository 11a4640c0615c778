//! User-defined formats of log lines: the format strings of defmt's tools (the defmt book, "Custom log output").
//!
//! defmt-decoder's formatter panics at a mistake, formats only defmt frames, and passes escape sequences of a board
//! to the terminal, so it is not used.

use std::error::Error;
use std::fmt;
use std::path::Path;
use std::str::FromStr;

use clap::builder::styling::{AnsiColor, Effects, Style};
use lodger_board::{LogLevel, LogLine};
use lodger_terminal::{RenderOptions, sanitize};

use super::text::style;

const MAX_WIDTH: usize = 1_000;
const LEVEL_WIDTH: usize = 5;
const LINE_WIDTH: usize = 4;

/// A format, for example `{t} {L} {s}` or `{L:bold:5} {f:>12}:{l:1} {s}`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LogFormat(Vec<FormatSegment>);

impl FromStr for LogFormat {
    type Err = LogFormatError;

    fn from_str(text: &str) -> Result<Self, LogFormatError> {
        parse(text).map(Self)
    }
}

impl LogFormat {
    /// Formats a line; a line without a level, such as plain text and `defmt::println!`, stays unchanged.
    pub(crate) fn show(&self, line: &LogLine, render: RenderOptions) -> String {
        let pieces = match line.level {
            Some(_) => pieces(&self.0, line, TextStyle::default()),
            None => vec![(line.text.clone(), TextStyle::default())],
        };
        let shown = pieces.into_iter().map(|(text, style)| {
            let style = style.resolve(line);
            let painted = text.split('\n').map(|text| match sanitize(text) {
                text if style == Style::new() => text.into_owned(),
                text => render.paint(style, &text),
            });
            painted.collect::<Vec<_>>().join("\n")
        });
        shown.collect()
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct FormatSegment {
    part: FormatPart,
    parameters: FormatParameters,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum FormatPart {
    Text(String),
    /// `c`
    Crate,
    /// `f`, once for each component of the path
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
    Group(Vec<FormatSegment>),
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct FormatParameters {
    width: Option<usize>,
    align: Align,
    zeros: bool,
    style: TextStyle,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Align {
    #[default]
    Left,
    Centre,
    Right,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct TextStyle {
    colour: Option<Colour>,
    effects: Effects,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Colour {
    Ansi(AnsiColor),
    /// The level's colour.
    Severity,
    /// The level's colour for warnings and errors, else none.
    Werror,
}

impl TextStyle {
    /// Combines this style with the enclosing group's.
    fn within(self, outer: Self) -> Self {
        Self { colour: self.colour.or(outer.colour), effects: self.effects | outer.effects }
    }

    fn resolve(self, line: &LogLine) -> Style {
        let base = match self.colour {
            None => Style::new(),
            Some(Colour::Ansi(colour)) => colour.on_default(),
            Some(Colour::Severity) => line.level.map_or(Style::new(), style),
            Some(Colour::Werror) => {
                line.level.filter(|level| *level >= LogLevel::Warn).map_or(Style::new(), style)
            }
        };
        base.effects(base.get_effects() | self.effects)
    }
}

fn colour(word: &str) -> Option<Colour> {
    Some(Colour::Ansi(match word {
        "black" => AnsiColor::Black,
        "red" => AnsiColor::Red,
        "green" => AnsiColor::Green,
        "yellow" => AnsiColor::Yellow,
        "blue" => AnsiColor::Blue,
        "magenta" | "purple" => AnsiColor::Magenta,
        "cyan" => AnsiColor::Cyan,
        "white" => AnsiColor::White,
        "severity" => return Some(Colour::Severity),
        "werror" => return Some(Colour::Werror),
        _ => return None,
    }))
}

fn effect(word: &str) -> Option<Effects> {
    Some(match word {
        "bold" => Effects::BOLD,
        "italic" => Effects::ITALIC,
        "underline" => Effects::UNDERLINE,
        "strike" => Effects::STRIKETHROUGH,
        "dimmed" => Effects::DIMMED,
        _ => return None,
    })
}

fn part(word: &str) -> Option<FormatPart> {
    Some(match word {
        "c" => FormatPart::Crate,
        "F" => FormatPart::FilePath,
        "l" => FormatPart::Line,
        "s" => FormatPart::Message,
        "L" => FormatPart::Level,
        "m" => FormatPart::Module,
        "t" => FormatPart::Time,
        _ if !word.is_empty() && word.chars().all(|c| c == 'f') => FormatPart::FileName(word.len()),
        _ => return None,
    })
}

type StyledText = (String, TextStyle);

fn pieces(segments: &[FormatSegment], line: &LogLine, outer: TextStyle) -> Vec<StyledText> {
    segments.iter().flat_map(|segment| segment_pieces(segment, line, outer)).collect()
}

fn segment_pieces(segment: &FormatSegment, line: &LogLine, outer: TextStyle) -> Vec<StyledText> {
    let FormatSegment { part, parameters } = segment;
    let mut style = parameters.style.within(outer);
    if *part == FormatPart::Level && parameters.style.colour.is_none() {
        style.colour = Some(Colour::Severity);
    }
    let (mut pieces, width) = match part {
        FormatPart::Text(text) => return vec![(text.clone(), style)],
        FormatPart::Group(segments) => (pieces(segments, line, style), 0),
        FormatPart::Level => (vec![(content(part, line), style)], LEVEL_WIDTH),
        FormatPart::Line => (vec![(content(part, line), style)], LINE_WIDTH),
        part => (vec![(content(part, line), style)], 0),
    };
    let used: usize = pieces.iter().map(|(text, _)| text.chars().count()).sum();
    let missing = parameters.width.unwrap_or(width).saturating_sub(used);
    let before = match parameters.align {
        Align::Left => 0,
        Align::Centre => missing / 2,
        Align::Right => missing,
    };
    let fill = |count| (if parameters.zeros { "0" } else { " " }.repeat(count), style);
    if before > 0 {
        pieces.insert(0, fill(before));
    }
    if missing > before {
        pieces.push(fill(missing - before));
    }
    pieces
}

/// Formats a part; a placeholder if it is unknown.
fn content(part: &FormatPart, line: &LogLine) -> String {
    let place = line.location.as_ref();
    let file = place.map(|place| place.file.as_path());
    let module = place.map(|place| place.module.as_str());
    match part {
        FormatPart::Message => line.text.clone(),
        FormatPart::Level => {
            line.level.map(|level| level.to_string().to_uppercase()).unwrap_or_default()
        }
        FormatPart::Line => place.map_or(0, |place| place.line).to_string(),
        FormatPart::Time => line.time.clone().unwrap_or_else(|| "<time>".to_owned()),
        FormatPart::FilePath => file.map_or("<file>".to_owned(), |file| file.display().to_string()),
        FormatPart::FileName(parts) => file.map_or("<file>".to_owned(), |file| last(file, *parts)),
        FormatPart::Module => module.unwrap_or("<mod path>").to_owned(),
        FormatPart::Crate => {
            let name = module.and_then(|module| module.split_once("::"));
            name.map_or("<crate>", |(name, _)| name).to_owned()
        }
        FormatPart::Text(_) | FormatPart::Group(_) => String::new(),
    }
}

/// The last `parts` components of a path.
fn last(file: &Path, parts: usize) -> String {
    let all: Vec<_> = file.iter().map(|part| part.to_string_lossy()).collect();
    all[all.len().saturating_sub(parts)..].join("/")
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct LogFormatError {
    /// The character's position, from 1.
    at: usize,
    reason: &'static str,
}

const NO_MESSAGE: &str = "the format needs {s}, the message";
const STRAY: &str = "`}` and `%` need a `{`, and cannot be literal";
const UNCLOSED: &str = "this `{` has no `}`";
const EMPTY: &str = "these braces need one of s, L, t, f, F, l, c and m";
const UNKNOWN: &str = "this is none of s (message), L (level), t (time), f (file), F (path), l (line), \
     c (crate), m (module), and no colour, style or width";
const NO_PARAMETER: &str = "this is no colour, no style and no width";
const TWICE: &str = "this kind of parameter is already set";
const TOO_WIDE: &str = "the width exceeds 1000";

impl fmt::Display for LogFormatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.reason == NO_MESSAGE {
            return f.write_str(NO_MESSAGE);
        }
        write!(f, "at character {}: {}", self.at, self.reason)
    }
}

impl Error for LogFormatError {}

fn parse(text: &str) -> Result<Vec<FormatSegment>, LogFormatError> {
    let mut parser = Parser { text: text.chars().collect(), at: 0 };
    let segments = parser.sequence()?;
    if parser.peek().is_some() {
        return Err(parser.wrong(STRAY));
    }
    if has(&segments, |part| *part == FormatPart::Message) {
        Ok(segments)
    } else {
        Err(LogFormatError { at: 1, reason: NO_MESSAGE })
    }
}

fn has(segments: &[FormatSegment], is_one: fn(&FormatPart) -> bool) -> bool {
    segments.iter().any(|segment| match &segment.part {
        FormatPart::Group(segments) => has(segments, is_one),
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

    fn wrong(&self, reason: &'static str) -> LogFormatError {
        LogFormatError { at: self.at + 1, reason }
    }

    fn word(&self) -> String {
        self.text[self.at..].iter().take_while(|c| !['{', '}', '%'].contains(c)).collect()
    }

    /// Parses segments up to the end of a group.
    fn sequence(&mut self) -> Result<Vec<FormatSegment>, LogFormatError> {
        let mut segments = Vec::new();
        while let Some(c) = self.peek().filter(|c| !['}', '%'].contains(c)) {
            if c == '{' {
                segments.push(self.braces()?);
            } else {
                let text = self.word();
                self.at += text.chars().count();
                let parameters = FormatParameters::default();
                segments.push(FormatSegment { part: FormatPart::Text(text), parameters });
            }
        }
        Ok(segments)
    }

    fn braces(&mut self) -> Result<FormatSegment, LogFormatError> {
        let open = self.at;
        self.at += 1;
        let words = self.word();
        let segment = if self.text.get(self.at + words.chars().count()) == Some(&'}') {
            self.single(&words)?
        } else {
            self.group(open)?
        };
        if self.peek() != Some('}') {
            return Err(LogFormatError { at: open + 1, reason: UNCLOSED });
        }
        self.at += 1;
        Ok(segment)
    }

    fn single(&mut self, words: &str) -> Result<FormatSegment, LogFormatError> {
        let start = self.at;
        let (mut part, mut parameters) = (None, FormatParameters::default());
        for word in words.split(':') {
            match self::part(word) {
                Some(named) if part.is_none() => part = Some(named),
                Some(_) => return Err(self.wrong(TWICE)),
                None => self.parameter(word, &mut parameters, UNKNOWN)?,
            }
            self.at += word.chars().count() + 1;
        }
        self.at -= 1;
        let empty = LogFormatError { at: start + 1, reason: EMPTY };
        part.map(|part| FormatSegment { part, parameters }).ok_or(empty)
    }

    /// Parses a group and its parameters, each after a `%`.
    fn group(&mut self, open: usize) -> Result<FormatSegment, LogFormatError> {
        let segments = self.sequence()?;
        if !has(&segments, |part| !matches!(part, FormatPart::Text(_))) {
            let reason = if self.peek().is_some() { EMPTY } else { UNCLOSED };
            return Err(LogFormatError { at: open + 1, reason });
        }
        let mut parameters = FormatParameters::default();
        while self.peek() == Some('%') {
            self.at += 1;
            let word = self.word();
            self.parameter(&word, &mut parameters, NO_PARAMETER)?;
            self.at += word.chars().count();
        }
        Ok(FormatSegment { part: FormatPart::Group(segments), parameters })
    }

    fn parameter(
        &self,
        word: &str,
        parameters: &mut FormatParameters,
        unknown: &'static str,
    ) -> Result<(), LogFormatError> {
        let style = &mut parameters.style;
        let is_second = if let Some(colour) = colour(word) {
            style.colour.replace(colour).is_some()
        } else if let Some(effect) = effect(word) {
            let is_second = style.effects.contains(effect);
            style.effects |= effect;
            is_second
        } else {
            let (align, digits) = match word.chars().next() {
                Some('<') => (Align::Left, &word[1..]),
                Some('^') => (Align::Centre, &word[1..]),
                Some('>') => (Align::Right, &word[1..]),
                _ => (Align::Left, word),
            };
            if digits.is_empty() || !digits.bytes().all(|digit| digit.is_ascii_digit()) {
                return Err(self.wrong(unknown));
            }
            let width = digits.parse().ok().filter(|width| *width <= MAX_WIDTH);
            let width = width.ok_or_else(|| self.wrong(TOO_WIDE))?;
            (parameters.align, parameters.zeros) = (align, digits.starts_with('0'));
            parameters.width.replace(width).is_some()
        };
        if is_second { Err(self.wrong(TWICE)) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests;
