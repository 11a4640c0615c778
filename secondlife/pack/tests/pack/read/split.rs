//! Objects that have more than an asset can hold.

use serde_json::json;

use super::build::{Builder, read, refused};
use super::notes;
use crate::models;

/// Separate triangles along x.
fn row(builder: &mut Builder, triangles: u16) -> serde_json::Value {
    let corners = |x: f32| [x, 0.0, 0.0, x + 1.0, 0.0, 0.0, x, 1.0, 0.0];
    let positions: Vec<f32> = (0..triangles).flat_map(|at| corners(f32::from(at))).collect();
    builder.primitive(&positions)
}

#[test]
fn nine_materials_are_two_objects() {
    let model = read(&models::nine_material_cube().glb());
    let shape: Vec<_> =
        model.objects.iter().map(|object| (&*object.name, object.materials.clone())).collect();
    assert_eq!(shape, [("cube", (0..8).collect()), ("cube-2", vec![8])]);
    assert!(notes(&model).contains(&("materials-split", "cube")));
    assert_eq!(model.materials.len(), 9);
    assert_eq!(model.materials[3].name, "paint 3");
}

#[test]
fn thirty_materials_are_four_objects_with_their_levels() {
    let names: Vec<String> = (0..30).map(|i| format!("m{i}")).collect();
    let mut builder = Builder::new();
    builder.materials(&names.iter().map(String::as_str).collect::<Vec<_>>());
    let (high, low) = (builder.painted(0..30), builder.painted([29, 3]));
    builder.root(json!({ "mesh": high, "name": "it" }));
    builder.root(json!({ "mesh": low, "name": "it_LOD0" }));
    builder.root(json!({ "mesh": low, "name": "it_PHYS" }));
    let model = read(&builder.glb());
    let faces: Vec<_> = model.objects.iter().map(|object| object.materials.len()).collect();
    assert_eq!(faces, [8, 8, 8, 6]);
    for (object, expected) in model.objects.iter().zip([Some(3), None, None, Some(5)]) {
        let level = object.given.lowest.as_ref();
        let shown = |level: &lodger_pack::Level| {
            level.faces.iter().position(|face| !face.triangles.is_empty())
        };
        assert_eq!(level.and_then(shown), expected);
        assert_eq!(object.physics.as_ref().and_then(shown), expected);
    }
    assert!(notes(&model).contains(&("level-empty", "it")));
}

#[test]
fn seventy_thousand_vertices_are_two_faces() {
    let mut builder = Builder::new();
    let primitive = row(&mut builder, 23_334);
    let few = row(&mut builder, 12_000);
    let (high, low) = (builder.mesh(&[primitive]), builder.mesh(&[few]));
    builder.root(json!({ "mesh": high, "name": "it" }));
    builder.root(json!({ "mesh": low, "name": "it_LOD2" }));
    let model = read(&builder.glb());
    let object = &model.objects[0];
    assert_eq!((model.objects.len(), &object.materials[..]), (1, &[0, 0][..]));
    let counts = |level: &lodger_pack::Level| {
        level.faces.iter().map(|face| face.triangles.len()).collect::<Vec<_>>()
    };
    assert_eq!(counts(&object.high), [11_667, 11_667]);
    // The lower level is cut in the same place.
    let medium = object.given.medium.as_ref().expect("it was given");
    assert_eq!(counts(medium), [11_667, 333]);
    assert!(notes(&model).contains(&("vertices-split", "it")));
}

#[test]
fn a_lower_level_with_too_many_vertices_is_refused() {
    let mut builder = Builder::new();
    let (one, many) = (builder.triangle(), row(&mut builder, 22_000));
    let many = builder.mesh(&[many]);
    builder.root(json!({ "mesh": one, "name": "it" }));
    builder.root(json!({ "mesh": many, "name": "it_LOD0" }));
    assert!(refused(&builder.glb()).contains("a face of `it_LOD0` has 65535 vertices or more"));
}

#[test]
fn more_objects_than_can_be_linked_are_refused() {
    let mut builder = Builder::new();
    let mesh = builder.triangle();
    for _ in 0..256 {
        builder.root(json!({ "mesh": mesh, "name": "it" }));
    }
    let model = read(&builder.glb());
    let names: std::collections::HashSet<_> = model.objects.iter().map(|o| &o.name).collect();
    assert_eq!(names.len(), 256);
    builder.root(json!({ "mesh": mesh, "name": "it" }));
    assert!(refused(&builder.glb()).contains("more than 256 objects"));
}
