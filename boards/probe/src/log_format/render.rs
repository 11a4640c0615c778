//! Lines in a format: segments to pieces of text.

use std::path::Path;

use super::ink::{Colour, Ink, Piece};
use super::parse::{Align, Look, Part, Segment};
use crate::log::{Level, LogLine};

/// How wide a level and a line's number are where the format does not say.
const LEVEL: usize = 5;
const LINE: usize = 4;

pub(super) fn line(segments: &[Segment], line: &LogLine) -> Vec<Piece> {
    pieces(segments, line, &Ink::default())
}

fn pieces(segments: &[Segment], line: &LogLine, outer: &Ink) -> Vec<Piece> {
    segments.iter().flat_map(|segment| one(segment, line, outer)).collect()
}

fn one(Segment { part, look }: &Segment, line: &LogLine, outer: &Ink) -> Vec<Piece> {
    let mut ink = look.ink.over(outer);
    if *part == Part::Level && look.ink.colour.is_none() {
        ink.colour = Some(Colour::Severity);
    }
    let (inner, width) = match part {
        Part::Text(text) => return vec![Piece { text: text.clone(), ink }],
        Part::Group(segments) => (pieces(segments, line, &ink), 0),
        Part::Level => (word(level(line), &ink), LEVEL),
        Part::Line => {
            let number = line.location.as_ref().map_or(0, |place| place.line);
            (word(number.to_string(), &ink), LINE)
        }
        part => (word(said(part, line), &ink), 0),
    };
    padded(inner, look, width, &ink)
}

fn word(text: String, ink: &Ink) -> Vec<Piece> {
    vec![Piece { text, ink: ink.clone() }]
}

fn level(line: &LogLine) -> String {
    line.level.as_ref().map(Level::to_string).unwrap_or_default().to_uppercase()
}

/// What a part that is neither text, level, number nor group says; what is not known is named.
fn said(part: &Part, line: &LogLine) -> String {
    let place = line.location.as_ref();
    let file = place.map(|place| place.file.as_path());
    let module = place.map(|place| place.module.as_str());
    match part {
        Part::Message => line.text.clone(),
        Part::Time => line.time.clone().unwrap_or_else(|| "<time>".to_owned()),
        Part::FilePath => file.map_or("<file>".to_owned(), |file| file.display().to_string()),
        Part::FileName(parts) => file.map_or("<file>".to_owned(), |file| last(file, *parts)),
        Part::Module => module.unwrap_or("<mod path>").to_owned(),
        Part::Crate => {
            let name = module.and_then(|module| module.split_once("::"));
            name.map_or("<crate>", |(name, _)| name).to_owned()
        }
        Part::Text(_) | Part::Level | Part::Line | Part::Group(_) => String::new(),
    }
}

/// The last parts of a path.
fn last(file: &Path, parts: usize) -> String {
    let all: Vec<_> = file.iter().map(|part| part.to_string_lossy()).collect();
    all[all.len().saturating_sub(parts)..].join("/")
}

/// With what is missing to the width, on the sides where it is missing.
fn padded(mut inner: Vec<Piece>, look: &Look, width: usize, ink: &Ink) -> Vec<Piece> {
    let used: usize = inner.iter().map(|piece| piece.text.chars().count()).sum();
    let missing = look.width.unwrap_or(width).saturating_sub(used);
    let before = match look.align {
        Align::Left => 0,
        Align::Centre => missing / 2,
        Align::Right => missing,
    };
    let fill =
        |count| Piece { text: if look.zeros { "0" } else { " " }.repeat(count), ink: ink.clone() };
    if before > 0 {
        inner.insert(0, fill(before));
    }
    if missing > before {
        inner.push(fill(missing - before));
    }
    inner
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::log_format::ink::Effect;
    use crate::log_format::parse::parse;

    fn inks(format: &str) -> Vec<(String, Option<Colour>, Vec<Effect>)> {
        let mut said = LogLine::new("hello".to_owned());
        said.level = Some(Level::Info);
        let pieces = line(&parse(format).expect("a format"), &said).into_iter();
        pieces.map(|piece| (piece.text, piece.ink.colour, piece.ink.effects)).collect()
    }

    #[test]
    fn a_group_colours_what_has_no_colour() {
        let text = |text: &str| text.to_owned();
        assert_eq!(
            inks("{[{L:bold}] {s:red}%dimmed%cyan}"),
            [
                (text("["), Some(Colour::Cyan), vec![Effect::Dimmed]),
                (text("INFO"), Some(Colour::Severity), vec![Effect::Dimmed, Effect::Bold]),
                (text(" "), Some(Colour::Severity), vec![Effect::Dimmed, Effect::Bold]),
                (text("] "), Some(Colour::Cyan), vec![Effect::Dimmed]),
                (text("hello"), Some(Colour::Red), vec![Effect::Dimmed]),
            ]
        );
    }
}
