//! Streamed SOG.

use serde_json::Value;

use crate::hostile::case::Case;
use crate::hostile::class::{Class, Known};
use crate::hostile::damage as bytes;
use crate::hostile::make::gltf::damage;
use crate::hostile::make::sog::{index, leaf, node};
use crate::hostile::random::Random;

pub(super) const CLASS: Class = Class { name: "sog", known: &KNOWN, random: Some(random) };

const KNOWN: [Known; 8] = [
    Known::new("100 000 leaves, each of its own", 100_000, |n| leaves(n, 5, |i| i)),
    Known::new("100 000 equal leaves", 100_000, |n| leaves(n, 5, |_| 7)),
    Known::new("1 000 leaves of 256 levels", 1_000, |n| leaves(n, 256, |i| i)),
    Known::new("200 000 nodes within each other", 200_000, chain),
    Known::new("a MiB of [ behind lodLevels", 1 << 20, |n| {
        schedule(format!("{{\"lodLevels\":1,\"x\":{}", "[".repeat(n)))
    }),
    Known::new("a MiB of [ that end behind lodLevels", 1 << 20, |n| {
        let (open, close) = ("[".repeat(n), "]".repeat(n));
        schedule(format!("{{\"lodLevels\":1,\"tree\":{{\"x\":{open}{close}}}}}"))
    }),
    Known::new("a count of 4 294 967 295, a million times", 1_000_000, counts),
    Known::new("a key of a MiB with ESC and a new line", 1 << 20, key),
];

fn schedule(text: String) -> Case {
    Case::of("schedule").file("bad.json", text).option("--eye", "0,2,8").option("--budget", "2M")
}

fn leaves(count: usize, levels: usize, first: fn(usize) -> usize) -> Case {
    let all: Vec<_> = (0..count).map(|number| leaf(levels, first(number))).collect();
    schedule(index(levels, &node(&all)).to_string()).format("json")
}

fn chain(depth: usize) -> Case {
    let (open, close) = ("{\"children\":[".repeat(depth), "]}".repeat(depth));
    schedule(format!("{{\"lodLevels\":1,\"tree\":{open}{}{close}}}", leaf(1, 1)))
}

fn counts(count: usize) -> Case {
    let bound = "\"bound\":{\"min\":[0,0,0],\"max\":[1,1,1]}";
    let leaf = format!("{{{bound},\"lods\":{{\"0\":{{\"count\":4294967295}}}}}}");
    let leaves = vec![leaf; count].join(",");
    schedule(format!("{{\"lodLevels\":1,\"tree\":{{\"children\":[{leaves}]}}}}")).format("csv")
}

fn key(length: usize) -> Case {
    let key = format!("\\u001b[31m\\nFORGED{}", "k".repeat(length));
    schedule(index(1, &node(&[leaf(1, 1)])).to_string().replacen("\"0\"", &format!("\"{key}\""), 1))
}

fn random(random: &mut Random) -> Case {
    let levels = random.between(1, 6);
    let leaves: Vec<Value> =
        (0..random.between(1, 40)).map(|_| leaf(levels, random.spread(1_000))).collect();
    let inner = node(&leaves);
    let mut model = index(levels, &node(&[inner.clone(), inner]));
    for _ in 0..random.between(0, 4) {
        damage(random, &mut model);
    }
    let mut text = model.to_string();
    if random.one_in(4) {
        text = bytes::text(random, &text);
    }
    let mut case = schedule(text).format(random.pick(&["table", "json", "csv"]));
    "any Streamed SOG".clone_into(&mut case.name);
    case.threads = random.one_in(10);
    if random.one_in(3) {
        case = case.option("--policy", random.pick(&["proportional", "optimal"]));
    }
    case
}
