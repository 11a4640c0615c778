//! `docs/formats.md` names every key of the JSON, and no other.

use lodger_testkit::page::{Keys, assert_named, key_paths};

use super::lodger_pack;
use crate::models::{DrawnMesh, Primitive, nine_material_cube, sphere};

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
        lodger_pack().with("thin.glb", thin()).with("cube.glb", nine_material_cube().glb());
    let mut said = Keys::new();
    for (model, code) in [("thin.glb", 1), ("cube.glb", 0)] {
        let outcome =
            folder.run(&[model, "--output", model.trim_end_matches(".glb"), "--format", "json"]);
        assert_eq!(outcome.code, Some(code), "{model}: {}{}", outcome.stdout, outcome.stderr);
        let value = outcome.json();
        assert_eq!(value["schema"], 1);
        said.extend(key_paths(&value, &[]));
    }
    // A level is told once for all four.
    let levels = ["lowest", "low", "medium", "high"];
    let one = |key: String| {
        let level = levels.iter().find(|it| key.starts_with(&format!("objects[].lods.{it}.")));
        level.map_or(key.clone(), |level| key.replacen(&format!(".{level}."), ".LOD.", 1))
    };
    assert_named("lodger pack: JSON", &said.into_iter().map(one).collect());
}
