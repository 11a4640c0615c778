//! The keys of what people write: those that `docs/formats.md` has tables of are those that the readers
//! have fields for.

use std::collections::BTreeSet;
use std::fs;

use syn::{Fields, Item};

use super::crates::root;

/// The struct that a file is parsed into, and the heading of the table of its keys.
pub(super) const KEYS: [(&str, &str, &str); 10] = [
    ("scenes/src/toml_scene.rs", "RawScene", "The scene"),
    ("scenes/src/toml_scene.rs", "RawView", "A view"),
    ("scenes/src/toml_scene.rs", "RawModule", "A module"),
    ("scenes/src/toml_scene.rs", "RawWeights", "The weights of a module"),
    ("scenes/src/toml_scene.rs", "RawActor", "An actor"),
    ("scenes/src/linkset.rs", "RawLinkset", "The linkset"),
    ("scenes/src/linkset.rs", "RawObject", "An object"),
    ("scenes/src/linkset.rs", "RawPrim", "A prim"),
    ("scenes/src/camera_path.rs", "RawPath", "The path"),
    ("scenes/src/camera_path.rs", "RawWaypoint", "A waypoint"),
];

/// The fields of a struct, which are the keys that serde reads.
pub(super) fn fields(file: &str, name: &str) -> BTreeSet<String> {
    let text = fs::read_to_string(root().join(file)).expect("readable");
    let items = syn::parse_file(&text).expect("Rust").items;
    let found = items.into_iter().find_map(|item| match item {
        Item::Struct(found) if found.ident == name => Some(found.fields),
        _ => None,
    });
    let Some(Fields::Named(fields)) = found else { panic!("{file} has no struct {name}") };
    fields.named.iter().filter_map(|field| Some(field.ident.as_ref()?.to_string())).collect()
}
