//! How much a file may take, as options.

use clap::Args;
use lodger_allowance::{Limits, Spent};

const MIB: u64 = 1 << 20;
const MILLION: u64 = 1_000_000;
/// The most that either option takes: more than any machine has.
const MOST: u64 = 1 << 30;

/// How much a file may take, as options.
#[derive(Args, Clone, Copy, Debug)]
#[command(next_help_heading = "What a file may take")]
pub struct AllowanceArgs {
    /// MiB of memory that one file may take
    #[arg(long, value_name = "MIB", default_value_t = Limits::default().memory / MIB,
        value_parser = clap::value_parser!(u64).range(1..=MOST))]
    memory: u64,

    /// Work that one file may take, in million units; a unit is about what reading a byte takes
    #[arg(long, value_name = "MILLIONS", default_value_t = Limits::default().work / MILLION,
        value_parser = clap::value_parser!(u64).range(1..=MOST))]
    work: u64,
}

impl AllowanceArgs {
    /// The limits that were asked for.
    #[must_use]
    pub const fn limits(self) -> Limits {
        Limits { memory: self.memory * MIB, work: self.work * MILLION }
    }
}

/// What to do about a file that needs more than it may take.
#[must_use]
pub const fn raise(spent: Spent) -> &'static str {
    match spent {
        Spent::Work { .. } => "raise --work",
        _ => "raise --memory",
    }
}
