//! Signals at any moment, with a file being written.

use std::time::Duration;

use crate::hostile::case::{Case, Signal, Sink, Stdin};
use crate::hostile::class::{Class, Known};
use crate::hostile::good;
use crate::hostile::input::{Content, Kind};
use crate::hostile::make::{mesh, scene};
use crate::hostile::random::Random;

pub(super) const CLASS: Class = Class { name: "signals", known: &KNOWN, random: Some(random) };

const KNOWN: [Known; 4] = [
    Known::new("SIGINT while reading a pipe that gives nothing", 1, |_| waiting(Signal::Interrupt)),
    Known::new("SIGTERM while reading a pipe that gives nothing", 1, |_| {
        waiting(Signal::Terminate)
    }),
    Known::new("SIGHUP while reading a pipe that gives nothing", 1, |_| waiting(Signal::HangUp)),
    Known::new("stdout closed after a byte", 1, |_| {
        let mut case =
            Case::of("schedule").file("scene.toml", scene::of_actors(5000)).format("json");
        case.stdout = Sink::Leaving(1);
        case.codes(&[0])
    }),
];

fn waiting(signal: Signal) -> Case {
    let mut case = Case::of("cost").path("-").output("--output", "out");
    case.stdin = Stdin::Slow(mesh::good().into(), 1, Duration::from_millis(50));
    case.signal = Some((signal, Duration::from_millis(300)));
    case
}

fn random(random: &mut Random) -> Case {
    let old = "as it was";
    let mut case = match random.below(3) {
        0 => {
            let count = random.between(1, 8000);
            Case::of("schedule").file("scene.toml", scene::of_actors(count)).format("json")
        }
        1 => Case::of("cost")
            .file("good.llmesh", mesh::good())
            .option("--sweep", "0.01..64")
            .output("--plot", "out.svg"),
        _ => {
            let [_, (name, bytes)] = good::files();
            Case::of("cost").file(*name, bytes.clone()).format("csv")
        }
    };
    "any moment".clone_into(&mut case.name);
    if random.one_in(4) {
        case.stdout = Sink::Leaving(random.spread(5000));
        return case;
    }
    if !random.one_in(4) {
        case = case.output("--output", "out");
        if random.one_in(2) {
            case = case.input("out", Kind::File(Content::of(old)));
        }
    }
    let signal = random.pick(&[Signal::Interrupt, Signal::Terminate, Signal::HangUp]);
    let after = Duration::from_micros(random.between(1_000, 40_000) as u64);
    case.signal = Some((signal, after));
    case
}
