//! That no file takes more memory than it may, whatever is in it.

mod gltf;
mod sog;
mod toml;

use allocation_counter::measure;
use lodger_allowance::{Allowance, Limits as Most};

use crate::{Error, ErrorKind};

/// What errors, caches of the standard library and the like may take beside what is paid.
const SLACK: u64 = 64 << 10;

/// Reads a file with ever more memory until it is enough. Returns what that was.
#[track_caller]
fn check<T>(name: &str, read: impl Fn(&Allowance) -> Result<T, Error>) -> u64 {
    let mut memory = 1 << 14;
    loop {
        let allowance = Allowance::new(Most { memory, ..Most::default() });
        let mut is_spent = false;
        let info = measure(|| {
            let read = read(&allowance);
            is_spent = read.is_err_and(|error| matches!(error.kind(), ErrorKind::Spent(_)));
        });
        let peak = info.bytes_max;
        assert!(peak <= memory + SLACK, "{name}: {peak} bytes where {memory} are allowed");
        if !is_spent {
            return memory;
        }
        memory = memory * 3 / 2;
        assert!(memory < 4 << 30, "{name}: it is never enough");
    }
}

/// So many of something.
fn many(count: usize, one: impl Fn(usize) -> String) -> String {
    (0..count).map(one).collect()
}
