use std::{fmt, io};

use lodger_core::budget::{Move, Policy, Request, Slope, Upgrade};

use super::tick::{ModuleSnapshot, Sizes};
use super::{FIRST_SCHEMA, SCHEMA, SECOND_SCHEMA};

/// The quota of an untrusted log.
///
/// # Examples
/// ```
/// use lodger_scheduler::record::RecordLimits;
///
/// let limits = RecordLimits { memory: 64 << 20, ..RecordLimits::default() };
/// assert_eq!((limits.memory, limits.work), (67_108_864, 32_000_000_000));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecordLimits {
    /// Bytes of memory.
    pub memory: u64,
    /// Units of work, some nanoseconds each.
    pub work: u64,
}

impl Default for RecordLimits {
    /// 1 GiB, and 32 billion units: one or two minutes. A long log of many actors may need more.
    fn default() -> Self {
        Self { memory: 1 << 30, work: 32_000_000_000 }
    }
}

/// Counts memory and work against the limits.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Meter {
    pub(super) limits: RecordLimits,
    /// The units of work that were done.
    work: u64,
}

impl Meter {
    pub(super) fn charge(&mut self, tick: u64, units: u64) -> Result<(), LogError> {
        let limit = self.limits.work;
        self.work = self.work.saturating_add(units);
        if self.work > limit { Err(LogError::Work { tick, limit }) } else { Ok(()) }
    }

    pub(super) const fn left(&self) -> u64 {
        self.limits.work.saturating_sub(self.work)
    }

    /// Checks the bytes that are in use at once.
    pub(super) fn check_memory(&self, tick: u64, bytes: u64) -> Result<(), LogError> {
        let limit = self.limits.memory;
        if bytes > limit { Err(LogError::Memory { tick, limit }) } else { Ok(()) }
    }
}

/// The greatest memory for a byte of a tick, with the columns made from it.
pub(super) const MEMORY_OF_BYTE: u64 = 25;
/// The memory of an actor: its id, ladder, benefit, previous level, level and fraction, as logged and as
/// decided.
const MEMORY_OF_ROW: u64 = 24 + size_of::<Upgrade>() as u64;
/// The memory of a cost, a quality and a slope.
const MEMORY_OF_COST: u64 = 6 + size_of::<Slope>() as u64;
const MEMORY_OF_MODULE: u64 = 1 << 10;
/// The work of reading a tick, and of a decision without modules.
pub(super) const WORK_OF_TICK: u64 = 500;
/// The work of decompressing and reading a byte.
pub(super) const WORK_OF_BYTE: u64 = 4;
/// The work of evaluating all prices and sorting upgrades, for an actor.
const WORK_OF_ROW: u64 = 100;
const WORK_OF_ROW_AND_LEVEL: u64 = 10;
/// The factor of the work for each level with a local search.
const REFINED: u64 = 4;
/// The work of computing the hull of a ladder, for a cost.
const WORK_OF_COST: u64 = 64;
const WORK_OF_MODULE: u64 = 1_000;
/// The work of a move: all places are filled in each of three ways, and examined from others.
const WORK_OF_MOVE: u64 = 3 * 1_024 * 4;
const MAX_MOVES: u32 = 2 * 65_535;

pub(super) fn memory(modules: &[ModuleSnapshot], moves: usize) -> u64 {
    let kept = modules.iter().map(|module| {
        let Sizes { rows, costs, spans, .. } = module.sizes();
        rows * MEMORY_OF_ROW + costs * MEMORY_OF_COST + spans * 8 + MEMORY_OF_MODULE
    });
    kept.sum::<u64>() + (moves * size_of::<Move>()) as u64
}

/// Only the local search uses moves.
pub(super) fn usable_moves(request: &Request, requested: u32) -> u32 {
    let searches = request.policy == Policy::Optimal && !request.hysteresis.is_on();
    if searches { requested.min(MAX_MOVES) } else { 0 }
}

pub(super) fn work(modules: &[ModuleSnapshot], moves: u32) -> u64 {
    let of_level = WORK_OF_ROW_AND_LEVEL * if moves > 0 { REFINED } else { 1 };
    let requested = modules.iter().map(|module| {
        let Sizes { rows, costs, spans, longest } = module.sizes();
        rows * (WORK_OF_ROW + of_level * longest) + (costs + spans) * WORK_OF_COST + WORK_OF_MODULE
    });
    requested.sum::<u64>() + u64::from(moves) * WORK_OF_MOVE
}

/// The error of reading a log.
///
/// # Examples
/// ```
/// # use lodger_scheduler::{*, record::*};
/// # let (mut scene, ..) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
/// let mut recorder = Recorder::new(Vec::new())?;
/// recorder.tick(&mut scene)?;
/// let log = recorder.finish()?;
///
/// let mut replay = Replay::new(&log[..log.len() - 8])?; // without its end
/// replay.tick()?;
/// assert!(matches!(replay.tick(), Err(LogError::BreaksOff { tick: 1 })));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub enum LogError {
    /// Reading failed.
    Io(io::Error),
    /// The file is not a log.
    NotALog,
    /// The log has an unsupported schema.
    Schema {
        /// The schema of the log.
        found: u16,
    },
    /// The log ends in this tick, or before it.
    BreaksOff {
        /// The tick, counted from 0.
        tick: u64,
    },
    /// Bytes follow the end of the log.
    BytesAfterEnd {
        /// The number of ticks before the end.
        ticks: u64,
    },
    /// The log needs more memory than its limit.
    Memory {
        /// The tick, counted from 0.
        tick: u64,
        /// The limit in bytes.
        limit: u64,
    },
    /// The log needs more work than its limit.
    Work {
        /// The tick, counted from 0.
        tick: u64,
        /// The limit in units.
        limit: u64,
    },
    /// A tick is invalid.
    Damaged {
        /// The tick, counted from 0.
        tick: u64,
        /// The problem.
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
                    "it is a log of schema {found}, and this program reads schemas {FIRST_SCHEMA}, {SECOND_SCHEMA} and {SCHEMA}"
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
