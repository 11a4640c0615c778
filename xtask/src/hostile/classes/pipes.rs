//! Stdin, stdout and stderr that are closed, full, slow or cut.

use std::time::Duration;

use crate::hostile::case::{Case, Sink, Stdin};
use crate::hostile::class::{Class, Known};
use crate::hostile::make::{gzip, mesh, object, scene, tar};
use crate::hostile::random::Random;

pub(super) const CLASS: Class = Class { name: "pipes", known: &KNOWN, random: Some(random) };

const KNOWN: [Known; 15] = [
    Known::new("--help to a full disk", 1, |_| full(Case::of("cost").flag("--help"))),
    Known::new("--version to a full disk", 1, |_| full(Case::of("--version"))),
    Known::new("help to a full disk", 1, |_| full(Case::of("help"))),
    Known::new("a table to a full disk", 1, |_| full(good())),
    Known::new("JSON to a full disk", 1, |_| full(good().format("json"))),
    Known::new("a sweep to a full disk", 1, |_| full(good().option("--sweep", "0.1..64"))),
    Known::new("a plan to a full disk", 1, |_| full(Case::of("schedule").format("csv"))),
    Known::new("the example to a full disk", 1, |_| {
        full(Case::of("schedule").flag("--print-example"))
    }),
    Known::new("--help to nobody", 1, |_| {
        let mut case = Case::of("cost").flag("--help").codes(&[0]);
        case.stdout = Sink::Leaving(0);
        case
    }),
    Known::new("errors to a full disk", 1, |_| {
        let mut case = Case::of("cost").path("missing");
        case.stderr = Sink::Full;
        case
    }),
    Known::new("errors to a closed stderr", 1, |_| {
        let mut case = Case::of("schedule").path("missing");
        case.stderr = Sink::Closed;
        case
    }),
    Known::new("a closed stdin", 1, |_| {
        let mut case = Case::of("cost").path("-");
        case.stdin = Stdin::Closed;
        case
    }),
    Known::new("a closed stdout", 1, |_| {
        let mut case = good();
        case.stdout = Sink::Closed;
        case
    }),
    Known::new("nothing open at all", 1, |_| {
        let mut case = good().output("--output", "out");
        (case.stdin, case.stdout, case.stderr) = (Stdin::Closed, Sink::Closed, Sink::Closed);
        case
    }),
    Known::new("a scene byte by byte", 1, |_| {
        let mut case = Case::of("schedule").path("-").format("json").codes(&[0]);
        case.stdin =
            Stdin::Slow(scene::of_actors(3).into_bytes().into(), 1, Duration::from_micros(50));
        case
    }),
];

fn good() -> Case {
    Case::of("cost").file("good.llmesh", mesh::good())
}

fn full(mut case: Case) -> Case {
    case.stdout = Sink::Full;
    case.codes(&[1, 2])
}

fn random(random: &mut Random) -> Case {
    let archive = tar::region(&[(object::id(1), mesh::good())], &[object::cube("a cube")]);
    let (mut case, bytes) = match random.below(4) {
        0 => (Case::of("schedule"), scene::of_actors(random.spread(300)).into_bytes()),
        1 => (Case::of("cost"), mesh::good()),
        2 => (Case::of("cost"), gzip(&archive)),
        _ => (Case::of("cost"), archive),
    };
    "any pipes".clone_into(&mut case.name);
    let bytes = match random.below(3) {
        0 => bytes[..random.below(bytes.len())].to_vec(),
        _ => bytes,
    };
    case = case.path("-").format(random.pick(&["table", "json", "csv"]));
    let pieces = random.between(1, 20);
    case.stdin = match random.below(8) {
        0 => Stdin::Closed,
        1 => Stdin::Null,
        2 => Stdin::Slow(bytes.clone().into(), bytes.len() / pieces + 1, Duration::from_millis(1)),
        _ => Stdin::Bytes(bytes.into()),
    };
    case.stdout = match random.below(6) {
        0 => Sink::Full,
        1 => Sink::Closed,
        2 => Sink::Leaving(random.spread(2000)),
        _ => Sink::Pipe,
    };
    case.stderr = match random.below(6) {
        0 => Sink::Full,
        1 => Sink::Closed,
        _ => Sink::Pipe,
    };
    case
}
