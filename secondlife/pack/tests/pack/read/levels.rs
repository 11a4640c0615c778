//! Which mesh is which level.

use lodger_pack::{Model, Object};
use lodger_quota::QuotaLimits;
use serde_json::json;

use super::build::{Builder, check, read, read_all, refused, said};
use super::notes;

/// A file of nodes, each with as many triangles as is said.
fn file(nodes: &[(&str, usize)]) -> Vec<u8> {
    let mut builder = Builder::new();
    for &(name, triangles) in nodes {
        let mut positions = super::build::TRIANGLE.repeat(triangles);
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
fn triangles(object: &Object) -> [usize; 5] {
    let count = |level: &Option<lodger_pack::Level>| {
        level.as_ref().map_or(0, lodger_pack::Level::triangle_count)
    };
    let given = &object.given;
    assert!(given.high.is_none());
    let high = object.high.triangle_count();
    [count(&given.lowest), count(&given.low), count(&given.medium), high, count(&object.physics)]
}

fn read_files(files: &[(&str, &[u8])]) -> Model {
    let model = read_all(files, QuotaLimits::default()).unwrap_or_else(|error| panic!("{error}"));
    check(&model);
    model
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
    let mut builder = Builder::new();
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
    // A file that is alone is no level of anything, whatever it is called.
    assert_eq!(triangles(&read_files(&[("x_LOD1.glb", &low)]).objects[0]), [0, 0, 0, 2, 0]);
}

#[test]
fn levels_without_names_go_by_their_order() {
    let (high, low) = (file(&[("a", 9), ("b", 8)]), file(&[("Mesh 7", 3), ("Mesh 8", 2)]));
    let model = read_files(&[("x.glb", &high), ("x_LOD0.glb", &low)]);
    let found: Vec<_> = model.objects.iter().map(triangles).collect();
    assert_eq!(found, [[3, 0, 0, 9, 0], [2, 0, 0, 8, 0]]);
    assert!(notes(&model).contains(&("level-by-order", "Mesh 7")));
    // What can only be meant as one object's needs no name.
    let model = read(&file(&[("Cube", 4), ("house_LOD0", 2)]));
    assert_eq!(triangles(&model.objects[0]), [2, 0, 0, 4, 0]);
    assert!(notes(&model).contains(&("level-by-order", "house_LOD0")));
    let one = file(&[("z", 1)]);
    let text = said(read_all(&[("x.glb", &high), ("x_LOD0.glb", &one)], QuotaLimits::default()));
    assert!(text.contains("`z` is the lowest level of `z`, but there is no object"), "{text}");
    assert!(text.contains("there are: `a`, `b`"), "{text}");
}

#[test]
fn levels_of_nobody_are_refused() {
    let text = refused(&file(&[("oak_LOD2", 1)]));
    assert!(
        text.contains("`oak_LOD2` is the medium level of `oak`, but there is no object"),
        "{text}"
    );
    let text = refused(&file(&[("a", 1), ("b", 1), ("c_LOD0", 1)]));
    assert!(text.contains("`c_LOD0` is the lowest level of `c`"), "{text}");
    let text = refused(&file(&[("a", 1), ("a_LOD0", 1), ("a_LOD0", 1)]));
    assert!(text.contains("`a_LOD0` is the lowest level of `a`, which has one already"), "{text}");
}

#[test]
fn lower_levels_may_lack_materials_and_add_none() {
    let mut builder = Builder::new();
    builder.materials(&["bark", "leaf", "moss"]);
    let (high, low) = (builder.painted([1, 0]), builder.painted([0]));
    builder.root(json!({ "mesh": high, "name": "oak" }));
    builder.root(json!({ "mesh": low, "name": "oak_LOD0" }));
    let model = read(&builder.glb());
    let lowest = model.objects[0].given.lowest.as_ref().expect("it is given");
    let counts: Vec<_> = lowest.faces.iter().map(|face| face.triangles.len()).collect();
    // The faces are those of the high level, leaves first.
    assert_eq!(counts, [0, 1]);
    let names: Vec<_> =
        model.objects[0].materials.iter().map(|&m| &*model.materials[m].name).collect();
    assert_eq!(names, ["leaf", "bark"]);
    let wrong = builder.painted([2, 0]);
    builder.root(json!({ "mesh": wrong, "name": "oak_LOD1" }));
    let text = refused(&builder.glb());
    assert!(
        text.contains("`oak_LOD1` has the material `moss`, which the high level of `oak`"),
        "{text}"
    );
}

#[test]
fn materials_of_several_files_are_the_same_by_their_names() {
    let file = |names: &[&str], node: &str| {
        let mut builder = Builder::new();
        builder.materials(names);
        let mesh = builder.painted(0..names.len());
        builder.root(json!({ "mesh": mesh, "name": node }));
        builder.glb()
    };
    let (high, low) = (file(&["bark", "leaf"], "oak"), file(&["leaf", "bark"], "oak"));
    let model = read_files(&[("oak.glb", &high), ("oak_LOD0.glb", &low)]);
    assert_eq!(model.materials.len(), 2);
    let lowest = model.objects[0].given.lowest.as_ref().expect("it is given");
    assert_eq!(lowest.triangle_count(), 2);
    let other = file(&["bark", "stone"], "oak");
    let text =
        said(read_all(&[("oak.glb", &high), ("oak_LOD0.glb", &other)], QuotaLimits::default()));
    assert!(text.contains("`stone`"), "{text}");
}
