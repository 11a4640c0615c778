//! Mesh assets: binary LLSD, and what blocks inflate to.

use lodger_testkit::SplitMix64;
use lodger_testkit::build::archive::{PartXml, id, region, region_object};
use lodger_testkit::build::compressed::{gzip, run, zlib_of};
use lodger_testkit::build::damage;
use lodger_testkit::build::llsd::{Node, any, nested};
use lodger_testkit::build::mesh::{
    LyingAsset, broken_with_name_of, convex, damaged, extent, face, flat_face, of_triangles,
};
use lodger_testkit::campaign::{Class, known, size};
use lodger_testkit::run::Case;

use super::{USUAL, cost, lint, over};

/// Binary LLSD: headers and what is in blocks.
pub(super) const LLSD: Class = Class {
    name: "llsd",
    memory: USUAL,
    known: &[
        known("a block name of 128 KiB, in a table", || broken("cost", "table", 128 << 10)),
        known("a block name of 1 MiB, in a table", || broken("cost", "table", 1 << 20)),
        known("a block name of 1 MiB, linted", || broken("lint", "table", 1 << 20)),
        known("a block name of 1 MiB, in JSON", || broken("cost", "json", 1 << 20)),
        known("many block names of 1 KiB, linted", || many_names(900)),
        known("a block of 64 levels", || depth(64, "lint")),
        known("a block of 100 000 levels", || depth(100_000, "lint")),
        known("a count of 4 294 967 295", || count(0xffff_ffff)),
        known("values without end", || values(5_000_000)),
        known("a header of 65 000 entries", || entries(65_000)),
        known("one name 10 000 times", || same_names(10_000)),
        known("a name that ESC, U+061C and a new line are in", odd_names),
    ],
    random: Some(random_llsd),
};

fn broken(command: &'static str, format: &str, bytes: usize) -> Case {
    let mesh = broken_with_name_of(bytes);
    Case::new(command).reads("bad.llmesh", mesh).beside_good().format(format)
}

fn many_names(count: usize) -> Case {
    let asset = (0..count).fold(LyingAsset::default(), |asset, number| {
        asset.entry(format!("{number:01024}"), extent(1 << 30, 5))
    });
    lint("bad.llmesh", asset.bytes()).format("table")
}

fn depth(levels: usize, command: &'static str) -> Case {
    let mut deep = vec![b'['; 0];
    deep.extend(b"[\0\0\0\x01".repeat(levels));
    deep.push(b'!');
    deep.extend(b"]".repeat(levels));
    let asset = LyingAsset::default()
        .block("high_lod", &Node::Raw(deep.clone()))
        .entry("extra", Node::Raw(deep));
    Case::new(command).reads("bad.llmesh", asset.bytes()).beside_good().format("json")
}

fn count(count: usize) -> Case {
    let count = u32::try_from(count).unwrap_or(u32::MAX);
    let lod = Node::Lie(count, Box::new(Node::Array(vec![face(3, 1)])));
    let asset = LyingAsset::default().block("high_lod", &lod);
    let header = Node::Lie(count, Box::new(asset.header()));
    cost("bad.llmesh", asset.bytes())
        .reads("worse.llmesh", asset.behind(&header))
        .beside_good()
        .format("json")
}

/// Values of one byte each, which compress to nearly nothing.
fn values(count: usize) -> Case {
    let undefs = vec![b'!'; count];
    let length = u32::try_from(count).unwrap_or(u32::MAX).to_be_bytes();
    let array = Node::Raw([&b"["[..], &length, &undefs, b"]"].concat());
    let asset = LyingAsset::default().block("high_lod", &array).block("skin", &array);
    lint("bad.llmesh", asset.bytes()).beside_good().format("json")
}

fn entries(count: usize) -> Case {
    let asset = (0..count).fold(LyingAsset::default(), |asset, number| {
        asset.entry(number.to_string(), Node::Integer(1))
    });
    cost("bad.llmesh", asset.bytes()).beside_good().format("json")
}

fn same_names(count: usize) -> Case {
    let asset =
        (0..count).fold(LyingAsset::default(), |asset, _| asset.entry("high_lod", extent(0, 9)));
    lint("bad.llmesh", asset.bytes()).beside_good().format("json")
}

fn odd_names() -> Case {
    let name = "\u{1b}[31m\u{61c}\u{202e}a\nFORGED";
    let place = Node::map([("offset", Node::Integer(-1)), ("size", Node::Integer(5))]);
    let mesh = LyingAsset::default().entry(name, place).bytes();
    cost("bad.llmesh", mesh).format("table")
}

fn random_llsd(random: &mut SplitMix64) -> Case {
    let bytes = match random.index(5) {
        0 => {
            let name = damage::text_value(random);
            LyingAsset::default().entry(name, any(random, 3)).bytes()
        }
        1 => {
            let mut value = nested(random.spread(300), any(random, 4));
            value.damage(random);
            let asset = LyingAsset::default().block("high_lod", &value).block("skin", &value);
            asset.bytes()
        }
        2 => any(random, 5).bytes(),
        _ => damaged(random),
    };
    over(random, "bad.llmesh", bytes)
}

/// What blocks inflate to.
pub(super) const BLOCKS: Class = Class {
    name: "blocks",
    memory: USUAL,
    known: &[
        known("10 million physics triangles, swept", || {
            physics(size(10_000_000)).args("--sweep 0.01..64")
        }),
        known("10 million physics triangles, priced", || physics(size(10_000_000)).format("json")),
        known("10 million physics triangles, for a target", || {
            physics(size(10_000_000)).args("--target 20")
        }),
        known("10 million physics triangles, linted", || {
            lint("bad.llmesh", flat(size(10_000_000))).format("json")
        }),
        known("60 uses of 10 million physics triangles", || uses(size(10_000_000))),
        known("200 uses of 10 million physics triangles in as many sizes", || uses_apart(200)),
        known("10 million triangles in each level", || levels(size(10_000_000))),
        known("blocks that inflate to 60 MiB each", || bombs(size(60 << 20), "cost")),
        known("blocks that inflate to 60 MiB each, linted", || bombs(size(60 << 20), "lint")),
        known("a block that inflates to 1 GiB", || bombs(size(1 << 30), "cost")),
        known("40 meshes of blocks that inflate to 60 MiB", || meshes(40)),
        known("200 000 faces", || faces(size(200_000))),
        known("65 000 hulls", || hulls(65_000)),
        known("a face of 65 000 vertices and weights", || {
            let asset = of_triangles(65_000);
            cost("bad.llmesh", asset.bytes()).args("--sweep 0.1..64")
        }),
    ],
    random: Some(random_blocks),
};

/// A mesh whose physics triangles are nearly no bytes.
fn flat(triangles: usize) -> Vec<u8> {
    let flat = flat_face(triangles);
    let lod = Node::Array(vec![face(8, 8)]);
    LyingAsset::default()
        .block("high_lod", &lod)
        .block("physics_mesh", &Node::Array(vec![flat]))
        .bytes()
}

fn physics(triangles: usize) -> Case {
    cost("bad.llmesh", flat(triangles)).args("--shape prim")
}

/// An object that shows a mesh, and collides as its physics mesh says.
fn colliding(number: usize, x: &str) -> String {
    let part = PartXml::mesh(&format!("use {number}"), &id(2)).scale(x, "2", "0.5");
    region_object(&part.with("PhysicsShapeType", "0"), &[])
}

fn uses(triangles: usize) -> Case {
    let objects: Vec<_> = (0..60).map(|i| colliding(i, "1")).collect();
    let archive = region(&[(id(2), flat(triangles))], &objects);
    cost("bad.oar", gzip(&archive)).format("json")
}

/// Uses of one mesh in as many sizes, part by part.
fn uses_apart(count: usize) -> Case {
    let objects: Vec<_> = (0..count).map(|i| colliding(i, &format!("1.{i}"))).collect();
    let archive = region(&[(id(2), flat(size(10_000_000)))], &objects);
    cost("bad.oar", gzip(&archive)).args("--parts").format("json")
}

fn levels(triangles: usize) -> Case {
    let lod = Node::Array(vec![flat_face(triangles)]);
    let names = ["lowest_lod", "low_lod", "medium_lod", "high_lod"];
    let asset = names.iter().fold(LyingAsset::default(), |asset, name| asset.block(name, &lod));
    cost("bad.llmesh", asset.bytes()).beside_good().format("json")
}

fn bomb(bytes: usize) -> Vec<u8> {
    let names = [
        "lowest_lod",
        "low_lod",
        "medium_lod",
        "high_lod",
        "physics_mesh",
        "physics_convex",
        "skin",
    ];
    let bomb = zlib_of(&run(0, bytes));
    names.iter().fold(LyingAsset::default(), |asset, name| asset.raw(name, bomb.clone())).bytes()
}

fn bombs(bytes: usize, command: &'static str) -> Case {
    Case::new(command).reads("bad.llmesh", bomb(bytes)).beside_good().format("json")
}

fn meshes(count: usize) -> Case {
    let bad = bomb(size(60 << 20));
    let case = (0..count).fold(Case::new("cost"), |case, number| {
        case.reads(format!("bad{number}.llmesh"), bad.clone())
    });
    case.beside_good().format("json")
}

fn faces(count: usize) -> Case {
    let lod = Node::Array(vec![face(3, 1); count]);
    let asset = LyingAsset::default().block("high_lod", &lod);
    cost("bad.llmesh", asset.bytes()).beside_good().format("json")
}

fn hulls(count: usize) -> Case {
    let convex = Node::map([
        ("HullList", Node::Binary(vec![4; count])),
        ("Positions", Node::Binary(vec![9; count * 24])),
        ("BoundingVerts", Node::Binary(vec![3; 24])),
        ("Max", Node::Array(vec![Node::Real(0.5); 3])),
        ("Min", Node::Array(vec![Node::Real(-0.5); 3])),
    ]);
    let lod = Node::Array(vec![face(8, 8)]);
    let asset = LyingAsset::default().block("high_lod", &lod).block("physics_convex", &convex);
    cost("bad.llmesh", asset.bytes()).args("--shape prim").args("--sweep 0.1..64")
}

fn random_blocks(random: &mut SplitMix64) -> Case {
    let bytes = match random.index(4) {
        0 => {
            let bomb = zlib_of(&run(0, random.spread(70 << 20)));
            let name = random.pick(&["high_lod", "physics_mesh", "skin", "physics_convex"]);
            LyingAsset::default()
                .raw(name, bomb)
                .block("low_lod", &Node::Array(vec![face(3, 1)]))
                .bytes()
        }
        1 => {
            let lod = Node::Array(vec![flat_face(random.spread(1 << 21)); random.between(1, 2)]);
            let name = random.pick(&["high_lod", "physics_mesh"]);
            LyingAsset::default().block("low_lod", &lod).block(name, &lod).bytes()
        }
        2 => {
            let lod = Node::Array(vec![face(random.spread(70_000), random.spread(20_000))]);
            LyingAsset::default()
                .block("high_lod", &lod)
                .block("physics_convex", &convex(random))
                .bytes()
        }
        _ => damaged(random),
    };
    over(random, "bad.llmesh", bytes)
}
