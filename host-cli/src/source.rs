//! Where a scene or a linkset came from, and the way from a value back to its place in the text.

use std::ops::Range;

use lodger_terminal::Source;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// What a value of a file belongs to. Indices count in file order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Subject {
    /// The file itself.
    Scene,
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

/// The places of values, by subject and key.
///
/// A scene keeps plain numbers and no places: only mistakes need them, so the text is parsed
/// again, once for all of them, when one is found.
pub(crate) fn spans(
    source: &Source,
    values: &[(Subject, &'static str)],
) -> Vec<Option<Range<usize>>> {
    if values.is_empty() {
        return Vec::new();
    }
    let root = source.text.as_deref().and_then(|t| DeTable::parse(t).ok());
    let find = |&(subject, quantity): &(Subject, &'static str)| {
        span_in(root.as_ref()?.get_ref(), subject, key_of(quantity))
    };
    values.iter().map(find).collect()
}

/// The TOML key of a quantity that the scheduler calls otherwise.
pub(crate) fn key_of(quantity: &'static str) -> &'static str {
    match quantity {
        "weight" => "weights",
        "cost" => "work",
        "lod" => "force_lod",
        "view matrix" => "eye",
        key => key,
    }
}

fn span_in(root: &DeTable<'_>, subject: Subject, key: &str) -> Option<Range<usize>> {
    let in_list = |list, index| root.get(list)?.get_ref().get(index);
    let element = match subject {
        Subject::Scene => return Some(root.get(key)?.span()),
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
