//! What blocks inflate to.

use super::over::over;
use crate::hostile::case::Case;
use crate::hostile::class::{Class, Known};
use crate::hostile::make::llsd::Node;
use crate::hostile::make::mesh::{Asset, convex, damaged, face, flat_face, of_triangles};
use crate::hostile::make::{gzip, object, run, tar, zlib_of};
use crate::hostile::random::Random;

pub(super) const CLASS: Class = Class { name: "blocks", known: &KNOWN, random: Some(random) };

const KNOWN: [Known; 14] = [
    Known::new("10 million physics triangles, swept", 10_000_000, |n| {
        physics(n).option("--sweep", "0.01..64")
    }),
    Known::new("10 million physics triangles, priced", 10_000_000, |n| physics(n).format("json")),
    Known::new("10 million physics triangles, for a target", 10_000_000, |n| {
        physics(n).option("--target", "20")
    }),
    Known::new("10 million physics triangles, linted", 10_000_000, |n| {
        Case::of("lint").file("bad.llmesh", flat(n)).format("json")
    }),
    Known::new("60 uses of 10 million physics triangles", 10_000_000, uses),
    Known::new("200 uses of 10 million physics triangles in as many sizes", 200, uses_apart),
    Known::new("10 million triangles in each level", 10_000_000, levels),
    Known::new("blocks that inflate to 60 MiB each", 60 << 20, |n| bombs(n, "cost")),
    Known::new("blocks that inflate to 60 MiB each, linted", 60 << 20, |n| bombs(n, "lint")),
    Known::new("a block that inflates to 1 GiB", 1 << 30, |n| bombs(n, "cost")),
    Known::new("40 meshes of blocks that inflate to 60 MiB", 40, meshes),
    Known::new("200 000 faces", 200_000, faces),
    Known::new("65 000 hulls", 65_000, hulls),
    Known::new("a face of 65 000 vertices and weights", 65_000, |n| {
        let asset = of_triangles(n);
        Case::of("cost").file("bad.llmesh", asset.bytes()).option("--sweep", "0.1..64")
    }),
];

/// A mesh whose physics triangles are nearly no bytes.
fn flat(triangles: usize) -> Vec<u8> {
    let flat = flat_face(triangles);
    let lod = Node::Array(vec![face(8, 8)]);
    Asset::default().block("high_lod", &lod).block("physics_mesh", &Node::Array(vec![flat])).bytes()
}

fn physics(triangles: usize) -> Case {
    Case::of("cost").file("bad.llmesh", flat(triangles)).option("--shape", "prim")
}

fn uses(triangles: usize) -> Case {
    let objects: Vec<_> =
        (0..60).map(|i| object::colliding(&format!("use {i}"), &object::id(2))).collect();
    let archive = tar::region(&[(object::id(2), flat(triangles))], &objects);
    Case::of("cost").file("bad.oar", gzip(&archive)).format("json")
}

/// Uses of one mesh in as many sizes, part by part.
fn uses_apart(count: usize) -> Case {
    let object = |i| {
        let scale = format!("<X>1.{i}</X>");
        object::colliding(&format!("use {i}"), &object::id(2)).replace("<X>1</X>", &scale)
    };
    let objects: Vec<_> = (0..count).map(object).collect();
    let archive = tar::region(&[(object::id(2), flat(10_000_000))], &objects);
    Case::of("cost").file("bad.oar", gzip(&archive)).flag("--parts").format("json")
}

fn levels(triangles: usize) -> Case {
    let lod = Node::Array(vec![flat_face(triangles)]);
    let names = ["lowest_lod", "low_lod", "medium_lod", "high_lod"];
    let asset = names.iter().fold(Asset::default(), |asset, name| asset.block(name, &lod));
    Case::of("cost").file("bad.llmesh", asset.bytes()).beside_good().format("json")
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
    names.iter().fold(Asset::default(), |asset, name| asset.raw(name, bomb.clone())).bytes()
}

fn bombs(bytes: usize, command: &'static str) -> Case {
    Case::of(command).file("bad.llmesh", bomb(bytes)).beside_good().format("json")
}

fn meshes(count: usize) -> Case {
    let bad = bomb(60 << 20);
    let case = (0..count).fold(Case::of("cost"), |case, number| {
        case.file(format!("bad{number}.llmesh"), bad.clone())
    });
    case.beside_good().format("json")
}

fn faces(count: usize) -> Case {
    let lod = Node::Array(vec![face(3, 1); count]);
    let asset = Asset::default().block("high_lod", &lod);
    Case::of("cost").file("bad.llmesh", asset.bytes()).beside_good().format("json")
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
    let asset = Asset::default().block("high_lod", &lod).block("physics_convex", &convex);
    Case::of("cost")
        .file("bad.llmesh", asset.bytes())
        .option("--shape", "prim")
        .option("--sweep", "0.1..64")
}

fn random(random: &mut Random) -> Case {
    let bytes = match random.below(4) {
        0 => {
            let bomb = zlib_of(&run(0, random.spread(70 << 20)));
            let name = random.pick(&["high_lod", "physics_mesh", "skin", "physics_convex"]);
            Asset::default()
                .raw(name, bomb)
                .block("low_lod", &Node::Array(vec![face(3, 1)]))
                .bytes()
        }
        1 => {
            let lod = Node::Array(vec![flat_face(random.spread(1 << 21)); random.between(1, 2)]);
            let name = random.pick(&["high_lod", "physics_mesh"]);
            Asset::default().block("low_lod", &lod).block(name, &lod).bytes()
        }
        2 => {
            let lod = Node::Array(vec![face(random.spread(70_000), random.spread(20_000))]);
            Asset::default()
                .block("high_lod", &lod)
                .block("physics_convex", &convex(random))
                .bytes()
        }
        _ => damaged(random),
    };
    over(random, "any blocks", "bad.llmesh", bytes)
}
