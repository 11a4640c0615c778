//! Levels of objects by names and order, and objects that an asset cannot hold as one.

use std::collections::HashSet;

use lodger_pack::{LodMesh, ModelObject};
use lodger_quota::QuotaLimits;
use serde_json::json;

use super::{failure_text, notes, read, read_all, read_failure, read_files, row};
use crate::models::{self, GltfBuilder, TRIANGLE};

fn file(nodes: &[(&str, usize)]) -> Vec<u8> {
    let mut builder = GltfBuilder::new();
    for &(name, triangles) in nodes {
        let mut positions = TRIANGLE.repeat(triangles);
        for (triangle, offset) in positions.chunks_mut(9).zip(0_u8..) {
            triangle.iter_mut().step_by(3).for_each(|x| *x += f32::from(offset));
        }
        let primitive = builder.primitive(&positions);
        let mesh = builder.mesh(&[primitive]);
        builder.root(json!({ "mesh": mesh, "name": name }));
    }
    builder.glb()
}

/// The triangles of the lowest, low, medium and high level and of the physics shape.
fn triangles(object: &ModelObject) -> [usize; 5] {
    let count = |level: &Option<LodMesh>| level.as_ref().map_or(0, LodMesh::triangle_count);
    let given = &object.authored;
    assert!(given.high.is_none());
    let high = object.high.triangle_count();
    [count(&given.lowest), count(&given.low), count(&given.medium), high, count(&object.physics)]
}

#[test]
fn names_of_nodes_say_which_level_it_is() {
    let bytes = file(&[
        ("oak_LOD0", 1),
        ("oak_LOD1", 2),
        ("ash", 7),
        ("oak", 9),
        ("oak_LOD2", 3),
        ("ash_PHYS", 4),
        ("oak_phys", 5),
    ]);
    let model = read(&bytes);
    let found: Vec<_> = model.objects.iter().map(|o| (&*o.name, triangles(o))).collect();
    assert_eq!(found, [("ash", [0, 0, 0, 7, 4]), ("oak", [1, 2, 3, 9, 5])]);
}

#[test]
fn names_of_meshes_do_it_too() {
    let mut builder = GltfBuilder::new();
    for (node, mesh) in [("Cube", "oak"), ("Cube.001", "oak_LOD0"), ("Cube.002", "Cube_LOD1")] {
        let index = builder.triangle();
        builder.json["meshes"][index]["name"] = json!(mesh);
        builder.root(json!({ "mesh": index, "name": node }));
    }
    let model = read(&builder.glb());
    assert_eq!(model.objects.len(), 1);
    assert_eq!((&*model.objects[0].name, triangles(&model.objects[0])), ("Cube", [1, 1, 0, 1, 0]));
}

#[test]
fn a_file_may_be_a_level() {
    let (high, low) = (file(&[("a", 9), ("b", 8)]), file(&[("b", 2), ("a", 3)]));
    let model = read_files(&[("x_LOD1.glb", &low), ("x.glb", &high)]);
    assert_eq!(model.name, "x");
    let found: Vec<_> = model.objects.iter().map(triangles).collect();
    assert_eq!(found, [[0, 3, 0, 9, 0], [0, 2, 0, 8, 0]]);
    assert!(!notes(&model).iter().any(|(code, _)| *code == "level-by-order"));
    // A single file is no level, whatever its name.
    assert_eq!(triangles(&read_files(&[("x_LOD1.glb", &low)]).objects[0]), [0, 0, 0, 2, 0]);
}

#[test]
fn levels_without_names_go_by_their_order() {
    let (high, low) = (file(&[("a", 9), ("b", 8)]), file(&[("Mesh 7", 3), ("Mesh 8", 2)]));
    let model = read_files(&[("x.glb", &high), ("x_LOD0.glb", &low)]);
    let found: Vec<_> = model.objects.iter().map(triangles).collect();
    assert_eq!(found, [[3, 0, 0, 9, 0], [2, 0, 0, 8, 0]]);
    assert!(notes(&model).contains(&("level-by-order", "Mesh 7")));
    // A level of the only object needs no name.
    let model = read(&file(&[("Cube", 4), ("house_LOD0", 2)]));
    assert_eq!(triangles(&model.objects[0]), [2, 0, 0, 4, 0]);
    assert!(notes(&model).contains(&("level-by-order", "house_LOD0")));
    let one = file(&[("z", 1)]);
    let text =
        failure_text(read_all(&[("x.glb", &high), ("x_LOD0.glb", &one)], QuotaLimits::default()));
    assert!(text.contains("`z` is the lowest level of `z`, but there is no object"), "{text}");
    assert!(text.contains("there are: `a`, `b`"), "{text}");
}

#[test]
fn levels_without_an_object_are_rejected() {
    let text = read_failure(&file(&[("oak_LOD2", 1)]));
    assert!(
        text.contains("`oak_LOD2` is the medium level of `oak`, but there is no object"),
        "{text}"
    );
    let text = read_failure(&file(&[("a", 1), ("b", 1), ("c_LOD0", 1)]));
    assert!(text.contains("`c_LOD0` is the lowest level of `c`"), "{text}");
    let text = read_failure(&file(&[("a", 1), ("a_LOD0", 1), ("a_LOD0", 1)]));
    assert!(text.contains("`a_LOD0` is the lowest level of `a`, which has one already"), "{text}");
}

#[test]
fn lower_levels_may_lack_materials_and_add_none() {
    let mut builder = GltfBuilder::new();
    builder.materials(&["bark", "leaf", "moss"]);
    let (high, low) = (builder.painted([1, 0]), builder.painted([0]));
    builder.root(json!({ "mesh": high, "name": "oak" }));
    builder.root(json!({ "mesh": low, "name": "oak_LOD0" }));
    let model = read(&builder.glb());
    let lowest = model.objects[0].authored.lowest.as_ref().expect("it is given");
    let counts: Vec<_> = lowest.submeshes.iter().map(|face| face.triangles.len()).collect();
    // Submeshes are in the order of the high level, leaves first.
    assert_eq!(counts, [0, 1]);
    let names: Vec<_> =
        model.objects[0].materials.iter().map(|&m| &*model.materials[m].name).collect();
    assert_eq!(names, ["leaf", "bark"]);
    let wrong = builder.painted([2, 0]);
    builder.root(json!({ "mesh": wrong, "name": "oak_LOD1" }));
    let text = read_failure(&builder.glb());
    assert!(
        text.contains("`oak_LOD1` has the material `moss`, which the high level of `oak`"),
        "{text}"
    );
}

#[test]
fn materials_of_several_files_are_the_same_by_their_names() {
    let file = |names: &[&str], node: &str| {
        let mut builder = GltfBuilder::new();
        builder.materials(names);
        let mesh = builder.painted(0..names.len());
        builder.root(json!({ "mesh": mesh, "name": node }));
        builder.glb()
    };
    let (high, low) = (file(&["bark", "leaf"], "oak"), file(&["leaf", "bark"], "oak"));
    let model = read_files(&[("oak.glb", &high), ("oak_LOD0.glb", &low)]);
    assert_eq!(model.materials.len(), 2);
    let lowest = model.objects[0].authored.lowest.as_ref().expect("it is given");
    assert_eq!(lowest.triangle_count(), 2);
    let other = file(&["bark", "stone"], "oak");
    let text = failure_text(read_all(
        &[("oak.glb", &high), ("oak_LOD0.glb", &other)],
        QuotaLimits::default(),
    ));
    assert!(text.contains("`stone`"), "{text}");
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
    let mut builder = GltfBuilder::new();
    builder.materials(&names.iter().map(String::as_str).collect::<Vec<_>>());
    let (high, low) = (builder.painted(0..30), builder.painted([29, 3]));
    builder.root(json!({ "mesh": high, "name": "it" }));
    builder.root(json!({ "mesh": low, "name": "it_LOD0" }));
    builder.root(json!({ "mesh": low, "name": "it_PHYS" }));
    let model = read(&builder.glb());
    let faces: Vec<_> = model.objects.iter().map(|object| object.materials.len()).collect();
    assert_eq!(faces, [8, 8, 8, 6]);
    for (object, expected) in model.objects.iter().zip([Some(3), None, None, Some(5)]) {
        let level = object.authored.lowest.as_ref();
        let shown =
            |level: &LodMesh| level.submeshes.iter().position(|face| !face.triangles.is_empty());
        assert_eq!(level.and_then(shown), expected);
        assert_eq!(object.physics.as_ref().and_then(shown), expected);
    }
    assert!(notes(&model).contains(&("level-empty", "it")));
}

#[test]
fn seventy_thousand_vertices_are_two_faces() {
    let mut builder = GltfBuilder::new();
    let primitive = row(&mut builder, 23_334);
    let few = row(&mut builder, 12_000);
    let (high, low) = (builder.mesh(&[primitive]), builder.mesh(&[few]));
    builder.root(json!({ "mesh": high, "name": "it" }));
    builder.root(json!({ "mesh": low, "name": "it_LOD2" }));
    let model = read(&builder.glb());
    let object = &model.objects[0];
    assert_eq!((model.objects.len(), &object.materials[..]), (1, &[0, 0][..]));
    let counts = |level: &LodMesh| {
        level.submeshes.iter().map(|face| face.triangles.len()).collect::<Vec<_>>()
    };
    assert_eq!(counts(&object.high), [11_667, 11_667]);
    // The lower level is split at the same plane.
    let medium = object.authored.medium.as_ref().expect("it was given");
    assert_eq!(counts(medium), [11_667, 333]);
    assert!(notes(&model).contains(&("vertices-split", "it")));
}

#[test]
fn a_lower_level_with_too_many_vertices_is_refused() {
    let mut builder = GltfBuilder::new();
    let (one, many) = (builder.triangle(), row(&mut builder, 22_000));
    let many = builder.mesh(&[many]);
    builder.root(json!({ "mesh": one, "name": "it" }));
    builder.root(json!({ "mesh": many, "name": "it_LOD0" }));
    assert!(
        read_failure(&builder.glb()).contains("a face of `it_LOD0` has 65535 vertices or more")
    );
}

#[test]
fn more_objects_than_can_be_linked_are_refused() {
    let mut builder = GltfBuilder::new();
    let mesh = builder.triangle();
    for _ in 0..256 {
        builder.root(json!({ "mesh": mesh, "name": "it" }));
    }
    let model = read(&builder.glb());
    let names: HashSet<_> = model.objects.iter().map(|o| &o.name).collect();
    assert_eq!(names.len(), 256);
    builder.root(json!({ "mesh": mesh, "name": "it" }));
    assert!(read_failure(&builder.glb()).contains("more than 256 objects"));
}
