//! Unusual files, signals, pipes, full disks, missing threads and huge files.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt as _;
use std::time::Duration;

use lodger_testkit::SplitMix64;
use lodger_testkit::build::archive::{cube, id, region};
use lodger_testkit::build::compressed::gzip;
use lodger_testkit::build::{damage, mesh, scene};
use lodger_testkit::campaign::{Class, known, size};
use lodger_testkit::run::{Case, FileBytes, InputKind, Sink, Stdin, good_files};

use super::{USUAL, cost, good_mesh, schedule};

/// Folders, pipes, devices, links, and names of any bytes.
pub(super) const PLACES: Class = Class {
    name: "places",
    memory: USUAL,
    known: &[
        known("a FIFO in a folder of objects", || {
            folder("cost").input("in/a.xml", InputKind::Fifo).file("in/b.xml", cube("b"))
        }),
        known("a FIFO in an unpacked archive", || {
            unpacked().input("in/objects/pipe.xml", InputKind::Fifo)
        }),
        known("a link to /dev/urandom in a folder", || device("/dev/urandom")),
        known("a link to /dev/zero in an unpacked archive", || {
            unpacked().input("in/objects/zero.xml", InputKind::Link("/dev/zero".into()))
        }),
        known("schedule of /dev/zero", || endless(Case::new("schedule /dev/zero"))),
        known("schedule of /dev/urandom", || endless(Case::new("schedule /dev/urandom"))),
        known("board run of /dev/zero", || board(Case::new("run /dev/zero"))),
        known("board run with a description that is /dev/zero", || {
            let case = Case::new("run a.elf --chip nRF51822_xxAA --chip-description /dev/zero");
            board(case.file("a.elf", "no ELF"))
        }),
        known("board flash of /dev/zero", || board(Case::new("flash /dev/zero"))),
        known("board run of a link to /dev/zero", || {
            board(Case::new("run a").input("a", InputKind::Link("/dev/zero".into())))
        }),
        known("a folder that is in itself", || {
            with_good("cost").input("in/round", InputKind::Link(".".into()))
        }),
        known("links that name each other", || {
            with_good("cost")
                .input("in/a.oar", InputKind::Link("b.oar".into()))
                .input("in/b.oar", InputKind::Link("a.oar".into()))
        }),
        known("a broken link", || {
            with_good("cost").input("in/a.oar", InputKind::Link("no".into()))
        }),
        known("a file without read permission", || {
            let secret = InputKind::Unreadable(FileBytes::Repeated(b'x', 1));
            let mut case = with_good("cost").input("in/a.oar", secret);
            case.denied.privileges = true;
            case
        }),
        known("a file name with U+061C and ESC", || odd_name("\u{61c}\u{1b}[31m.llmesh", "table")),
        known("a file name that is a formula, in CSV", || odd_name("=1+1.llmesh", "csv")),
        known("a scene's name with a new line", || {
            schedule("a\nFORGED\u{61c}.toml", "budget_ms = true")
        }),
        known("a thousand folders within each other", || deep(1000)),
        known("20 000 broken files in a folder", || many(size(20_000))),
    ],
    random: Some(random_places),
};

fn folder(command: &'static str) -> Case {
    Case::new(command).input("in", InputKind::Folder).arg("in")
}

fn with_good(command: &'static str) -> Case {
    beside_good(command).format("json")
}

fn beside_good(command: &'static str) -> Case {
    let mut case = folder(command);
    for (name, bytes) in good_files() {
        let path = OsString::from(format!("in/{name}"));
        case.good.push(path.clone());
        case = case.file(path, bytes.clone());
    }
    case
}

fn device(path: &str) -> Case {
    endless(with_good("cost").input("in/device.llmesh", InputKind::Link(path.into())))
}

fn unpacked() -> Case {
    folder("cost")
        .format("json")
        .file("in/archive.xml", "<archive major_version=\"0\" />")
        .file("in/objects/a.xml", cube("a cube"))
        .file(format!("in/assets/{}_mesh.llmesh", id(1)), mesh::good())
}

fn endless(mut case: Case) -> Case {
    case.endless = true;
    case
}

fn board(case: Case) -> Case {
    Case { board: true, ..endless(case) }
}

fn odd_name(name: &str, format: &str) -> Case {
    let empty = format!("empty{name}");
    cost(name, mesh::good()).reads(empty, "").arg(format!("missing{name}")).format(format)
}

fn deep(levels: usize) -> Case {
    let path = "d/".repeat(levels);
    with_good("cost").file(format!("in/{path}bad.llmesh"), "bad")
}

fn many(count: usize) -> Case {
    (0..count)
        .fold(with_good("cost"), |case, number| case.file(format!("in/{number}.llmesh"), "{\0\0"))
}

/// A file name that need not be UTF-8.
fn name(random: &mut SplitMix64, end: &str) -> OsString {
    let mut name = if random.one_in(4) {
        let count = random.between(1, 20);
        random.noise(count)
    } else {
        damage::text_value(random).into_bytes()
    };
    name.retain(|&byte| byte != 0 && byte != b'/');
    name.truncate(200);
    name.extend(end.bytes());
    OsString::from_vec(name)
}

fn random_places(random: &mut SplitMix64) -> Case {
    let lint = random.one_in(3);
    let formats: &[&str] = if lint { &["table", "json"] } else { &["table", "json", "csv"] };
    let mut case = beside_good(if lint { "lint" } else { "cost" }).format(random.pick(formats));
    let mut names = BTreeSet::new();
    for _ in 0..random.between(1, 5) {
        let end = random.pick(&[".llmesh", ".oar", "_object.xml", ".xml", ".gz", ""]);
        let name = name(random, end);
        if name.is_empty() || name == "." || name == ".." || !names.insert(name.clone()) {
            continue;
        }
        let mut path = OsString::from("in/");
        path.push(&name);
        let kind = match random.index(8) {
            0 => InputKind::Fifo,
            1 => InputKind::Folder,
            2 => InputKind::Link(
                (random.pick(&[".", "..", "/dev/zero", "/dev/null", "no", "good.oar"])).into(),
            ),
            3 => InputKind::file(region(&[], &[cube("a cube")])),
            4 => InputKind::file(scene::of_actors(1)),
            5 => InputKind::file(""),
            _ => InputKind::file(mesh::damaged(random)),
        };
        case = case.input(path, kind);
    }
    if random.one_in(6) {
        case = case.arg("-").bytes(mesh::damaged(random));
    }
    case
}

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

/// Full disks, and files that may not grow.
pub(super) const DISKS: Class = Class {
    name: "disks",
    memory: USUAL,
    known: &[
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

fn with_threads(count: &str) -> Case {
    Case::new("cost").beside_good().codes(&[2]).env("RAYON_NUM_THREADS", count)
}

fn random_threads(random: &mut SplitMix64) -> Case {
    let count = random.pick(&["0", "1", "2", "3", "7", "", "-1", "x", "1e3", "2.5"]);
    if ["-1", "x", "1e3", "2.5"].contains(&count) {
        return with_threads(count);
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
