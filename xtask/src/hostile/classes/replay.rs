//! Logs of ticks.

use lodger_scheduler::record::Recorder;
use lodger_scheduler::{Actor, BenefitValue, Budget, Module, Scene, UnitCost, View};

use crate::hostile::case::{Case, Stdin};
use crate::hostile::class::{Class, Known};
use crate::hostile::damage;
use crate::hostile::make::{Piece, run, zlib_of};
use crate::hostile::random::Random;

pub(super) const CLASS: Class = Class { name: "logs", known: &KNOWN, random: Some(random) };

const KNOWN: [Known; 7] = [
    Known::new("a tick of 1 GiB of zeros", 1 << 30, |n| bad(tick(n, &run(0, n)))),
    Known::new("a tick of 40 MiB of zeros", 40 << 20, |n| bad(tick(n, &run(0, n)))),
    Known::new("a length without a tick", 1 << 20, |n| bad(tick(n, &[]))),
    Known::new("15 million actors in 45 MB", 15_000_000, |n| bad(crowd(n))),
    Known::new("300 000 ticks of nothing", 300_000, |n| {
        bad(log(&[Piece::Repeated([&[14, 0, 0, 0][..], &[0; 14]].concat(), n)]))
    }),
    Known::new("a billion ladders over the same costs", 1 << 27, ladders),
    Known::new("an endless log on stdin", 1, |_| endless()),
];

fn bad(bytes: Vec<u8>) -> Case {
    Case::of("replay").file("bad.log", bytes).format("json").codes(&[0, 1, 2])
}

/// A log of this stream.
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

/// A tick of the optimal policy and one module of so many actors, all of them nobody.
fn crowd(actors: usize) -> Vec<u8> {
    let (rows, none) = (varint(actors), [0; 2]);
    let request = [0, 0, 0, 4, 0, 0, 0, 0, 0, 1];
    let head = [&request[..], &[0, 0, 1, 1], &rows, &none, &[1], &rows].concat();
    let benefits = [&[0, 1][..], &rows].concat();
    let levels = [&[0][..], &rows].concat();
    let tail = vec![0; 10];
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
    let tail = [&[0, 1][..], &varint(256), &[2; 256], &[1, 0, 0, 1, 0, 0, 0], &[0; 12]].concat();
    let length = head.len() + count / 2 + tail.len();
    bad(tick(length, &[Piece::Repeated(head, 1), span, Piece::Repeated(tail, 1)]))
}

fn endless() -> Case {
    let mut case = Case::of("replay").path("-").format("json").codes(&[2]);
    case.stdin = Stdin::Bytes(tick(1 << 26, &run(0, 1 << 20)).into());
    case
}

/// A log of a scene in which somebody comes nearer.
fn good(ticks: usize) -> Option<Vec<u8>> {
    let mut scene = Scene::<f32>::new(Budget::from_ns(1_000_000));
    scene.add_view(View::eye([0.0; 3]).ok()?).ok()?;
    let module = Module::new("cloth", UnitCost::from_ns(500.0).ok()?, BenefitValue::from_ns(3_000));
    let module = scene.add_module(module).ok()?;
    let actor = Actor::seen([9.0, 0.0, 0.0], 1.0, &[0, 400, 2_000]);
    let [walker, _] = [scene.spawn(module, actor).ok()?, scene.spawn(module, actor).ok()?];
    let mut recorder = Recorder::new(Vec::new()).ok()?;
    for step in (0_u8..9).cycle().take(ticks) {
        scene.set_position(walker, [9.0 - f32::from(step), 0.0, 0.0]).ok()?;
        recorder.tick(&mut scene).ok()?;
    }
    recorder.finish().ok()
}

fn random(random: &mut Random) -> Case {
    let mut bytes = good(1 + random.below(40)).unwrap_or_default();
    match random.below(3) {
        0 => bytes.truncate(random.below(bytes.len())),
        _ => damage::bytes(random, &mut bytes),
    }
    let mut case = bad(bytes);
    "any log".clone_into(&mut case.name);
    case
}
