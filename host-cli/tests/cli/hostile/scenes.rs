//! Scenes: TOML, glTF and Streamed SOG.

use lodger_testkit::SplitMix64;
use lodger_testkit::build::damage;
use lodger_testkit::build::gltf::{buffer, damage_value, glb, glb_with_lengths, model};
use lodger_testkit::build::scene::{self, sog_index, sog_leaf, sog_node};
use lodger_testkit::campaign::{Class, heavy, known, size};
use lodger_testkit::run::Case;
use serde_json::{Value, json};

use super::{USUAL, schedule};

/// Scenes and linksets in TOML.
pub(super) const TOML: Class = Class {
    name: "toml",
    memory: (64, 10),
    known: &[
        heavy("one million actors", || actors(1_000_000).format("csv")),
        known("100 000 actors", || actors(size(100_000)).format("json")),
        heavy("one million actors, all in a table", || actors(1_000_000).args("--all")),
        known("a MiB of [", || marks(1 << 20, "[")),
        known("a MiB of [[", || marks(1 << 20, "[[")),
        known("a MiB of {", || marks(1 << 20, "a={")),
        known("a key of a MiB", || toml(format!("{} = 1\n", damage::long(1 << 20)))),
        known("a key of 200 000 parts", || toml(format!("a{} = 1\n", ".a".repeat(200_000)))),
        known("a name of 4 MiB in a table", || named(&damage::long(4 << 20))),
        known("two actors of one name of 1 MiB", || same_names(1 << 20)),
        known("100 000 mistakes", || mistakes(100_000)),
        known("a name with U+061C, in a table", || named("\\u061cname")),
        known("a name with a new line, in a table", || named("a\\nFORGED")),
        known("two actors of one name with a new line", same_line),
        known("a name that is a formula, in CSV", || named("=1+1").format("csv")),
    ],
    random: Some(random_toml),
};

fn toml(text: impl Into<Vec<u8>>) -> Case {
    schedule("bad.toml", text)
}

fn actors(count: usize) -> Case {
    toml(scene::of_actors(count))
}

fn marks(bytes: usize, mark: &str) -> Case {
    let times = bytes / mark.len();
    toml(format!("a = {}", mark.repeat(times)))
}

fn named(name: &str) -> Case {
    toml(format!("{}{}", scene::HEAD, scene::actor(&format!("\"{name}\""))))
}

fn same_names(bytes: usize) -> Case {
    let actor = scene::actor(&format!("\"{}\"", damage::long(bytes)));
    toml(format!("{}{actor}{actor}", scene::HEAD))
}

fn same_line() -> Case {
    let actor = scene::actor("\"a\\nFORGED\\u001b[31m\\u061c\"");
    toml(format!("{}{actor}{actor}", scene::HEAD))
}

fn mistakes(count: usize) -> Case {
    let actor = scene::actor("\"a\"").replace("radius = 0.9", "radius = -1");
    toml(format!("{}{}", scene::HEAD, actor.repeat(count)))
}

fn random_toml(random: &mut SplitMix64) -> Case {
    let linkset = random.one_in(3);
    let text = match (linkset, random.index(3)) {
        (true, _) => scene::linkset(random.between(1, 8), random.spread(400)),
        (false, 0) => lodger_example(),
        (false, _) => scene::of_actors(random.spread(30)),
    };
    let text = damage::text(random, &text);
    let mut case = if linkset {
        Case::new("linkset --rule").arg(random.pick(&["sphere", "span"]))
    } else {
        let leftovers = ["keep", "within-module", "across-modules", "whole-budget"];
        Case::new("schedule --leftovers").arg(random.pick(&leftovers))
    };
    case.threads = random.one_in(10);
    let formats: &[&str] = if linkset { &["table", "json"] } else { &["table", "json", "csv"] };
    case.reads("bad.toml", text).format(random.pick(formats))
}

/// A scene with most of the keys.
fn lodger_example() -> String {
    let odd = "[[module]]\nname = \"odd\"\nenabled = false\ncontinuous = true\nunit_cost_ms = 1e-3\n\
        benefit_value = 2\nbias = 0.1\nmax_age = 3.5\ndistance_importance = \"angular\"\n[[actor]]\n\
        name = \"forced\"\nmodule = \"odd\"\nbenefit = 0.5\nage = 1\nwork = [0, 9]\nforce_lod = 0.5\n\
        [[actor]]\nname = \"kept\"\nmodule = \"odd\"\nbenefit = 0.5\nwork = [0, 9, 99]\nlod_range = [0, 1]\n";
    format!("{}{odd}", scene::of_actors(3))
}

/// glTF scenes, as JSON and as .glb.
pub(super) const GLTF: Class = Class {
    name: "gltf",
    memory: USUAL,
    known: &[
        known("400 nodes with one mesh name of 1 MB", || shared_name(400)),
        known("400 nodes with one mesh name of 1 MB, in a table", || {
            shared_name(400).format("table")
        }),
        known("100 000 nodes within each other", || chain(size(100_000))),
        known("nodes within each other in a ring", || ring(3)),
        known("levels that name each other, 20 000 deep", || levels(20_000)),
        known("4 294 967 295 instances", || instances(0xffff_ffff)),
        known("2²⁸ instances of the same bytes", || instances(1 << 28)),
        known("a million accessors of one view", || accessors(200_000)),
        known("a sparse accessor of 4 294 967 295", || sparse(0xffff_ffff)),
        known("a skin of 100 000 joints on 1 000 nodes", || skins(100_000)),
        known("a MiB of [", || brackets(1 << 20)),
        known("a .glb that says it has 4 GiB", || lengths(0xffff_ffff)),
        known("glTF 1.0 that says so behind 200 000 nodes", || first_version(200_000)),
        known("a node named with ESC, U+061C and a new line", || odd_name("table")),
        known("a node named as a formula, in CSV", || odd_name("csv")),
    ],
    random: Some(random_gltf),
};

/// The plan of a model in a .glb file.
fn planned(model: &Value) -> Case {
    schedule("bad.glb", glb(model.to_string(), &buffer())).args("--eye 0,2,8")
}

fn nodes(model: &mut Value, nodes: Vec<Value>, roots: &[usize]) {
    model["scenes"] = json!([{ "nodes": roots }]);
    model["nodes"] = Value::Array(nodes);
}

fn shared_name(count: usize) -> Case {
    let mut model = model();
    model["meshes"][1]["name"] = json!(damage::long(1_000_000));
    nodes(&mut model, vec![json!({"mesh": 1}); count], &(0..count).collect::<Vec<_>>());
    planned(&model).format("json")
}

fn chain(count: usize) -> Case {
    let mut model = model();
    let node = |i: usize| {
        if i + 1 < count { json!({"mesh": 1, "children": [i + 1]}) } else { json!({"mesh": 1}) }
    };
    nodes(&mut model, (0..count).map(node).collect(), &[0]);
    planned(&model).format("json")
}

fn ring(count: usize) -> Case {
    let mut model = model();
    let node = |i: usize| json!({"mesh": 1, "children": [(i + 1) % count]});
    nodes(&mut model, (0..count).map(node).collect(), &[0]);
    planned(&model).format("json")
}

fn levels(count: usize) -> Case {
    let mut model = model();
    let node = |i: usize| json!({"mesh": 1, "extensions": {"MSFT_lod": {"ids": [(i + 1) % count, (i + 2) % count]}}});
    nodes(&mut model, (0..count).map(node).collect(), &(0..64).collect::<Vec<_>>());
    planned(&model).format("json")
}

fn instances(count: usize) -> Case {
    let mut model = model();
    model["accessors"][4] = json!({"componentType": 5126, "count": count, "type": "VEC3"});
    planned(&model).format("json")
}

fn accessors(count: usize) -> Case {
    let mut model = model();
    let accessor = json!({"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"});
    model["accessors"] = Value::Array(vec![accessor; count]);
    let primitive = |i: usize| json!({"attributes": {"POSITION": i}});
    let primitives: Vec<_> = (0..count).map(primitive).collect();
    model["meshes"][1]["primitives"] = Value::Array(primitives);
    planned(&model).format("json")
}

fn sparse(count: usize) -> Case {
    let mut model = model();
    model["accessors"][0]["count"] = json!(count);
    model["accessors"][0]["sparse"]["count"] = json!(count);
    planned(&model).format("json")
}

fn skins(joints: usize) -> Case {
    let mut model = model();
    model["skins"] = json!([{ "joints": vec![1; joints] }]);
    let mut list = vec![json!({"mesh": 0, "skin": 0}); 1000];
    list[1] = json!({"name": "bone"});
    nodes(&mut model, list, &(0..1000).collect::<Vec<_>>());
    planned(&model).format("json")
}

fn brackets(bytes: usize) -> Case {
    let deep = "[".repeat(bytes);
    schedule("bad.gltf", format!("{{\"asset\":{{\"version\":\"2.0\"}},\"extras\":{deep}"))
}

fn lengths(length: usize) -> Case {
    let length = u32::try_from(length).ok();
    let bytes = glb_with_lengths(model().to_string().as_bytes(), &buffer(), [length; 3]);
    schedule("bad.glb", bytes)
}

fn first_version(count: usize) -> Case {
    let nodes: Vec<_> = (0..count).map(|i| format!("\"n{i}\":{{\"meshes\":[\"m\"]}}")).collect();
    let nodes = nodes.join(",");
    let json = format!("{{\"nodes\":{{{nodes}}},\"asset\":{{\"version\":\"1.0\"}}}}");
    schedule("bad.gltf", json).codes(&[2])
}

fn odd_name(format: &str) -> Case {
    let mut model = model();
    model["nodes"][0]["name"] = json!("\u{61c}\u{1b}[31m\nFORGED");
    model["nodes"][2]["name"] = json!("=1+1");
    model["meshes"][1]["name"] = json!("@\u{202e}\nFORGED");
    planned(&model).format(format)
}

fn random_gltf(random: &mut SplitMix64) -> Case {
    let mut model = model();
    let apart = random.one_in(3);
    if apart {
        let odd = String::from_utf8_lossy(&damage::path(random)).into_owned();
        model["buffers"][0]["uri"] =
            json!(if random.one_in(2) { "bad.bin".to_owned() } else { odd });
    }
    for _ in 0..random.between(1, 4) {
        damage_value(random, &mut model);
    }
    let mut bin = buffer();
    if random.one_in(5) {
        damage::bytes(random, &mut bin);
    }
    let mut json = model.to_string();
    if random.one_in(5) {
        json = damage::text(random, &json);
    }
    let mut case = Case::new("schedule").format(random.pick(&["table", "json", "csv"]));
    case.threads = random.one_in(10);
    if apart {
        return case.file("bad.bin", bin).reads("bad.gltf", json);
    }
    let lie = |random: &mut SplitMix64| random.one_in(8).then(|| damage::whole(random));
    let lengths = [lie(random), lie(random), lie(random)];
    let mut file = glb_with_lengths(json.as_bytes(), &bin, lengths);
    if random.one_in(8) {
        damage::bytes(random, &mut file);
    }
    case.reads("bad.glb", file)
}

/// Streamed SOG.
pub(super) const SOG: Class = Class {
    name: "sog",
    memory: USUAL,
    known: &[
        known("100 000 leaves, each of its own", || leaves(size(100_000), 5, |i| i)),
        known("100 000 equal leaves", || leaves(size(100_000), 5, |_| 7)),
        known("1 000 leaves of 256 levels", || leaves(size(1_000), 256, |i| i)),
        known("200 000 nodes within each other", || leaf_below(size(200_000))),
        known("a MiB of [ behind lodLevels", || {
            sog(format!("{{\"lodLevels\":1,\"x\":{}", "[".repeat(1 << 20)))
        }),
        known("a MiB of [ that end behind lodLevels", || {
            let (open, close) = ("[".repeat(1 << 20), "]".repeat(1 << 20));
            sog(format!("{{\"lodLevels\":1,\"tree\":{{\"x\":{open}{close}}}}}"))
        }),
        known("a count of 4 294 967 295, a million times", || counts(size(1_000_000))),
        known("a key of a MiB with ESC and a new line", || key(1 << 20)),
    ],
    random: Some(random_sog),
};

fn sog(text: impl Into<Vec<u8>>) -> Case {
    schedule("bad.json", text).args("--eye 0,2,8 --budget 2M")
}

fn leaves(count: usize, levels: usize, first: fn(usize) -> usize) -> Case {
    let all: Vec<_> = (0..count).map(|number| sog_leaf(levels, first(number))).collect();
    sog(sog_index(levels, &sog_node(&all)).to_string()).format("json")
}

fn leaf_below(depth: usize) -> Case {
    let (open, close) = ("{\"children\":[".repeat(depth), "]}".repeat(depth));
    sog(format!("{{\"lodLevels\":1,\"tree\":{open}{}{close}}}", sog_leaf(1, 1)))
}

fn counts(count: usize) -> Case {
    let bound = "\"bound\":{\"min\":[0,0,0],\"max\":[1,1,1]}";
    let leaf = format!("{{{bound},\"lods\":{{\"0\":{{\"count\":4294967295}}}}}}");
    let leaves = vec![leaf; count].join(",");
    sog(format!("{{\"lodLevels\":1,\"tree\":{{\"children\":[{leaves}]}}}}")).format("csv")
}

fn key(length: usize) -> Case {
    let key = format!("\\u001b[31m\\nFORGED{}", "k".repeat(length));
    sog(sog_index(1, &sog_node(&[sog_leaf(1, 1)])).to_string().replacen(
        "\"0\"",
        &format!("\"{key}\""),
        1,
    ))
}

fn random_sog(random: &mut SplitMix64) -> Case {
    let levels = random.between(1, 6);
    let leaves: Vec<Value> =
        (0..random.between(1, 40)).map(|_| sog_leaf(levels, random.spread(1_000))).collect();
    let inner = sog_node(&leaves);
    let mut model = sog_index(levels, &sog_node(&[inner.clone(), inner]));
    for _ in 0..random.between(0, 4) {
        damage_value(random, &mut model);
    }
    let mut text = model.to_string();
    if random.one_in(4) {
        text = damage::text(random, &text);
    }
    let mut case = sog(text).format(random.pick(&["table", "json", "csv"]));
    case.threads = random.one_in(10);
    if random.one_in(3) {
        case = case.arg("--policy").arg(random.pick(&["proportional", "optimal"]));
    }
    case
}
