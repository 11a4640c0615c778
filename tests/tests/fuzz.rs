//! The entry points of `tests/fuzz`, on a stable toolchain: the seeds, and mutations of them.

use std::panic::{AssertUnwindSafe, catch_unwind};

use lodger_testkit::SplitMix64;

use crate::fuzz_entry::{self, seeds};

/// Mutations, the same everywhere and always.
struct Random(SplitMix64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0.next_u64()
    }

    fn below(&mut self, end: usize) -> usize {
        self.next() as usize % end.max(1)
    }

    fn byte(&mut self) -> u8 {
        /// The bytes that lengths, signs and borders are made of.
        const NOTABLE: [u8; 8] = [0, 1, 0x7f, 0x80, 0xff, b'0', b'-', b'['];
        match self.below(2) {
            0 => NOTABLE[self.below(NOTABLE.len())],
            _ => self.next() as u8,
        }
    }

    /// One to four changes of a byte, a bit, a piece or the length.
    fn mutate(&mut self, bytes: &mut Vec<u8>) {
        for _ in 0..=self.below(4) {
            let at = self.below(bytes.len());
            let end = (at + 1 + self.below(16)).min(bytes.len());
            match self.below(6) {
                0 if at < end => bytes[at] = self.byte(),
                1 if at < end => bytes[at] ^= 1 << self.below(8),
                2 => bytes.insert(at, self.byte()),
                3 => drop(bytes.drain(at..end)),
                4 => bytes.extend_from_within(at..end),
                _ => bytes.truncate(at),
            }
        }
    }
}

/// Runs the seeds of a target, which are valid, and so many mutations of them.
#[track_caller]
fn run(target: &str, cases: u64, entry: fn(&[u8]) -> bool) {
    let seeds = seeds::of(target);
    assert!(!seeds.is_empty(), "{target} has no seeds");
    for seed in &seeds {
        assert!(entry(seed), "a seed of {target} is not valid");
    }
    for case in 0..cases {
        let mut random = Random(SplitMix64::new(case));
        let mut bytes = seeds[random.below(seeds.len())].clone();
        random.mutate(&mut bytes);
        let outcome = catch_unwind(AssertUnwindSafe(|| entry(&bytes)));
        assert!(outcome.is_ok(), "{target}, case {case}: {}", bytes.escape_ascii());
    }
}

#[test]
fn llsd() {
    run("llsd", 3_000, fuzz_entry::llsd);
}

#[test]
fn asset() {
    run("asset", 5_000, fuzz_entry::asset);
}

#[test]
fn pricing() {
    run("pricing", 1_000, fuzz_entry::pricing);
}

#[test]
fn archive() {
    run("archive", 2_000, fuzz_entry::archive);
}

#[test]
fn entries() {
    run("entries", 2_000, fuzz_entry::entries);
}

#[test]
fn objects() {
    run("objects", 3_000, fuzz_entry::objects);
}

#[test]
fn stream() {
    run("stream", 3_000, fuzz_entry::stream);
}

#[test]
fn choice() {
    run("choice", 1_000, fuzz_entry::choice);
}

#[test]
fn scene() {
    run("scene", 3_000, fuzz_entry::scene);
}

#[test]
fn gltf() {
    run("gltf", 3_000, fuzz_entry::gltf);
}

#[test]
fn sog() {
    run("sog", 5_000, fuzz_entry::sog);
}

#[test]
fn linkset() {
    run("linkset", 2_000, fuzz_entry::linkset);
}

#[test]
fn terminal() {
    run("terminal", 3_000, fuzz_entry::terminal);
}

#[test]
fn conform() {
    run("conform", 2_000, fuzz_entry::conform);
}

#[test]
fn telemetry() {
    run("telemetry", 3_000, fuzz_entry::telemetry);
}
