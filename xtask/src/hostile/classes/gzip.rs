//! Compressed files.

use super::over::over;
use crate::hostile::case::{Case, Stdin};
use crate::hostile::class::{Class, Known};
use crate::hostile::damage;
use crate::hostile::make::{gzip, gzip_of, mesh, object, run, scene, tar};
use crate::hostile::random::Random;

pub(super) const CLASS: Class = Class { name: "gzip", known: &KNOWN, random: Some(random) };

const KNOWN: [Known; 8] = [
    Known::heavy("a bomb of 8 GiB", 8 << 30, |n| bad("cost", gzip_of(&run(0, n)))),
    Known::new("a bomb of 200 MiB", 200 << 20, |n| bad("cost", gzip_of(&run(0, n)))),
    Known::new("a bomb of 200 MiB, linted", 200 << 20, |n| bad("lint", gzip_of(&run(0, n)))),
    Known::new("a bomb behind an archive", 1 << 30, behind),
    Known::new("gzip in gzip, 20 times", 20, nested),
    Known::new("100 000 members", 100_000, members),
    Known::new("a scene that is a bomb", 1 << 30, |n| {
        Case::of("schedule").file("bad.toml", gzip_of(&run(0, n))).format("json")
    }),
    Known::new("an archive in gzip on stdin", 1, |_| on_stdin()),
];

fn bad(command: &'static str, bytes: Vec<u8>) -> Case {
    Case::of(command).file("bad.oar", bytes).beside_good().format("json")
}

fn good_archive() -> Vec<u8> {
    tar::region(&[(object::id(1), mesh::good())], &[object::showing("a mesh", &object::id(1))])
}

fn behind(zeros: usize) -> Case {
    bad("cost", [gzip(&good_archive()), gzip_of(&run(0, zeros))].concat())
}

fn nested(times: usize) -> Case {
    bad("cost", (0..times).fold(good_archive(), |bytes, _| gzip(&bytes)))
}

fn members(count: usize) -> Case {
    let nothing = gzip(&[]).repeat(count);
    bad("cost", [nothing, gzip(&good_archive())].concat())
}

fn on_stdin() -> Case {
    let mut case = Case::of("cost").path("-").format("json").codes(&[0]);
    case.stdin = Stdin::Bytes(gzip(&good_archive()).into());
    case
}

fn random(random: &mut Random) -> Case {
    let inner = match random.below(4) {
        0 => scene::of_actors(3).into_bytes(),
        1 => mesh::good(),
        _ => good_archive(),
    };
    let mut bytes = gzip(&inner);
    match random.below(5) {
        0 => bytes.truncate(random.below(bytes.len())),
        1 => bytes.extend(random.noise(30)),
        2 => bytes.extend(gzip(&inner)),
        3 => bytes = gzip(&bytes),
        _ => damage::bytes(random, &mut bytes),
    }
    let name = random.pick(&["bad.oar", "bad.llmesh.gz", "bad"]);
    over(random, "any gzip", name, bytes)
}
