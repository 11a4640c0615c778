//! What a log may take.

use lodger_core::budget::{Bid, Policy, Request, Slope, Trial};

use super::shadow::Shadow;

/// What a log may take: who wrote it may be a stranger.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of memory.
    pub memory: u64,
    /// Units of work, about a nanosecond each.
    pub work: u64,
}

impl Default for Limits {
    /// A GiB, and half a minute.
    fn default() -> Self {
        Self { memory: 1 << 30, work: 32_000_000_000 }
    }
}

/// What a byte of a tick may become at most: numbers, and the columns that are made of them.
pub(super) const MEMORY_OF_BYTE: u64 = 25;
/// Ids, ladders, benefits, last levels, levels and fractions, as they are logged and as they are decided.
const MEMORY_OF_ROW: u64 = 24 + size_of::<Bid>() as u64;
/// A cost, a quality and a slope.
const MEMORY_OF_COST: u64 = 6 + size_of::<Slope>() as u64;
/// What every price that is tried asks of an actor, and the orders in which all are served.
const WORK_OF_ROW: u64 = 100;
/// The hull of a ladder looks at each cost from several others.
const WORK_OF_COST: u64 = 64;
/// So often the places of all trials are filled, in each of three ways.
const WORK_OF_TRIAL: u64 = 3 * 1_024;

/// What modules keep in memory, in bytes.
pub(super) fn memory(modules: &[Shadow], trials: u32) -> u64 {
    let (rows, costs, spans) = sizes(modules);
    rows * MEMORY_OF_ROW
        + costs * MEMORY_OF_COST
        + spans * 8
        + u64::from(trials) * size_of::<Trial>() as u64
}

/// What deciding takes, in units of work.
pub(super) fn work(modules: &[Shadow], request: &Request, trials: u32) -> u64 {
    let (rows, costs, spans) = sizes(modules);
    let refines = request.policy == Policy::Optimal && !request.stability.is_on();
    let trials = if refines { u64::from(trials) } else { 0 };
    rows * WORK_OF_ROW + (costs + spans) * WORK_OF_COST + trials * WORK_OF_TRIAL
}

/// Rows, costs and spans.
fn sizes(modules: &[Shadow]) -> (u64, u64, u64) {
    modules.iter().fold((0, 0, 0), |(rows, costs, spans), module| {
        let (of_rows, of_costs, of_spans) = module.sizes();
        (rows + of_rows as u64, costs + of_costs as u64, spans + of_spans as u64)
    })
}
