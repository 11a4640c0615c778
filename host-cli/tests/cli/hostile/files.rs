//! Bad files beside good ones, files that take much memory or time, and options with any values.

use lodger_testkit::SplitMix64;
use lodger_testkit::build::archive::{
    BLOCK, Entry, PartXml, cube, damage_entries, escaped_xml, id, region, region_entries,
    region_object, scene_xml, showing, tar_of,
};
use lodger_testkit::build::compressed::{Piece, gzip, gzip_of, run, zlib_of};
use lodger_testkit::build::gltf::{buffer, damage_value, glb, model};
use lodger_testkit::build::mesh::{
    LyingAsset, broken_with_name_of, damaged, face, flat_face, good,
};
use lodger_testkit::build::scene::{self, sog_index, sog_leaf, sog_node};
use lodger_testkit::build::{damage, llsd::Node};
use lodger_testkit::campaign::{Class, heavy, known, size};
use lodger_testkit::run::Case;
use serde_json::{Value, json};

use super::{USUAL, cost, good_mesh, schedule};

pub(super) const ASSETS: Class = Class {
    name: "assets",
    memory: USUAL,
    known: &[
        known("a block name of 1 MiB, in a table", || {
            cost("bad.llmesh", broken_with_name_of(1 << 20)).beside_good().format("table")
        }),
        known("a header of 65 000 entries", || header(65_000)),
        known("10 million physics triangles, swept", || {
            cost("bad.llmesh", flat(size(10_000_000))).args("--shape prim --sweep 0.01..64")
        }),
        known("200 uses of 10 million physics triangles in as many sizes", || uses_in_sizes(200)),
        known("a block that inflates to 1 GiB", || {
            cost("bad.llmesh", bomb(size(1 << 30))).beside_good().format("json")
        }),
        known("40 meshes of blocks that inflate to 60 MiB", || bombs(40)),
        known("200 uses of a mesh with a broken name of 1 MiB", || broken_uses(200)),
        known("a path of 16 000 bytes over 20 000 objects", || long_path(size(20_000))),
        known("the parts of 3 000 objects under a path of 16 000 bytes", || {
            long_path(3_000).args("--parts --memory 64").codes(&[1])
        }),
        known("a million entries of nothing", || empty_entries(size(1_000_000))),
        known("an entry name with ESC, U+061C and a new line", odd_entry),
        known("a region folder that is a formula, in CSV", || {
            let entry = Entry::file("regions/=1+1/objects/a.xml", cube("a cube"));
            cost("bad.oar", tar_of(&[entry])).format("csv")
        }),
        known("an element's name of 8 MiB", || {
            let object = PartXml::cube("a").with(&damage::long(8 << 20), "");
            cost("bad_object.xml", region_object(&object, &[])).beside_good().format("json")
        }),
        known("20 000 objects and one mesh", || {
            let objects = vec![showing("use", &id(1)); size(20_000)];
            cost("bad.oar", of_objects(&[(id(1), good())], &objects)).beside_good().format("csv")
        }),
        heavy("a gzip bomb of 8 GiB", || bad_archive(gzip_of(&run(0, 8 << 30)))),
        known("100 000 members of gzip", || {
            bad_archive([gzip(&[]).repeat(size(100_000)), gzip(&good_archive())].concat())
        }),
        known("span misses of 1 000 objects with names of 400 bytes", || {
            linkset(1000, 400).args("--rule span")
        }),
        heavy("span misses of 10 000 objects", || linkset(10_000, 5).args("--rule span")),
        known("the sphere of 10 000 objects", || linkset(10_000, 5).format("json")),
        known("an object of 5 000 parts out of an archive, by span", || parts_by_span(5000)),
    ],
    random: Some(random_assets),
};

fn bad_archive(bytes: Vec<u8>) -> Case {
    cost("bad.oar", bytes).beside_good().format("json")
}

fn good_archive() -> Vec<u8> {
    region(&[(id(1), good())], &[showing("a mesh", &id(1))])
}

fn header(count: usize) -> Case {
    let asset = (0..count).fold(LyingAsset::default(), |asset, number| {
        asset.entry(number.to_string(), Node::Integer(1))
    });
    cost("bad.llmesh", asset.bytes()).beside_good().format("json")
}

/// A mesh whose physics triangles take almost no bytes.
fn flat(triangles: usize) -> Vec<u8> {
    LyingAsset::default()
        .block("high_lod", &Node::Array(vec![face(8, 8)]))
        .block("physics_mesh", &Node::Array(vec![flat_face(triangles)]))
        .bytes()
}

fn uses_in_sizes(count: usize) -> Case {
    let object = |number: usize| {
        let part = PartXml::mesh(&format!("use {number}"), &id(2));
        let part = part.scale(&format!("1.{number}"), "2", "0.5").with("PhysicsShapeType", "0");
        region_object(&part, &[])
    };
    let objects: Vec<_> = (0..count).map(object).collect();
    let archive = region(&[(id(2), flat(size(10_000_000)))], &objects);
    cost("bad.oar", gzip(&archive)).args("--parts").format("json")
}

fn bomb(bytes: usize) -> Vec<u8> {
    let names = ["lowest_lod", "low_lod", "medium_lod", "high_lod", "physics_mesh", "skin"];
    let bomb = zlib_of(&run(0, bytes));
    let blocks = names.iter().chain(&["physics_convex"]);
    blocks.fold(LyingAsset::default(), |asset, name| asset.raw(name, bomb.clone())).bytes()
}

fn bombs(count: usize) -> Case {
    let bad = bomb(size(60 << 20));
    let case = (0..count).fold(Case::new("cost"), |case, number| {
        case.reads(format!("bad{number}.llmesh"), bad.clone())
    });
    case.beside_good().format("json")
}

fn broken_uses(count: usize) -> Case {
    let objects: Vec<_> = (0..count).map(|i| showing(&format!("use {i}"), &id(2))).collect();
    bad_archive(gzip(&region(&[(id(2), broken_with_name_of(1 << 20))], &objects)))
}

fn of_objects(meshes: &[(String, Vec<u8>)], objects: &[String]) -> Vec<u8> {
    let mut entries = region_entries(meshes, &[""; 0]);
    entries.push(Entry::file("objects/all.xml", scene_xml(objects)));
    tar_of(&entries)
}

fn long_path(objects: usize) -> Case {
    let path = format!("objects/{}.xml", damage::long(16_000));
    let objects: Vec<_> = (0..objects).map(|i| cube(&i.to_string())).collect();
    let mut entries = region_entries(&[], &[""; 0]);
    entries.push(Entry::file(path, scene_xml(&objects)));
    bad_archive(gzip(&tar_of(&entries)))
}

fn empty_entries(count: usize) -> Case {
    let nothing = tar_of(&[Entry::file("nothing", "")])[..BLOCK].repeat(1000);
    let head = tar_of(&region_entries(&[], &[cube("a cube")]));
    let head = &head[..head.len() - 2 * BLOCK];
    bad_archive(gzip_of(&[Piece::Bytes(head), Piece::Repeated(nothing, count / 1000)]))
}

fn odd_entry() -> Case {
    let name = "\u{61c}\u{202e}=1&#27;[31m&#10;FORGED";
    let mut entries = region_entries(&[], &[cube(name)]);
    entries.push(Entry::file("objects/a\nFORGED\u{1b}[31m\u{61c}.xml", "<no>"));
    cost("bad.oar", tar_of(&entries)).args("--all").format("table")
}

fn linkset(objects: usize, name_bytes: usize) -> Case {
    Case::new("linkset").reads("bad.toml", scene::linkset(objects, name_bytes))
}

fn parts_by_span(count: usize) -> Case {
    let part = |i: usize| {
        let offset = format!("<X>{}</X><Y>0</Y><Z>0</Z>", i * 100);
        PartXml::cube(&format!("part {i}")).with("OffsetPosition", &offset)
    };
    let others: Vec<_> = (1..count).map(part).collect();
    let archive = region(&[], &[region_object(&part(0), &others)]);
    Case::new("linkset --rule span").arg("bad.oar:part 0").file("bad.oar", archive)
}

/// A damaged mesh, archive, gzip file or object, mostly beside good files.
fn random_assets(random: &mut SplitMix64) -> Case {
    let (file, bytes) = match random.index(5) {
        0 => ("bad.llmesh", damaged(random)),
        1 => ("bad.oar", random_tar(random)),
        2 => ("bad", random_gzip(random)),
        3 => ("bad_object.xml", random_object(random).into_bytes()),
        _ => ("bad.oar", region(&[(id(1), good())], &[random_object(random), cube("a cube")])),
    };
    if random.one_in(4) {
        let text = scene::linkset(random.spread(60), random.spread(200));
        let case = Case::new("linkset --rule").arg(random.pick(&["sphere", "span"]));
        return case.reads("bad.toml", damage::text(random, &text)).format("json");
    }
    let is_lint = random.one_in(4);
    let mut case = Case::new(if is_lint { "lint" } else { "cost" });
    let is_single = random.one_in(3);
    case = match (is_single, random.one_in(2)) {
        (true, _) => case.reads(file, bytes),
        (false, true) => case.reads(file, bytes).beside_good(),
        (false, false) => case.beside_good().reads(file, bytes),
    };
    case.threads = random.one_in(8);
    if is_lint {
        return case.format(random.pick(&["table", "json"]));
    }
    match (is_single, random.index(8)) {
        (true, 0) => case = case.args("--sweep 0.1..64"),
        (true, 1) => case = case.args("--target 2"),
        (true, 2) => case = case.arg("--by").arg(random.pick(&["owner", "parcel"])),
        (true, 3) => case = case.arg("--shape").arg(random.pick(&["prim", "none"])),
        (true, 4) => case = case.args("--physical"),
        (_, 5) => case = case.args("--parts"),
        (_, 6) => case = case.args("--all"),
        _ => {}
    }
    case.format(random.pick(&["table", "json", "csv"]))
}

fn random_tar(random: &mut SplitMix64) -> Vec<u8> {
    let names: Vec<_> =
        (0..random.spread(12)).map(|_| escaped_xml(&damage::text_value(random))).collect();
    let objects: Vec<_> = names.iter().map(|name| showing(name, &id(random.index(4)))).collect();
    let mut entries = region_entries(&[(id(1), good())], &objects);
    for _ in 0..random.between(1, 3) {
        damage_entries(random, &mut entries);
    }
    let mut bytes = tar_of(&entries);
    if random.one_in(4) {
        damage::bytes(random, &mut bytes);
    }
    if random.one_in(3) { gzip(&bytes) } else { bytes }
}

fn random_gzip(random: &mut SplitMix64) -> Vec<u8> {
    let inner = if random.one_in(3) { good() } else { good_archive() };
    let mut bytes = gzip(&inner);
    match random.index(5) {
        0 => bytes.truncate(random.index(bytes.len())),
        1 => bytes.extend(random.noise(30)),
        2 => bytes.extend(gzip(&inner)),
        3 => bytes = gzip(&bytes),
        _ => damage::bytes(random, &mut bytes),
    }
    bytes
}

fn random_object(random: &mut SplitMix64) -> String {
    let name = escaped_xml(&damage::text_value(random));
    let root = PartXml::mesh(&name, &id(1)).with("PhysicsShapeType", &damage::number(random));
    let object = region_object(&root, &vec![PartXml::cube("other"); random.index(3)]);
    if random.one_in(5) { object } else { damage::text(random, &object) }
}

pub(super) const SCENES: Class = Class {
    name: "scenes",
    memory: USUAL,
    known: &[
        known("levels that name each other, 20 000 deep", || levels(20_000)),
        known("a million accessors of one view", || accessors(200_000)),
        known("a skin of 100 000 joints on 1 000 nodes", || skins(100_000)),
        known("a node named as a formula, with ESC, U+061C and a new line", odd_node),
        known("100 000 leaves, each of its own", || leaves(size(100_000))),
        known("a count of 4 294 967 295, a million times", || counts(size(1_000_000))),
        known("a scene that is a bomb", || {
            schedule("bad.toml", gzip_of(&run(0, 1 << 30))).format("json")
        }),
    ],
    random: Some(random_scene),
};

fn planned(model: &Value) -> Case {
    schedule("bad.glb", glb(model.to_string(), &buffer())).args("--eye 0,2,8").format("json")
}

fn nodes(model: &mut Value, nodes: Vec<Value>, roots: usize) {
    model["scenes"] = json!([{ "nodes": (0..roots).collect::<Vec<_>>() }]);
    model["nodes"] = Value::Array(nodes);
}

fn levels(count: usize) -> Case {
    let mut model = model();
    let ids = |i: usize| [(i + 1) % count, (i + 2) % count];
    let node = |i| json!({"mesh": 1, "extensions": {"MSFT_lod": {"ids": ids(i)}}});
    nodes(&mut model, (0..count).map(node).collect(), 64);
    planned(&model)
}

fn accessors(count: usize) -> Case {
    let mut model = model();
    let accessor = json!({"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"});
    model["accessors"] = Value::Array(vec![accessor; count]);
    let primitive = |i: usize| json!({"attributes": {"POSITION": i}});
    model["meshes"][1]["primitives"] = Value::Array((0..count).map(primitive).collect());
    planned(&model)
}

fn skins(joints: usize) -> Case {
    let mut model = model();
    model["skins"] = json!([{ "joints": vec![1; joints] }]);
    let mut list = vec![json!({"mesh": 0, "skin": 0}); 1000];
    list[1] = json!({"name": "bone"});
    nodes(&mut model, list, 1000);
    planned(&model)
}

fn odd_node() -> Case {
    let mut model = model();
    model["nodes"][0]["name"] = json!("\u{61c}\u{1b}[31m\nFORGED");
    model["nodes"][2]["name"] = json!("=1+1");
    model["meshes"][1]["name"] = json!("@\u{202e}\nFORGED");
    schedule("bad.glb", glb(model.to_string(), &buffer())).args("--eye 0,2,8").format("csv")
}

fn sog(text: impl Into<Vec<u8>>) -> Case {
    schedule("bad.json", text).args("--eye 0,2,8 --budget 2M")
}

fn leaves(count: usize) -> Case {
    let all: Vec<_> = (0..count).map(|number| sog_leaf(5, number)).collect();
    sog(sog_index(5, &sog_node(&all)).to_string()).format("json")
}

fn counts(count: usize) -> Case {
    let bound = "\"bound\":{\"min\":[0,0,0],\"max\":[1,1,1]}";
    let leaf = format!("{{{bound},\"lods\":{{\"0\":{{\"count\":4294967295}}}}}}");
    let leaves = vec![leaf; count].join(",");
    sog(format!("{{\"lodLevels\":1,\"tree\":{{\"children\":[{leaves}]}}}}")).format("csv")
}

fn random_scene(random: &mut SplitMix64) -> Case {
    let mut case = match random.index(3) {
        0 => schedule("bad.toml", damage::text(random, &scene::of_actors(3))),
        1 => {
            let mut model = model();
            damage_value(random, &mut model);
            let mut file = glb(model.to_string(), &buffer());
            if random.one_in(3) {
                damage::bytes(random, &mut file);
            }
            schedule("bad.glb", file)
        }
        _ => {
            let mut index = sog_index(3, &sog_node(&[sog_leaf(3, 7), sog_leaf(3, 8)]));
            damage_value(random, &mut index);
            sog(index.to_string())
        }
    };
    case.threads = random.one_in(10);
    case.format(random.pick(&["table", "json", "csv"]))
}

pub(super) const TOML: Class = Class {
    name: "toml",
    memory: (64, 10),
    known: &[
        heavy("one million actors", || actors(1_000_000).format("csv")),
        known("100 000 actors", || actors(size(100_000)).format("json")),
        heavy("one million actors, all in a table", || actors(1_000_000).args("--all")),
        known("a MiB of [[", || schedule("bad.toml", format!("a = {}", "[[".repeat(1 << 19)))),
        known("a key of 200 000 parts", || {
            schedule("bad.toml", format!("a{} = 1\n", ".a".repeat(200_000)))
        }),
        known("two actors of one name of 1 MiB", || {
            let actor = scene::actor(&format!("\"{}\"", damage::long(1 << 20)));
            schedule("bad.toml", format!("{}{actor}{actor}", scene::HEAD))
        }),
        known("100 000 mistakes", || {
            let actor = scene::actor("\"a\"").replace("radius = 0.9", "radius = -1");
            schedule("bad.toml", format!("{}{}", scene::HEAD, actor.repeat(size(100_000))))
        }),
    ],
    random: None,
};

fn actors(count: usize) -> Case {
    schedule("bad.toml", scene::of_actors(count))
}

pub(super) const OPTIONS: Class = Class {
    name: "options",
    memory: USUAL,
    known: &[
        known("numbers of 2⁶⁴ - 1", || {
            good_mesh().args("--scripts 18446744073709551615 --target 18446744073709551615")
        }),
        known("--lod-bytes of 2³² - 1", || {
            Case::new("cost --sweep 0.1..64 --lod-bytes")
                .arg("4294967295,4294967295,4294967295,4294967295")
        }),
        known("the name of a missing object of 100 KiB", || {
            let archive = region(&[], &[cube("a cube")]);
            let name = format!("a.oar:{}", damage::long(100 << 10));
            Case::new("cost").file("a.oar", archive).arg(name)
        }),
    ],
    random: Some(random_options),
};

const OF_COST: [&str; 12] = [
    "--scale",
    "--sweep",
    "--target",
    "--scripts",
    "--lod-bytes",
    "--rules",
    "--shape",
    "--by",
    "--format",
    "--output",
    "--plot",
    "--memory",
];
const OF_SCHEDULE: [&str; 9] = [
    "--budget-ms",
    "--eye",
    "--leftovers",
    "--unit-cost-ns",
    "--benefit-value",
    "--outside",
    "--scene",
    "--format",
    "--memory",
];

fn text(random: &mut SplitMix64) -> String {
    damage::text_value(random).chars().filter(|c| c.is_ascii() && !c.is_control()).collect()
}

fn value(random: &mut SplitMix64, option: &str) -> String {
    let number = |random: &mut SplitMix64| damage::number(random);
    let is_valid = random.one_in(2);
    match option {
        "--scale" | "--eye" => format!("{},{},{}", number(random), number(random), number(random)),
        "--sweep" => format!("{}..{}", number(random), number(random)),
        "--lod-bytes" => (0..4).map(|_| number(random)).collect::<Vec<_>>().join(","),
        "--format" if is_valid => (random.pick(&["table", "json", "csv"])).to_owned(),
        "--shape" if is_valid => (random.pick(&["prim", "none", "convex-hull"])).to_owned(),
        "--by" if is_valid => (random.pick(&["owner", "parcel"])).to_owned(),
        "--rules" if is_valid => (random.pick(&["wiki", "viewer", "grid"])).to_owned(),
        "--leftovers" if is_valid => (random.pick(&["keep", "whole-budget"])).to_owned(),
        "--output" => (random.pick(&["out", "out/out", "no/out", "/dev/null", ""])).to_owned(),
        "--plot" => (random.pick(&["out.svg", "out", "."])).to_owned(),
        _ if random.one_in(6) => text(random),
        _ => number(random),
    }
}

fn random_options(random: &mut SplitMix64) -> Case {
    let is_plan = random.one_in(3);
    let mut case = if is_plan {
        schedule("scene.toml", scene::of_actors(3))
    } else if random.one_in(4) {
        cost("a.oar", region(&[(id(1), good())], &[cube("a cube"), showing("a mesh", &id(1))]))
    } else {
        good_mesh()
    };
    let options: &[&str] = if is_plan { &OF_SCHEDULE } else { &OF_COST };
    for _ in 0..random.between(1, 4) {
        let option = random.pick(options);
        let value = value(random, option);
        case = if random.one_in(5) {
            case.arg(format!("{option}={value}"))
        } else {
            case.arg(option).arg(value)
        };
    }
    match random.index(8) {
        0 => case.args("--parts"),
        1 => case.args("--physical"),
        2 => case.arg(text(random)),
        3 => case.arg("-").arg("-"),
        _ => case,
    }
}
