//! What the system does to a program: signals, pipes, full disks, threads, huge files.

use std::time::Duration;

use lodger_testkit::SplitMix64;
use lodger_testkit::build::archive::{cube, id, region};
use lodger_testkit::build::compressed::gzip;
use lodger_testkit::build::{mesh, scene};
use lodger_testkit::campaign::{Class, known, size};
use lodger_testkit::run::{Case, FileBytes, InputKind, Sink, Stdin, good_files};

use super::{USUAL, cost, good_mesh, schedule};

/// Signals at any moment, with a file being written.
pub(super) const SIGNALS: Class = Class {
    name: "signals",
    memory: USUAL,
    known: &[
        known("SIGINT while reading a pipe that gives nothing", || waiting("INT")),
        known("SIGTERM while reading a pipe that gives nothing", || waiting("TERM")),
        known("SIGHUP while reading a pipe that gives nothing", || waiting("HUP")),
        known("stdout closed after a byte", || {
            let case = schedule("scene.toml", scene::of_actors(5000)).format("json");
            case.stdout(Sink::Leaving(1)).codes(&[0])
        }),
    ],
    random: Some(random_signals),
};

fn waiting(signal: &'static str) -> Case {
    let pipe = Stdin::Slow(mesh::good().into(), 1, Duration::from_millis(50));
    Case::new("cost - --output out").stdin(pipe).signal(signal, Duration::from_millis(300))
}

fn random_signals(random: &mut SplitMix64) -> Case {
    let mut case = match random.index(3) {
        0 => {
            let count = random.between(1, 8000);
            schedule("scene.toml", scene::of_actors(count)).format("json")
        }
        1 => good_mesh().args("--sweep 0.01..64 --plot out.svg"),
        _ => {
            let [_, (name, bytes)] = good_files();
            cost(name, bytes.clone()).format("csv")
        }
    };
    if random.one_in(4) {
        return case.stdout(Sink::Leaving(random.spread(5000)));
    }
    if !random.one_in(4) {
        case = case.args("--output out");
        if random.one_in(2) {
            case = case.file("out", "as it was");
        }
    }
    let signal = random.pick(&["INT", "TERM", "HUP"]);
    case.signal(signal, Duration::from_micros(random.between(1_000, 40_000) as u64))
}

/// Stdin, stdout and stderr that are closed, full, slow or cut.
pub(super) const PIPES: Class = Class {
    name: "pipes",
    memory: USUAL,
    known: &[
        known("--help to a full disk", || full(Case::new("cost --help"))),
        known("--version to a full disk", || full(Case::new("--version"))),
        known("help to a full disk", || full(Case::new("help"))),
        known("a table to a full disk", || full(good_mesh())),
        known("JSON to a full disk", || full(good_mesh().format("json"))),
        known("a sweep to a full disk", || full(good_mesh().args("--sweep 0.1..64"))),
        known("a plan to a full disk", || full(Case::new("schedule").format("csv"))),
        known("the example to a full disk", || full(Case::new("schedule --print-example"))),
        known("--help to nobody", || Case::new("cost --help").stdout(Sink::Leaving(0)).codes(&[0])),
        known("errors to a full disk", || Case::new("cost missing").stderr(Sink::Full)),
        known("errors to a closed stderr", || Case::new("schedule missing").stderr(Sink::Closed)),
        known("a closed stdin", || Case::new("cost -").stdin(Stdin::Closed)),
        known("a closed stdout", || good_mesh().stdout(Sink::Closed)),
        known("nothing open at all", || {
            let case = good_mesh().args("--output out").stdin(Stdin::Closed);
            case.stdout(Sink::Closed).stderr(Sink::Closed)
        }),
        known("a scene byte by byte", || {
            let scene = scene::of_actors(3).into_bytes().into();
            let slow = Stdin::Slow(scene, 1, Duration::from_micros(50));
            Case::new("schedule - --format json").stdin(slow).codes(&[0])
        }),
    ],
    random: Some(random_pipes),
};

fn full(case: Case) -> Case {
    case.stdout(Sink::Full).codes(&[1, 2])
}

fn random_pipes(random: &mut SplitMix64) -> Case {
    let archive = region(&[(id(1), mesh::good())], &[cube("a cube")]);
    let (mut case, bytes) = match random.index(4) {
        0 => (Case::new("schedule"), scene::of_actors(random.spread(300)).into_bytes()),
        1 => (Case::new("cost"), mesh::good()),
        2 => (Case::new("cost"), gzip(&archive)),
        _ => (Case::new("cost"), archive),
    };
    let bytes = match random.index(3) {
        0 => bytes[..random.index(bytes.len())].to_vec(),
        _ => bytes,
    };
    case = case.arg("-").format(random.pick(&["table", "json", "csv"]));
    let pieces = random.between(1, 20);
    case.stdin = match random.index(8) {
        0 => Stdin::Closed,
        1 => Stdin::Null,
        2 => Stdin::Slow(bytes.clone().into(), bytes.len() / pieces + 1, Duration::from_millis(1)),
        _ => Stdin::Bytes(bytes.into()),
    };
    case.stdout = match random.index(6) {
        0 => Sink::Full,
        1 => Sink::Closed,
        2 => Sink::Leaving(random.spread(2000)),
        _ => Sink::Pipe,
    };
    case.stderr = match random.index(6) {
        0 => Sink::Full,
        1 => Sink::Closed,
        _ => Sink::Pipe,
    };
    case
}

/// Disks that are full, and files that may not grow.
pub(super) const DISKS: Class = Class {
    name: "disks",
    memory: USUAL,
    known: &[
        known("a result of which no byte may be written", || limited(plan(20), 0)),
        known("a result of which half a KiB may be written", || limited(plan(20), 512)),
        known("a result over a file, of which a KiB may be written", || {
            limited(plan(20).file("out", "as it was"), 1024)
        }),
        known("a picture of which a KiB may be written", || limited(picture(), 1024)),
        known("a result to a disk of 64 KiB", || {
            let case = schedule("scene.toml", scene::of_actors(2000));
            on_disk(64, case.args("--format json --output disk/out"))
        }),
        known("a picture to a disk of 4 KiB", || {
            on_disk(4, good_mesh().args("--sweep 0.1..64 --plot disk/out.svg"))
        }),
        known("--output of /dev/full", || {
            Case::new("schedule").format("json").args("--output /dev/full").codes(&[2])
        }),
        known("--plot of /dev/full", || {
            good_mesh().args("--sweep 0.1..64 --plot /dev/full").codes(&[2])
        }),
    ],
    random: Some(random_disks),
};

fn plan(actors: usize) -> Case {
    schedule("scene.toml", scene::of_actors(actors)).format("json").args("--output out")
}

fn picture() -> Case {
    good_mesh().args("--sweep 0.1..64 --plot out.svg")
}

fn limited(mut case: Case, bytes: u64) -> Case {
    case.denied.file_bytes = Some(bytes);
    case.codes(&[2])
}

fn on_disk(kibibytes: u64, mut case: Case) -> Case {
    case.denied.disk = Some(kibibytes);
    case.codes(&[2])
}

fn random_disks(random: &mut SplitMix64) -> Case {
    let mut case = if random.one_in(2) { plan(random.spread(60)) } else { picture() };
    if random.one_in(3) {
        let output = case.outputs()[0].clone();
        case = case.file(output, "as it was");
    }
    case.denied.file_bytes = Some(random.spread(40_000) as u64);
    case
}

/// Threads: none to be had, or absurdly many.
pub(super) const THREADS: Class = Class {
    name: "threads",
    memory: USUAL,
    known: &[
        known("no thread can start, priced", || alone("cost")),
        known("no thread can start, linted", || alone("lint")),
        known("no thread can start, planned", || {
            threadless(Case::new("schedule --format json").codes(&[0]))
        }),
        known("no thread can start, to a file", || alone("cost").args("--output out")),
        known("no thread can start, drawn", || {
            threadless(good_mesh().args("--sweep 0.1..64 --plot out.svg").codes(&[0]))
        }),
        known("RAYON_NUM_THREADS=1000000", || asked("1000000")),
        known("RAYON_NUM_THREADS=100000", || asked("100000")),
        known("RAYON_NUM_THREADS=18446744073709551615", || asked("18446744073709551615")),
        known("RAYON_NUM_THREADS=2", || {
            let case = Case::new("cost").beside_good().format("json").codes(&[0]);
            case.env("RAYON_NUM_THREADS", "2")
        }),
    ],
    random: Some(random_threads),
};

fn threadless(mut case: Case) -> Case {
    case.denied.threads = true;
    case
}

fn alone(command: &str) -> Case {
    let codes: &[i32] = if command == "cost" { &[0] } else { &[0, 1] };
    threadless(Case::new(command).beside_good().format("json").codes(codes))
}

fn asked(count: &str) -> Case {
    Case::new("cost").beside_good().codes(&[2]).env("RAYON_NUM_THREADS", count)
}

fn random_threads(random: &mut SplitMix64) -> Case {
    let count = random.pick(&["0", "1", "2", "3", "7", "", "-1", "x", "1e3", "2.5"]);
    if ["-1", "x", "1e3", "2.5"].contains(&count) {
        return asked(count);
    }
    let case = Case::new(random.pick(&["cost", "lint"])).beside_good().format("json");
    case.env("RAYON_NUM_THREADS", count)
}

/// Files of a GiB: zeros, noise and brackets, once each for every command.
pub(super) const RESOURCES: Class = Class {
    name: "resources",
    memory: (1229, 0),
    known: &[
        known("a GiB of zeros, priced", || gib("cost", ZEROS)),
        known("a GiB of zeros, linted", || gib("lint", ZEROS)),
        known("a GiB of zeros, linked", || gib("linkset", ZEROS)),
        known("a GiB of zeros, planned", || gib("schedule", ZEROS)),
        known("a GiB of noise, priced", || gib("cost", NOISE)),
        known("a GiB of noise, linted", || gib("lint", NOISE)),
        known("a GiB of noise, linked", || gib("linkset", NOISE)),
        known("a GiB of noise, planned", || gib("schedule", NOISE)),
        known("a GiB of [, priced", || gib("cost", BRACKETS)),
        known("a GiB of [, linted", || gib("lint", BRACKETS)),
        known("a GiB of [, linked", || gib("linkset", BRACKETS)),
        known("a GiB of [, planned", || gib("schedule", BRACKETS)),
    ],
    random: None,
};

const ZEROS: fn(usize) -> FileBytes = |count| FileBytes::Repeated(0, count);
const NOISE: fn(usize) -> FileBytes = FileBytes::Noise;
const BRACKETS: fn(usize) -> FileBytes = |count| FileBytes::Repeated(b'[', count);

fn gib(command: &str, bytes: fn(usize) -> FileBytes) -> Case {
    let bad = InputKind::File(bytes(size(1 << 30)));
    Case::new(command).args("bad --format json").input("bad", bad)
}
