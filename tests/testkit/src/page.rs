//! The keys that `docs/formats.md` names, and the keys of documents.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use serde_json::Value;

/// Paths of keys, such as `modules[].name`.
pub type Keys = BTreeSet<String>;

/// The keys in the tables of `docs/formats.md` by heading, in their order.
pub fn tables() -> BTreeMap<String, Vec<String>> {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/formats.md");
    first_columns(&fs::read_to_string(page).expect("readable"))
}

/// The keys below a heading of `docs/formats.md`, in their order.
#[track_caller]
pub fn named(heading: &str) -> Vec<String> {
    tables().remove(heading).unwrap_or_else(|| panic!("no table below {heading:?}"))
}

/// Asserts that the tables below a heading of `docs/formats.md` have exactly these keys, each once.
#[track_caller]
pub fn assert_named(heading: &str, keys: &Keys) {
    let list = named(heading);
    let page: Keys = list.iter().cloned().collect();
    assert_eq!(list.len(), page.len(), "a key of {heading:?} is there twice");
    let missing: Vec<_> = keys.difference(&page).collect();
    assert!(missing.is_empty(), "docs/formats.md lacks keys of {heading:?}: {missing:?}");
    let surplus: Vec<_> = page.difference(keys).collect();
    assert!(surplus.is_empty(), "docs/formats.md has unknown keys of {heading:?}: {surplus:?}");
}

/// The paths of all keys of a document. `NAME` stands for the keys of objects at `maps`.
pub fn key_paths(document: &Value, maps: &[&str]) -> Keys {
    let mut keys = Keys::new();
    add_paths("", document, maps, &mut keys);
    keys
}

fn add_paths(at: &str, value: &Value, maps: &[&str], keys: &mut Keys) {
    match value {
        Value::Object(map) => {
            for (key, value) in map {
                let key = if maps.contains(&at) { "NAME" } else { key };
                let path = if at.is_empty() { key.to_owned() } else { format!("{at}.{key}") };
                add_paths(&path, value, maps, keys);
                keys.insert(path);
            }
        }
        Value::Array(list) => {
            for value in list {
                add_paths(&format!("{at}[]"), value, maps, keys);
            }
        }
        _ => {}
    }
}

fn first_columns(page: &str) -> BTreeMap<String, Vec<String>> {
    let mut found: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let (mut heading, mut in_heading, mut column) = (String::new(), false, None);
    for event in Parser::new_ext(page, Options::ENABLE_TABLES) {
        match event {
            Event::Start(Tag::Heading { .. }) => (heading, in_heading) = (String::new(), true),
            Event::End(TagEnd::Heading(_)) => in_heading = false,
            Event::Text(text) | Event::Code(text) if in_heading => heading += &text,
            Event::Start(Tag::TableRow) => column = Some(0),
            Event::End(TagEnd::TableCell) => column = column.map(|column| column + 1),
            Event::Code(key) if column == Some(0) => {
                found.entry(heading.clone()).or_default().push(key.to_string());
            }
            Event::End(TagEnd::Table) => column = None,
            _ => {}
        }
    }
    found
}
