//! The price of few actors, found from one step of an actor to the next.
//!
//! From levels that fit, actors take their next steps by falling break-even price until one does not fit. From levels that
//! cost too much, they give up their last steps by rising break-even price until the rest fits.

use super::{OptimalPhase, Plan};
use crate::benefit::Benefit;
use crate::budget::kernels::terms::{PriceWindow, Returning};
use crate::budget::module_view::{ModuleView, Modules, visit_upgrade};
use crate::budget::options::ActorOptions;
use crate::budget::policy::Hysteresis;
use crate::budget::price::Price;
use crate::budget::upgrade_queue::{CandidateUpgrade, UpgradeQueue, UpgradeSink};

/// The steps that a search takes or gives up, in the order of their rank.
#[derive(Clone, Copy)]
struct StepOrder {
    rises: bool,
    hysteresis: Hysteresis,
}

impl StepOrder {
    const fn rank(self, worth: Price) -> u32 {
        if self.rises { worth.bits() } else { Price::MAX.bits().saturating_sub(worth.bits()) }
    }

    /// Returns the least price above a step.
    const fn price_above(self, rank: u32) -> Price {
        Price::from_bits(self.rank(Price::from_bits(rank)).saturating_add(1))
    }

    /// Returns the index from which the next step leads up, of an actor at an index.
    fn step_at(self, now: usize, base: usize) -> Option<usize> {
        if self.rises { Some(now) } else { now.checked_sub(1).filter(|&from| from >= base) }
    }
}

impl<W: Modules + ?Sized, U: CandidateUpgrade> OptimalPhase<'_, W, U> {
    /// Plans few actors.
    pub(super) fn plan_by_row(&mut self) -> Plan {
        let (available, mut price) = (self.frame.available, self.last.unwrap_or(Price::MAX));
        let mut limit = available;
        let mut taken = self.take(PriceWindow::at(price), Returning::Leave);
        let cost = taken.totals.cost;
        if self.last.is_some() && self.hysteresis.dead_band > 0 && cost <= available {
            let low = available.saturating_sub(self.reserved());
            if cost > low {
                if taken.returning > 0 {
                    taken = self.take(PriceWindow::at(price), Returning::Return);
                }
                return self.stay(price, taken);
            }
            limit = low.max(self.frame.minimum);
        }
        let found = if self.size.rows > self.scratch.len() as u64 {
            self.price_by_passes(limit)
        } else {
            self.price_by_row(cost, limit)
        };
        // Of equal steps, the search may have taken some before one that did not fit. At the least price, none was left.
        if found.max(price) > Price::MIN {
            price = found;
            taken = self.take(PriceWindow::at(price), Returning::Leave);
        }
        self.fill(price, &taken)
    }

    /// Returns the least price at which the cost is at most `limit`, or after the greatest number of steps one at which it
    /// is. Modules have the levels at some price, with their cost; they change, unless both prices are the least one.
    fn price_by_row(&mut self, mut cost: u64, limit: u64) -> Price {
        if let Some(excess) = cost.checked_sub(limit).filter(|&excess| excess > 0) {
            if let Some(price) = self.search_steps(false, excess) {
                return price;
            }
            cost = self.take(PriceWindow::at(Price::MAX), Returning::Leave).totals.cost;
        }
        self.search_steps(true, limit.saturating_sub(cost)).unwrap_or(Price::MAX)
    }

    /// Takes steps as far as some money pays, or gives up steps until they saved it; returns the least price above the last
    /// step that is not taken. `None` if the greatest number of steps did not save the money.
    fn search_steps(&mut self, rises: bool, mut money: u64) -> Option<Price> {
        let order = StepOrder { rises, hysteresis: self.hysteresis };
        let passes = self.max_passes.map_or(u64::MAX, u64::from);
        let most = passes.saturating_mul(self.size.rows);
        let mut steps = UpgradeQueue::new(self.scratch);
        for index in 0..self.modules.count() {
            self.modules.visit(index, |module| module.queue_steps(index, order, &mut steps));
        }
        let (mut steps, mut count, mut last) = (steps.into_heap(), 0_u64, None);
        while let Some(first) = steps.first() {
            // A price is between steps of another rank.
            if count >= most && last != Some(first.rank()) {
                return rises.then_some(order.price_above(first.rank()));
            }
            (count, last) = (count.wrapping_add(1), Some(first.rank()));
            let step = |module: &mut ModuleView<'_>, row| module.step(row, order, money);
            let Some((rest, next)) = visit_upgrade(self.modules, &first, step).flatten() else {
                return Some(order.price_above(first.rank()));
            };
            money = rest;
            if next >= Price::MIN {
                steps.rank_first(order.rank(next));
            } else {
                steps.remove_first();
            }
        }
        Some(if rises { Price::MIN } else { Price::MAX })
    }
}

impl ModuleView<'_> {
    /// Adds the next step of each row, with its rank.
    #[inline(never)]
    fn queue_steps(&self, number: usize, order: StepOrder, steps: &mut dyn UpgradeSink) {
        let options = self.options();
        for (span, rows) in self.input.runs() {
            let mut options = options.of_span(span, Benefit::ZERO);
            for row in rows {
                let (now, previous) = self.indices(row, &mut options, order.hysteresis);
                let worth = self.next_worth(&options, order, (now, previous));
                if worth >= Price::MIN {
                    self.queue(steps, (number, row), order.rank(worth), 0);
                }
            }
        }
    }

    /// Returns the break-even price of the next step of an actor at an index, with a previous one.
    #[inline]
    fn next_worth(
        &self,
        options: &ActorOptions<'_>,
        order: StepOrder,
        (now, previous): (usize, usize),
    ) -> Price {
        let from = order.step_at(now, options.base);
        let applied = self.applied(order.hysteresis);
        from.map_or(Price::BELOW_MIN, |from| options.worth_above(from, previous, applied))
    }

    /// Takes or gives up a step of a row; returns the money that is left, and the break-even price of the row's next step.
    /// `None`, without a change, if the money does not pay the step, or if giving it up saves the money.
    #[inline(never)]
    fn step(&mut self, row: usize, order: StepOrder, money: u64) -> Option<(u64, Price)> {
        let mut options = self.options().of(row);
        let (now, previous) = self.indices(row, &mut options, order.hysteresis);
        let from = order.step_at(now, options.base)?;
        let above = from.wrapping_add(1);
        let cost = options.cost(above).saturating_sub(options.cost(from));
        let rest = money.checked_sub(cost).filter(|&rest| order.rises || rest > 0)?;
        let to = if order.rises { above } else { from };
        let (level, worth) = (options.level(to), self.next_worth(&options, order, (to, previous)));
        self.set_level(row, level);
        Some((rest, worth))
    }
}
