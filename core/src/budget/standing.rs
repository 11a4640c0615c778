//! An actor among its options, row by row.

use super::decision::Totals;
use super::kernels::terms::{LeftoverBudget, PriceWindow};
use super::module_view::{ModuleView, PartialResult};
use super::options::{ActorOptions, ModuleOptions};
use super::policy::Hysteresis;
use super::price::Price;
use super::slope::BenefitMantissa;
use super::upgrade_queue::UpgradeSink;

/// An actor, its current and its previous level index. Without hysteresis, the previous index is the base.
pub(super) struct Standing<'a> {
    pub(super) options: ActorOptions<'a>,
    pub(super) now: usize,
    pub(super) previous: usize,
    benefit: BenefitMantissa,
    hysteresis: Hysteresis,
}

impl Standing<'_> {
    /// Returns the benefit that counts above the previous index.
    #[inline]
    fn discounted(&self) -> BenefitMantissa {
        match self.hysteresis.margin {
            0 => self.benefit,
            _ => self.benefit.less(self.hysteresis.discounted(self.options.benefit)),
        }
    }

    /// Returns what the hull step above an index is worth.
    #[inline]
    pub(super) fn worth_above(&self, level_index: usize) -> Price {
        let is_below = level_index < self.previous;
        let benefit = if is_below { self.benefit } else { self.discounted() };
        benefit.worth(self.options.slope_above(level_index))
    }

    /// Returns the index after all steps that are worth a price, and the same of the whole benefit.
    #[cfg_attr(not(all(target_arch = "arm", not(target_has_atomic = "32"))), inline)]
    #[cfg_attr(all(target_arch = "arm", not(target_has_atomic = "32")), inline(never))]
    pub(super) fn indices_at(&self, price: Price) -> (usize, usize) {
        let full = self.climb(self.options.base, self.benefit, price);
        if full <= self.previous || self.hysteresis.margin == 0 {
            (full, full)
        } else {
            (self.climb(self.previous, self.discounted(), price), full)
        }
    }

    /// Whether the [indices](Self::indices_at) at a price are higher than these, which are those at a higher one.
    pub(super) fn rises_at(&self, price: Price, (index, full): (usize, usize)) -> bool {
        let is_worth = |benefit: BenefitMantissa, from: usize| {
            benefit.worth(self.options.slope_above(from)) >= price
        };
        let has_margin = full > self.previous && self.hysteresis.margin > 0;
        is_worth(self.benefit, full) || has_margin && is_worth(self.discounted(), index)
    }

    fn climb(&self, from: usize, benefit: BenefitMantissa, price: Price) -> usize {
        let mut level_index = from;
        while benefit.worth(self.options.slope_above(level_index)) >= price {
            level_index = level_index.wrapping_add(1);
        }
        level_index
    }

    /// Returns the cost and value of a level index.
    pub(super) fn totals(&self, level_index: usize) -> Totals {
        Totals { cost: self.options.cost(level_index), value: self.options.value(level_index) }
    }

    /// Returns the additional cost and value of another level index, wrapping if it is lower.
    #[cfg_attr(not(all(target_arch = "arm", not(target_has_atomic = "32"))), inline)]
    #[cfg_attr(all(target_arch = "arm", not(target_has_atomic = "32")), inline(never))]
    pub(super) fn between(&self, from: usize, to: usize) -> Totals {
        if from == to {
            return Totals::default();
        }
        let (from, to) = (self.totals(from), self.totals(to));
        Totals { cost: to.cost.wrapping_sub(from.cost), value: to.value.wrapping_sub(from.value) }
    }
}

impl ModuleView<'_> {
    pub(super) fn rows(&self) -> usize {
        self.input.benefits.len().min(self.levels.len())
    }

    pub(super) fn standing(&self, row: usize, hysteresis: Hysteresis) -> Standing<'_> {
        self.actor(self.options().of(row), row, hysteresis)
    }

    /// Returns the actor of a row with its options. A continuous module can be upgraded by any amount, so no margin
    /// applies; its previous levels count.
    #[inline]
    pub(super) fn actor<'a>(
        &self,
        options: ActorOptions<'a>,
        row: usize,
        mut hysteresis: Hysteresis,
    ) -> Standing<'a> {
        let now = options.level_index(self.levels.get(row).copied().unwrap_or(0));
        let previous = if hysteresis.is_on() {
            options.index_of_previous(self.previous_level(row))
        } else {
            options.base
        };
        if self.input.continuous {
            hysteresis.margin = 0;
        }
        let benefit = BenefitMantissa::new(options.benefit);
        Standing { options, now, previous, benefit, hysteresis }
    }

    /// Calls `see` with each row and its actor. It may change levels.
    #[inline]
    pub(super) fn each_actor(
        &mut self,
        hysteresis: Hysteresis,
        mut see: impl FnMut(&mut Self, usize, &Standing<'_>),
    ) {
        let slopes = core::mem::take(&mut self.slopes.of_costs);
        let shared = if slopes.is_empty() { self.wide.slopes } else { &*slopes };
        let mut options = ModuleOptions::new(self.input, self.qualities, shared).rows();
        for row in 0..self.rows() {
            let actor = self.actor(options.of(row), row, hysteresis);
            see(self, row, &actor);
        }
        self.slopes.of_costs = slopes;
    }

    /// Returns rows with their actors.
    pub(super) fn standings(
        &self,
        rows: impl Iterator<Item = usize>,
        hysteresis: Hysteresis,
    ) -> impl Iterator<Item = (usize, Standing<'_>)> {
        let mut options = self.options().rows();
        rows.map(move |row| (row, self.actor(options.of(row), row, hysteresis)))
    }

    /// Adds all steps of marked rows that are worth a price of the window; returns whether there was space. `first` is the
    /// number of costs of earlier modules.
    pub(super) fn queue_steps_in(
        &self,
        first: usize,
        window: PriceWindow,
        hysteresis: Hysteresis,
        upgrades: &mut dyn UpgradeSink,
    ) -> bool {
        self.standings(self.marked(), hysteresis).all(|(_, actor)| {
            let options = actor.options;
            for from in options.base..options.highest() {
                let to = from.wrapping_add(1);
                let worth = actor.worth_above(from);
                if worth < window.low {
                    break;
                }
                if worth >= window.high {
                    continue;
                }
                let cost = options.cost(to).saturating_sub(options.cost(from));
                let cost = u32::try_from(cost).unwrap_or(u32::MAX);
                let place = first.wrapping_add(options.place_of_cost(to));
                if !upgrades.push_step(worth.bits(), place, cost) {
                    return false;
                }
            }
            true
        })
    }

    /// Assigns marked rows their levels at a price; returns the additional totals, with hysteresis and without.
    pub(super) fn take_marked(
        &mut self,
        price: Price,
        window: PriceWindow,
        hysteresis: Hysteresis,
    ) -> (Totals, Totals) {
        let (mut more, mut more_full) = (Totals::default(), Totals::default());
        let mut next = self.next_marked(0);
        while let Some(row) = next {
            let actor = self.standing(row, hysteresis);
            let (to, full) = actor.indices_at(price);
            more = more.plus(actor.between(actor.now, to));
            more_full = more_full.plus(actor.between(actor.indices_at(window.high).1, full));
            let level = actor.options.level(to);
            self.set_level(row, level);
            next = self.next_marked(row.wrapping_add(1));
        }
        self.assigned = self.assigned.wrapping_add(more.cost);
        (more, more_full)
    }

    /// Adds the next steps of rows, all or the marked ones, that are worth at least `low`.
    pub(super) fn queue_next_steps(
        &self,
        number: usize,
        has_all: bool,
        low: Price,
        hysteresis: Hysteresis,
        upgrades: &mut dyn UpgradeSink,
    ) {
        let next = |from: usize| {
            if has_all { (from < self.rows()).then_some(from) } else { self.next_marked(from) }
        };
        let rows = core::iter::successors(next(0), |row| next(row.wrapping_add(1)));
        for (row, actor) in self.standings(rows, hysteresis) {
            let worth = actor.worth_above(actor.now);
            if worth >= low {
                self.queue(upgrades, (number, row), worth.bits(), 0);
            }
        }
    }

    /// Assigns a row another level index; returns the additional totals, wrapping if it is lower.
    pub(super) fn move_to(&mut self, row: usize, level_index: usize) -> Totals {
        let actor = self.standing(row, Hysteresis::OFF);
        let more = actor.between(actor.now, level_index);
        self.set_level_index(row, level_index);
        self.assigned = self.assigned.wrapping_add(more.cost);
        more
    }

    /// Upgrades a row: back towards its previous level, or by a whole hull step or to any better level with the free
    /// part of the budget. Returns the additional totals.
    pub(super) fn buy_step(
        &mut self,
        row: usize,
        hysteresis: Hysteresis,
        budget: LeftoverBudget,
        is_whole: bool,
    ) -> Totals {
        let actor = self.standing(row, hysteresis);
        let Standing { options, now, previous, .. } = actor;
        let to = if now < previous {
            options.best_above(now, previous, budget.left)
        } else if is_whole {
            let to = options.step_above(now);
            let cost = options.cost(to).saturating_sub(options.cost(now));
            if cost <= budget.free() { to } else { now }
        } else {
            options.best_above(now, options.highest(), budget.free())
        };
        let (more, level) = (actor.between(now, to), options.level(to));
        self.set_level(row, level);
        self.assigned = self.assigned.wrapping_add(more.cost);
        more
    }
}
