//! Logs of ticks, which `lodger replay` reads.

use flate2::Crc;
use lodger_scheduler::record::Recorder;
use lodger_scheduler::{Actor, BenefitValue, Budget, Module, Scene, UnitCost, View};
use lodger_testkit::SplitMix64;
use lodger_testkit::build::compressed::{Piece, run, zlib_of};
use lodger_testkit::build::damage;
use lodger_testkit::campaign::{Class, known};
use lodger_testkit::run::Case;

/// Logs.
pub(super) const REPLAY: Class = Class {
    name: "replay",
    memory: (1229, 0),
    known: &[
        known("a tick of 1 GiB of zeros", || bad(tick(1 << 30, &run(0, 1 << 30)))),
        known("a tick of 40 MiB of zeros", || bad(tick(40 << 20, &run(0, 40 << 20)))),
        known("a length without a tick", || bad(tick(1 << 20, &[]))),
        known("15 million actors in 45 MB", || bad(crowd(15_000_000))),
        known("a billion ladders over the same costs", || ladders(1 << 27)),
        known("an endless log on stdin", endless),
        known("7 000 000 trials and none, by turns", || turns(2_000, 0).codes(&[2])),
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
        known("no tick", || bad(checked(&[])).codes(&[1])),
        known("a byte behind the end", || bad([good(9), vec![0]].concat()).codes(&[1])),
        known("two logs in one file", || bad(good(9).repeat(2)).codes(&[1])),
        known("one bit of the last tick", || {
            let mut bytes = good(48);
            let place = bytes.len() - 16;
            bytes[place] ^= 1;
            bad(bytes).codes(&[2])
        }),
    ],
    random: Some(random_replay),
};

fn bad(bytes: Vec<u8>) -> Case {
    Case::new("replay").reads("bad.log", bytes).format("json").codes(&[0, 1, 2])
}

/// A log of the same ticks again and again, that may take a million units of work.
fn little(ticks: Vec<u8>, times: usize) -> Case {
    let end = Piece::Repeated(vec![0; 4], 1);
    bad(log(&[Piece::Repeated(ticks, times), end])).args("--work 1")
}

/// A log of schema 1 of this stream.
fn log(pieces: &[Piece<'_>]) -> Vec<u8> {
    [&b"lodger log\x01\x00"[..], &zlib_of(pieces)].concat()
}

/// A log of one tick of that length, or said to be.
fn tick(length: usize, pieces: &[Piece<'static>]) -> Vec<u8> {
    let length = u32::try_from(length).unwrap_or(u32::MAX);
    let mut stream = vec![Piece::Repeated(length.to_le_bytes().to_vec(), 1)];
    stream.extend(pieces.iter().cloned());
    log(&stream)
}

/// A log of one tick, or of none, with the checksums that it should have.
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

/// A tick without a module, with room for so many trials.
fn empty(policy: u8, trials: usize) -> Vec<u8> {
    let decision = [&[0, 0, 0][..], &varint(1 << 32), &[1, 0]].concat();
    let certificate: &[u8] = if policy == 4 { &[1, 0, 0] } else { &[0] };
    let request = [&[1, 0, 0, 0, policy, 0, 0, 0][..], &varint(trials)].concat();
    [&request[..], &[0, 0], &decision, certificate, &[0]].concat()
}

fn with_length(tick: Vec<u8>) -> Vec<u8> {
    [u32::try_from(tick.len()).unwrap_or_default().to_le_bytes().to_vec(), tick].concat()
}

/// Ticks of many trials and of none.
fn turns(count: usize, policy: u8) -> Case {
    little([7_000_000, 0].map(|trials| with_length(empty(policy, trials))).concat(), count)
}

/// A number as postcard writes it.
fn varint(mut number: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    while number >= 128 {
        bytes.push(number.to_le_bytes()[0] | 128);
        number >>= 7;
    }
    bytes.push(number.to_le_bytes()[0]);
    bytes
}

/// A tick of the optimal policy with one module of actors without a benefit.
fn crowd(actors: usize) -> Vec<u8> {
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

/// Ladders of 256 levels each where there are costs for one.
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

/// A log of a scene in which an actor comes nearer.
fn good(ticks: usize) -> Vec<u8> {
    let record = || -> Option<Vec<u8>> {
        let mut scene = Scene::<f32>::new(Budget::from_ns(1_000_000));
        scene.add_view(View::eye([0.0; 3]).ok()?).ok()?;
        let (cost, value) = (UnitCost::from_ns(500.0).ok()?, BenefitValue::from_ns(3_000));
        let module = scene.add_module(Module::new("cloth", cost, value)).ok()?;
        let actor = Actor::seen([9.0, 0.0, 0.0], 1.0, &[0, 400, 2_000]);
        let [walker, _] = [scene.spawn(module, actor).ok()?, scene.spawn(module, actor).ok()?];
        let mut recorder = Recorder::new(Vec::new()).ok()?;
        for step in (0_u8..9).cycle().take(ticks) {
            scene.set_position(walker, [9.0 - f32::from(step), 0.0, 0.0]).ok()?;
            recorder.tick(&mut scene).ok()?;
        }
        recorder.finish().ok()
    };
    record().unwrap_or_default()
}

/// A log whose ticks ask for absurd policies, trials, modules and actors.
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
    let mut bytes = good(1 + random.index(40));
    let whole = bytes.clone();
    match random.index(4) {
        0 => {
            bytes.truncate(random.index(bytes.len()));
            bad(bytes).codes(&[2])
        }
        1 => bad(absurd(random)).arg("--work").arg(random.spread(1_000).max(1).to_string()),
        _ => {
            damage::bytes(random, &mut bytes);
            // Damage is 2, and bytes behind the end are 1; neither is a difference.
            let codes: &[i32] = match () {
                () if bytes == whole => &[0],
                () if bytes.len() == whole.len() => &[2],
                () => &[1, 2],
            };
            bad(bytes).codes(codes)
        }
    }
}
