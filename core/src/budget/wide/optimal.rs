//! The optimal policy for very many actors.
//!
//! One pass evaluates several prices. Near the price, a pass takes all steps of a little more value and marks the
//! actors with another step at a slightly lower price: the price lies among these, and they spend the rest first.

// The path of a method would fix the lifetime of a module view.
#![allow(clippy::redundant_closure_for_method_calls)]

mod fill;
mod mark;
mod search;
mod take;
#[cfg(test)]
mod tests;

use super::claims::{MinimumKernel, SwitchKernel};
use super::general::keep_all_of;
use super::group::CachedAssignment;
use super::tables::TableShape;
use crate::benefit::Benefit;
use crate::budget::cutoff::WarmStart;
use crate::budget::decision::{Decision, OptimalityCertificate};
use crate::budget::frame_budget::FrameBudget;
use crate::budget::ladder::Ladders;
use crate::budget::last::Carryover;
use crate::budget::module_view::{Kernel, ModuleView, Modules, PartialResult};
use crate::budget::optimal::{Incumbent, Totals, at_price, bound, least_price_of, make_slopes};
use crate::budget::options::{ModuleOptions, PreviousLevels};
use crate::budget::policy::{Hysteresis, Request};
use crate::budget::price::Price;
use crate::budget::scratch::Scratch;
use crate::budget::slope::{Slope, base, quality};
use crate::budget::upgrade_limit::limit_upgrades;
use crate::budget::upgrade_queue::{Upgrade, UpgradeQueue};
use fill::Fill;
use search::PriceSearch;
use take::{CostKernel, PriceWindow, TakeKernel, TakeTotals};

pub(in crate::budget) fn optimal<W: Modules + ?Sized>(
    request: &Request,
    carryover: &mut Carryover,
    modules: &mut W,
    scratch: Scratch<'_>,
) -> Decision {
    let minimum = ask(modules, &MinimumKernel);
    let frame = FrameBudget::of(request, minimum);
    if frame.overcommit == 0 {
        make_slopes(modules, frame);
    }
    let is_plain = (0..modules.count())
        .all(|index| modules.visit(index, |module| module.is_plain()).unwrap_or(true));
    let plan = is_plain.then(|| {
        let phase = OptimalPhase { frame, hysteresis: request.hysteresis, last: carryover.price };
        phase.plan(modules, scratch.upgrades)
    });
    let mut decision = match plan {
        Some(plan) if !plan.may_be_better(modules, frame, request.hysteresis, &scratch) => {
            carryover.price = Some(plan.price);
            let saved = limit_upgrades(request, modules, scratch.upgrades);
            plan.decision(frame, saved)
        }
        _ => {
            keep_all_of(modules);
            let price = match &plan {
                Some(plan) => plan.price,
                None => least_price_of(modules, frame, request.hysteresis, carryover.price),
            };
            carryover.price = Some(price);
            at_price(request, frame, price, modules, scratch)
        }
    };
    decision.switches = u32::try_from(ask(modules, &SwitchKernel)).unwrap_or(u32::MAX);
    decision
}

struct OptimalPhase {
    frame: FrameBudget,
    hysteresis: Hysteresis,
    /// The previous price.
    last: Option<Price>,
}

struct Plan {
    price: Price,
    totals: Totals,
    bound: u64,
    least: u64,
}

impl OptimalPhase {
    fn plan<W: Modules + ?Sized>(&self, modules: &mut W, scratch: &mut [Upgrade]) -> Plan {
        let &Self { frame, hysteresis, last } = self;
        let FrameBudget { available, overcommit, minimum } = frame;
        if overcommit > 0 {
            let taken = self.take(modules, PriceWindow::at(Price::MAX), false);
            let bound = taken.totals.value;
            return Plan { price: Price::MAX, totals: taken.totals, bound, least: taken.least };
        }
        let warm_start = modules.visit(0, |module| module.wide.warm_start).unwrap_or_default();
        let mut search = PriceSearch::new(available, last, warm_start.spread());
        if let Some(last) = last.filter(|_| hysteresis.dead_band > 0) {
            let taken = self.take(modules, PriceWindow::at(last), true);
            let cost = taken.totals.cost;
            let low = available.saturating_sub(hysteresis.reserved(available));
            if cost <= available && cost > low {
                return self.stay(modules, last, taken, scratch);
            }
            if cost <= low {
                search = PriceSearch::new(low.max(minimum), Some(last), warm_start.spread());
            }
            search.note(last.bits(), cost, None);
        }
        let (price, window, taken) = self.search(modules, &mut search, warm_start, scratch);
        let (mut totals, mut full) = (taken.totals, taken.full);
        if taken.found <= fill::MANY {
            for index in 0..modules.count() {
                let more =
                    modules.visit(index, |module| module.take_marked(price, window, hysteresis));
                let (more, more_full) = more.unwrap_or_default();
                (totals, full) = (totals.plus(more), full.plus(more_full));
            }
        }
        let bound = bound(price, available, full);
        let mut fill = Fill::new(modules, frame, hysteresis, price, totals);
        fill.run(modules, PriceWindow { high: price, ..window }, &taken, scratch);
        let few = fill.served.saturating_mul(8).saturating_add(fill::MANY / 2);
        let too_many = !fill.has_missed && taken.found > few;
        let next = warm_start.after(price.bits(), fill.has_missed, too_many);
        modules.visit(0, |module| module.wide.warm_start = next);
        Plan { price, totals: fill.totals, bound, least: taken.least }
    }

    /// Keeps the previous price, as the dead band allows. Levels are those at the price, and all actors have returned
    /// to their previous levels: they stay if the budget pays for it.
    fn stay<W: Modules + ?Sized>(
        &self,
        modules: &mut W,
        price: Price,
        taken: TakeTotals,
        scratch: &mut [Upgrade],
    ) -> Plan {
        let available = self.frame.available;
        let (bound, least) = (bound(price, available, taken.full), taken.least);
        if taken.back.cost <= available.saturating_sub(taken.totals.cost) {
            return Plan { price, totals: taken.totals.plus(taken.back), bound, least };
        }
        let window = PriceWindow::at(price);
        let taken = self.take(modules, window, false);
        let mut fill = Fill::new(modules, self.frame, self.hysteresis, price, taken.totals);
        fill.run(modules, window, &taken, scratch);
        Plan { price, totals: fill.totals, bound, least }
    }

    /// Finds the least price at which all fits. Returns it with the window at whose high end the levels are.
    fn search<W: Modules + ?Sized>(
        &self,
        modules: &mut W,
        search: &mut PriceSearch,
        warm_start: WarmStart,
        scratch: &mut [Upgrade],
    ) -> (Price, PriceWindow, TakeTotals) {
        loop {
            if let Some(window) = search.window(warm_start.reach().of_price()) {
                let taken = self.take(modules, window, false);
                if let Some(price) = search.price() {
                    return (price, window, taken);
                }
                let cost = taken.totals.cost;
                let found = (taken.found <= fill::MANY)
                    .then(|| self.price_in(modules, window, search.limit(), cost, scratch))
                    .flatten();
                if let Some(price) = search.check(window, cost, found) {
                    return (price, window, taken);
                }
                if search.window(0).is_some() {
                    continue;
                }
            }
            let prices = search.pivots();
            let results = ask(modules, &CostKernel { prices, hysteresis: self.hysteresis });
            search.pass(results);
        }
    }

    /// Returns the least price in a window at which the cost is at most `limit`, if it is `cost` at the high end.
    fn price_in<W: Modules + ?Sized>(
        &self,
        modules: &mut W,
        window: PriceWindow,
        limit: u64,
        cost: u64,
        scratch: &mut [Upgrade],
    ) -> Option<Price> {
        let mut left = limit.checked_sub(cost)?;
        let mut upgrades = UpgradeQueue::new(scratch);
        for index in 0..modules.count() {
            let has_space = modules.visit(index, |module| {
                module.queue_steps_in(index, window, self.hysteresis, &mut upgrades)
            });
            if has_space == Some(false) {
                return None;
            }
        }
        let mut missing = None;
        upgrades.visit(|upgrade| {
            match left.checked_sub(upgrade.rest()) {
                Some(rest) => left = rest,
                None => missing = Some(upgrade.benefit()),
            }
            missing.is_none()
        });
        match missing {
            Some(worth) => Some(Price::from_bits(worth.saturating_add(1))),
            None => (window.low == Price::MIN).then_some(Price::MIN),
        }
    }

    fn take<W: Modules + ?Sized>(
        &self,
        modules: &mut W,
        window: PriceWindow,
        returns: bool,
    ) -> TakeTotals {
        let kernel = TakeKernel { window, hysteresis: self.hysteresis, returns };
        (0..modules.count()).fold(TakeTotals::default(), |sum, index| {
            let taken = modules.map_reduce(index, &kernel);
            modules.visit(index, |module| {
                module.assigned = taken.totals.plus(taken.back).cost;
                // The levels were not assigned by share.
                module.wide.cached = CachedAssignment::default();
            });
            sum.plus(taken)
        })
    }
}

impl Plan {
    /// Whether the local search, or one actor with the whole budget, may find a better plan.
    fn may_be_better<W: Modules + ?Sized>(
        &self,
        modules: &mut W,
        frame: FrameBudget,
        hysteresis: Hysteresis,
        scratch: &Scratch<'_>,
    ) -> bool {
        let &Self { price, totals: Totals { value, .. }, bound: upper_bound, least } = self;
        let incumbent = Incumbent { price, upper_bound, value, least };
        frame.overcommit == 0
            && !hysteresis.is_on()
            && (scratch.moves.len() > 1 && incumbent.is_open()
                || can_be_alone(modules, value, least))
    }

    fn decision(&self, frame: FrameBudget, saved: Totals) -> Decision {
        let FrameBudget { available, overcommit, minimum } = frame;
        let &Self { price, totals, bound, .. } = self;
        let value = totals.value.wrapping_sub(saved.value);
        let certificate = Some(OptimalityCertificate { value, upper_bound: bound.max(value) });
        let assigned = totals.cost.wrapping_sub(saved.cost);
        Decision {
            available,
            overcommit,
            minimum,
            price,
            assigned,
            certificate,
            ..Decision::default()
        }
    }
}

/// Whether one actor with the whole budget, and all others at their lowest levels, may have more value.
fn can_be_alone<W: Modules + ?Sized>(modules: &mut W, value: u64, least: u64) -> bool {
    (0..modules.count()).any(|index| {
        let gain = modules.visit(index, |module| module.greatest_gain()).unwrap_or(0);
        let beats = |benefit: u32| {
            least.saturating_add(u64::from(benefit).wrapping_mul(gain.into())) > value
        };
        beats(Benefit::MAX.bits()) && beats(modules.map_reduce(index, &GreatestBenefit).0)
    })
}

struct GreatestBenefit;

#[derive(Default)]
struct Most(u32);

impl PartialResult for Most {
    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        Self(self.0.max(other.0))
    }
}

impl Kernel for GreatestBenefit {
    type Partial = Most;

    #[inline(always)]
    fn run(&self, part: &mut ModuleView<'_>) -> Most {
        Most(part.input.benefits.iter().fold(0, |most, benefit| most.max(benefit.bits())))
    }
}

fn ask<W: Modules + ?Sized, Q: Kernel>(modules: &mut W, kernel: &Q) -> Q::Partial {
    (0..modules.count())
        .fold(Q::Partial::default(), |sum, index| sum.plus(modules.map_reduce(index, kernel)))
}

impl ModuleView<'_> {
    fn is_plain(&self) -> bool {
        TableShape::of(self).is_some() && self.ids.len() >= self.input.benefits.len()
    }

    fn shared_slopes(&self) -> &[Slope] {
        if self.slopes.of_costs.is_empty() { self.wide.slopes } else { self.slopes.of_costs }
    }

    /// Returns the options without hysteresis; parts of a view share the slopes.
    pub(super) fn shared_options(&self) -> ModuleOptions<'_> {
        let (slopes, previous) = (self.shared_slopes(), PreviousLevels::NONE);
        ModuleOptions::new(self.input, self.qualities, slopes, previous, Hysteresis::OFF)
    }

    fn greatest_gain(&self) -> u32 {
        let Ladders { spans, costs } = self.input.ladders;
        spans.iter().fold(0, |most, &span| {
            let costs = Ladders::part(span, costs);
            let qualities = Ladders::beside(span, costs.len(), self.qualities);
            let best =
                qualities.iter().fold(0_u32, |best, quality| best.max(quality.bits().into()));
            most.max(best.saturating_sub(quality(qualities, base(costs))))
        })
    }
}
