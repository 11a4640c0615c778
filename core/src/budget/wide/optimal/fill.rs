//! The distribution of the budget that the price leaves over.

use super::ask;
use super::mark::{MarkKernel, MarkResult};
use super::take::{PriceWindow, TakeTotals};
use crate::budget::frame_budget::FrameBudget;
use crate::budget::module_view::{ModuleView, Modules};
use crate::budget::optimal::Totals;
use crate::budget::options::ActorOptions;
use crate::budget::policy::Hysteresis;
use crate::budget::price::Price;
use crate::budget::upgrade_queue::{Upgrade, UpgradeQueue};

/// The number of rows that are marked at once.
pub(super) const MANY: u64 = if cfg!(test) { 1 << 6 } else { 1 << 14 };

/// The rows of each module up to which all are marked.
const FEW_ROWS: usize = if cfg!(test) { 1 << 5 } else { 1 << 12 };

/// The growth of a range of prices with few actors, and the shrinking of one with too many, as a shift.
const STRIDE: u32 = 3;

/// The rest of the budget.
pub(super) struct Fill {
    pub(super) available: u64,
    pub(super) reserved: u64,
    pub(super) hysteresis: Hysteresis,
    pub(super) price: Price,
    pub(super) totals: Totals,
    least_step: u64,
    /// Whether all actors are few enough to be marked at once.
    are_few: bool,
    /// Whether an actor below its previous level may not be marked.
    has_returning: bool,
    /// The width of a range of prices.
    width: u32,
    pub(super) has_missed: bool,
    pub(super) served: u64,
}

impl Fill {
    pub(super) fn new<W: Modules + ?Sized>(
        modules: &mut W,
        frame: FrameBudget,
        hysteresis: Hysteresis,
        price: Price,
        totals: Totals,
    ) -> Self {
        let (mut least_step, mut rows) = (u32::MAX, 0);
        for index in 0..modules.count() {
            modules.visit(index, |module| {
                least_step = least_step.min(module.input.least_step());
                rows = module.input.benefits.len().max(rows);
            });
        }
        let available = frame.available;
        Self {
            available,
            reserved: hysteresis.reserved(available),
            hysteresis,
            price,
            totals,
            least_step: least_step.into(),
            are_few: rows <= FEW_ROWS,
            has_returning: false,
            width: 0,
            has_missed: false,
            served: 0,
        }
    }

    fn left(&self) -> u64 {
        self.available.saturating_sub(self.totals.cost)
    }

    fn free(&self) -> u64 {
        self.left().saturating_sub(self.reserved)
    }

    /// Spends the rest by falling break-even price, ties by lower id: first whole next hull steps, then any better
    /// level. The window's marks are those of the kernel that assigned the levels.
    pub(super) fn run<W: Modules + ?Sized>(
        &mut self,
        modules: &mut W,
        window: PriceWindow,
        taken: &TakeTotals,
        scratch: &mut [Upgrade],
    ) {
        self.width = window.high.bits().saturating_sub(window.low.bits()).max(1 << 6);
        // Unless they are too many, all that return are marked.
        let are_marked = taken.found <= MANY;
        self.has_returning = taken.returning > 0 && !are_marked;
        self.phase(modules, true, are_marked.then_some(window.low), scratch);
        self.has_returning = taken.returning > 0;
        self.phase(modules, false, None, scratch);
    }

    /// Whether an actor that is not marked may be next.
    fn pays_unmarked(&self) -> bool {
        self.free() >= self.least_step || self.has_returning && self.left() >= self.least_step
    }

    /// Upgrades the marked actors, which are all of that phase from a price on, then finds others.
    fn phase<W: Modules + ?Sized>(
        &mut self,
        modules: &mut W,
        is_whole: bool,
        marked_from: Option<Price>,
        scratch: &mut [Upgrade],
    ) {
        let mut low = match marked_from {
            Some(low) => low,
            None if !self.pays_unmarked() => return,
            None => self.mark(modules, is_whole, self.price),
        };
        while self.left() >= self.least_step {
            let mut upgrades = UpgradeQueue::new(scratch);
            for index in 0..modules.count() {
                modules.visit(index, |module| {
                    module.queue_steps_of_marked(index, self.hysteresis, &mut upgrades);
                });
            }
            upgrades.visit(|upgrade| {
                if upgrade.benefit() < low.bits() && self.pays_unmarked() {
                    return false;
                }
                let (left, free, hysteresis) = (self.left(), self.free(), self.hysteresis);
                let more = modules.visit(upgrade.module(), |module| {
                    module.buy_step(upgrade.row(), hysteresis, (left, free), is_whole)
                });
                self.totals = self.totals.plus(more.unwrap_or_default());
                self.served = self.served.wrapping_add(1);
                self.left() >= self.least_step
            });
            if !self.pays_unmarked() || low <= Price::MIN {
                return;
            }
            low = self.mark(modules, is_whole, low);
        }
    }

    /// Marks the next actors whose steps are worth less than a price; returns the price from which on these are all.
    fn mark<W: Modules + ?Sized>(
        &mut self,
        modules: &mut W,
        is_whole: bool,
        below: Price,
    ) -> Price {
        self.has_missed |= is_whole;
        let from = |below: u32, width: u32| {
            Price::from_bits(below.saturating_sub(width).max(Price::MIN.bits()))
        };
        let (price, hysteresis) = (self.price, self.hysteresis);
        let (left, free) = (self.left(), self.free());
        let kernel = MarkKernel { below, low: below, price, hysteresis, is_whole, left, free };
        let low = if self.are_few { Price::MIN } else { from(below.bits(), self.width) };
        let MarkResult { found, .. } = ask(modules, &MarkKernel { low, ..kernel });
        if self.are_few || found > 0 && found <= MANY {
            return low;
        }
        let MarkResult { best, .. } = ask(modules, &MarkKernel { low: Price::MIN, ..kernel });
        if best < Price::MIN.bits() {
            return Price::MIN;
        }
        loop {
            let low = from(best, self.width);
            let MarkResult { found, .. } = ask(modules, &MarkKernel { low, ..kernel });
            if found <= MANY || self.width == 0 {
                if found <= MANY >> STRIDE {
                    self.width = self.width.max(1).saturating_mul(1 << STRIDE);
                }
                return low;
            }
            self.width >>= STRIDE;
        }
    }
}

impl ModuleView<'_> {
    /// Returns the options and the current and previous level index of a row.
    fn standing(&self, row: usize, hysteresis: Hysteresis) -> (ActorOptions<'_>, usize, usize) {
        let actor = self.shared_options().of(row);
        let level = self.levels.get(row).copied().unwrap_or(0);
        let previous = if hysteresis.is_on() {
            actor.index_of_previous(self.previous_level(row))
        } else {
            actor.base
        };
        (actor, actor.level_index(level), previous)
    }

    /// Adds all steps of marked rows that are worth a price of the window; returns whether there was space.
    pub(super) fn queue_steps_in(
        &self,
        number: usize,
        window: PriceWindow,
        hysteresis: Hysteresis,
        upgrades: &mut UpgradeQueue<'_>,
    ) -> bool {
        let number = u16::try_from(number).unwrap_or(u16::MAX);
        self.marked().all(|row| {
            let (actor, _, previous) = self.standing(row, hysteresis);
            let id = self.ids.get(row).copied().unwrap_or(0);
            let row = u32::try_from(row).unwrap_or(u32::MAX);
            for from in actor.base..actor.highest() {
                let to = from.wrapping_add(1);
                let benefit = if to <= previous {
                    actor.benefit
                } else {
                    hysteresis.discounted(actor.benefit)
                };
                let worth = actor.slope_above(from).worth(benefit);
                if worth < window.low {
                    break;
                }
                if worth >= window.high {
                    continue;
                }
                let cost = actor.cost(to).saturating_sub(actor.cost(from));
                let cost = u32::try_from(cost).unwrap_or(u32::MAX);
                if !upgrades.push(Upgrade::ranked(worth.bits(), id, number, row, cost)) {
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
        for group in 0..self.wide.groups.len() {
            let mut found = self.wide.groups.get(group).map_or(0, |group| group.found);
            while found != 0 {
                let first = group.wrapping_mul(super::super::ROWS_PER_BLOCK);
                let row = first.wrapping_add(found.trailing_zeros() as usize);
                found &= found.wrapping_sub(1);
                let (actor, now, previous) = self.standing(row, hysteresis);
                let full = actor.climb(actor.benefit, price);
                let discounted = actor.climb(hysteresis.discounted(actor.benefit), price);
                let to = previous.min(full).max(discounted);
                more = more.plus(actor.between(now, to));
                let before = actor.climb(actor.benefit, window.high);
                more_full = more_full.plus(actor.between(before, full));
                let level = actor.level(to);
                self.levels.get_mut(row).into_iter().for_each(|place| *place = level);
            }
        }
        self.assigned = self.assigned.wrapping_add(more.cost);
        (more, more_full)
    }

    fn queue_steps_of_marked(
        &self,
        number: usize,
        hysteresis: Hysteresis,
        upgrades: &mut UpgradeQueue<'_>,
    ) {
        let number = u16::try_from(number).unwrap_or(u16::MAX);
        for row in self.marked() {
            let (actor, now, previous) = self.standing(row, hysteresis);
            let benefit =
                if now < previous { actor.benefit } else { hysteresis.discounted(actor.benefit) };
            let worth = actor.slope_above(now).worth(benefit);
            if worth >= Price::MIN {
                let id = self.ids.get(row).copied().unwrap_or(0);
                let row = u32::try_from(row).unwrap_or(u32::MAX);
                upgrades.push(Upgrade::ranked(worth.bits(), id, number, row, 0));
            }
        }
    }

    fn buy_step(
        &mut self,
        row: usize,
        hysteresis: Hysteresis,
        (left, free): (u64, u64),
        is_whole: bool,
    ) -> Totals {
        let (actor, now, previous) = self.standing(row, hysteresis);
        let to = if now < previous {
            actor.best_above(now, previous, left)
        } else if is_whole {
            let to = actor.step_above(now);
            if actor.cost(to).saturating_sub(actor.cost(now)) <= free { to } else { now }
        } else {
            actor.best_above(now, actor.highest(), free)
        };
        let (more, level) = (actor.between(now, to), actor.level(to));
        self.levels.get_mut(row).into_iter().for_each(|place| *place = level);
        self.assigned = self.assigned.wrapping_add(more.cost);
        more
    }
}

impl ActorOptions<'_> {
    /// Returns the additional cost and value of another level index, wrapping if it is lower.
    fn between(&self, from: usize, to: usize) -> Totals {
        Totals {
            cost: self.cost(to).wrapping_sub(self.cost(from)),
            value: self.value(to).wrapping_sub(self.value(from)),
        }
    }
}
