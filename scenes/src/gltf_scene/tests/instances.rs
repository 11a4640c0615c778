//! `EXT_mesh_gpu_instancing`, computed by hand.

use serde_json::{Value, json};

use super::build::{Builder, assert_spheres, read, warnings, work};
use crate::{LadderSource, NodeError};

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
/// That of the second is scaled to (3, 2, 2), turned, x to y and y to −x, to (−2, 3, 2), moved to (3, 3, 2),
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
        let turns = builder.whole(5120, "VEC4", 2, &octets);
        builder.json["accessors"][turns]["normalized"] = json!(true);
        attributes["ROTATION"] = json!(turns);
        attributes
    });
    assert_spheres(&builder.read().expect("a scene"), &TWO);
    let builder = forest(|builder| {
        let shorts: Vec<_> =
            [0_i16, 0, 23170, 23170].into_iter().flat_map(i16::to_le_bytes).collect();
        let turns = builder.whole(5122, "VEC4", 1, &shorts);
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
fn instances_do_without_a_skin_and_say_so() {
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
fn instances_that_cannot_be_placed_are_refused() {
    let with = |key: &str, value: Value| {
        let mut builder = forest(two);
        builder.json["accessors"][1][key] = value;
        builder.refused()
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
    let none = forest(|_| json!({ "_ID": 0 })).refused();
    assert_eq!(none, format!("node 0 `tree`: {}", NodeError::NoInstances));
    let error = read(&forest(two).beside("gone.bin")).expect_err("another file");
    let text = error.to_string();
    assert!(text.contains("buffer 0 is in `gone.bin`, which cannot be read"), "{text}");
}

#[test]
fn instances_without_bytes_behind_them_are_none() {
    let mut builder = forest(two);
    for accessor in 1..4 {
        builder.json["accessors"][accessor]["count"] = json!(1_u64 << 40);
        builder.json["accessors"][accessor]["bufferView"] = Value::Null;
    }
    assert!(builder.refused().contains("has no data"), "{}", builder.refused());
    for accessor in 1..4 {
        builder.json["accessors"][accessor]["count"] = json!(1 << 20);
        builder.json["accessors"][accessor]["sparse"] = json!({ "count": 0,
            "indices": { "bufferView": 0, "componentType": 5121 }, "values": { "bufferView": 0 } });
    }
    assert!(builder.refused().contains("has no data"), "{}", builder.refused());
}
