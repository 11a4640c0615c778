//! `docs/formats.md` names every key of the JSON, and no other.

#[expect(unreachable_pub, reason = "it is public in lodger-tests")]
#[path = "../../../../../tests/src/tables.rs"]
mod tables;

use std::collections::BTreeSet;
use std::fs;

use serde_json::Value;

use crate::models::{DrawnMesh, Primitive, nine_material_cube, sphere};

use super::run::Folder;

/// The paths of all keys of a value, as `objects[].name`.
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

/// A ball that collides as squares and one long thin triangle, which lint finds.
fn thin() -> Vec<u8> {
    let mut drawing = sphere(0.5, 8);
    let corners = [
        [-0.5, -0.5, 0.0],
        [0.5, -0.5, 0.0],
        [0.5, 0.5, 0.0],
        [-0.5, 0.5, 0.0],
        [0.0, 0.0, -0.5],
        [0.5, 0.0, 0.5],
        [0.5, 0.0001, 0.5],
    ];
    let squares = [[0, 1, 2], [0, 2, 3], [4, 1, 0], [4, 2, 1], [4, 3, 2], [4, 0, 3]];
    let mut triangles = squares.to_vec();
    triangles.push([4, 5, 6]);
    let physics = Primitive { positions: corners.to_vec(), triangles, ..Primitive::default() };
    let name = format!("{}_PHYS", drawing.meshes[0].name);
    drawing.meshes.push(DrawnMesh { name, primitives: vec![physics] });
    drawing.glb()
}

#[test]
fn the_page_of_formats_has_every_key() {
    let folder =
        Folder::new().with("thin.glb", thin()).with("cube.glb", nine_material_cube().glb());
    let mut said = BTreeSet::new();
    for (model, code) in [("thin.glb", 1), ("cube.glb", 0)] {
        let outcome =
            folder.run(&[model, "--output", model.trim_end_matches(".glb"), "--format", "json"]);
        assert_eq!(outcome.code, Some(code), "{model}: {}{}", outcome.stdout, outcome.stderr);
        let value: Value = serde_json::from_str(&outcome.stdout).expect("JSON");
        assert_eq!(value["schema"], 1);
        paths("", &value, &mut said);
    }
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/formats.md");
    let page = fs::read_to_string(page).expect("readable");
    let mut named = tables::first_columns(&page);
    let named = named.remove("lodger pack: JSON").expect("a table");
    let page: BTreeSet<_> = named.iter().cloned().collect();
    assert_eq!(named.len(), page.len(), "a key stands there twice");
    // A level is told once for all four.
    let levels = ["lowest", "low", "medium", "high"];
    let one = |key: String| {
        let level = levels.iter().find(|it| key.starts_with(&format!("objects[].lods.{it}.")));
        level.map_or(key.clone(), |level| key.replacen(&format!(".{level}."), ".LOD.", 1))
    };
    let said: BTreeSet<_> = said.into_iter().map(one).collect();
    assert_eq!(said, page);
}
