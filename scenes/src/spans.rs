//! Finds tables and values of a TOML text.
//!
//! The parser takes about forty times the bytes of a text, so [`TableScanner`] splits a text with a million
//! `[[actor]]` tables without parsing it. In invalid TOML it may split elsewhere, but then one of the parts is
//! invalid, too.

use std::borrow::Cow;
use std::ops::Range;

use lodger_quota::{Quota, QuotaExceeded, QuotaLimits};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

pub(crate) const ACTORS: &str = "actor";
pub(crate) const OBJECTS: &str = "object";

/// The element of a file that a value belongs to. Indices count in file order, from 0.
///
/// # Examples
/// ```
/// # use lodger_scenes::*;
/// # let (overrides, limits, quota) = Default::default();
/// let text = "budget_ms = 5\n[[view]]\neye = [0, 0, 0]\n[[view]]\neye = [0, nan, 0]";
/// let error = SceneFile::from_toml(text, &overrides, limits, &quota).unwrap_err();
/// assert_eq!(error.subject(), Subject::View(1));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Subject {
    /// The file itself.
    File,
    /// A view.
    View(usize),
    /// A module.
    Module(usize),
    /// An actor.
    Actor(usize),
    /// A waypoint of a camera path.
    Waypoint(usize),
    /// An object of a linkset.
    Object(usize),
    /// A prim of an object.
    Prim {
        /// The object.
        object: usize,
        /// The index of the prim in the object.
        prim: usize,
    },
}

/// Finds a value in a TOML text: `key`, which may be dotted, else the subject's name, else its header. Returns `None`
/// if the text has no such subject.
///
/// Each call parses the subject's part of the text again, because spans are needed only for errors.
///
/// # Examples
/// ```
/// use lodger_scenes::{Subject, span_of};
///
/// let text = "budget_ms = 16.6\n[[module]]\nname = \"cloth\"\nweights = { age = 1 }";
/// let at = |subject, key| span_of(text, subject, key).map(|span| &text[span]);
/// assert_eq!(at(Subject::File, "budget_ms"), Some("16.6"));
/// assert_eq!(at(Subject::Module(0), "weights.age"), Some("1"));
/// assert_eq!(at(Subject::Module(0), "bias"), Some("\"cloth\""));
/// assert_eq!(at(Subject::Actor(0), "work"), None);
/// ```
#[must_use]
pub fn span_of(text: &str, subject: Subject, key: &str) -> Option<Range<usize>> {
    spans(text, std::iter::once((subject, key))).pop().flatten()
}

/// Finds several values in one pass over the text, if the subjects rise.
pub(crate) fn spans<'k>(
    text: &str,
    values: impl Iterator<Item = (Subject, &'k str)>,
) -> Vec<Option<Range<usize>>> {
    let mut places: Option<SpanFinder<'_>> = None;
    let mut find = |(subject, key): (Subject, &str)| {
        let list = subject.list();
        let places = match &mut places {
            Some(places) if places.list == list => places,
            places => places.insert(SpanFinder::new(text, list)?),
        };
        places.find(subject, key)
    };
    values.map(&mut find).collect()
}

struct SpanFinder<'t> {
    text: &'t str,
    list: &'static str,
    rest: Remainder<'t>,
    is_in_remainder: bool,
    elements: Box<dyn Iterator<Item = (usize, Range<usize>)> + 't>,
}

impl<'t> SpanFinder<'t> {
    fn new(text: &'t str, list: &'static str) -> Option<Self> {
        let outline = TableScanner::new(text, list);
        let mut rest = outline.rest(&Quota::new(UNLIMITED)).ok()?;
        let is_in_remainder = DeTable::parse(&rest.text).ok()?.get_ref().contains_key(list);
        if is_in_remainder {
            rest = Remainder::of(text);
        }
        Some(Self { text, list, rest, is_in_remainder, elements: elements(outline) })
    }

    fn find(&mut self, subject: Subject, key: &str) -> Option<Range<usize>> {
        let element = match subject {
            Subject::Actor(index) | Subject::Object(index) if !self.is_in_remainder => index,
            Subject::Prim { object, .. } if !self.is_in_remainder => object,
            _ => {
                let root = DeTable::parse(&self.rest.text).ok()?;
                return Some(self.rest.in_text(span_in(root.get_ref(), subject, key)?));
            }
        };
        let mut next = self.elements.find(|(index, _)| *index >= element);
        if next.as_ref().is_none_or(|(index, _)| *index > element) {
            self.elements = elements(TableScanner::new(self.text, self.list));
            next = self.elements.nth(element);
        }
        let (_, part) = next?;
        let root = DeTable::parse(&self.text[part.clone()]).ok()?;
        let span = span_in(root.get_ref(), subject.first(), key)?;
        Some(part.start + span.start..part.start + span.end)
    }
}

fn elements<'t>(outline: TableScanner<'t>) -> Box<dyn Iterator<Item = (usize, Range<usize>)> + 't> {
    Box::new(outline.elements().enumerate())
}

impl Subject {
    const fn list(self) -> &'static str {
        match self {
            Self::Object(_) | Self::Prim { .. } => OBJECTS,
            _ => ACTORS,
        }
    }

    /// The subject in a text of its table alone.
    const fn first(self) -> Self {
        match self {
            Self::Actor(_) => Self::Actor(0),
            Self::Object(_) => Self::Object(0),
            Self::Prim { prim, .. } => Self::Prim { object: 0, prim },
            other => other,
        }
    }
}

fn span_in(root: &DeTable<'_>, subject: Subject, key: &str) -> Option<Range<usize>> {
    let in_list = |list, index| root.get(list)?.get_ref().get(index);
    let element = match subject {
        Subject::File => return Some(root.get(key)?.span()),
        Subject::View(index) => in_list("view", index)?,
        Subject::Module(index) => in_list("module", index)?,
        Subject::Waypoint(index) => in_list("waypoint", index)?,
        Subject::Actor(index) => in_list(ACTORS, index)?,
        Subject::Object(index) => in_list(OBJECTS, index)?,
        Subject::Prim { object, prim } => {
            in_list(OBJECTS, object)?.get_ref().get("prim")?.get_ref().get(prim)?
        }
    };
    Some(descend(element, key).map_or_else(|| span_of_element(element), Spanned::span))
}

fn descend<'t, 'i>(
    element: &'t Spanned<DeValue<'i>>,
    key: &str,
) -> Option<&'t Spanned<DeValue<'i>>> {
    let mut found = None;
    for part in key.split('.') {
        match found.unwrap_or(element).get_ref().get(part) {
            Some(value) => found = Some(value),
            None => break,
        }
    }
    found
}

fn span_of_element(element: &Spanned<DeValue<'_>>) -> Range<usize> {
    element.get_ref().get("name").map_or_else(|| element.span(), Spanned::span)
}

/// A list that doubles exists twice while it is copied.
const GROWTH: u64 = 3;
const PIECE: u64 = size_of::<(usize, usize)>() as u64;

/// Limits for a text that is already charged.
pub(crate) const UNLIMITED: QuotaLimits = QuotaLimits { memory: u64::MAX, work: u64::MAX };

#[derive(Clone, Copy, Debug)]
pub(crate) struct TableScanner<'t> {
    text: &'t str,
    list: &'static str,
}

/// The text outside of the tables of a list.
#[derive(Debug)]
pub(crate) struct Remainder<'t> {
    pub(crate) text: Cow<'t, str>,
    /// The start of each piece in the remainder and in the text; empty if both are equal.
    pieces: Vec<(usize, usize)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TableHeader {
    /// `[[list]]`
    Element,
    /// `[list.key]` or `[[list.key]]`
    Child,
    Other,
}

impl<'t> TableScanner<'t> {
    pub(crate) const fn new(text: &'t str, list: &'static str) -> Self {
        Self { text, list }
    }

    /// The spans of the list's tables, each from its `[[list]]` to the next header outside of it.
    pub(crate) fn elements(self) -> impl Iterator<Item = Range<usize>> + use<'t> {
        self.parts().filter(|(is_element, _)| *is_element).map(|(_, range)| range)
    }

    /// Charges a unit of work a byte.
    pub(crate) fn rest(self, quota: &Quota) -> Result<Remainder<'t>, QuotaExceeded> {
        quota.charge_work(self.text.len() as u64)?;
        let mut pieces: Vec<(usize, usize)> = Vec::new();
        let mut text = String::new();
        for (is_element, range) in self.parts() {
            if is_element {
                continue;
            }
            if range.len() == self.text.len() {
                return Ok(Remainder::of(self.text));
            }
            quota.charge_memory(GROWTH * (PIECE + range.len() as u64))?;
            pieces.push((text.len(), range.start));
            text.push_str(&self.text[range]);
        }
        Ok(Remainder { text: Cow::Owned(text), pieces })
    }

    /// All parts of the text, each with whether it is a table of the list.
    fn parts(self) -> impl Iterator<Item = (bool, Range<usize>)> + use<'t> {
        let (bytes, list) = (self.text.as_bytes(), self.list.as_bytes());
        let mut start = 0;
        std::iter::from_fn(move || {
            if start == bytes.len() {
                return None;
            }
            let is_element = header(&bytes[start..], list) == Some(TableHeader::Element);
            let mut end = after_expression(bytes, start);
            while end < bytes.len() {
                match header(&bytes[end..], list) {
                    Some(TableHeader::Element) => break,
                    Some(TableHeader::Other) if is_element => break,
                    _ => end = after_expression(bytes, end),
                }
            }
            Some((is_element, std::mem::replace(&mut start, end)..end))
        })
    }
}

impl<'t> Remainder<'t> {
    pub(crate) const fn of(text: &'t str) -> Self {
        Self { text: Cow::Borrowed(text), pieces: Vec::new() }
    }

    /// Converts a span in the remainder to the text.
    pub(crate) fn in_text(&self, span: Range<usize>) -> Range<usize> {
        let place = |at: usize| match self.pieces.partition_point(|&(in_rest, _)| in_rest <= at) {
            0 => at,
            after => at - self.pieces[after - 1].0 + self.pieces[after - 1].1,
        };
        let start = place(span.start);
        match span.len() {
            0 => start..start,
            _ => start..place(span.end - 1) + 1,
        }
    }
}

fn header(line: &[u8], list: &[u8]) -> Option<TableHeader> {
    let inner = blank(line).strip_prefix(b"[")?;
    let (is_double, inner) = inner.strip_prefix(b"[").map_or((false, inner), |inner| (true, inner));
    let Some(behind) = blank(inner).strip_prefix(list).map(blank) else {
        return Some(TableHeader::Other);
    };
    Some(match behind {
        [b'.', ..] => TableHeader::Child,
        [b']', b']', ..] if is_double => TableHeader::Element,
        _ => TableHeader::Other,
    })
}

fn blank(text: &[u8]) -> &[u8] {
    let blanks = text.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    &text[blanks..]
}

/// The end of the line after a header or a value; line ends in arrays and strings do not count.
fn after_expression(bytes: &[u8], start: usize) -> usize {
    let (mut at, mut depth) = (start, 0_usize);
    while let Some(&byte) = bytes.get(at) {
        at += 1;
        match byte {
            b'\n' if depth == 0 => return at,
            b'[' | b'{' => depth += 1,
            b']' | b'}' => depth = depth.saturating_sub(1),
            b'#' => at += bytes[at..].iter().take_while(|&&byte| byte != b'\n').count(),
            b'"' | b'\'' => at = after_string(bytes, at, byte),
            _ => {}
        }
    }
    at
}

/// The end of a string after its first quotation mark. A string on one line ends with the line.
fn after_string(bytes: &[u8], start: usize, mark: u8) -> usize {
    let is_long = bytes[start..].starts_with(&[mark, mark]);
    let mut at = if is_long { start + 2 } else { start };
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'\\' if mark == b'"' => at += 2,
            b'\n' if !is_long => return at,
            _ if byte != mark => at += 1,
            _ if !is_long => return at + 1,
            _ => {
                let marks = bytes[at..].iter().take_while(|&&byte| byte == mark).count();
                if marks >= 3 {
                    return at + marks.min(5);
                }
                at += marks;
            }
        }
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use lodger_quota::Quota;

    use super::TableScanner;

    fn split(text: &str) -> (Vec<&str>, String) {
        let outline = TableScanner::new(text, "actor");
        let rest = outline.rest(&Quota::default()).expect("it is small");
        (outline.elements().map(|range| &text[range]).collect(), rest.text.into_owned())
    }

    #[test]
    fn a_table_ends_at_the_next_header_that_is_not_in_it() {
        let text = "a = 1\n[[actor]]\nx = 1\n [ actor.y ]\n[[actor.z]]\n# end\n[[ actor ]] # two\n[[b]]\n\
                    [actor.q]\n[actors]\n[[actor]]";
        let (elements, rest) = split(text);
        let first = "[[actor]]\nx = 1\n [ actor.y ]\n[[actor.z]]\n# end\n";
        assert_eq!(elements, [first, "[[ actor ]] # two\n", "[[actor]]"]);
        assert_eq!(rest, "a = 1\n[[b]]\n[actor.q]\n[actors]\n");
    }

    #[test]
    fn brackets_in_values_are_not_headers() {
        for text in [
            "a = [\n[[actor]]\n]",
            "a = \"\"\"\n[[actor]]\n\"\"\"",
            "a = '''\n[[actor]]\n'''",
            "a = \"\"\"\\\"\"\"\n[[actor]]\n\"\"\"\"\"",
            "# [[actor]]",
            "a = \"[[actor]]\"",
            "[actor]",
            "[\"actor\"]",
            "[[\"actor\"]]",
            "[[actor]",
            "a = { b = [1,\n[[actor]]\n] }",
        ] {
            assert_eq!(split(text), (Vec::new(), text.to_owned()));
        }
        let after = [
            "a = ''",
            "a = \"\"",
            "a = '\\'",
            "a = \"\\\"\"",
            "a = ''''''",
            "a = '''''a'''''",
            "a = ']'",
        ];
        for before in after {
            assert_eq!(split(&format!("{before}\n[[actor]]\n")).0, ["[[actor]]\n"], "{before}");
        }
    }

    #[test]
    fn the_remainder_maps_spans_to_the_text() {
        let text = "a = 1\n[[actor]]\nx = 1\n[b]\nc = 2\n[[actor]]\n[d]\n";
        let rest = TableScanner::new(text, "actor").rest(&Quota::default()).expect("small");
        for word in ["a = 1", "[b]", "c = 2\n", "[d]\n"] {
            let at = rest.text.find(word).expect("present");
            assert_eq!(&text[rest.in_text(at..at + word.len())], word);
        }
        let whole = "a = 1\n";
        let rest = TableScanner::new(whole, "actor").rest(&Quota::default()).expect("small");
        assert_eq!(rest.in_text(2..6), 2..6);
    }
}
