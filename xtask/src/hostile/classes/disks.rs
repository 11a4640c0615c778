//! Disks that are full, and files that may not grow.

use crate::hostile::case::Case;
use crate::hostile::class::{Class, Known};
use crate::hostile::input::{Content, Kind};
use crate::hostile::make::{mesh, scene};
use crate::hostile::random::Random;

pub(super) const CLASS: Class = Class { name: "disks", known: &KNOWN, random: Some(random) };

const KNOWN: [Known; 8] = [
    Known::new("a result of which no byte may be written", 1, |_| limited(plan(20), 0)),
    Known::new("a result of which half a KiB may be written", 1, |_| limited(plan(20), 512)),
    Known::new("a result over a file, of which a KiB may be written", 1, |_| {
        limited(plan(20).input("out", Kind::File(Content::of("as it was"))), 1024)
    }),
    Known::new("a picture of which a KiB may be written", 1, |_| limited(picture(), 1024)),
    Known::new("a result to a disk of 64 KiB", 1, |_| on_disk(Case::of("schedule"))),
    Known::new("a picture to a disk of 4 KiB", 1, |_| {
        let case = Case::of("cost").file("good.llmesh", mesh::good()).option("--sweep", "0.1..64");
        let mut case = case.option("--plot", "disk/out.svg").codes(&[2]);
        case.denied.disk = Some(4);
        case
    }),
    Known::new("--output of /dev/full", 1, |_| {
        Case::of("schedule").format("json").option("--output", "/dev/full").codes(&[2])
    }),
    Known::new("--plot of /dev/full", 1, |_| {
        let case = Case::of("cost").file("good.llmesh", mesh::good()).option("--sweep", "0.1..64");
        case.option("--plot", "/dev/full").codes(&[2])
    }),
];

fn plan(actors: usize) -> Case {
    Case::of("schedule")
        .file("scene.toml", scene::of_actors(actors))
        .format("json")
        .output("--output", "out")
}

fn picture() -> Case {
    Case::of("cost")
        .file("good.llmesh", mesh::good())
        .option("--sweep", "0.1..64")
        .output("--plot", "out.svg")
}

fn limited(mut case: Case, bytes: u64) -> Case {
    case.denied.file_bytes = Some(bytes);
    case.codes(&[2])
}

fn on_disk(case: Case) -> Case {
    let scene = scene::of_actors(2000);
    let mut case = case.file("scene.toml", scene).format("json").option("--output", "disk/out");
    case.denied.disk = Some(64);
    case.codes(&[2])
}

fn random(random: &mut Random) -> Case {
    let mut case = if random.one_in(2) { plan(random.spread(60)) } else { picture() };
    "any limit".clone_into(&mut case.name);
    if random.one_in(3) {
        let output = case.outputs[0].clone();
        case = case.input(output, Kind::File(Content::of("as it was")));
    }
    case.denied.file_bytes = Some(random.spread(40_000) as u64);
    case
}
