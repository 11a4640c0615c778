//! The entry points of `tests/fuzz`, on a stable toolchain: the seeds, and mutations of them.

use std::panic::{AssertUnwindSafe, catch_unwind};

use lodger_testkit::SplitMix64;
use lodger_testkit::build::damage;

use crate::fuzz_entry::{self, seeds};

/// Runs the seeds of a target, which are valid, and so many mutations of them.
#[track_caller]
fn run(target: &str, cases: u64, entry: fn(&[u8]) -> bool) {
    let seeds = seeds::of(target);
    assert!(!seeds.is_empty(), "{target} has no seeds");
    for seed in &seeds {
        assert!(entry(seed), "a seed of {target} is not valid");
    }
    for case in 0..cases {
        let mut random = SplitMix64::of_case(1, target, case);
        let mut bytes = seeds[random.index(seeds.len())].clone();
        match str::from_utf8(&bytes) {
            Ok(text) if random.one_in(2) => bytes = damage::text(&mut random, text).into_bytes(),
            _ => damage::bytes(&mut random, &mut bytes),
        }
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
