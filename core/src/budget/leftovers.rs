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
mod serve;
mod tally;
mod upgrade;

use core::ops::Range;

use crate::budget::cutoff::{ABOVE_ALL, RowSample, WarmStart};
use crate::budget::kernels::assign;
use crate::budget::kernels::group::ROWS_PER_BLOCK;
use crate::budget::kernels::rows::RowUpgrade;
use crate::budget::kernels::terms::{
    Cutoffs, LastKernel, LeftoverBudget, LevelKernel, ShareTerms, UpgradeKernel,
};
use crate::budget::module_view::{ModuleView, Modules, PartialResult, SceneSize};
use crate::budget::policy::Hysteresis;
use crate::budget::scale::Scale;
use crate::budget::search::{CutoffSearch, PIVOTS};
use crate::budget::upgrade_queue::{CandidateUpgrade, UpgradeSink};
use by_row::spend_by_row;
use serve::{Attempt, Obstacle};
use tally::{TallyKernel, TallyResult};
use upgrade::UpgradeResult;

/// Assigns the levels that shares pay, and spends the leftover budget; returns the cost in nanoseconds. `whole` is the
/// budget of all levels, by default the sum of the shares.
#[inline]
// Scale and hysteresis are separate arguments, so that a program without hysteresis does not link its code: 1.6 kB on a
// Cortex-M0.
pub(crate) fn spend_leftovers<W: Modules + ?Sized>(
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
    let mut phase = LeftoverPhase::new(modules, indices, terms);
    let has_shares = whole.is_none();
    let left = |shares, cost| LeftoverBudget::new(whole.unwrap_or(shares), cost, terms.hysteresis);
    let assumed = phase.again(has_shares).or_else(|| phase.expected(has_shares));
    let assumed = assumed.map(|kernel| (kernel, phase.upgrade(kernel)));
    let budget = if let Some((_, upgraded)) = assumed {
        left(upgraded.shares, upgraded.base)
    } else {
        let TallyResult { cost, shares, .. } = phase.tally([ABOVE_ALL; PIVOTS], has_shares, 1);
        left(shares, cost)
    };
    if budget.left < phase.least_step {
        return phase.assign();
    }
    let is_likely = |upgraded: &UpgradeResult| upgraded.found <= phase.most_marked();
    if let Some((kernel, upgraded)) = assumed.filter(|(_, upgraded)| is_likely(upgraded)) {
        let attempt = Attempt { kernel, upgraded, budget, is_assumed: true };
        if let Some(cost) = phase.finish(&attempt, scratch) {
            return cost;
        }
    }
    if phase.sample.stride > 1 {
        let cutoffs = phase.estimate(budget);
        let attempt = phase.attempt(cutoffs, budget, true);
        if let Some(cost) = phase.finish(&attempt, scratch) {
            return cost;
        }
    }
    let [low, high] = phase.count_all(budget.free(), 1);
    phase.find(Cutoffs::new(high, phase.low(low)), budget, scratch)
}

struct LeftoverPhase<'a, W: ?Sized> {
    modules: &'a mut W,
    indices: Range<usize>,
    terms: ShareTerms,
    rows: u64,
    sample: RowSample,
    least_step: u64,
    warm_start: WarmStart,
}

impl<'a, W: Modules + ?Sized> LeftoverPhase<'a, W> {
    fn new(modules: &'a mut W, indices: Range<usize>, terms: ShareTerms) -> Self {
        let warm_start = modules.visit(indices.start, |module| module.wide.warm_start);
        let SceneSize { rows, least_step, greatest_cost } =
            SceneSize::of(modules, indices.clone(), true);
        let sample = RowSample::of(rows, greatest_cost);
        let warm_start = warm_start.unwrap_or_default();
        Self { modules, indices, terms, rows, sample, least_step: least_step.into(), warm_start }
    }

    /// Returns the number of marked rows near assumed cutoffs from which on a search in a sample costs less.
    const fn most_marked(&self) -> u64 {
        if self.sample.stride > 1 { self.rows / 32 } else { u64::MAX }
    }

    /// Returns the greatest width of the next window, if `rows` actors were upgraded in one of `width`: as many may be on the
    /// other side of the cutoff, and actors need not be spread evenly.
    fn widest_window(&self, width: u32, rows: u64) -> u32 {
        let widest = u64::from(width).saturating_mul(self.most_marked() / 4) / rows.max(1);
        u32::try_from(widest).unwrap_or(u32::MAX)
    }

    /// Returns the previous kernel, if it is likely to be right again: blocks whose inputs did not change keep their levels.
    fn again(&mut self, has_shares: bool) -> Option<UpgradeKernel> {
        let last = |module: &mut ModuleView<'_>| module.wide.last_kernel.as_deref().copied();
        match self.modules.visit(self.indices.start, last)?? {
            LastKernel(Some(LevelKernel::Upgrade(last)))
                if last.terms == self.terms
                    && self.warm_start.suits(last.cutoffs.low, last.cutoffs.high) =>
            {
                Some(UpgradeKernel { has_shares, ..last })
            }
            _ => None,
        }
    }

    /// Returns a kernel with cutoffs near the previous ones, if there are any.
    fn expected(&self, has_shares: bool) -> Option<UpgradeKernel> {
        let (high, low) = self.warm_start.window()?;
        let mixed_low = low.saturating_sub(self.warm_start.mixed).max(1);
        let cutoffs = Cutoffs { mixed_low, ..Cutoffs::new(high, low) };
        let returning = self.warm_start.returning_window().unwrap_or((1, 1));
        Some(self.kernel(cutoffs.with_returning(returning), has_shares))
    }

    fn kernel(&self, cutoffs: Cutoffs, has_shares: bool) -> UpgradeKernel {
        let (reach, likely_step) = (self.warm_start.reach(), self.warm_start.likely_step());
        let (terms, is_repeated) = (self.terms, false);
        UpgradeKernel { terms, cutoffs, reach, likely_step, has_shares, is_repeated }
    }

    fn upgrade(&mut self, kernel: UpgradeKernel) -> UpgradeResult {
        let modules = &mut *self.modules;
        self.indices.clone().fold(UpgradeResult::default(), |sum, index| {
            let begin =
                |module: &mut ModuleView<'_>| module.wide.begin_pass(LevelKernel::Upgrade(kernel));
            let is_repeated = modules.visit(index, begin).unwrap_or(false);
            let upgraded = modules.map_reduce(index, &UpgradeKernel { is_repeated, ..kernel });
            modules.visit(index, |module| module.assigned = upgraded.cost);
            sum.plus(upgraded)
        })
    }

    /// Assigns the levels that shares pay.
    fn assign(&mut self) -> u64 {
        let costs = self.indices.clone().map(|index| assign(self.modules, index, self.terms));
        costs.fold(0, u64::saturating_add)
    }

    /// Counts upgrades, or estimates their number from one block in `stride`.
    fn tally(&mut self, pivots: [u32; PIVOTS], has_shares: bool, stride: u32) -> TallyResult {
        let kernel = TallyKernel { terms: self.terms, has_shares, pivots, stride };
        let results = self.indices.clone().map(|index| self.modules.map_reduce(index, &kernel));
        results.fold(TallyResult::default(), PartialResult::plus)
    }

    /// Adds all marked rows. Returns the least cost of their steps, and the number of rows that return to their previous
    /// level by a lower benefit than `below`.
    fn queue_marked(&mut self, upgrades: &mut dyn UpgradeSink, below: u32) -> (u64, u32) {
        let (mut least_step, mut returning) = (u64::from(u32::MAX), 0_u32);
        for index in self.indices.clone() {
            self.modules.visit(index, |module| {
                for row in module.marked() {
                    let RowUpgrade { key, next_step, returns, .. } =
                        module.upgrade_of(row, self.terms.hysteresis);
                    least_step = least_step.min(next_step.into());
                    returning = returning.wrapping_add((returns && key < below).into());
                    module.queue(upgrades, (index, row), key, next_step);
                }
            });
        }
        (least_step, returning)
    }

    fn attempt(&mut self, cutoffs: Cutoffs, budget: LeftoverBudget, is_assumed: bool) -> Attempt {
        let kernel = self.kernel(cutoffs, false);
        Attempt { kernel, upgraded: self.upgrade(kernel), budget, is_assumed }
    }

    /// Finishes an attempt with assumed cutoffs, if that of actors that do not return is right; returns the cost.
    fn finish(&mut self, attempt: &Attempt, scratch: &mut [impl CandidateUpgrade]) -> Option<u64> {
        match self.serve(attempt, scratch) {
            Ok(cost) => Some(cost),
            Err(Obstacle::Lacks { left }) => {
                let cutoffs = attempt.kernel.cutoffs;
                let returning = self.returning_cutoffs(cutoffs.mixed_low, left, 1);
                Some(self.find(cutoffs.with_returning(returning), attempt.budget, scratch))
            }
            Err(Obstacle::Unmarked { .. }) => None,
        }
    }

    /// Estimates the cutoffs from a sample.
    fn estimate(&mut self, budget: LeftoverBudget) -> Cutoffs {
        let ([less, more], stride) = (self.sample.around(budget.free()), self.sample.stride);
        let [_, high] = self.count_all(less, stride);
        let [low, _] = self.count_all(more, stride);
        let low = self.low(low).min(high);
        let cutoffs = Cutoffs::new(high, low);
        if !self.terms.hysteresis.is_on() {
            return cutoffs;
        }
        let middle = low.midpoint(high);
        let taken = self.tally([middle; PIVOTS], false, stride).all[0].cost;
        let money = budget.left.saturating_sub(taken.min(budget.free()));
        cutoffs.with_returning(self.returning_cutoffs(middle, money, stride))
    }

    /// Finds the benefits between which the cutoff of all is, by counting.
    fn count_all(&mut self, money: u64, stride: u32) -> [u32; 2] {
        CutoffSearch::of_benefits(money, self.rows, self.warm_start)
            .find(|pivots| self.tally(pivots, false, stride).all)
    }

    /// Returns the end of the window below a cutoff, as the first actor below it also takes a part of the budget.
    fn low(&self, cutoff: u32) -> u32 {
        cutoff.saturating_sub(self.warm_start.reach().below(cutoff)).max(1)
    }

    /// Finds the cutoffs of returning actors; the other cutoff is known.
    fn find(
        &mut self,
        mut cutoffs: Cutoffs,
        budget: LeftoverBudget,
        scratch: &mut [impl CandidateUpgrade],
    ) -> u64 {
        let low = cutoffs.low;
        let mut has_counted = false;
        loop {
            let is_last = cutoffs.returning_high == low && cutoffs.returning_low == 1;
            let attempt = self.attempt(cutoffs, budget, false);
            match self.serve(&attempt, scratch) {
                Ok(cost) => return cost,
                Err(Obstacle::Lacks { left }) if !has_counted => {
                    has_counted = true;
                    let returning = self.returning_cutoffs(cutoffs.mixed_low, left, 1);
                    cutoffs = cutoffs.with_returning(returning);
                }
                // Returning actors that cost all that is free come first.
                Err(Obstacle::Unmarked { free }) if cutoffs.mixed_low == low => {
                    cutoffs.mixed_low = self.returning_cutoffs(low, free, 1).1;
                    cutoffs = cutoffs.with_returning((1, 1));
                    has_counted = false;
                }
                Err(_) if !is_last => {
                    cutoffs = Cutoffs {
                        mixed_low: low,
                        returning_high: low,
                        returning_low: 1,
                        ..cutoffs
                    };
                }
                Err(_) => return self.assign(),
            }
        }
    }

    /// Returns the cutoff of returning actors below a benefit, and a benefit from which on those below the cutoff are
    /// upgraded one by one.
    fn returning_cutoffs(&mut self, below: u32, left: u64, stride: u32) -> (u32, u32) {
        let sample = self.sample;
        let mut find = |left: u64| {
            let down = |shift: u32| below.saturating_sub(below >> shift).max(1);
            let pivots = [1, down(2), down(6), below];
            let counts = self.tally(pivots, false, stride).returning;
            let [all, .., above] = counts;
            let (rows, mut first) = (all.minus(above).steps, Some(counts));
            let mut count = |pivots| self.tally(pivots, false, stride).returning;
            let [low, high] = CutoffSearch::of_benefits_below(left, rows, pivots).find(|pivots| {
                let counts = first.take().unwrap_or_else(|| count(pivots));
                counts.map(|count| count.minus(above))
            });
            let high = high.min(below).max(1);
            (high, low.clamp(1, high))
        };
        if stride > 1 {
            let [less, more] = sample.around(left);
            (find(less).0, find(more).1)
        } else {
            find(left)
        }
    }
}

impl ModuleView<'_> {
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
