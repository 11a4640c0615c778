//! Levels of nodes and of groups, and instances.

use serde_json::{Value, json};

use super::{Builder, assert_spheres, read, spheres, warnings, work};
use crate::{LadderSource, SceneFile, SceneLimits, SceneOverrides};
use lodger_quota::Quota;

/// A house at (10, 0, 0): 12 triangles 5 m to the left, 100 triangles 5 m to the right and three times as
/// large; below a level of 40, and one of 2 and 3 triangles.
fn house() -> Builder {
    let mut builder = Builder::new();
    let meshes = [12, 100, 40, 2, 3].map(|triangles| builder.cube(triangles));
    let left = builder.add("nodes", json!({ "mesh": meshes[0], "translation": [-5, 0, 0] }));
    let right = json!({ "mesh": meshes[1], "translation": [5, 0, 0], "scale": [3, 3, 3] });
    let right = builder.add("nodes", right);
    let middle = builder.add("nodes", json!({ "mesh": meshes[2] }));
    let part = builder.add("nodes", json!({ "mesh": meshes[3] }));
    let low = builder.add("nodes", json!({ "mesh": meshes[4], "children": [part] }));
    builder.root(json!({ "name": "house", "children": [left, right], "translation": [10, 0, 0],
        "extensions": { "MSFT_lod": { "ids": [middle, low] } } }));
    builder
}

const HOUSE: usize = 5;

#[test]
fn a_group_is_one_actor() {
    let file = house().read().expect("a scene");
    // Spheres of √3 around 5 and of 3·√3 around 15: from 5 − √3 to 15 + 3·√3.
    let root = 3_f32.sqrt();
    let centre = 10.0 + root;
    assert_spheres(&file, &[("house", [centre, 0.0, 0.0, 15.0 + 3.0 * root - centre])]);
    assert_eq!(work(&file, 0), [5, 40, 112]);
    assert_eq!(file.actors[0].ladder, LadderSource::File);
}

#[test]
fn groups_hold_groups_instances_and_skins() {
    let mut builder = house();
    let places = builder.floats("VEC3", &[0.0, 0.0, 0.0, 0.0, 8.0, 0.0]);
    builder.json["nodes"][2]["extensions"] =
        json!({ "EXT_mesh_gpu_instancing": { "attributes": { "TRANSLATION": places } } });
    let tree = json!({ "mesh": 2, "extensions": { "EXT_mesh_gpu_instancing":
        { "attributes": { "TRANSLATION": places } } } });
    let trees = builder.add("nodes", tree);
    let street = json!({ "name": "street", "children": [HOUSE, trees],
        "extensions": { "MSFT_lod": { "ids": [2] } } });
    let street = builder.add("nodes", street);
    builder.json["scenes"][0]["nodes"] = json!([street]);
    let file = builder.read().expect("a scene");
    let [(name, [_, _, _, radius])] = spheres(&file)[..] else { panic!("{file:?}") };
    assert_eq!(name, "street");
    assert!(radius > 10.0, "{radius}");
    // Both instances of the level; all below the house, and both trees.
    assert_eq!(work(&file, 0), [80, 112 + 80]);
}

#[test]
fn levels_may_share_trees_but_not_form_cycles() {
    let mut builder = house();
    // A repeated child of a level is drawn twice.
    builder.json["nodes"][4]["children"] = json!([3, 3]);
    builder.json["nodes"][2]["children"] = json!([4]);
    let file = builder.read().expect("a scene");
    assert_eq!(work(&file, 0), [3 + 4, 40 + 7, 112]);
    builder.json["nodes"][3]["children"] = json!([2]);
    let text = builder.rejected();
    assert!(
        text.starts_with("node 5 `house`: node ") && text.contains("is below itself"),
        "{text}"
    );
    builder.json["nodes"][3]["children"] = json!([77]);
    assert!(builder.rejected().contains("node 77 is below one of its levels"));
    // The group itself may be a level: it draws no more.
    let mut builder = house();
    builder.json["nodes"][HOUSE]["extensions"]["MSFT_lod"]["ids"] = json!([HOUSE, 0]);
    let file = builder.read().expect("a scene");
    assert_eq!(work(&file, 0), [12, 112, 112]);
}

#[test]
fn trees_that_double_at_every_node_terminate() {
    let mut builder = house();
    let first = builder.add("nodes", json!({ "mesh": 0 }));
    let last = (0..200)
        .fold(first, |below, _| builder.add("nodes", json!({ "children": [below, below] })));
    builder.json["nodes"][HOUSE]["extensions"]["MSFT_lod"]["ids"] = json!([last]);
    assert!(builder.rejected().contains("more than lodger can count"));
}

#[test]
fn many_levels_of_deep_trees_are_quick() {
    const DEEP: usize = 20_000;
    let mut builder = house();
    let bottom = builder.add("nodes", json!({ "mesh": 3 }));
    for node in bottom..bottom + DEEP {
        builder.add("nodes", json!({ "children": [node] }));
    }
    for group in 0..500 {
        let ids: Vec<_> = (0..200).map(|level| bottom + DEEP - group - level).collect();
        builder.root(json!({ "name": format!("group {group}"), "children": [],
            "extensions": { "MSFT_lod": { "ids": ids } } }));
    }
    // The highest level of these groups draws nothing, which is an error of the first one.
    assert!(builder.rejected().contains("node 20007 `group 0`: it has lower LODs"));
    for group in 0..500 {
        let visible = builder.add("nodes", json!({ "mesh": 0 }));
        let node = bottom + DEEP + 1 + group;
        builder.json["nodes"][node]["children"] = json!([visible]);
    }
    let file = builder.read().expect("a scene");
    assert_eq!(file.actors.len(), 501);
    assert_eq!(work(&file, 1)[199..], [2, 12]);
}

#[test]
fn an_empty_group_is_not_an_actor() {
    let mut builder = house();
    builder.json["nodes"][HOUSE]["children"] = json!([]);
    let text = builder.rejected();
    assert!(text.contains("it has lower LODs, but nothing to be seen at its highest"), "{text}");
    let empty = builder.add("nodes", json!({}));
    builder.json["nodes"][HOUSE]["extensions"]["MSFT_lod"]["ids"] = json!([empty]);
    assert!(builder.read().expect("a scene").scene.is_empty());
    // An empty list of levels makes no group.
    let mut builder = house();
    builder.json["nodes"][HOUSE]["extensions"]["MSFT_lod"]["ids"] = json!([]);
    let file = builder.read().expect("a scene");
    assert_eq!(file.actors.len(), 2);
    assert_eq!(file.actors[0].ladder, LadderSource::Assumed);
    builder.json["nodes"][HOUSE]["extensions"]["MSFT_lod"]["ids"] = json!("all");
    assert!(builder.rejected().contains("MSFT_lod has no array `ids`"));
    builder.json["nodes"][HOUSE]["extensions"]["MSFT_lod"]["ids"] = json!([0, -1]);
    assert!(builder.rejected().contains("MSFT_lod lists node -1"));
}

#[test]
fn levels_of_a_mesh_count_their_descendants() {
    let mut builder = house();
    builder.json["nodes"][HOUSE]["mesh"] = json!(1);
    builder.json["nodes"][HOUSE]["name"] = json!("wall");
    let file = builder.read().expect("a scene");
    let names: Vec<_> = file.actors.iter().map(|actor| &*actor.name).collect();
    assert_eq!(names, ["node 0", "node 1", "wall"]);
    assert_eq!(work(&file, 2), [3 + 2, 40, 100]);
    // A level may draw nothing itself.
    builder.json["nodes"][4]["mesh"] = Value::Null;
    assert_eq!(work(&builder.read().expect("a scene"), 2), [2, 40, 100]);
}

const HIDDEN: &str = "KHR_node_visibility";

#[test]
fn hidden_nodes_are_not_actors_but_may_be_cameras() {
    let mut builder = Builder::new();
    let cube = builder.cube(12);
    let camera = builder.add("nodes", json!({ "camera": 0, "translation": [0, 0, 9] }));
    let below = json!({ "mesh": cube, "children": [camera],
        "extensions": { HIDDEN: { "visible": true } } });
    let below = builder.add("nodes", below);
    builder.root(json!({ "mesh": cube, "children": [below], "translation": [1, 0, 0],
        "extensions": { HIDDEN: { "visible": false } } }));
    builder.root(json!({ "name": "seen", "mesh": cube, "extensions": { HIDDEN: {} } }));
    let bytes = builder.embedded();
    let file = SceneFile::from_gltf(
        &bytes,
        &SceneOverrides::default(),
        SceneLimits::default(),
        &Quota::default(),
    );
    let file = file.expect("there is a camera");
    assert_spheres(&file, &[("seen", [0.0, 0.0, 0.0, 3_f32.sqrt()])]);
    let (_, view) = file.scene.views().next().expect("a view");
    assert!((view.position()[2] - 9.0).abs() < f32::EPSILON);
}

#[test]
fn hidden_nodes_of_a_level_count_nothing() {
    let mut builder = house();
    builder.json["nodes"][3]["extensions"] = json!({ HIDDEN: { "visible": false } });
    builder.json["nodes"][1]["extensions"] = json!({ HIDDEN: { "visible": false } });
    builder.json["nodes"][2]["extensions"] = json!({ HIDDEN: { "visible": false } });
    builder.json["nodes"][HOUSE]["extensions"]["MSFT_lod"]["ids"] = json!([4, 2]);
    let file = builder.read().expect("a scene");
    assert_spheres(&file, &[("house", [5.0, 0.0, 0.0, 3_f32.sqrt()])]);
    assert_eq!(work(&file, 0), [0, 3, 12]);
    builder.json["nodes"][HOUSE]["mesh"] = json!(1);
    let file = builder.read().expect("a scene");
    assert_eq!(work(&file, 1), [0, 3, 100]);
}

const HALF: f32 = std::f32::consts::FRAC_1_SQRT_2;

/// A node at (100, 0, 0), twice as large and turned by 90° around y, that draws a mesh whose box is from
/// (0, 0, 0) to (2, 4, 4), with these attributes of instances.
fn forest(attributes: impl FnOnce(&mut Builder) -> Value) -> Builder {
    let mut builder = Builder::new();
    let positions = json!({ "componentType": 5126, "type": "VEC3", "count": 30, "min": [0, 0, 0],
        "max": [2, 4, 4] });
    let positions = builder.add("accessors", positions);
    let mesh = builder.mesh(&json!({ "POSITION": positions }));
    let attributes = attributes(&mut builder);
    builder.root(json!({ "name": "tree", "mesh": mesh, "translation": [100, 0, 0],
        "rotation": [0, HALF, 0, HALF], "scale": [2, 2, 2],
        "extensions": { "EXT_mesh_gpu_instancing": { "attributes": attributes } } }));
    builder
}

/// The first instance is moved by (0, 10, 0) alone; the second is moved by (5, 0, 0), turned by 90° around
/// z and three times as large along x.
fn two(builder: &mut Builder) -> Value {
    let places = builder.floats("VEC3", &[0.0, 10.0, 0.0, 5.0, 0.0, 0.0]);
    let turns = builder.floats("VEC4", &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, HALF, HALF]);
    let scales = builder.floats("VEC3", &[1.0, 1.0, 1.0, 3.0, 1.0, 1.0]);
    json!({ "TRANSLATION": places, "ROTATION": turns, "SCALE": scales, "_ID": 0 })
}

/// By hand: the centre (1, 2, 2) of the first is moved to (1, 12, 2); the node doubles it to (2, 24, 4) and
/// turns it, x to −z and z to x, to (4, 24, −2), and moves it to (104, 24, −2); its radius is 3·2.
/// The centre of the second is scaled to (3, 2, 2), turned, x to y and y to −x, to (−2, 3, 2), moved to (3, 3, 2),
/// doubled to (6, 6, 4), turned to (4, 6, −6), moved to (104, 6, −6); its radius is 3·3·2.
const TWO: [(&str, [f32; 4]); 2] =
    [("tree[0]", [104.0, 24.0, -2.0, 6.0]), ("tree[1]", [104.0, 6.0, -6.0, 18.0])];

#[test]
fn every_instance_is_an_actor() {
    let file = forest(two).read().expect("a scene");
    assert_spheres(&file, &TWO);
    for (actor, named) in file.actors.iter().enumerate() {
        assert_eq!(work(&file, actor), [0, 1, 1, 3, 10]);
        assert_eq!(named.ladder, LadderSource::Assumed);
    }
}

#[test]
fn rotations_may_be_normalised_and_attributes_left_out() {
    let octets: [i8; 8] = [0, 0, 0, 127, 0, 0, 90, 90];
    let octets = octets.map(i8::cast_unsigned);
    let builder = forest(|builder| {
        let mut attributes = two(builder);
        let turns = builder.integers(5120, "VEC4", 2, &octets);
        builder.json["accessors"][turns]["normalized"] = json!(true);
        attributes["ROTATION"] = json!(turns);
        attributes
    });
    assert_spheres(&builder.read().expect("a scene"), &TWO);
    let builder = forest(|builder| {
        let shorts: Vec<_> =
            [0_i16, 0, 23170, 23170].into_iter().flat_map(i16::to_le_bytes).collect();
        let turns = builder.integers(5122, "VEC4", 1, &shorts);
        builder.json["accessors"][turns]["normalized"] = json!(true);
        json!({ "ROTATION": turns })
    });
    // (1, 2, 2) turned to (−2, 1, 2), doubled to (−4, 2, 4), turned to (4, 2, 4).
    let file = builder.read().expect("a scene");
    assert_spheres(&file, &[("tree[0]", [104.0, 2.0, 4.0, 6.0])]);
    let builder = forest(|builder| {
        let none = builder.floats("VEC3", &[]);
        json!({ "TRANSLATION": none })
    });
    assert!(builder.read().expect("a scene").scene.is_empty());
}

#[test]
fn instances_ignore_a_skin_with_a_warning() {
    let mut builder = forest(two);
    builder.add("skins", json!({ "joints": [0] }));
    builder.json["nodes"][0]["skin"] = json!(0);
    let file = builder.read().expect("a scene");
    assert_spheres(&file, &TWO);
    let [warning] = &warnings(&file)[..] else { panic!("{:?}", file.warnings) };
    assert!(warning.contains("`tree` has a skin") && warning.contains("many times"), "{warning}");
}

#[test]
fn instances_have_the_levels_of_their_node() {
    let mut builder = forest(two);
    let low = builder.cube(4);
    let level = builder.add("nodes", json!({ "mesh": low }));
    builder.json["nodes"][0]["extensions"]["MSFT_lod"] = json!({ "ids": [level] });
    let file = builder.read().expect("a scene");
    assert_spheres(&file, &TWO);
    for (actor, named) in file.actors.iter().enumerate() {
        assert_eq!((work(&file, actor), named.ladder), (&[4, 10][..], LadderSource::File));
    }
}

#[test]
fn names_of_instances_are_unique() {
    let mut builder = forest(two);
    let cube = builder.cube(1);
    for name in ["tree[1]", "tree[1]", "tree[0]#0"] {
        builder.root(json!({ "name": name, "mesh": cube }));
    }
    let file = builder.read().expect("a scene");
    let names: Vec<_> = file.actors.iter().map(|actor| &*actor.name).collect();
    assert_eq!(names, ["tree[0]", "tree[1]#0", "tree[1]#1", "tree[1]#2", "tree[0]#0"]);
    let twin = builder.json["nodes"][0].clone();
    builder.root(twin);
    let file = builder.read().expect("a scene");
    let names: Vec<_> = file.actors.iter().map(|actor| &*actor.name).collect();
    assert_eq!(
        names,
        ["tree#0[0]", "tree#0[1]", "tree[1]#1", "tree[1]#2", "tree[0]#0", "tree#4[0]", "tree#4[1]"]
    );
}

#[test]
fn instances_without_valid_transforms_are_rejected() {
    let with = |key: &str, value: Value| {
        let mut builder = forest(two);
        builder.json["accessors"][1][key] = value;
        builder.rejected()
    };
    for (key, value, message) in [
        ("count", json!(3), "are of 3 and of 2 instances"),
        (
            "bufferView",
            json!(9),
            "the TRANSLATION of its instances cannot be read: accessor 1 is in",
        ),
        ("bufferView", Value::Null, "accessor 1 has no data"),
        ("byteOffset", json!(1), "accessor 1 ends beyond buffer 0"),
        ("componentType", json!(5122), "the type that translations and scales have"),
        ("type", json!("VEC4"), "the type that translations and scales have"),
    ] {
        let text = with(key, value);
        assert!(text.starts_with("node 0 `tree`: ") && text.contains(message), "{text}");
    }
    let none = forest(|_| json!({ "_ID": 0 })).rejected();
    let message = "EXT_mesh_gpu_instancing has none of TRANSLATION, ROTATION and SCALE";
    assert_eq!(none, format!("node 0 `tree`: {message}"));
    let error = read(&forest(two).beside("gone.bin")).expect_err("another file");
    let text = error.to_string();
    assert!(text.contains("buffer 0 is in `gone.bin`, which cannot be read"), "{text}");
}

#[test]
fn instances_need_data() {
    let mut builder = forest(two);
    for accessor in 1..4 {
        builder.json["accessors"][accessor]["count"] = json!(1_u64 << 40);
        builder.json["accessors"][accessor]["bufferView"] = Value::Null;
    }
    assert!(builder.rejected().contains("has no data"), "{}", builder.rejected());
    for accessor in 1..4 {
        builder.json["accessors"][accessor]["count"] = json!(1 << 20);
        builder.json["accessors"][accessor]["sparse"] = json!({ "count": 0,
            "indices": { "bufferView": 0, "componentType": 5121 }, "values": { "bufferView": 0 } });
    }
    assert!(builder.rejected().contains("has no data"), "{}", builder.rejected());
}
