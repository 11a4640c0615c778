use flate2::Crc;
use lodger_testkit::SplitMix64;
use lodger_testkit::build::compressed::{Piece, run, zlib_of};
use lodger_testkit::build::{damage, scene};
use lodger_testkit::campaign::{Class, known, size};
use lodger_testkit::run::Case;

use super::USUAL;
use crate::replay::log_of;

pub(super) const REPLAY: Class = Class {
    name: "replay",
    memory: (1229, 0),
    known: &[
        known("a tick of 1 GiB of zeros", || bad(tick(1 << 30, &run(0, 1 << 30)))),
        known("a tick of 40 MiB of zeros", || bad(tick(40 << 20, &run(0, 40 << 20)))),
        known("a length without a tick", || bad(tick(1 << 20, &[]))),
        known("15 million actors in 45 MB", || bad(many_actors(15_000_000))),
        known("a billion ladders over the same costs", || ladders(1 << 27)),
        known("an endless log on stdin", endless),
        known("ticks with 7 000 000 moves and with none, in turn", || turns(2_000, 0).codes(&[2])),
        known("the same by the optimal policy", || turns(2_000, 4).codes(&[2])),
        known("3 million ticks without a module", || {
            little(with_length(empty(0, 0)), 3_000_000).codes(&[2])
        }),
        known("a tick of 1 GiB of zeros, with checksums", || {
            bad(checked(&run(0, 1 << 30))).codes(&[2])
        }),
        known("a tick of 4 GiB that is missing", || {
            let length = u32::MAX.to_le_bytes();
            bad([&b"lodger log\x02\x00"[..], &length, &checksum(&length)].concat()).codes(&[2])
        }),
    ],
    random: Some(random_replay),
};

fn bad(bytes: Vec<u8>) -> Case {
    Case::new("replay").reads("bad.log", bytes).format("json").codes(&[0, 1, 2])
}

/// A log of repeated ticks, with a quota of a million units of work.
fn little(ticks: Vec<u8>, times: usize) -> Case {
    let end = Piece::Repeated(vec![0; 4], 1);
    bad(log(&[Piece::Repeated(ticks, times), end])).args("--work 1")
}

fn log(pieces: &[Piece<'_>]) -> Vec<u8> {
    [&b"lodger log\x01\x00"[..], &zlib_of(pieces)].concat()
}

fn tick(length: usize, pieces: &[Piece<'static>]) -> Vec<u8> {
    let length = u32::try_from(length).unwrap_or(u32::MAX);
    let mut stream = vec![Piece::Repeated(length.to_le_bytes().to_vec(), 1)];
    stream.extend(pieces.iter().cloned());
    log(&stream)
}

fn checked(pieces: &[Piece<'_>]) -> Vec<u8> {
    // Without the head and sum of zlib, and without the last block.
    let packed = zlib_of(pieces);
    let packed = if pieces.is_empty() { &[][..] } else { &packed[2..packed.len() - 9] };
    let length = u32::try_from(packed.len()).unwrap_or_default().to_le_bytes();
    let mut log = [&b"lodger log\x02\x00"[..], &length, &checksum(&length)].concat();
    if !pieces.is_empty() {
        let end = [0; 4];
        log.extend([packed, &checksum(&[&length, packed].concat()), &end].concat());
        log.extend(checksum(&[&length, packed, &end].concat()));
    }
    log
}

fn checksum(bytes: &[u8]) -> [u8; 4] {
    let mut sum = Crc::new();
    sum.update(bytes);
    sum.sum().to_le_bytes()
}

fn empty(policy: u8, moves: usize) -> Vec<u8> {
    let decision = [&[0, 0, 0][..], &varint(1 << 32), &[1, 0]].concat();
    let certificate: &[u8] = if policy == 4 { &[1, 0, 0] } else { &[0] };
    let request = [&[1, 0, 0, 0, policy, 0, 0, 0][..], &varint(moves)].concat();
    [&request[..], &[0, 0], &decision, certificate, &[0]].concat()
}

fn with_length(tick: Vec<u8>) -> Vec<u8> {
    [u32::try_from(tick.len()).unwrap_or_default().to_le_bytes().to_vec(), tick].concat()
}

fn turns(count: usize, policy: u8) -> Case {
    little([7_000_000, 0].map(|moves| with_length(empty(policy, moves))).concat(), count)
}

fn varint(mut number: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    while number >= 128 {
        bytes.push(number.to_le_bytes()[0] | 128);
        number >>= 7;
    }
    bytes.push(number.to_le_bytes()[0]);
    bytes
}

fn many_actors(actors: usize) -> Vec<u8> {
    let (rows, none) = (varint(actors), [0; 2]);
    let request = [0, 0, 0, 4, 0, 0, 0, 0, 0, 1];
    let head = [&request[..], &[0, 0, 1, 1], &rows, &none, &[1], &rows].concat();
    let benefits = [&[0, 1][..], &rows].concat();
    let levels = [&[0][..], &rows].concat();
    let tail = vec![0; 9];
    let column = run(0, actors);
    let length = head.len() + benefits.len() + levels.len() + tail.len() + 3 * actors;
    let mut pieces = vec![Piece::Repeated(head, 1)];
    for after in [benefits, levels, tail] {
        pieces.extend(column.clone());
        pieces.push(Piece::Repeated(after, 1));
    }
    tick(length, &pieces)
}

fn ladders(count: usize) -> Case {
    let spans = varint(count / 8);
    let head = [&[0, 0, 0, 4, 0, 0, 0, 0, 0, 1, 0, 0, 1, 1, 0, 1][..], &spans].concat();
    let span = Piece::Repeated(vec![0, 128, 2, 0], count / 8);
    let tail = [&[0, 1][..], &varint(256), &[2; 256], &[1, 0, 0, 1, 0, 0, 0], &[0; 9]].concat();
    let length = head.len() + count / 2 + tail.len();
    bad(tick(length, &[Piece::Repeated(head, 1), span, Piece::Repeated(tail, 1)]))
}

fn endless() -> Case {
    let bytes = tick(1 << 26, &run(0, 1 << 20));
    Case::new("replay - --format json").bytes(bytes).codes(&[2])
}

/// A log whose ticks state absurd policies, moves, modules and actors.
fn absurd(random: &mut SplitMix64) -> Vec<u8> {
    let mut stream = Vec::new();
    for _ in 0..random.between(1, 12) {
        let policy = random.pick(&[0, 1, 2, 3, 4, 4, 5]);
        let modules = random.spread(20_000);
        let rows = random.spread(1 + 20_000 / (modules + 1));
        let column = [&varint(rows)[..], &vec![random.pick(&[0, 2, 0x7f]); rows]].concat();
        let head = [&[0, 0, 1, 1][..], &varint(rows), &[0, 0, 1]].concat();
        let module = [&head[..], &column, &[0, 1], &column, &[0], &column, &[0]].concat();
        let request = [
            &[1, 0, 0, 0, policy, random.pick(&[0, 9]), 0, 0][..],
            &varint(random.spread(u32::MAX as usize)),
        ];
        let tick =
            [&request.concat()[..], &[0], &varint(modules), &module.repeat(modules), &[0; 8]];
        stream.extend(with_length(tick.concat()));
    }
    log(&[Piece::Bytes(&stream)])
}

fn random_replay(random: &mut SplitMix64) -> Case {
    let mut bytes = log_of(u16::try_from(1 + random.index(40)).unwrap_or(1));
    let whole = bytes.clone();
    match random.index(4) {
        0 => {
            bytes.truncate(random.index(bytes.len()));
            bad(bytes).codes(&[2])
        }
        1 => bad(absurd(random)).arg("--work").arg(random.spread(1_000).max(1).to_string()),
        _ => {
            damage::bytes(random, &mut bytes);
            // Damage is 2, and bytes after the end are 1; neither is a difference.
            let codes: &[i32] = match () {
                () if bytes == whole => &[0],
                () if bytes.len() == whole.len() => &[2],
                () => &[1, 2],
            };
            bad(bytes).codes(codes)
        }
    }
}

pub(super) const SIMULATE: Class = Class {
    name: "simulate",
    memory: USUAL,
    known: &[
        known("60 000 modules for 100 000 frames", || modules(60_000, "100000").codes(&[2])),
        known("1 000 seeds of 100 000 frames", || {
            Case::new("simulate --seeds 1000 --frames 100000").codes(&[2])
        }),
        known("local search in 100 000 frames", || {
            Case::new("simulate --policy optimal --stability off --frames 100000").codes(&[2])
        }),
        known("20 000 modules, compared", || {
            modules(size(20_000), "61").args("--compare").codes(&[0])
        }),
        known("one ladder of 256 levels among 4 000 of two, compared", || one_long_ladder(4_000)),
        known("a speed of 3e38 from end to end", || {
            let path =
                "speed = 3e38\n[[waypoint]]\neye = [3e38, 1, 9]\n[[waypoint]]\neye = [0, 1, -9]\n";
            let case = Case::new("simulate --path path.toml --frames 200");
            case.file("path.toml", path).codes(&[0])
        }),
    ],
    random: Some(random_simulate),
};

fn modules(count: usize, frames: &str) -> Case {
    let module = |number: usize| {
        format!("[[module]]\nname = \"{number}\"\nunit_cost_ms = 0.001\nbenefit_value = 1\n")
    };
    let modules: String = (0..count).map(module).collect();
    let case = Case::new("simulate").reads("bad.toml", format!("budget_ms = 8.0\n{modules}"));
    case.arg("--frames").arg(frames).format("json")
}

fn one_long_ladder(count: usize) -> Case {
    let work: Vec<_> = (0..256).map(|level| level.to_string()).collect();
    let long = scene::actor("\"long\"").replace("[0, 200, 600]", &format!("[{}]", work.join(", ")));
    let text = scene::of_actors(count).replace("[0, 200, 600]", "[0, 1]") + &long;
    let case = Case::new("simulate").reads("bad.toml", text).args("--budget-ms 1000");
    case.args("--frames 61 --compare").format("json").codes(&[0])
}

fn random_simulate(random: &mut SplitMix64) -> Case {
    let scene = scene::of_actors(random.spread(30));
    let text = damage::text(random, &scene);
    let mut case = Case::new("simulate").reads("bad.toml", text).args("--frames 61");
    for option in ["--noise", "--spike", "--wrong", "--seed", "--seeds", "--budget-ms"] {
        if random.one_in(6) {
            case = case.arg(option).arg(damage::number(random));
        }
    }
    if random.one_in(3) {
        case = case.args("--compare");
    }
    let outputs = [("--report", "page.html"), ("--plot", "ways.svg"), ("--record", "log")];
    if random.one_in(3) {
        return case.format("json").args("--output out");
    }
    for (option, path) in outputs {
        if random.one_in(4) {
            case = case.arg(option).arg(path);
        }
    }
    case.arg("--path").arg(random.pick(&["orbit", "line", "still", "bad.toml"]))
}
