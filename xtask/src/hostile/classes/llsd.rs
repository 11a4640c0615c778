//! Binary LLSD: headers and what is in blocks.

use super::over::over;
use crate::hostile::case::Case;
use crate::hostile::class::{Class, Known};
use crate::hostile::hard;
use crate::hostile::make::llsd::{Node, any, nested};
use crate::hostile::make::mesh::{Asset, broken_with_name_of, damaged, extent, face};
use crate::hostile::random::Random;

pub(super) const CLASS: Class = Class { name: "llsd", known: &KNOWN, random: Some(random) };

const KNOWN: [Known; 12] = [
    Known::new("a block name of 128 KiB, in a table", 128 << 10, |n| broken("cost", "table", n)),
    Known::new("a block name of 1 MiB, in a table", 1 << 20, |n| broken("cost", "table", n)),
    Known::new("a block name of 1 MiB, linted", 1 << 20, |n| broken("lint", "table", n)),
    Known::new("a block name of 1 MiB, in JSON", 1 << 20, |n| broken("cost", "json", n)),
    Known::new("many block names of 1 KiB, linted", 900, many_names),
    Known::new("a block of 64 levels", 64, |n| depth(n, "lint")),
    Known::new("a block of 100 000 levels", 100_000, |n| depth(n, "lint")),
    Known::new("a count of 4 294 967 295", 0xffff_ffff, count),
    Known::new("values without end", 5_000_000, values),
    Known::new("a header of 65 000 entries", 65_000, entries),
    Known::new("one name 10 000 times", 10_000, same_names),
    Known::new("a name that ESC, U+061C and a new line are in", 1, |_| odd_names()),
];

fn broken(command: &'static str, format: &str, bytes: usize) -> Case {
    let mesh = broken_with_name_of(bytes);
    Case::of(command).file("bad.llmesh", mesh).beside_good().format(format)
}

fn many_names(count: usize) -> Case {
    let asset = (0..count).fold(Asset::default(), |asset, number| {
        asset.entry(format!("{number:01024}"), extent(1 << 30, 5))
    });
    Case::of("lint").file("bad.llmesh", asset.bytes()).format("table")
}

fn depth(levels: usize, command: &'static str) -> Case {
    let mut deep = vec![b'['; 0];
    deep.extend(b"[\0\0\0\x01".repeat(levels));
    deep.push(b'!');
    deep.extend(b"]".repeat(levels));
    let asset = Asset::default()
        .block("high_lod", &Node::Raw(deep.clone()))
        .entry("extra", Node::Raw(deep));
    Case::of(command).file("bad.llmesh", asset.bytes()).beside_good().format("json")
}

fn count(count: usize) -> Case {
    let count = u32::try_from(count).unwrap_or(u32::MAX);
    let lod = Node::Lie(count, Box::new(Node::Array(vec![face(3, 1)])));
    let asset = Asset::default().block("high_lod", &lod);
    let header = Node::Lie(count, Box::new(asset.header()));
    Case::of("cost")
        .file("bad.llmesh", asset.bytes())
        .file("worse.llmesh", asset.behind(&header))
        .beside_good()
        .format("json")
}

/// Values of one byte each, which compress to nearly nothing.
fn values(count: usize) -> Case {
    let undefs = vec![b'!'; count];
    let length = u32::try_from(count).unwrap_or(u32::MAX).to_be_bytes();
    let array = Node::Raw([&b"["[..], &length, &undefs, b"]"].concat());
    let asset = Asset::default().block("high_lod", &array).block("skin", &array);
    Case::of("lint").file("bad.llmesh", asset.bytes()).beside_good().format("json")
}

fn entries(count: usize) -> Case {
    let asset = (0..count)
        .fold(Asset::default(), |asset, number| asset.entry(number.to_string(), Node::Integer(1)));
    Case::of("cost").file("bad.llmesh", asset.bytes()).beside_good().format("json")
}

fn same_names(count: usize) -> Case {
    let asset = (0..count).fold(Asset::default(), |asset, _| asset.entry("high_lod", extent(0, 9)));
    Case::of("lint").file("bad.llmesh", asset.bytes()).beside_good().format("json")
}

fn odd_names() -> Case {
    let name = "\u{1b}[31m\u{61c}\u{202e}a\nFORGED";
    let place = Node::map([("offset", Node::Integer(-1)), ("size", Node::Integer(5))]);
    let mesh = Asset::default().entry(name, place).bytes();
    Case::of("cost").file("bad.llmesh", mesh).format("table")
}

fn random(random: &mut Random) -> Case {
    let bytes = match random.below(5) {
        0 => {
            let name = hard::text(random);
            Asset::default().entry(name, any(random, 3)).bytes()
        }
        1 => {
            let mut value = nested(random.spread(300), any(random, 4));
            value.damage(random);
            let asset = Asset::default().block("high_lod", &value).block("skin", &value);
            asset.bytes()
        }
        2 => any(random, 5).bytes(),
        _ => damaged(random),
    };
    over(random, "any LLSD", "bad.llmesh", bytes)
}
