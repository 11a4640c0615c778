//! The leftover budget over very many actors.
//!
//! Actors below their previous level return to it: their whole benefit counts, and they may use all of the leftover
//! budget. The others rise by their discounted benefit, and leave the dead band free. By falling benefit, all actors from
//! a cutoff on get all that they may get, in one pass. Actors near the cutoff are upgraded in order. Below it, returning
//! actors are all paid, or have a cutoff of their own, and the others get nothing.
//!
//! The cutoffs are most often where they were, so a pass assumes them, and the budget then proves them.

mod payable;
mod tally;
mod upgrade;

use core::ops::Range;

use super::group::{CachedAssignment, ROWS_PER_BLOCK};
use super::rows::RowUpgrade;
use super::tables::TableShape;
use super::terms::ShareTerms;
use crate::benefit::Benefit;
use crate::budget::cutoff::{CutoffCount, CutoffSearch, MarkDepth, PIVOTS, WarmStart};
use crate::budget::ladder::Ladders;
use crate::budget::module_view::{ModuleView, Modules, PartialResult};
use crate::budget::policy::Hysteresis;
use crate::budget::rate::BenefitRate;
use crate::budget::upgrade_queue::{Upgrade, UpgradeQueue};
use payable::PayableKernel;
use tally::{TallyKernel, TallyResult};
use upgrade::{Cutoffs, UpgradeKernel, UpgradeResult};

/// Assigns the levels that shares pay, and spends the leftover budget; returns the cost in nanoseconds. `whole` is the
/// budget of all levels, by default the sum of the shares.
pub(super) fn spend_leftovers<W: Modules + ?Sized>(
    modules: &mut W,
    indices: Range<usize>,
    terms: ShareTerms,
    whole: Option<u64>,
    scratch: &mut [Upgrade],
) -> u64 {
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

#[derive(Clone, Copy)]
struct LeftoverBudget {
    left: u64,
    /// The part that only returning actors may use.
    reserved: u64,
}

impl LeftoverBudget {
    fn new(whole: u64, spent: u64, hysteresis: Hysteresis) -> Self {
        Self { left: whole.saturating_sub(spent), reserved: hysteresis.reserved(whole) }
    }

    const fn free(self) -> u64 {
        self.left.saturating_sub(self.reserved)
    }
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

    /// Finds the cutoffs by counting.
    fn search<W: Modules + ?Sized>(
        &self,
        modules: &mut W,
        whole: Option<u64>,
        scratch: &mut [Upgrade],
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
                Err(Obstacle::Unseen { free }) if cutoffs.mixed_low == low => {
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

/// The reason why levels are to be assigned again with other cutoffs.
enum Obstacle {
    /// The rest of the budget does not pay all actors that return.
    Lacks { left: u64 },
    /// An actor that is not marked may be next, and use the free part of the budget.
    Unseen { free: u64 },
}

struct Attempt<'a> {
    phase: &'a LeftoverPhase,
    kernel: UpgradeKernel,
    upgraded: UpgradeResult,
    budget: LeftoverBudget,
    /// Whether the cutoffs are assumed, not found.
    is_assumed: bool,
}

#[derive(Default)]
struct Served {
    /// The benefits at which the budget did not pay all.
    at: Option<u32>,
    returning_at: Option<u32>,
    /// The free budget below the window.
    rest: Option<u64>,
    found: usize,
    raised: usize,
    has_missed: bool,
}

impl Attempt<'_> {
    /// Upgrades the marked actors in order, and all others if one of them would be next; returns the total cost.
    fn serve<W: Modules + ?Sized>(
        &self,
        modules: &mut W,
        scratch: &mut [Upgrade],
    ) -> Result<u64, Obstacle> {
        let Self { phase, kernel, upgraded, mut budget, is_assumed } = *self;
        let UpgradeResult { base, cost, returned, .. } = upgraded;
        let Cutoffs { low, mixed_low, .. } = kernel.cutoffs;
        let hysteresis = phase.terms.hysteresis;
        let paid = cost.wrapping_sub(returned).wrapping_sub(base);
        if paid > budget.free() {
            return Err(Obstacle::Unseen { free: 0 });
        }
        budget.left = budget.left.wrapping_sub(paid);
        let money = budget.free();
        let mut upgrades = UpgradeQueue::new(scratch);
        let mut least_step = u64::from(u32::MAX);
        for index in phase.indices.clone() {
            let queue =
                |module: &mut ModuleView<'_>| module.queue_marked(index, hysteresis, &mut upgrades);
            least_step = least_step.min(modules.visit(index, queue).unwrap_or(u32::MAX).into());
        }
        let mut served = Served { found: upgrades.len(), ..Served::default() };
        // Returning actors below the window were paid with it, but come after it.
        let (mut back, mut wanted, mut spent) = (returned, 0_u64, 0_u64);
        let (mut unseen_below, mut obstacle) = (u32::MAX, None);
        upgrades.visit(|upgrade| {
            let key = upgrade.benefit();
            if key < unseen_below {
                unseen_below = self.unseen_below(modules, budget, back);
                if key < unseen_below {
                    served.has_missed = true;
                    return false;
                }
            }
            if upgrade.rest() > budget.left {
                // Its next step costs more than there is.
                if key >= low {
                    served.at = served.at.or(Some(key));
                } else if key < mixed_low && kernel.cutoffs.returning_high > 1 {
                    served.returning_at = served.returning_at.or(Some(key));
                }
                return true;
            }
            if key < low {
                served.rest = served.rest.or(Some(budget.free()));
            }
            let see = |module: &mut ModuleView<'_>| {
                let row = module.upgrade_of(upgrade.row(), hysteresis);
                if row.returns && key < mixed_low {
                    match budget.left.checked_sub(back) {
                        Some(left) => (budget.left, back) = (left, 0),
                        None => obstacle = Some(Obstacle::Lacks { left: budget.left }),
                    }
                }
                let price = module.upgrade_row(upgrade.row(), &row, budget.left, budget.free());
                (price, row)
            };
            let (price, row) = modules.visit(upgrade.module(), see).unwrap_or_default();
            if !row.returns && key < mixed_low && price > 0 && back > 0 {
                // It would have come before some actors that return.
                obstacle = Some(Obstacle::Unseen { free: budget.free() });
            }
            if obstacle.is_some() {
                return false;
            }
            budget.left = budget.left.saturating_sub(price);
            spent = spent.wrapping_add(price);
            served.raised = served.raised.wrapping_add(usize::from(price > 0));
            wanted = wanted.saturating_add(row.rest);
            if wanted > money && key >= low {
                served.at = served.at.or(Some(key));
            }
            let lacks = row.returns && price < row.rest || budget.left < phase.least_step;
            if lacks && hysteresis.is_on() {
                served.returning_at = served.returning_at.or(Some(key));
            }
            let goes_on = budget.left >= least_step;
            if !goes_on && key >= low {
                served.at = served.at.or(Some(key));
            }
            goes_on
        });
        if let Some(obstacle) = obstacle {
            return Err(obstacle);
        }
        served.rest = served.rest.or(Some(budget.free()));
        served.has_missed |= self.unseen_below(modules, budget, back) > 0;
        // Assumed cutoffs are wrong if the budget paid all of the window.
        if served.has_missed && (is_assumed && served.at.is_none() || back > 0) {
            return Err(Obstacle::Unseen { free: budget.free() });
        }
        match budget.left.checked_sub(back) {
            Some(left) => budget.left = left,
            None => return Err(Obstacle::Lacks { left: budget.left }),
        }
        if served.has_missed && budget.left >= phase.least_step {
            spent = spent.wrapping_add(self.serve_all(modules, budget, scratch));
        }
        let next = served.warm_start(phase.warm_start, kernel.cutoffs, phase.rows);
        modules.visit(phase.indices.start, |module| module.wide.warm_start = next);
        Ok(cost.wrapping_add(spent))
    }

    /// Returns a benefit below which an actor that is not marked may be next; 0 if there is none.
    fn unseen_below<W: Modules + ?Sized>(
        &self,
        modules: &mut W,
        budget: LeftoverBudget,
        back: u64,
    ) -> u32 {
        let Self { phase, kernel, .. } = self;
        let left = budget.left.saturating_sub(back);
        let is_left = left >= phase.least_step && phase.terms.hysteresis.is_on();
        let returning_low = kernel.cutoffs.returning_low;
        let returning = if is_left && returning_low > 1 { returning_low } else { 0 };
        if budget.free() < phase.least_step {
            return returning;
        }
        phase.indices.clone().fold(returning, |most, index| {
            let see = |module: &mut ModuleView<'_>| module.unseen_below(kernel, budget.free());
            most.max(modules.visit(index, see).unwrap_or(0))
        })
    }

    /// Upgrades all actors that the rest of the budget may pay, in order; returns the cost.
    fn serve_all<W: Modules + ?Sized>(
        &self,
        modules: &mut W,
        budget: LeftoverBudget,
        scratch: &mut [Upgrade],
    ) -> u64 {
        let terms = self.phase.terms;
        let kernel = PayableKernel { terms, left: budget.left, free: budget.free() };
        let mut upgrades = UpgradeQueue::new(scratch);
        let mut least_step = u64::from(u32::MAX);
        for index in self.phase.indices.clone() {
            modules.map_reduce(index, &kernel);
            let queue = |module: &mut ModuleView<'_>| {
                module.queue_marked(index, terms.hysteresis, &mut upgrades)
            };
            least_step = least_step.min(modules.visit(index, queue).unwrap_or(u32::MAX).into());
        }
        let mut now = budget;
        upgrades.visit(|upgrade| {
            let see = |module: &mut ModuleView<'_>| {
                let row = module.upgrade_of(upgrade.row(), terms.hysteresis);
                module.upgrade_row(upgrade.row(), &row, now.left, now.free())
            };
            if upgrade.rest() > now.left {
                return true;
            }
            let price = modules.visit(upgrade.module(), see).unwrap_or(0);
            now.left = now.left.saturating_sub(price);
            now.left >= least_step
        });
        budget.left.wrapping_sub(now.left)
    }
}

impl Served {
    fn warm_start(&self, last: WarmStart, cutoffs: Cutoffs, rows: u64) -> WarmStart {
        let Cutoffs { high, low, mixed_low, .. } = cutoffs;
        let (found, raised) = (self.found as u64, self.raised as u64);
        let too_many = found > raised.saturating_mul(4).saturating_add(64);
        let too_few = self.has_missed && found < rows / 128 + 64;
        // If all of the window was paid, the cutoff is farther down.
        let beyond = low.saturating_sub(high.wrapping_sub(low)).max(1).min(high);
        let next = last.after(self.at.unwrap_or(beyond), too_few, too_many);
        let next = if raised > rows / 256 + 64 { next.narrowed() } else { next };
        let mixed = low.saturating_sub(mixed_low);
        let next = next.with_mixed(mixed.saturating_sub(mixed >> 3));
        next.with_returning(self.returning_at).with_rest(self.rest.unwrap_or(0))
    }
}

impl ModuleView<'_> {
    /// Adds the marked rows; returns the least cost of a step.
    fn queue_marked(
        &self,
        number: usize,
        hysteresis: Hysteresis,
        upgrades: &mut UpgradeQueue<'_>,
    ) -> u32 {
        let mut least_step = u32::MAX;
        let number = u16::try_from(number).unwrap_or(u16::MAX);
        for row in self.marked() {
            let RowUpgrade { key, next_step, .. } = self.upgrade_of(row, hysteresis);
            let id = self.ids.get(row).copied().unwrap_or(0);
            let row = u32::try_from(row).unwrap_or(u32::MAX);
            least_step = least_step.min(next_step);
            upgrades.push(Upgrade::new(Benefit::from_bits(key), id, number, row, next_step));
        }
        least_step
    }

    /// Returns the rows that a kernel marked.
    pub(super) fn marked(&self) -> impl Iterator<Item = usize> {
        let rows = self.input.benefits.len();
        self.wide.groups.iter().zip((0..rows).step_by(ROWS_PER_BLOCK)).flat_map(|(group, first)| {
            let mut found = group.found;
            core::iter::from_fn(move || {
                let row = (found != 0).then(|| first.wrapping_add(found.trailing_zeros() as usize));
                found &= found.wrapping_sub(1);
                row
            })
        })
    }

    /// Returns the benefit below which a row that does not return, is not marked and could be upgraded may be.
    fn unseen_below(&self, kernel: &UpgradeKernel, free: u64) -> u32 {
        // Rows that are processed one by one are all marked.
        let Some(shape) = TableShape::of(self) else { return 0 };
        let UpgradeKernel { terms, cutoffs, .. } = kernel;
        let rate = BenefitRate::new(self.input.benefit_value, terms.scale);
        let (threshold, ladders) = (rate.threshold_of_cost(), shape.ladders());
        let mut unseen = 0;
        for &span in ladders.spans {
            let costs = Ladders::part(span, ladders.costs);
            let minimum = costs.first().copied().unwrap_or(0);
            // Actors from one threshold to below the next have the level between them.
            for pair in costs.windows(2) {
                let &[here, next] = pair else { continue };
                let from = if here == minimum { 1 } else { threshold(here) };
                let from = Benefit::from_bits(from.min(Benefit::MAX.bits() + 1));
                let from = terms.hysteresis.discounted(from).bits().max(1);
                let next_at = threshold(next).min(cutoffs.low);
                let step = next.wrapping_sub(here);
                let marked_from = next_at.saturating_sub(kernel.depth(step, next_at));
                if step > 0 && u64::from(step) <= free && from < marked_from {
                    unseen = unseen.max(marked_from);
                }
            }
        }
        unseen
    }
}
