//! What is to be linked: by both rules, of files and of archives.

use crate::hostile::case::Case;
use crate::hostile::class::{Class, Known};
use crate::hostile::make::{object, scene, tar};
use crate::hostile::random::Random;
use crate::hostile::{damage, hard};

pub(super) const CLASS: Class = Class { name: "linksets", known: &KNOWN, random: Some(random) };

const KNOWN: [Known; 9] = [
    Known::new("span misses of 1 000 objects with names of 400 bytes", 1000, |n| {
        span(n, 400).option("--rule", "span")
    }),
    Known::new("span misses of 1 000 objects with short names", 1000, |n| {
        span(n, 4).option("--rule", "span").format("json")
    }),
    Known::heavy("span misses of 10 000 objects", 10_000, |n| span(n, 5).option("--rule", "span")),
    Known::new("the sphere of 10 000 objects", 10_000, |n| span(n, 5).format("json")),
    Known::new("an object of 5 000 parts out of an archive, by span", 5000, |n| {
        parts(n).option("--rule", "span")
    }),
    Known::new("a name of 1 MiB", 1 << 20, |n| span(2, n).option("--rule", "span")),
    Known::new("50 000 objects of one name", 50_000, chosen),
    Known::new("a name with a new line and U+061C", 1, |_| odd()),
    Known::new("a missing object of a name of 100 KiB", 100 << 10, missing),
];

fn span(objects: usize, name_bytes: usize) -> Case {
    let text = scene::linkset(objects, name_bytes);
    Case::of("linkset").file("bad.toml", text)
}

fn parts(count: usize) -> Case {
    let part = |i: usize| {
        object::part(&format!("part {i}"), object::BOX, "").replace(
            "<GroupPosition>",
            &format!(
                "<OffsetPosition><X>{}</X><Y>0</Y><Z>0</Z></OffsetPosition><GroupPosition>",
                i * 100
            ),
        )
    };
    let others: String = (1..count).map(part).collect();
    let archive = tar::region(&[], &[object::group(&part(0), &others)]);
    let mut case = Case::of("linkset").path("bad.oar:part 0");
    case.inputs.extend(Case::of("linkset").file("bad.oar", archive).inputs);
    case
}

fn chosen(count: usize) -> Case {
    let objects = vec![object::cube("a cube"); count];
    let entries = [tar::Entry::file("objects/all.xml", object::scene(&objects))];
    let mut case = Case::of("linkset").path("bad.oar:a cube").option("--rule", "span");
    case.inputs.extend(Case::of("linkset").file("bad.oar", tar::archive(&entries)).inputs);
    case
}

fn odd() -> Case {
    let text = scene::linkset(2, 1)
        .replace("\"0\"", "\"a\\nFORGED\\u061c\"")
        .replace("\"1\"", "\"\\u001b[31m\\u202e\"");
    Case::of("linkset").file("bad.toml", text).option("--rule", "span")
}

fn missing(bytes: usize) -> Case {
    let name = hard::long(bytes);
    let archive = tar::region(&[], &[object::cube("a cube")]);
    let mut case = Case::of("linkset").path(format!("bad.oar:{name}"));
    case.inputs.extend(Case::of("linkset").file("bad.oar", archive).inputs);
    case
}

fn random(random: &mut Random) -> Case {
    let objects = random.spread(60);
    let text = scene::linkset(objects, random.spread(200));
    let text = text.replacen("[0, 0.0, 0.0]", &format!("[{}, 0, 0]", hard::number(random)), 1);
    let text = if random.one_in(2) { damage::text(random, &text) } else { text };
    let mut case = Case::of("linkset");
    "any linkset".clone_into(&mut case.name);
    case.threads = random.one_in(10);
    case.file("bad.toml", text)
        .option("--rule", random.pick(&["sphere", "span"]))
        .format(random.pick(&["table", "json"]))
}
