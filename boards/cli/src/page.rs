//! What `docs/formats.md` says of the JSON of `lodger board`, for the tests that hold it to what is said.

use std::collections::BTreeMap;
use std::fs;

use serde_json::Value;

pub(crate) use lodger_testkit::page::Keys;

/// The text of the page.
pub(crate) fn text() -> String {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/formats.md");
    fs::read_to_string(page).expect("readable")
}

/// The keys that tables name, by the heading that they stand below.
pub(crate) fn named() -> BTreeMap<String, Keys> {
    let tables = lodger_testkit::page::tables().into_iter();
    tables.map(|(heading, keys)| (heading, keys.into_iter().collect())).collect()
}

/// The paths of all keys of a value.
pub(crate) fn keys(value: &Value) -> Keys {
    lodger_testkit::page::key_paths(value, &[])
}
