//! Threads: none to be had, or absurdly many.

use crate::hostile::case::Case;
use crate::hostile::class::{Class, Known};
use crate::hostile::random::Random;

pub(super) const CLASS: Class = Class { name: "threads", known: &KNOWN, random: Some(random) };

const KNOWN: [Known; 9] = [
    Known::new("no thread can start, priced", 1, |_| alone("cost")),
    Known::new("no thread can start, linted", 1, |_| alone("lint")),
    Known::new("no thread can start, planned", 1, |_| {
        let mut case = Case::of("schedule").format("json").codes(&[0]);
        case.denied.threads = true;
        case
    }),
    Known::new("no thread can start, to a file", 1, |_| alone("cost").output("--output", "out")),
    Known::new("no thread can start, drawn", 1, |_| {
        let mut case = Case::of("cost")
            .file("good.llmesh", crate::hostile::make::mesh::good())
            .option("--sweep", "0.1..64")
            .output("--plot", "out.svg")
            .codes(&[0]);
        case.denied.threads = true;
        case
    }),
    Known::new("RAYON_NUM_THREADS=1000000", 1_000_000, |n| asked(n.to_string())),
    Known::new("RAYON_NUM_THREADS=100000", 100_000, |n| asked(n.to_string())),
    Known::new("RAYON_NUM_THREADS=18446744073709551615", 1, |_| asked(u64::MAX.to_string())),
    Known::new("RAYON_NUM_THREADS=2", 2, |_| {
        let mut case = Case::of("cost").beside_good().format("json").codes(&[0]);
        case.env.push(("RAYON_NUM_THREADS", "2".to_owned()));
        case
    }),
];

fn alone(command: &'static str) -> Case {
    let codes: &[i32] = if command == "cost" { &[0] } else { &[0, 1] };
    let mut case = Case::of(command).beside_good().format("json").codes(codes);
    case.denied.threads = true;
    case
}

fn asked(count: String) -> Case {
    let mut case = Case::of("cost").beside_good().codes(&[2]);
    case.env.push(("RAYON_NUM_THREADS", count));
    case
}

fn random(random: &mut Random) -> Case {
    let count = random.pick(&["0", "1", "2", "3", "7", "", "-1", "x", "1e3", "2.5"]);
    let mut case = if ["-1", "x", "1e3", "2.5"].contains(&count) {
        asked(count.to_owned())
    } else {
        let mut case = Case::of(random.pick(&["cost", "lint"])).beside_good().format("json");
        case.env.push(("RAYON_NUM_THREADS", count.to_owned()));
        case
    };
    "any number of threads".clone_into(&mut case.name);
    case
}
