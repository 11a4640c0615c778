//! What `docs/formats.md` says of the JSON of `lodger board`, for the tests that hold it to what is said.

#[expect(unreachable_pub, reason = "it is public in lodger-tests")]
#[path = "../../../tests/src/tables.rs"]
mod tables;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use serde_json::Value;

/// The paths of keys, as `boards[].name`.
pub(crate) type Keys = BTreeSet<String>;

/// The text of the page.
pub(crate) fn text() -> String {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/formats.md");
    fs::read_to_string(page).expect("readable")
}

/// The keys that tables name, by the heading that they stand below.
pub(crate) fn named() -> BTreeMap<String, Keys> {
    let tables = tables::first_columns(&text()).into_iter();
    tables.map(|(heading, keys)| (heading, keys.into_iter().collect())).collect()
}

/// The paths of all keys of a value.
pub(crate) fn keys(value: &Value) -> Keys {
    let mut keys = Keys::new();
    paths("", value, &mut keys);
    keys
}

fn paths(at: &str, value: &Value, keys: &mut Keys) {
    match value {
        Value::Object(map) => {
            for (key, value) in map {
                let path = if at.is_empty() { key.clone() } else { format!("{at}.{key}") };
                paths(&path, value, keys);
                keys.insert(path);
            }
        }
        Value::Array(list) => list.iter().for_each(|value| paths(&format!("{at}[]"), value, keys)),
        _ => {}
    }
}
