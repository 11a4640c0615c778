//! The way from a value back to its place in the text.

use std::ops::Range;

use lodger_quota::Quota;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::toml_outline::{Outline, Rest, UNLIMITED};

/// The list of actors in a TOML scene.
pub(crate) const ACTORS: &str = "actor";
/// The list of objects in a TOML linkset.
pub(crate) const OBJECTS: &str = "object";

/// What a value of a file belongs to. Indices count in file order, from 0.
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
        /// Which of its prims.
        prim: usize,
    },
}

/// The bytes of a TOML text that a value stands on: that of `key`, which may be dotted, else the
/// subject's name, else its header. `None` if the text has no such subject.
///
/// Only mistakes need places, so none are kept: that part of the text is parsed again for each call which
/// the subject is in. It takes as much as reading the text took at most.
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

/// The places of several values. Those of rising subjects are found in one pass over the text.
pub(crate) fn spans<'k>(
    text: &str,
    values: impl Iterator<Item = (Subject, &'k str)>,
) -> Vec<Option<Range<usize>>> {
    let mut places: Option<Places<'_>> = None;
    let mut find = |(subject, key): (Subject, &str)| {
        let list = subject.list();
        let places = match &mut places {
            Some(places) if places.list == list => places,
            places => places.insert(Places::new(text, list)?),
        };
        places.find(subject, key)
    };
    values.map(&mut find).collect()
}

/// A text in which places are looked for, by rising subjects.
struct Places<'t> {
    text: &'t str,
    list: &'static str,
    rest: Rest<'t>,
    /// Whether all of the list is in the rest.
    is_in_rest: bool,
    elements: Box<dyn Iterator<Item = (usize, Range<usize>)> + 't>,
}

impl<'t> Places<'t> {
    fn new(text: &'t str, list: &'static str) -> Option<Self> {
        let outline = Outline::new(text, list);
        let mut rest = outline.rest(&Quota::new(UNLIMITED)).ok()?;
        let is_in_rest = DeTable::parse(&rest.text).ok()?.get_ref().contains_key(list);
        if is_in_rest {
            rest = Rest::of(text);
        }
        Some(Self { text, list, rest, is_in_rest, elements: elements(outline) })
    }

    fn find(&mut self, subject: Subject, key: &str) -> Option<Range<usize>> {
        let element = match subject {
            Subject::Actor(index) | Subject::Object(index) if !self.is_in_rest => index,
            Subject::Prim { object, .. } if !self.is_in_rest => object,
            _ => {
                let root = DeTable::parse(&self.rest.text).ok()?;
                return Some(self.rest.in_text(span_in(root.get_ref(), subject, key)?));
            }
        };
        let mut next = self.elements.find(|(index, _)| *index >= element);
        if next.as_ref().is_none_or(|(index, _)| *index > element) {
            self.elements = elements(Outline::new(self.text, self.list));
            next = self.elements.nth(element);
        }
        let (_, part) = next?;
        let root = DeTable::parse(&self.text[part.clone()]).ok()?;
        let span = span_in(root.get_ref(), subject.first(), key)?;
        Some(part.start + span.start..part.start + span.end)
    }
}

fn elements<'t>(outline: Outline<'t>) -> Box<dyn Iterator<Item = (usize, Range<usize>)> + 't> {
    Box::new(outline.elements().enumerate())
}

impl Subject {
    /// The list whose tables are parsed one by one in such a file.
    const fn list(self) -> &'static str {
        match self {
            Self::Object(_) | Self::Prim { .. } => OBJECTS,
            _ => ACTORS,
        }
    }

    /// The same in a text that has nothing but its table.
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
    Some(descend(element, key).map_or_else(|| header(element), Spanned::span))
}

/// Follows a dotted key as far down as the file goes.
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

/// What stands for a whole element: its name, else its header.
fn header(element: &Spanned<DeValue<'_>>) -> Range<usize> {
    element.get_ref().get("name").map_or_else(|| element.span(), Spanned::span)
}
