//! `plans FIRST COUNT` prints what the scheduler says in the scenes of so many seeds, as `tests/c/plans.c` does.

use std::env;
use std::io::{self, Write as _};

#[path = "mod.rs"]
mod plans;

fn main() -> io::Result<()> {
    let numbers: Vec<u64> = env::args().skip(1).filter_map(|arg| arg.parse().ok()).collect();
    let [first, count] = numbers[..] else {
        return Err(io::Error::other("usage: plans FIRST COUNT"));
    };
    let mut out = io::stdout().lock();
    for seed in first..first + count {
        out.write_all(plans::player::play(seed, plans::rust::ThroughRust::default()).as_bytes())?;
    }
    Ok(())
}
