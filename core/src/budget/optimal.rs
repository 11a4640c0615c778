//! The greatest benefit times quality for a budget.
//!
//! Every actor takes the steps whose value is at least the price, the least at which all these steps fit. The rest is
//! less than some actor's next step, and is spent actor by actor.

// The path of a method would fix the lifetime of a module view.
#![allow(clippy::redundant_closure_for_method_calls)]

mod alone;
mod count;
mod fill;
mod improve;
mod levels;
mod local_search;
mod search;

use super::decision::{Decision, OptimalityCertificate};
use super::frame_budget::{FrameBudget, frame_budget};
use super::last::Carryover;
use super::module_view::{ModuleView, Modules};
use super::policy::{Hysteresis, Request};
use super::price::Price;
use super::scratch::Scratch;
use super::upgrade_limit::{limit_upgrades, switches};
use super::upgrade_queue::Upgrade;
use alone::alone;
use fill::{fill, fill_fractions};
pub(super) use improve::Incumbent;
use improve::improve;
pub(super) use levels::Totals;
use search::least_price;

#[inline(never)]
pub(super) fn optimal<W: Modules + ?Sized>(
    request: &Request,
    carryover: &mut Carryover,
    modules: &mut W,
    scratch: Scratch<'_>,
) -> Decision {
    let frame = frame_budget(request, modules);
    if frame.overcommit == 0 {
        make_slopes(modules, frame);
    }
    let price = least_price_of(modules, frame, request.hysteresis, carryover.price);
    carryover.price = Some(price);
    at_price(request, frame, price, modules, scratch)
}

/// Plans for a price, [`Price::MAX`] if not even the minimums fit.
pub(super) fn at_price<W: Modules + ?Sized>(
    request: &Request,
    frame: FrameBudget,
    price: Price,
    modules: &mut W,
    scratch: Scratch<'_>,
) -> Decision {
    let FrameBudget { available, overcommit, minimum } = frame;
    let hysteresis = request.hysteresis;
    let mut scratch = scratch;
    let mut upper_bound = None;
    if overcommit > 0 {
        totals(modules, |module| module.rest());
    } else {
        let bound = bound(price, available, totals(modules, |module| module.totals_at(price)));
        upper_bound = Some(bound);
        let mut spent = by_price(modules, frame, price, hysteresis, scratch.upgrades);
        if !hysteresis.is_on() && scratch.moves.len() > 1 {
            let value = totals(modules, |module| module.totals()).value;
            let least = totals(modules, |module| module.bases()).value;
            let incumbent = Incumbent { price, upper_bound: bound, value, least };
            if incumbent.is_open() {
                spent = improve(modules, frame, incumbent, &mut scratch).unwrap_or_else(|| {
                    by_price(modules, frame, price, hysteresis, scratch.upgrades)
                });
            }
        }
        fill_fractions(modules, available, spent, hysteresis, scratch.upgrades);
    }
    limit_upgrades(request, modules, scratch.upgrades);
    let Totals { cost: assigned, value } = totals(modules, |module| module.close());
    let upper_bound = upper_bound.unwrap_or(value).max(value);
    Decision {
        available,
        overcommit,
        minimum,
        price,
        assigned,
        certificate: Some(OptimalityCertificate { value, upper_bound }),
        switches: switches(modules),
        ..Decision::default()
    }
}

fn by_price<W: Modules + ?Sized>(
    modules: &mut W,
    frame: FrameBudget,
    price: Price,
    hysteresis: Hysteresis,
    scratch: &mut [Upgrade],
) -> u64 {
    let spent = totals(modules, |module| module.take_at(price, hysteresis)).cost;
    let spent = fill(modules, frame.available, spent, hysteresis, scratch);
    if hysteresis.is_on() { spent } else { alone(modules, frame, spent, scratch) }
}

/// Computes the value of the views' levels, and an upper bound for all levels with the same budget: a certificate of
/// any plan.
///
/// Levels stay unchanged; the views' slopes are used.
pub fn certify<W: Modules + ?Sized>(request: &Request, modules: &mut W) -> OptimalityCertificate {
    let frame = frame_budget(request, modules);
    let value = totals(modules, |module| module.totals()).value;
    if frame.overcommit > 0 {
        return OptimalityCertificate { value, upper_bound: value };
    }
    make_slopes(modules, frame);
    let price = least_price_of(modules, frame, Hysteresis::OFF, None);
    let at_price = totals(modules, |module| module.totals_at(price));
    let upper_bound = bound(price, frame.available, at_price).max(value);
    OptimalityCertificate { value, upper_bound }
}

pub(super) fn make_slopes<W: Modules + ?Sized>(modules: &mut W, frame: FrameBudget) {
    let spare = frame.available.saturating_sub(frame.minimum);
    let spare = u32::try_from(spare).unwrap_or(u32::MAX);
    each(modules, |module| {
        if !module.slopes.valid_for.holds(spare) {
            module.make_slopes(spare);
        }
    });
}

/// Returns the previous price if the dead band allows it, else the least at which all steps fit; [`Price::MAX`] if not
/// even the minimums fit.
pub(super) fn least_price_of<W: Modules + ?Sized>(
    modules: &mut W,
    frame: FrameBudget,
    hysteresis: Hysteresis,
    last: Option<Price>,
) -> Price {
    if frame.overcommit > 0 {
        return Price::MAX;
    }
    let available = frame.available;
    let mut cost = |price| {
        (0..modules.count()).fold(0_u64, |sum, index| {
            let cost = modules.visit(index, |module| module.cost_at(price, hysteresis));
            sum.saturating_add(cost.unwrap_or(0))
        })
    };
    match last {
        Some(last) if hysteresis.dead_band > 0 => {
            let now = cost(last);
            let low = available.saturating_sub(hysteresis.reserved(available));
            if now > available {
                least_price(Some(last), available, cost)
            } else if now <= low {
                least_price(Some(last), low.max(frame.minimum), cost)
            } else {
                last
            }
        }
        _ => least_price(last, available, cost),
    }
}

/// Returns an upper bound for the value of all levels, in 2⁻³¹, from the totals of all steps worth the price.
///
/// These steps maximise value − price × cost; no levels exceed that maximum plus price × budget. Slopes are less than
/// 2⁻³⁰ too small: at a price higher by this part the same levels are optimal, except for steps that lose less than
/// this part of their value.
pub(super) fn bound(price: Price, available: u64, at_price: Totals) -> u64 {
    let Totals { cost, value } = at_price;
    if price == Price::MIN && cost <= available {
        return value;
    }
    let left = price.of(available.saturating_sub(cost));
    let lacks = price.of(cost.saturating_sub(available)).saturating_sub(2);
    let bound = value.saturating_add(left).saturating_sub(lacks);
    bound.saturating_add(value.max(bound) >> 29).saturating_add(1)
}

fn each<W: Modules + ?Sized>(modules: &mut W, mut see: impl FnMut(&mut ModuleView<'_>)) {
    for index in 0..modules.count() {
        modules.visit(index, &mut see);
    }
}

fn totals<W: Modules + ?Sized>(
    modules: &mut W,
    mut see: impl FnMut(&mut ModuleView<'_>) -> Totals,
) -> Totals {
    (0..modules.count()).fold(Totals::default(), |sum, index| {
        sum.plus(modules.visit(index, &mut see).unwrap_or_default())
    })
}
