//! The way from a value back to its place in the text.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

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
/// Only mistakes need places, so none are kept: the text is parsed again for each call.
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
    span_in(DeTable::parse(text).ok()?.get_ref(), subject, key)
}

/// The places of several values, for which the text is parsed once.
pub(crate) fn spans<'k>(
    text: &str,
    values: impl Iterator<Item = (Subject, &'k str)>,
) -> Vec<Option<Range<usize>>> {
    let mut values = values.peekable();
    let root = values.peek().and_then(|_| DeTable::parse(text).ok());
    values.map(|(subject, key)| span_in(root.as_ref()?.get_ref(), subject, key)).collect()
}

fn span_in(root: &DeTable<'_>, subject: Subject, key: &str) -> Option<Range<usize>> {
    let in_list = |list, index| root.get(list)?.get_ref().get(index);
    let element = match subject {
        Subject::File => return Some(root.get(key)?.span()),
        Subject::View(index) => in_list("view", index)?,
        Subject::Module(index) => in_list("module", index)?,
        Subject::Actor(index) => in_list("actor", index)?,
        Subject::Object(index) => in_list("object", index)?,
        Subject::Prim { object, prim } => {
            in_list("object", object)?.get_ref().get("prim")?.get_ref().get(prim)?
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
