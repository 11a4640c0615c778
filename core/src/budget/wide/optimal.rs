//! The optimal policy for very many actors.
//!
//! One pass evaluates several prices. Near the price, a pass takes all steps of a little more value and marks the
//! actors with another step at a slightly lower price: the price lies among these, and they spend the rest first.

// The path of a method would fix the lifetime of a module view.
#![allow(clippy::redundant_closure_for_method_calls)]

mod count;
mod fill;
mod find;
mod found;
mod search;
mod tables;
mod take;
#[cfg(test)]
mod tests;

use super::claims::{MinimumKernel, SwitchKernel};
use super::general::keep_all_of;
use super::group::CachedAssignment;
use super::steps::TableShape;
use crate::budget::cutoff::WarmStart;
use crate::budget::decision::{Decision, OptimalityCertificate};
use crate::budget::frame_budget::FrameBudget;
use crate::budget::last::Carryover;
use crate::budget::module_view::{Kernel, ModuleView, Modules, PartialResult};
use crate::budget::optimal::{Incumbent, Totals, at_price, bound, make_slopes};
use crate::budget::policy::Request;
use crate::budget::price::Price;
use crate::budget::scratch::Scratch;
use crate::budget::upgrade_queue::Upgrade;
use count::CostAt;
use fill::fill;
use search::PriceSearch;
use tables::can_be_alone;
use take::{AssignTotals, PriceWindow, Take};

pub(in crate::budget) fn optimal<W: Modules + ?Sized>(
    request: &Request,
    carryover: &mut Carryover,
    modules: &mut W,
    scratch: Scratch<'_>,
) -> Decision {
    let minimum = ask(modules, &MinimumKernel);
    let frame = FrameBudget::of(request, minimum);
    let FrameBudget { available, overcommit, .. } = frame;
    if overcommit == 0 {
        make_slopes(modules, frame);
    }
    let is_plain = (0..modules.count())
        .all(|index| modules.visit(index, |module| module.is_plain()).unwrap_or(true));
    let warm_start = modules.visit(0, |module| module.wide.warm_start).unwrap_or_default();
    let mut search = PriceSearch::new(available, carryover.price, warm_start.spread());
    let planned = if overcommit > 0 {
        is_plain.then(|| Planned::lowest(modules))
    } else if is_plain {
        Some(Planned::new(modules, available, &mut search, warm_start, scratch.upgrades))
    } else {
        None
    };
    let price = match &planned {
        Some(planned) => planned.price,
        None if overcommit > 0 => Price::MAX,
        None => least_price(modules, &mut search),
    };
    carryover.price = Some(price);
    let mut decision = match planned {
        Some(planned) if !planned.may_be_better(modules, frame, &scratch) => {
            planned.decision(frame)
        }
        _ => {
            keep_all_of(modules);
            at_price(request, frame, price, modules, scratch)
        }
    };
    decision.switches = u32::try_from(ask(modules, &SwitchKernel)).unwrap_or(u32::MAX);
    decision
}

struct Planned {
    price: Price,
    totals: Totals,
    bound: u64,
    least: u64,
}

impl Planned {
    fn lowest<W: Modules + ?Sized>(modules: &mut W) -> Self {
        let taken = take(modules, PriceWindow { low: Price::MAX, high: Price::MAX });
        let bound = taken.totals.value;
        Self { price: Price::MAX, totals: taken.totals, bound, least: taken.least }
    }

    fn new<W: Modules + ?Sized>(
        modules: &mut W,
        available: u64,
        search: &mut PriceSearch,
        warm_start: WarmStart,
        scratch: &mut [Upgrade],
    ) -> Self {
        let (price, low, taken) = loop {
            if let Some(window) = search.window(warm_start.reach().of_price()) {
                let taken = take(modules, window);
                if let Some(price) = search.price() {
                    break (price, window.low, taken);
                }
                let found = (taken.found <= fill::MANY)
                    .then(|| found::price(modules, window, available, taken.totals.cost, scratch))
                    .flatten();
                if let Some(price) = search.check(window, taken.totals.cost, found) {
                    break (price, window.low, taken);
                }
            }
            let results = ask(modules, &CostAt(search.pivots()));
            search.pass(results);
        };
        let window = PriceWindow { low, high: price };
        let (at_price, filled) = fill(modules, window, taken, available, scratch);
        let (too_few, too_many) = (filled.has_missed, filled.has_too_many(taken.found));
        let next = warm_start.after(price.bits(), too_few, too_many);
        modules.visit(0, |module| module.wide.warm_start = next);
        Self {
            price,
            totals: filled.totals,
            bound: bound(price, available, at_price),
            least: taken.least,
        }
    }

    fn may_be_better<W: Modules + ?Sized>(
        &self,
        modules: &mut W,
        frame: FrameBudget,
        scratch: &Scratch<'_>,
    ) -> bool {
        let &Self { price, totals: Totals { value, .. }, bound: upper_bound, least } = self;
        let incumbent = Incumbent { price, upper_bound, value, least };
        frame.overcommit == 0
            && (scratch.moves.len() > 1 && incumbent.is_open()
                || can_be_alone(modules, value, least))
    }

    fn decision(&self, frame: FrameBudget) -> Decision {
        let FrameBudget { available, overcommit, minimum } = frame;
        let &Self { price, totals: Totals { cost: assigned, value }, bound, .. } = self;
        let certificate = Some(OptimalityCertificate { value, upper_bound: bound.max(value) });
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

fn least_price<W: Modules + ?Sized>(modules: &mut W, search: &mut PriceSearch) -> Price {
    loop {
        if let Some(price) = search.price() {
            return price;
        }
        let results = ask(modules, &CostAt(search.pivots()));
        search.pass(results);
    }
}

fn take<W: Modules + ?Sized>(modules: &mut W, window: PriceWindow) -> AssignTotals {
    (0..modules.count()).fold(AssignTotals::default(), |sum, index| {
        let taken = modules.map_reduce(index, &Take(window));
        modules.visit(index, |module| {
            module.assigned = taken.totals.cost;
            // The levels were not assigned by share.
            module.wide.cached = CachedAssignment::default();
        });
        sum.plus(taken)
    })
}

fn ask<W: Modules + ?Sized, Q: Kernel>(modules: &mut W, kernel: &Q) -> Q::Partial {
    (0..modules.count())
        .fold(Q::Partial::default(), |sum, index| sum.plus(modules.map_reduce(index, kernel)))
}

impl ModuleView<'_> {
    fn is_plain(&self) -> bool {
        TableShape::of(self).is_some() && self.ids.len() >= self.input.benefits.len()
    }
}
