//! The upgrades of marked actors, one by one.

use super::LeftoverPhase;
use super::upgrade::UpgradeResult;
use crate::benefit::Benefit;
use crate::budget::cutoff::WarmStart;
use crate::budget::kernels::tables::TableShape;
use crate::budget::kernels::terms::{Cutoffs, LeftoverBudget, ShareTerms, UpgradeKernel};
use crate::budget::ladder::Ladders;
use crate::budget::marks::{MarkKernel, NextStep};
use crate::budget::module_view::{ModuleView, Modules, visit_upgrade};
use crate::budget::rate::BenefitRate;
use crate::budget::upgrade_queue::{CandidateUpgrade, UpgradeQueue};

/// The reason why levels are to be assigned again with other cutoffs.
pub(super) enum Obstacle {
    /// The rest of the budget does not pay all actors that return.
    Lacks { left: u64 },
    /// An actor that is not marked may be next, and use the free part of the budget.
    Unmarked { free: u64 },
}

/// An assignment of levels with some cutoffs, whose marked actors are upgraded next.
pub(super) struct Attempt {
    pub(super) kernel: UpgradeKernel,
    pub(super) upgraded: UpgradeResult,
    pub(super) budget: LeftoverBudget,
    /// Whether the cutoffs are assumed, not found.
    pub(super) is_assumed: bool,
}

impl<W: Modules + ?Sized> LeftoverPhase<'_, W> {
    /// Upgrades the marked actors in order, and all others if one of them would be next; returns the total cost.
    pub(super) fn serve(
        &mut self,
        attempt: &Attempt,
        scratch: &mut [impl CandidateUpgrade],
    ) -> Result<u64, Obstacle> {
        let Attempt { kernel, upgraded, mut budget, .. } = *attempt;
        let UpgradeResult { base, cost, returned, .. } = upgraded;
        let paid = cost.wrapping_sub(returned).wrapping_sub(base);
        if paid > budget.free() {
            return Err(Obstacle::Unmarked { free: 0 });
        }
        budget.left = budget.left.wrapping_sub(paid);
        let mut upgrades = UpgradeQueue::new(scratch);
        let (least_step, returning) = self.queue_marked(&mut upgrades, kernel.cutoffs.mixed_low);
        let mut serving = Serving {
            phase: self,
            attempt,
            budget,
            money: budget.free(),
            returned,
            wanted: 0,
            least_step,
            unmarked_below: Unmarked { returning: u32::MAX, others: u32::MAX },
            at: None,
            returning_at: None,
            rest: None,
            found: upgrades.len() as u64,
            returning: returning.into(),
            raised: 0,
            has_missed: false,
            has_stopped: false,
        };
        let mut result = Ok(true);
        upgrades.visit(|upgrade| {
            result = serving.upgrade(upgrade);
            matches!(result, Ok(true))
        });
        result?;
        serving.finish()?;
        serving.serve_all(scratch);
        let (next, spent) =
            (serving.warm_start(), attempt.budget.left.wrapping_sub(serving.budget.left));
        self.modules.visit(self.indices.start, |module| module.wide.warm_start = next);
        Ok(base.wrapping_add(spent))
    }
}

/// The benefits below which actors that are not marked may be next; 0 if none may.
#[derive(Clone, Copy, Default)]
struct Unmarked {
    returning: u32,
    others: u32,
}

/// The state while marked actors are upgraded.
struct Serving<'a, 'b, W: ?Sized> {
    phase: &'a mut LeftoverPhase<'b, W>,
    attempt: &'a Attempt,
    budget: LeftoverBudget,
    /// The free budget at the start.
    money: u64,
    /// The cost of returning actors that were upgraded in bulk, until it is subtracted: they come after the window.
    returned: u64,
    /// The cost of all that the actors so far may get.
    wanted: u64,
    /// The least cost of a step of a marked actor.
    least_step: u64,
    unmarked_below: Unmarked,
    /// The benefits at which the budget did not pay all.
    at: Option<u32>,
    returning_at: Option<u32>,
    /// The free budget below the window.
    rest: Option<u64>,
    /// The numbers of marked actors, of returning ones below the window, and of upgraded ones.
    found: u64,
    returning: u64,
    raised: u64,
    /// Whether an actor that is not marked, and does not return, may be next.
    has_missed: bool,
    /// Whether some marked actors were not visited.
    has_stopped: bool,
}

impl<W: Modules + ?Sized> Serving<'_, '_, W> {
    /// Upgrades the next actor; returns whether others may follow.
    fn upgrade(&mut self, upgrade: impl CandidateUpgrade) -> Result<bool, Obstacle> {
        let Cutoffs { low, mixed_low, returning_high, .. } = self.attempt.kernel.cutoffs;
        let (hysteresis, key) = (self.phase.terms.hysteresis, upgrade.rank());
        if self.is_behind_unmarked(key) {
            self.unmarked_below = self.find_unmarked();
            if self.is_behind_unmarked(key) {
                self.has_missed |= key < self.unmarked_below.others;
                self.has_stopped = true;
                return Ok(false);
            }
        }
        // The next step may cost more than there is.
        if upgrade.cost() > self.budget.left {
            if key >= low {
                self.at = self.at.or(Some(key));
            } else if key < mixed_low && returning_high > 1 {
                self.returning_at = self.returning_at.or(Some(key));
            }
            return Ok(true);
        }
        if key < low {
            self.rest = self.rest.or(Some(self.budget.free()));
        }
        let see = |module: &mut ModuleView<'_>, row: usize| module.upgrade_of(row, hysteresis);
        let row = visit_upgrade(self.phase.modules, &upgrade, see).unwrap_or_default();
        if row.returns && key < mixed_low {
            self.subtract_returned()?;
        }
        let budget = self.budget;
        let raise =
            |module: &mut ModuleView<'_>, row: usize| module.upgrade_row(row, hysteresis, budget);
        let price = visit_upgrade(self.phase.modules, &upgrade, raise).unwrap_or(0);
        if !row.returns && key < mixed_low && price > 0 && self.returned > 0 {
            // It would have come before some actors that return.
            return Err(Obstacle::Unmarked { free: budget.free() });
        }
        self.budget.left = budget.left.saturating_sub(price);
        self.raised = self.raised.wrapping_add(u64::from(price > 0));
        self.wanted = self.wanted.saturating_add(row.rest);
        let lacks = row.returns && price < row.rest || self.budget.left < self.phase.least_step;
        if lacks && hysteresis.is_on() {
            self.returning_at = self.returning_at.or(Some(key));
        }
        let goes_on = self.budget.left >= self.least_step;
        if (self.wanted > self.money || !goes_on) && key >= low {
            self.at = self.at.or(Some(key));
        }
        Ok(goes_on)
    }

    const fn is_behind_unmarked(&self, key: u32) -> bool {
        key < self.unmarked_below.returning || key < self.unmarked_below.others
    }

    /// Returns the benefits below which an actor that is not marked may be next.
    fn find_unmarked(&mut self) -> Unmarked {
        let Self { phase, attempt, budget, returned, .. } = self;
        let (kernel, free) = (&attempt.kernel, budget.free());
        let left = budget.left.saturating_sub(*returned);
        let is_left = left >= phase.least_step && phase.terms.hysteresis.is_on();
        let returning_low = kernel.cutoffs.returning_low;
        let returning = if is_left && returning_low > 1 { returning_low } else { 0 };
        let mut others = 0;
        if free >= phase.least_step {
            for index in phase.indices.clone() {
                let unmarked = phase.modules.visit(index, |it| it.unmarked_below(kernel, free));
                others = others.max(unmarked.unwrap_or(0));
            }
        }
        Unmarked { returning, others }
    }

    /// Finds out whether actors that are not marked may be next, and whether the cutoffs are right.
    fn finish(&mut self) -> Result<(), Obstacle> {
        let Self { budget, returned, .. } = *self;
        self.rest = self.rest.or(Some(budget.free()));
        self.unmarked_below = self.find_unmarked();
        let Unmarked { returning, others } = self.unmarked_below;
        self.has_missed |= others > 0;
        // Assumed cutoffs are wrong if the budget paid all of the window.
        let is_wrong = self.attempt.is_assumed && self.at.is_none();
        // All other actors that return come before an unmarked one.
        if others.max(returning) > 0 && is_wrong || self.has_missed && returned > 0 {
            return Err(Obstacle::Unmarked { free: budget.free() });
        }
        self.subtract_returned()
    }

    /// Subtracts the cost of returning actors, if that is left.
    fn subtract_returned(&mut self) -> Result<(), Obstacle> {
        let LeftoverBudget { left, .. } = self.budget;
        let rest = left.checked_sub(core::mem::take(&mut self.returned));
        self.budget.left = rest.ok_or(Obstacle::Lacks { left })?;
        Ok(())
    }

    /// Upgrades all actors that were not served and that the rest of the budget may pay, in order.
    fn serve_all(&mut self, scratch: &mut [impl CandidateUpgrade]) {
        let phase = &mut *self.phase;
        let ShareTerms { scale, hysteresis } = phase.terms;
        let (indices, least_step) = (phase.indices.clone(), phase.least_step);
        let Unmarked { returning, others } = self.unmarked_below;
        let (mut low, returns) = (returning.max(others), returning > 0 || self.has_stopped);
        // The actors of a narrow range of benefits are likely to use up the rest. Each further range is wider. To mark all of
        // few actors is cheaper than a second pass.
        let mut width = if phase.sample.stride > 1 { low >> 8 } else { u32::MAX };
        let now = &mut self.budget;
        while low > 1 && (now.free() >= least_step || returns && now.left >= least_step) {
            let step = NextStep::Level(scale);
            let kernel = MarkKernel { step, hysteresis, budget: *now, below: low, low };
            low = kernel.mark_next(phase.modules, indices.clone(), &mut width);
            width = width.saturating_mul(4);
            let mut upgrades = UpgradeQueue::new(scratch);
            let (least_step, _) = phase.queue_marked(&mut upgrades, 0);
            upgrades.visit(|upgrade| {
                if upgrade.cost() > now.left {
                    return true;
                }
                let budget = *now;
                let raise = |module: &mut ModuleView<'_>, row: usize| {
                    module.upgrade_row(row, hysteresis, budget)
                };
                let price = visit_upgrade(phase.modules, &upgrade, raise).unwrap_or(0);
                now.left = now.left.saturating_sub(price);
                now.left >= least_step
            });
        }
    }

    /// Returns the warm start of the next frame.
    fn warm_start(&self) -> WarmStart {
        let Self { found, raised, returning, .. } = *self;
        let LeftoverPhase { warm_start: last, rows, .. } = *self.phase;
        let cutoffs = self.attempt.kernel.cutoffs;
        let Cutoffs { high, low, mixed_low, .. } = cutoffs;
        let too_many = found > raised.saturating_mul(4).saturating_add(64);
        let too_few = self.has_missed && found < rows / 128 + 64;
        // If all of the window was paid, the cutoff is farther down.
        let beyond = low.saturating_sub(high.wrapping_sub(low)).max(1).min(high);
        let next = last.after(self.at.unwrap_or(beyond), too_few, too_many);
        let returning_at = self.returning_at.unwrap_or(cutoffs.returning_low);
        let next = next.with_returning(last, returning_at, returning, rows);
        let mixed = low.saturating_sub(mixed_low);
        // A window is three times as wide as the spread, of which 0 would be an unknown one.
        let widest = (self.phase.widest_window(high.wrapping_sub(low), raised) / 3).max(2);
        WarmStart {
            // Few rows in a window let blocks keep their levels while nothing moves.
            spread: if raised > rows / 256 + 64 {
                next.spread >> 2
            } else {
                next.spread.min(widest)
            },
            mixed: mixed.saturating_sub(mixed >> 3),
            rest: Some(u32::try_from(self.rest.unwrap_or(0)).unwrap_or(u32::MAX)),
            has_few: found <= rows / 1_024 + 64,
            ..next
        }
    }
}

impl ModuleView<'_> {
    /// Returns the benefit below which a row that is not marked, and does not return, may be upgraded; 0 if there is none.
    fn unmarked_below(&self, kernel: &UpgradeKernel, free: u64) -> u32 {
        // Rows that are processed one by one are all marked.
        if TableShape::of(self).is_none() {
            return 0;
        }
        let UpgradeKernel { terms, cutoffs, .. } = kernel;
        let rate = BenefitRate::new(self.input.benefit_value, terms.scale);
        let (threshold, ladders) = (rate.threshold_of_cost(), self.input.ladders);
        let mut unmarked = 0;
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
                    unmarked = unmarked.max(marked_from);
                }
            }
        }
        unmarked
    }
}
