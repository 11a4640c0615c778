//! The distribution of the budget that the price leaves over.

use super::take::TakeTotals;
use super::{OptimalPhase, Plan};
use crate::budget::decision::Totals;
use crate::budget::kernels::terms::{LeftoverBudget, PriceWindow};
use crate::budget::marks::{MOST_MARKED, MarkKernel, NextStep};
use crate::budget::module_view::{ModuleView, Modules, PartialResult, SceneSize, visit_upgrade};
use crate::budget::policy::Hysteresis;
use crate::budget::price::Price;
use crate::budget::slope::Slope;
use crate::budget::standing::PaidStep;
use crate::budget::upgrade_queue::{CandidateUpgrade, UpgradeQueue, UpgradeSink};

/// The rest of the budget.
pub(super) struct Fill<'a, W: ?Sized, U> {
    modules: &'a mut W,
    scratch: &'a mut [U],
    available: u64,
    reserved: u64,
    hysteresis: Hysteresis,
    price: Price,
    pub(super) totals: Totals,
    least_step: u64,
    /// Whether all actors take part, marked or not.
    has_all: bool,
    /// Whether an actor below its previous level may not be marked.
    has_returning: bool,
    /// The width of a range of prices; `u32::MAX` in a scene of few actors, which are all marked at once.
    width: u32,
    pub(super) has_missed: bool,
    served: u64,
}

impl<'a, W: Modules + ?Sized, U: CandidateUpgrade> Fill<'a, W, U> {
    pub(super) fn new(phase: &'a mut OptimalPhase<'_, W, U>, price: Price, totals: Totals) -> Self {
        let SceneSize { rows, least_step, .. } = phase.size;
        Self {
            available: phase.frame.available,
            reserved: phase.reserved(),
            hysteresis: phase.hysteresis,
            modules: phase.modules,
            scratch: phase.scratch,
            has_all: !W::WIDE,
            price,
            totals,
            least_step: least_step.into(),
            has_returning: false,
            width: if rows <= MOST_MARKED { u32::MAX } else { 1 << 6 },
            has_missed: false,
            served: 0,
        }
    }

    /// Makes the rest for all actors, at any levels. No kernel has to mark them.
    pub(super) fn of_all(phase: &'a mut OptimalPhase<'_, W, U>, totals: Totals) -> Self {
        Self { has_all: true, ..Self::new(phase, Price::MAX, totals) }
    }

    fn budget(&self) -> LeftoverBudget {
        let left = self.available.saturating_sub(self.totals.cost);
        LeftoverBudget { left, reserved: self.reserved }
    }

    /// Spends the rest by falling break-even price, ties by lower id: first whole next hull steps, then any better
    /// level. The marks, if all have one that return or take other steps in a window, are those of the kernel that assigned
    /// the levels.
    pub(super) fn run(&mut self, marks: Option<PriceWindow>, taken: &TakeTotals) {
        self.has_returning = taken.returning > 0;
        if self.has_all {
            return self.run_all();
        }
        let width = |window: PriceWindow| window.high.bits().saturating_sub(window.low.bits());
        self.width = self.width.max(marks.map_or(0, width));
        let marked_from = marks.filter(|_| taken.found <= MOST_MARKED).map(|window| window.low);
        self.has_returning &= marked_from.is_none();
        self.phase(true, marked_from);
        self.has_returning = taken.returning > 0;
        self.phase(false, None);
    }

    pub(super) fn run_all(&mut self) {
        for is_whole in [true, false] {
            if self.pays_unmarked() {
                self.upgrade_down_to(is_whole, Price::MIN);
            }
        }
    }

    /// Whether many more actors were marked than upgraded.
    pub(super) fn has_too_many(&self, taken: &TakeTotals) -> bool {
        let few = self.served.saturating_mul(8).saturating_add(MOST_MARKED / 2);
        !self.has_missed && taken.found > few
    }

    /// Whether an actor that is not marked may be next.
    fn pays_unmarked(&self) -> bool {
        let budget = self.budget();
        let money = if self.has_returning { budget.left } else { budget.free() };
        money >= self.least_step
    }

    /// Upgrades the marked actors, which are all of that phase from a price on, then finds others.
    fn phase(&mut self, is_whole: bool, marked_from: Option<Price>) {
        let mut low = match marked_from {
            Some(low) => low,
            None if !self.pays_unmarked() => return,
            None => self.mark(is_whole, self.price),
        };
        while self.budget().left >= self.least_step {
            self.upgrade_down_to(is_whole, low);
            if !self.pays_unmarked() || low <= Price::MIN {
                return;
            }
            low = self.mark(is_whole, low);
        }
    }

    /// Upgrades actors by falling break-even price, until one that is not marked may be next.
    pub(super) fn upgrade_down_to(&mut self, is_whole: bool, low: Price) {
        let (has_all, budget) = (self.has_all, self.budget());
        let rows = (has_all, if has_all { low } else { Price::MIN });
        let step = (PaidStep { budget, is_whole }, self.hysteresis);
        let scratch = core::mem::take(&mut self.scratch);
        let mut upgrades = UpgradeQueue::new(scratch);
        for index in 0..self.modules.count() {
            let queue = |module: &mut ModuleView<'_>| {
                module.queue_next_steps(index, rows, step, &mut upgrades);
            };
            self.modules.visit(index, queue);
        }
        upgrades.visit(|upgrade| {
            if upgrade.rank() < low.bits() && self.pays_unmarked() {
                return false;
            }
            let (budget, hysteresis) = (self.budget(), self.hysteresis);
            let more = visit_upgrade(self.modules, &upgrade, |module, row| {
                module.buy_step(row, hysteresis, budget, is_whole)
            });
            self.totals = self.totals.plus(more.unwrap_or_default());
            self.served = self.served.wrapping_add(1);
            self.budget().left >= self.least_step
        });
        self.scratch = scratch;
    }

    /// Marks the next actors whose steps are worth less than a price; returns the price from which on these are all.
    fn mark(&mut self, is_whole: bool, below: Price) -> Price {
        self.has_missed |= is_whole;
        let (step, below) = (NextStep::Hull { price: self.price, is_whole }, below.bits());
        let (hysteresis, budget) = (self.hysteresis, self.budget());
        let kernel = MarkKernel { step, hysteresis, budget, below, low: below };
        Price::from_bits(kernel.mark_next(self.modules, 0..self.modules.count(), &mut self.width))
    }
}

impl<W: Modules + ?Sized, U: CandidateUpgrade> OptimalPhase<'_, W, U> {
    /// Raises fractions of continuous modules by the budget left.
    pub(super) fn fill_fractions(&mut self, plan: &mut Plan) {
        let mut upgrades = UpgradeQueue::new(self.scratch);
        let hysteresis = self.hysteresis;
        for index in 0..self.modules.count() {
            let queue = |module: &mut ModuleView<'_>| {
                module.queue_fractions(index, hysteresis, &mut upgrades);
            };
            self.modules.visit(index, queue);
        }
        let cost = &mut plan.totals.cost;
        let left = self.frame.available.saturating_sub(*cost);
        let mut budget =
            LeftoverBudget { left, reserved: hysteresis.reserved(self.frame.available) };
        upgrades.visit(|upgrade| {
            let price = visit_upgrade(self.modules, &upgrade, |module, row| {
                module.upgrade_row(row, hysteresis, budget)
            });
            budget.left = budget.left.saturating_sub(price.unwrap_or(0));
            budget.left > 0
        });
        *cost = cost.saturating_add(left.wrapping_sub(budget.left));
    }
}

impl ModuleView<'_> {
    fn queue_fractions(
        &mut self,
        number: usize,
        hysteresis: Hysteresis,
        upgrades: &mut dyn UpgradeSink,
    ) {
        if !self.input.continuous {
            return;
        }
        self.each_actor(hysteresis, |part, row, actor| {
            let (costs, next) = (actor.options.costs, actor.now.wrapping_add(1));
            let step = Slope::between(costs, actor.options.qualities, actor.now, next);
            let worth = step.worth(actor.options.benefit);
            if worth >= Price::MIN {
                part.queue(upgrades, (number, row), worth.bits(), 0);
            }
        });
    }
}
