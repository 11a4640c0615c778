//! glTF scenes, as JSON and as .glb.

use serde_json::{Value, json};

use crate::hostile::case::Case;
use crate::hostile::class::{Class, Known};
use crate::hostile::input::{Content, Kind};
use crate::hostile::make::gltf::{buffer, damage, glb, model};
use crate::hostile::random::Random;
use crate::hostile::{damage as bytes, hard};

pub(super) const CLASS: Class = Class { name: "gltf", known: &KNOWN, random: Some(random) };

const KNOWN: [Known; 15] = [
    Known::new("400 nodes with one mesh name of 1 MB", 400, shared_name),
    Known::new("400 nodes with one mesh name of 1 MB, in a table", 400, |n| {
        shared_name(n).format("table")
    }),
    Known::new("100 000 nodes within each other", 100_000, chain),
    Known::new("nodes within each other in a ring", 3, ring),
    Known::new("levels that name each other, 20 000 deep", 20_000, levels),
    Known::new("4 294 967 295 instances", 0xffff_ffff, instances),
    Known::new("2²⁸ instances of the same bytes", 1 << 28, instances),
    Known::new("a million accessors of one view", 200_000, accessors),
    Known::new("a sparse accessor of 4 294 967 295", 0xffff_ffff, sparse),
    Known::new("a skin of 100 000 joints on 1 000 nodes", 100_000, skins),
    Known::new("a MiB of [", 1 << 20, brackets),
    Known::new("a .glb that says it has 4 GiB", 0xffff_ffff, lengths),
    Known::new("glTF 1.0 that says so behind 200 000 nodes", 200_000, first_version),
    Known::new("a node named with ESC, U+061C and a new line", 1, |_| odd_name("table")),
    Known::new("a node named as a formula, in CSV", 1, |_| odd_name("csv")),
];

fn schedule(model: &Value, bin: &[u8]) -> Case {
    let json = model.to_string();
    Case::of("schedule")
        .file("bad.glb", glb(json.as_bytes(), bin, [None; 3]))
        .option("--eye", "0,2,8")
}

fn nodes(model: &mut Value, nodes: Vec<Value>, roots: &[usize]) {
    model["scenes"] = json!([{ "nodes": roots }]);
    model["nodes"] = Value::Array(nodes);
}

fn shared_name(count: usize) -> Case {
    let mut model = model();
    model["meshes"][1]["name"] = json!(hard::long(1_000_000));
    nodes(&mut model, vec![json!({"mesh": 1}); count], &(0..count).collect::<Vec<_>>());
    schedule(&model, &buffer()).format("json")
}

fn chain(count: usize) -> Case {
    let mut model = model();
    let node = |i: usize| {
        if i + 1 < count { json!({"mesh": 1, "children": [i + 1]}) } else { json!({"mesh": 1}) }
    };
    nodes(&mut model, (0..count).map(node).collect(), &[0]);
    schedule(&model, &buffer()).format("json")
}

fn ring(count: usize) -> Case {
    let mut model = model();
    let node = |i: usize| json!({"mesh": 1, "children": [(i + 1) % count]});
    nodes(&mut model, (0..count).map(node).collect(), &[0]);
    schedule(&model, &buffer()).format("json")
}

fn levels(count: usize) -> Case {
    let mut model = model();
    let node = |i: usize| json!({"mesh": 1, "extensions": {"MSFT_lod": {"ids": [(i + 1) % count, (i + 2) % count]}}});
    nodes(&mut model, (0..count).map(node).collect(), &(0..64).collect::<Vec<_>>());
    schedule(&model, &buffer()).format("json")
}

fn instances(count: usize) -> Case {
    let mut model = model();
    model["accessors"][4]["count"] = json!(count);
    model["bufferViews"][4]["byteStride"] = json!(0);
    let no_view = json!({"componentType": 5126, "count": count, "type": "VEC3"});
    model["accessors"][4] = no_view;
    schedule(&model, &buffer()).format("json")
}

fn accessors(count: usize) -> Case {
    let mut model = model();
    let accessor = json!({"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"});
    model["accessors"] = Value::Array(vec![accessor; count]);
    let primitive = |i: usize| json!({"attributes": {"POSITION": i}});
    let primitives: Vec<_> = (0..count).map(primitive).collect();
    model["meshes"][1]["primitives"] = Value::Array(primitives);
    schedule(&model, &buffer()).format("json")
}

fn sparse(count: usize) -> Case {
    let mut model = model();
    model["accessors"][0]["count"] = json!(count);
    model["accessors"][0]["sparse"]["count"] = json!(count);
    schedule(&model, &buffer()).format("json")
}

fn skins(joints: usize) -> Case {
    let mut model = model();
    let count = joints;
    model["skins"] = json!([{ "joints": vec![1; count] }]);
    let mut list = vec![json!({"mesh": 0, "skin": 0}); 1000];
    list[1] = json!({"name": "bone"});
    nodes(&mut model, list, &(0..1000).collect::<Vec<_>>());
    schedule(&model, &buffer()).format("json")
}

fn brackets(bytes: usize) -> Case {
    let deep = "[".repeat(bytes);
    Case::of("schedule")
        .file("bad.gltf", format!("{{\"asset\":{{\"version\":\"2.0\"}},\"extras\":{deep}"))
}

fn lengths(length: usize) -> Case {
    let length = u32::try_from(length).ok();
    let bytes = glb(model().to_string().as_bytes(), &buffer(), [length, length, length]);
    Case::of("schedule").file("bad.glb", bytes)
}

fn first_version(count: usize) -> Case {
    let nodes: Vec<_> = (0..count).map(|i| format!("\"n{i}\":{{\"meshes\":[\"m\"]}}")).collect();
    let nodes = nodes.join(",");
    let json = format!("{{\"nodes\":{{{nodes}}},\"asset\":{{\"version\":\"1.0\"}}}}");
    Case::of("schedule").file("bad.gltf", json).codes(&[2])
}

fn odd_name(format: &str) -> Case {
    let mut model = model();
    model["nodes"][0]["name"] = json!("\u{61c}\u{1b}[31m\nFORGED");
    model["nodes"][2]["name"] = json!("=1+1");
    model["meshes"][1]["name"] = json!("@\u{202e}\nFORGED");
    schedule(&model, &buffer()).format(format)
}

fn random(random: &mut Random) -> Case {
    let mut model = model();
    let apart = random.one_in(3);
    if apart {
        let odd = String::from_utf8_lossy(&hard::path(random)).into_owned();
        model["buffers"][0]["uri"] =
            json!(if random.one_in(2) { "bad.bin".to_owned() } else { odd });
    }
    for _ in 0..random.between(1, 4) {
        damage(random, &mut model);
    }
    let mut bin = buffer();
    if random.one_in(5) {
        bytes::bytes(random, &mut bin);
    }
    let mut json = model.to_string();
    if random.one_in(5) {
        json = bytes::text(random, &json);
    }
    let mut case = Case::of("schedule").format(random.pick(&["table", "json", "csv"]));
    "any glTF".clone_into(&mut case.name);
    case.threads = random.one_in(10);
    if apart {
        return case.input("bad.bin", Kind::File(Content::of(bin))).file("bad.gltf", json);
    }
    let lie = |random: &mut Random| random.one_in(8).then(|| hard::whole(random));
    let lengths = [lie(random), lie(random), lie(random)];
    let mut file = glb(json.as_bytes(), &bin, lengths);
    if random.one_in(8) {
        bytes::bytes(random, &mut file);
    }
    case.file("bad.glb", file)
}
