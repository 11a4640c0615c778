//! An actor among its options, row by row.

use core::ops::Range;

use super::decision::Totals;
use super::demand::ModuleInput;
use super::kernels::terms::{LeftoverBudget, PriceWindow};
use super::ladder::LadderSpan;
use super::module_view::{ModuleView, PartialResult};
use super::options::{ActorOptions, ModuleOptions};
use super::policy::Hysteresis;
use super::price::Price;
use super::upgrade_queue::UpgradeSink;
use crate::benefit::Benefit;

/// An actor, its current and its previous level index. Without hysteresis, the previous index is the base.
pub(super) struct Standing<'a> {
    pub(super) options: ActorOptions<'a>,
    pub(super) now: usize,
    pub(super) previous: usize,
    hysteresis: Hysteresis,
}

impl Standing<'_> {
    /// Returns what the hull step above an index is worth.
    #[inline]
    pub(super) fn worth_above(&self, level_index: usize) -> Price {
        self.options.worth_above(level_index, self.previous, self.hysteresis)
    }

    /// Returns the index after all steps that are worth a price, and the same of the whole benefit.
    #[cfg_attr(not(all(target_arch = "arm", not(target_has_atomic = "32"))), inline)]
    #[cfg_attr(all(target_arch = "arm", not(target_has_atomic = "32")), inline(never))]
    pub(super) fn indices_at(&self, price: Price) -> (usize, usize) {
        let Self { options, previous, hysteresis, .. } = self;
        let full = options.climb(options.base, options.benefit, price);
        if full <= *previous || hysteresis.margin == 0 {
            return (full, full);
        }
        let discounted = hysteresis.discounted(options.benefit);
        (options.climb(*previous, discounted, price), full)
    }
}

/// The next step of an actor, back to its previous level or above it, and the budget for it.
#[derive(Clone, Copy)]
pub(super) struct PaidStep {
    pub(super) budget: LeftoverBudget,
    /// Whether a step above the previous level is a whole hull step.
    pub(super) is_whole: bool,
}

impl PaidStep {
    /// Whether the budget pays the step of an actor at an index.
    #[inline]
    pub(super) fn pays(self, options: &ActorOptions<'_>, now: usize, previous: usize) -> bool {
        let next = now.wrapping_add(1);
        let (to, money) = match (now < previous, self.is_whole) {
            (true, _) => (next, self.budget.left),
            (false, true) => (options.step_above(now), self.budget.free()),
            (false, false) => (next, self.budget.free()),
        };
        options.cost(to).saturating_sub(options.cost(now)) <= money
    }
}

/// The number of benefits whose sum fits 32 bits.
const LONGEST_RUN: usize = 1 << 8;

impl<'a> ModuleInput<'a> {
    /// Returns the runs of at most [`LONGEST_RUN`] rows that share a ladder, with its span.
    pub(super) fn runs(self) -> impl Iterator<Item = (LadderSpan, Range<usize>)> + use<'a> {
        let (ladders, kinds, rows) = (self.ladders, self.ladder, self.benefits.len());
        let next = move |from: usize| {
            let (kind, len) = kinds.run(from, rows.saturating_sub(from).min(LONGEST_RUN));
            (len > 0).then(|| (ladders.span(kind), from..from.wrapping_add(len)))
        };
        core::iter::successors(next(0), move |(_, run)| next(run.end))
    }
}

impl ModuleView<'_> {
    pub(super) fn standing(&self, row: usize, hysteresis: Hysteresis) -> Standing<'_> {
        self.actor(self.options().of(row), row, hysteresis)
    }

    /// Returns the actor of a row with its options.
    #[inline]
    pub(super) fn actor<'a>(
        &self,
        mut options: ActorOptions<'a>,
        row: usize,
        hysteresis: Hysteresis,
    ) -> Standing<'a> {
        let (now, previous) = self.indices(row, &mut options, hysteresis);
        Standing { options, now, previous, hysteresis: self.applied(hysteresis) }
    }

    /// Sets options to those of the actor in a row, which has their ladder; returns its current and its previous level
    /// index. Without hysteresis, the previous index is the base.
    #[inline]
    pub(super) fn indices(
        &self,
        row: usize,
        options: &mut ActorOptions<'_>,
        hysteresis: Hysteresis,
    ) -> (usize, usize) {
        options.benefit = self.input.benefits.get(row).copied().unwrap_or_default();
        let now = options.level_index(self.levels.get(row).copied().unwrap_or(0));
        (now, self.previous_index(row, options, hysteresis))
    }

    #[inline]
    pub(super) fn previous_index(
        &self,
        row: usize,
        options: &ActorOptions<'_>,
        hysteresis: Hysteresis,
    ) -> usize {
        if hysteresis.is_on() {
            options.index_of_previous(self.previous_level(row))
        } else {
            options.base
        }
    }

    /// Returns the hysteresis of the module. A continuous one can be upgraded by any amount, so no margin applies; its
    /// previous levels count.
    #[inline]
    pub(super) fn applied(&self, hysteresis: Hysteresis) -> Hysteresis {
        Hysteresis {
            margin: if self.input.continuous { 0 } else { hysteresis.margin },
            ..hysteresis
        }
    }

    /// Calls `see` with each run of rows that share a ladder, and the options of their actors without the benefit. It may
    /// change levels.
    #[inline]
    pub(super) fn each_run(
        &mut self,
        mut see: impl FnMut(&mut Self, &mut ActorOptions<'_>, Range<usize>),
    ) {
        let slopes = core::mem::take(&mut self.slopes.of_costs);
        let shared = if slopes.is_empty() { self.wide.slopes } else { &*slopes };
        let (input, qualities) = (self.input, self.qualities);
        let options = ModuleOptions { input, qualities, slopes: shared };
        for (span, rows) in input.runs() {
            see(self, &mut options.of_span(span, Benefit::ZERO), rows);
        }
        self.slopes.of_costs = slopes;
    }

    /// Calls `see` with each row and its actor. It may change levels.
    #[inline]
    pub(super) fn each_actor(
        &mut self,
        hysteresis: Hysteresis,
        mut see: impl FnMut(&mut Self, usize, &Standing<'_>),
    ) {
        self.each_run(|part, options, rows| {
            for row in rows {
                see(part, row, &part.actor(*options, row, hysteresis));
            }
        });
    }

    /// Adds all steps of marked rows that are worth a price of the window; returns whether there was space.
    pub(super) fn queue_steps_in(
        &self,
        window: PriceWindow,
        hysteresis: Hysteresis,
        upgrades: &mut dyn UpgradeSink,
    ) -> bool {
        self.marked().all(|row| {
            let actor = self.standing(row, hysteresis);
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
                if !upgrades.push(worth.bits(), 0, 0, 0, cost) {
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
            more = more.plus(actor.options.between(actor.now, to));
            more_full =
                more_full.plus(actor.options.between(actor.indices_at(window.high).1, full));
            let level = actor.options.level(to);
            self.set_level(row, level);
            next = self.next_marked(row.wrapping_add(1));
        }
        self.assigned = self.assigned.wrapping_add(more.cost);
        (more, more_full)
    }

    /// Adds the next steps that are worth at least `low`, of all rows if the budget pays them, or of marked rows.
    pub(super) fn queue_next_steps(
        &self,
        number: usize,
        (has_all, low): (bool, Price),
        (step, hysteresis): (PaidStep, Hysteresis),
        upgrades: &mut dyn UpgradeSink,
    ) {
        let mut queue = |row: usize, worth: Price| {
            if worth >= low {
                self.queue(upgrades, (number, row), worth.bits(), 0);
            }
        };
        if !has_all {
            for row in self.marked() {
                let actor = self.standing(row, hysteresis);
                queue(row, actor.worth_above(actor.now));
            }
            return;
        }
        let (options, applied) = (self.options(), self.applied(hysteresis));
        for (span, rows) in self.input.runs() {
            let mut options = options.of_span(span, Benefit::ZERO);
            for row in rows {
                let (now, previous) = self.indices(row, &mut options, hysteresis);
                if step.pays(&options, now, previous) {
                    queue(row, options.worth_above(now, previous, applied));
                }
            }
        }
    }

    /// Assigns a row another level index; returns the additional totals, wrapping if it is lower.
    pub(super) fn move_to(&mut self, row: usize, level_index: usize) -> Totals {
        let actor = self.standing(row, Hysteresis::OFF);
        let more = actor.options.between(actor.now, level_index);
        let level = actor.options.level(level_index);
        self.set_level(row, level);
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
        let (more, level) = (options.between(now, to), options.level(to));
        self.set_level(row, level);
        self.assigned = self.assigned.wrapping_add(more.cost);
        more
    }
}
