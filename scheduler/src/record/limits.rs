//! The limits of a log, and why it could not be read.

use std::{fmt, io};

use lodger_core::budget::{Bid, Policy, Request, Slope, Trial};

use super::tick::{Shadow, Sizes};
use super::{FIRST_SCHEMA, SCHEMA};

/// What a log may take: who wrote it may be a stranger.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of memory.
    pub memory: u64,
    /// Units of work, some nanoseconds each.
    pub work: u64,
}

impl Default for Limits {
    /// A GiB, and a minute or two; a long log of many actors may need more.
    fn default() -> Self {
        Self { memory: 1 << 30, work: 32_000_000_000 }
    }
}

/// Memory and work that are checked against limits.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Meter {
    pub(super) limits: Limits,
    /// Units of work that were done.
    work: u64,
}

impl Meter {
    /// Charges work of a tick.
    pub(super) fn charge(&mut self, tick: u64, units: u64) -> Result<(), LogError> {
        let limit = self.limits.work;
        self.work = self.work.saturating_add(units);
        if self.work > limit { Err(LogError::Work { tick, limit }) } else { Ok(()) }
    }

    /// The units of work that are left.
    pub(super) const fn left(&self) -> u64 {
        self.limits.work.saturating_sub(self.work)
    }

    /// Checks the bytes that are in use at one time.
    pub(super) fn check_memory(&self, tick: u64, bytes: u64) -> Result<(), LogError> {
        let limit = self.limits.memory;
        if bytes > limit { Err(LogError::Memory { tick, limit }) } else { Ok(()) }
    }
}

/// What a byte of a tick may become at most: numbers, and the columns that are made of them.
pub(super) const MEMORY_OF_BYTE: u64 = 25;
/// Ids, ladders, benefits, last levels, levels and fractions, as they are logged and as they are decided.
const MEMORY_OF_ROW: u64 = 24 + size_of::<Bid>() as u64;
/// A cost, a quality and a slope.
const MEMORY_OF_COST: u64 = 6 + size_of::<Slope>() as u64;
/// What a module is beside its columns.
const MEMORY_OF_MODULE: u64 = 1 << 10;
/// Reading a tick, and deciding it without a module.
pub(super) const WORK_OF_TICK: u64 = 500;
/// Decompressing a byte of a tick, and reading it.
pub(super) const WORK_OF_BYTE: u64 = 4;
/// What all prices that are tried ask of an actor, and the orders in which all are served.
const WORK_OF_ROW: u64 = 100;
/// The same of each level that it could have.
const WORK_OF_ROW_AND_LEVEL: u64 = 10;
/// So many times that where better plans are looked for.
const REFINED: u64 = 4;
/// The hull of a ladder looks at each cost from several others.
const WORK_OF_COST: u64 = 64;
const WORK_OF_MODULE: u64 = 1_000;
/// So often the places of all trials are filled, in each of three ways, and looked at from some others.
const WORK_OF_TRIAL: u64 = 3 * 1_024 * 4;
/// More room than that is not used.
const MOST_TRIALS: u32 = 2 * 65_535;

/// What modules keep in memory, in bytes.
pub(super) fn memory(modules: &[Shadow], trials: usize) -> u64 {
    let kept = modules.iter().map(|module| {
        let Sizes { rows, costs, spans, .. } = module.sizes();
        rows * MEMORY_OF_ROW + costs * MEMORY_OF_COST + spans * 8 + MEMORY_OF_MODULE
    });
    kept.sum::<u64>() + (trials * size_of::<Trial>()) as u64
}

/// The number of trials for which a tick needs memory: only local search uses any.
pub(super) fn trials(request: &Request, asked: u32) -> u32 {
    let searches = request.policy == Policy::Optimal && !request.stability.is_on();
    if searches { asked.min(MOST_TRIALS) } else { 0 }
}

/// The units of work of a decision with memory for that many trials.
pub(super) fn work(modules: &[Shadow], trials: u32) -> u64 {
    let of_level = WORK_OF_ROW_AND_LEVEL * if trials > 0 { REFINED } else { 1 };
    let asked = modules.iter().map(|module| {
        let Sizes { rows, costs, spans, longest } = module.sizes();
        rows * (WORK_OF_ROW + of_level * longest) + (costs + spans) * WORK_OF_COST + WORK_OF_MODULE
    });
    asked.sum::<u64>() + u64::from(trials) * WORK_OF_TRIAL
}

/// Why a log could not be read.
#[derive(Debug)]
#[non_exhaustive]
pub enum LogError {
    /// Reading failed.
    Io(io::Error),
    /// It is no log.
    NotALog,
    /// It is of another schema.
    Schema {
        /// That of the log.
        found: u16,
    },
    /// It breaks off in this tick, counted from 0, or before it.
    BreaksOff {
        /// The tick.
        tick: u64,
    },
    /// Bytes follow its end.
    BytesAfterEnd {
        /// The number of ticks before the end.
        ticks: u64,
    },
    /// It needs more memory than it may take.
    Memory {
        /// The tick, counted from 0.
        tick: u64,
        /// How many bytes it may take.
        limit: u64,
    },
    /// It needs more work than it may take.
    Work {
        /// The tick, counted from 0.
        tick: u64,
        /// How many units it may take.
        limit: u64,
    },
    /// A tick is not what it should be.
    Damaged {
        /// The tick, counted from 0.
        tick: u64,
        /// What is wrong with it.
        what: &'static str,
    },
}

impl From<io::Error> for LogError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl fmt::Display for LogError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => error.fmt(f),
            Self::NotALog => f.write_str("it is no log of lodger's"),
            Self::Schema { found } => {
                write!(
                    f,
                    "it is a log of schema {found}, and this program reads schemas {FIRST_SCHEMA} and {SCHEMA}"
                )
            }
            Self::BreaksOff { tick } => write!(f, "it breaks off at tick {tick}"),
            Self::BytesAfterEnd { ticks } => write!(f, "bytes follow its end, after {ticks} ticks"),
            Self::Memory { tick, limit } => {
                write!(f, "up to tick {tick} it needs more than {limit} bytes of memory")
            }
            Self::Work { tick, limit } => {
                write!(f, "up to tick {tick} it needs more than {limit} units of work")
            }
            Self::Damaged { tick, what } => write!(f, "tick {tick} is damaged: {what}"),
        }
    }
}

impl std::error::Error for LogError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io(error) => Some(error),
            _ => None,
        }
    }
}
