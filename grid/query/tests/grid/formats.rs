//! `docs/formats.md` names every column of a dataset and every key of its manifest, and no other.

#[expect(unreachable_pub, reason = "it is public in lodger-tests")]
#[path = "../../../../tests/src/tables.rs"]
mod tables;

use std::collections::BTreeSet;
use std::fs;

use arrow::datatypes::Schema;
use lodger_grid::dataset::{
    AssetColumns, DataFile, Manifest, PartColumns, SourceEntry, SourceKind, Table,
};
use serde_json::Value;

/// What the tables below a heading name, in their order.
fn named(heading: &str) -> Vec<String> {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/formats.md");
    let page = fs::read_to_string(page).expect("readable");
    let mut tables = tables::first_columns(&page);
    tables.remove(heading).unwrap_or_else(|| panic!("no table below {heading:?}"))
}

fn columns(schema: &Schema) -> Vec<&str> {
    schema.fields().iter().map(|field| field.name().as_str()).collect()
}

/// The paths of all keys of a value, as `files[].path`.
fn paths(at: &str, value: &Value, keys: &mut BTreeSet<String>) {
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

#[test]
fn the_columns_of_a_dataset() {
    assert_eq!(columns(&AssetColumns::schema()), named("The dataset: the table assets"));
    assert_eq!(columns(&PartColumns::schema()), named("The dataset: the table parts"));
}

#[test]
fn the_manifest_of_a_dataset() {
    let manifest = Manifest {
        schema: 1,
        with_names: false,
        sources: vec![SourceEntry {
            name: "region.oar".to_owned(),
            kind: SourceKind::Files,
            whole: true,
        }],
        files: vec![DataFile {
            table: Table::Assets,
            path: "assets/00000.parquet".to_owned(),
            rows: 1,
            source: 0,
        }],
    };
    let mut said = BTreeSet::new();
    paths("", &serde_json::to_value(&manifest).expect("JSON"), &mut said);
    let list = named("The dataset: lodger-grid.json");
    let page: BTreeSet<_> = list.iter().cloned().collect();
    assert_eq!(list.len(), page.len(), "a key stands there twice");
    assert_eq!(said, page);
}
