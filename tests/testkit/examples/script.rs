//! `script FIRST COUNT` prints two scripts for each of `COUNT` seeds and the outcomes of the scheduler, for programs in C and
//! JavaScript to play.

use std::io::{self, Write as _};

use lodger_testkit::script::{Profile, log};

fn main() -> io::Result<()> {
    let numbers: Vec<u64> = std::env::args().skip(1).filter_map(|arg| arg.parse().ok()).collect();
    let [first, count] = numbers[..] else {
        return Err(io::Error::other("usage: script FIRST COUNT"));
    };
    let mut out = io::stdout().lock();
    for seed in first..first + count {
        for profile in [Profile::ABI, Profile::ABI.with_lenses()] {
            out.write_all(log(seed, &profile).as_bytes())?;
        }
    }
    Ok(())
}
