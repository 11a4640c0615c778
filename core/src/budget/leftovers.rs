//! The leftover budget over very many actors.
//!
//! Actors below their previous level return to it: their whole benefit counts, and they may use all of the leftover
//! budget. The others rise by their discounted benefit, and leave the dead band free. By falling benefit, all actors from
//! a cutoff on get all that they may get, in one pass. Actors near the cutoff are upgraded in order. Below it, returning
//! actors are all paid, or have a cutoff of their own, and the others get nothing.
//!
//! The cutoffs are most often where they were, so a pass assumes them, and the budget then proves them.

// A function that is not inlined is not compiled for the vectors of its caller.
#![allow(clippy::inline_always)]

mod by_row;
mod payable;
mod serve;
mod tally;
mod upgrade;

use core::ops::Range;

use crate::budget::cutoff::{CutoffCount, CutoffSearch, MarkDepth, PIVOTS, WarmStart};
use crate::budget::kernels::group::{CachedAssignment, ROWS_PER_BLOCK};
use crate::budget::kernels::rows::RowUpgrade;
use crate::budget::kernels::terms::{LeftoverBudget, ShareTerms};
use crate::budget::module_view::{ModuleView, Modules, PartialResult};
use crate::budget::policy::Hysteresis;
use crate::budget::scale::Scale;
use crate::budget::upgrade_queue::{CandidateUpgrade, UpgradeSink};
use by_row::spend_by_row;
use serve::{Attempt, Obstacle};
use tally::{TallyKernel, TallyResult};
use upgrade::{Cutoffs, UpgradeKernel, UpgradeResult};

/// Assigns the levels that shares pay, and spends the leftover budget; returns the cost in nanoseconds. `whole` is the
/// budget of all levels, by default the sum of the shares.
#[inline]
pub(in crate::budget) fn spend_leftovers<W: Modules + ?Sized>(
    modules: &mut W,
    indices: Range<usize>,
    scale: Scale,
    hysteresis: Hysteresis,
    whole: Option<u64>,
    scratch: &mut [impl CandidateUpgrade],
) -> u64 {
    if !W::WIDE {
        return spend_by_row(modules, indices, scale, hysteresis, whole, scratch);
    }
    let terms = ShareTerms { scale, hysteresis };
    let phase = LeftoverPhase::new(modules, indices, terms);
    let mut known = whole;
    if let Some(cutoffs) = phase.expected() {
        let kernel = phase.kernel(cutoffs, whole.is_none());
        let upgraded = phase.upgrade(modules, kernel);
        let whole = whole.unwrap_or(upgraded.shares);
        known = Some(whole);
        let budget = LeftoverBudget::new(whole, upgraded.base, terms.hysteresis);
        if budget.left < phase.least_step {
            return phase.assign(modules);
        }
        let attempt = Attempt { phase: &phase, kernel, upgraded, budget, is_assumed: true };
        if let Ok(cost) = attempt.serve(modules, scratch) {
            return cost;
        }
    }
    phase.search(modules, known, scratch)
}

struct LeftoverPhase {
    indices: Range<usize>,
    terms: ShareTerms,
    rows: u64,
    least_step: u64,
    warm_start: WarmStart,
}

impl LeftoverPhase {
    fn new<W: Modules + ?Sized>(modules: &mut W, indices: Range<usize>, terms: ShareTerms) -> Self {
        let (mut rows, mut least_step, mut warm_start) = (0_u64, u32::MAX, None);
        for index in indices.clone() {
            modules.visit(index, |module| {
                rows = rows.wrapping_add(module.input.benefits.len() as u64);
                least_step = least_step.min(module.input.least_step());
                warm_start = warm_start.or(Some(module.wide.warm_start));
            });
        }
        let warm_start = warm_start.unwrap_or_default();
        Self { indices, terms, rows, least_step: least_step.into(), warm_start }
    }

    /// Returns the cutoffs that are near the previous ones, if there are any.
    fn expected(&self) -> Option<Cutoffs> {
        let (high, low) = self.warm_start.window()?;
        let mixed_low = low.saturating_sub(self.warm_start.mixed()).max(1);
        let (returning_high, returning_low) = match self.warm_start.returning_window() {
            Some((high, _)) if high >= mixed_low => (mixed_low, mixed_low),
            Some(window) => window,
            None => (1, 1),
        };
        Some(Cutoffs { high, low, mixed_low, returning_high, returning_low })
    }

    fn kernel(&self, cutoffs: Cutoffs, has_shares: bool) -> UpgradeKernel {
        let (reach, likely_step) = (self.warm_start.reach(), self.warm_start.likely_step());
        UpgradeKernel { terms: self.terms, cutoffs, reach, likely_step, has_shares }
    }

    fn upgrade<W: Modules + ?Sized>(
        &self,
        modules: &mut W,
        kernel: UpgradeKernel,
    ) -> UpgradeResult {
        self.indices.clone().fold(UpgradeResult::default(), |sum, index| {
            let upgraded = modules.map_reduce(index, &kernel);
            modules.visit(index, |module| {
                module.assigned = upgraded.cost;
                // The levels are not those by share alone.
                module.wide.cached = CachedAssignment::default();
            });
            sum.plus(upgraded)
        })
    }

    /// Assigns the levels that shares pay.
    fn assign<W: Modules + ?Sized>(&self, modules: &mut W) -> u64 {
        let kernel = self.kernel(Cutoffs::NONE, false);
        self.upgrade(modules, UpgradeKernel { reach: MarkDepth::NOTHING, ..kernel }).cost
    }

    fn tally<W: Modules + ?Sized>(
        &self,
        modules: &mut W,
        pivots: [u32; PIVOTS],
        has_shares: bool,
    ) -> TallyResult {
        let kernel = TallyKernel { terms: self.terms, has_shares, pivots };
        let results = self.indices.clone().map(|index| modules.map_reduce(index, &kernel));
        results.fold(TallyResult::default(), PartialResult::plus)
    }

    /// Adds all marked rows; returns the least cost of a step.
    fn queue_marked<W: Modules + ?Sized>(
        &self,
        modules: &mut W,
        upgrades: &mut dyn UpgradeSink,
    ) -> u64 {
        let hysteresis = self.terms.hysteresis;
        self.indices.clone().fold(u32::MAX.into(), |least: u64, index| {
            let queue =
                |module: &mut ModuleView<'_>| module.queue_marked(index, hysteresis, upgrades);
            least.min(modules.visit(index, queue).unwrap_or(u32::MAX).into())
        })
    }

    /// Finds the cutoffs by counting.
    fn search<W: Modules + ?Sized>(
        &self,
        modules: &mut W,
        whole: Option<u64>,
        scratch: &mut [impl CandidateUpgrade],
    ) -> u64 {
        let TallyResult { cost, shares, mut all, .. } =
            self.tally(modules, self.warm_start.pivots(), whole.is_none());
        let budget = LeftoverBudget::new(whole.unwrap_or(shares), cost, self.terms.hysteresis);
        if budget.left < self.least_step {
            return self.assign(modules);
        }
        let mut search = CutoffSearch::new(budget.free(), self.rows, self.warm_start);
        while !search.pass(all) {
            all = self.tally(modules, search.pivots(), false).all;
        }
        let high = search.high().0;
        // The first actor below the cutoff also takes a part of the budget.
        let low = search.low();
        let low = low.saturating_sub(self.warm_start.reach().below(low)).max(1);
        let mut cutoffs =
            Cutoffs { high, low, mixed_low: low, returning_high: 1, returning_low: 1 };
        loop {
            let kernel = self.kernel(cutoffs, false);
            let upgraded = self.upgrade(modules, kernel);
            let attempt = Attempt { phase: self, kernel, upgraded, budget, is_assumed: false };
            let is_last = cutoffs.returning_high == low && cutoffs.returning_low == 1;
            match attempt.serve(modules, scratch) {
                Ok(cost) => return cost,
                Err(Obstacle::Lacks { left }) if cutoffs.returning_high == 1 => {
                    let (high, low) = self.returning_cutoff(modules, cutoffs.mixed_low, left);
                    (cutoffs.returning_high, cutoffs.returning_low) = (high, low);
                }
                // Returning actors that cost all that is free come first.
                Err(Obstacle::Unmarked { free }) if cutoffs.mixed_low == low => {
                    cutoffs.mixed_low = self.returning_cutoff(modules, low, free).1;
                    (cutoffs.returning_high, cutoffs.returning_low) = (1, 1);
                }
                Err(_) if !is_last => {
                    cutoffs = Cutoffs {
                        mixed_low: low,
                        returning_high: low,
                        returning_low: 1,
                        ..cutoffs
                    };
                }
                Err(_) => return self.assign(modules),
            }
        }
    }

    /// Returns the cutoff of returning actors below a benefit, and a benefit from which on those below the cutoff are
    /// upgraded one by one.
    fn returning_cutoff<W: Modules + ?Sized>(
        &self,
        modules: &mut W,
        below: u32,
        left: u64,
    ) -> (u32, u32) {
        let pivots = [below, below >> 3, below >> 6, 1].map(|pivot| pivot.max(1));
        let mut counts = self.tally(modules, pivots, false).returning;
        let [above, .., all] = counts;
        let rows = all.rows.saturating_sub(above.rows);
        let mut search = CutoffSearch::between(left, rows, pivots);
        let minus = |count: CutoffCount| CutoffCount {
            cost: count.cost.saturating_sub(above.cost),
            rows: count.rows.saturating_sub(above.rows),
        };
        while !search.pass(counts.map(minus)) {
            counts = self.tally(modules, search.pivots(), false).returning;
        }
        let high = search.high().0.min(below).max(1);
        (high, search.low().clamp(1, high))
    }
}

impl ModuleView<'_> {
    /// Adds the marked rows; returns the least cost of a step.
    fn queue_marked(
        &self,
        number: usize,
        hysteresis: Hysteresis,
        upgrades: &mut dyn UpgradeSink,
    ) -> u32 {
        let mut least_step = u32::MAX;
        let number = u16::try_from(number).unwrap_or(u16::MAX);
        for row in self.marked() {
            let RowUpgrade { key, next_step, .. } = self.upgrade_of(row, hysteresis);
            let id = self.ids.get(row).copied().unwrap_or(0);
            let row = u32::try_from(row).unwrap_or(u32::MAX);
            least_step = least_step.min(next_step);
            upgrades.push(key, id, number, row, next_step);
        }
        least_step
    }

    /// Returns the rows that a kernel marked; all rows without blocks.
    pub(super) fn marked(&self) -> impl Iterator<Item = usize> {
        core::iter::successors(self.next_marked(0), |row| self.next_marked(row.wrapping_add(1)))
    }

    /// Returns the first marked row from a row on.
    #[inline]
    pub(super) fn next_marked(&self, from: usize) -> Option<usize> {
        if self.wide.groups.is_empty() {
            return (from < self.input.benefits.len()).then_some(from);
        }
        let mut mask = u64::MAX << (from % ROWS_PER_BLOCK);
        let first = from / ROWS_PER_BLOCK;
        self.wide.groups.iter().enumerate().skip(first).find_map(|(block, group)| {
            let found = group.found & core::mem::replace(&mut mask, u64::MAX);
            let row = block.wrapping_mul(ROWS_PER_BLOCK);
            (found != 0).then(|| row.wrapping_add(found.trailing_zeros() as usize))
        })
    }
}
