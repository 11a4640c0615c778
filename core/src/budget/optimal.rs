//! The greatest benefit times quality for a budget.
//!
//! The budget has one price, its Lagrange multiplier: an actor takes every step whose value is at least
//! the price, and the price is the least at which all these steps fit. The remaining budget is less than
//! some actor's next step costs, and is spent actor by actor.

// The path of a method would fix the lifetime of a book.
#![allow(clippy::redundant_closure_for_method_calls)]

mod alone;
mod count;
mod fill;
mod levels;
mod refine;
mod search;
mod trials;

use super::decision::{Certificate, Decision};
use super::last::Standing;
use super::module_view::{Book, Walk};
use super::policy::{Request, Stability};
use super::price::Price;
use super::raises::{cap_raises, flips};
use super::room::Room;
use super::settlement::{Settlement, settle};
use super::upgrade_queue::Bid;
use alone::alone;
use fill::{fill, fill_fractions};
pub(super) use levels::Totals;
pub(super) use refine::Known;
use refine::refine;
use search::least_price;

/// Decides by the optimal policy.
#[inline(never)]
pub(super) fn optimal<W: Walk + ?Sized>(
    request: &Request,
    standing: &mut Standing,
    walk: &mut W,
    room: Room<'_>,
) -> Decision {
    let settlement = settle(request, walk);
    let price = if settlement.overcommit > 0 {
        Price::MAX
    } else {
        make_slopes(walk, settlement);
        price(settlement, request.stability, standing.price, walk)
    };
    standing.price = Some(price);
    at_price(request, settlement, price, walk, room)
}

/// Makes the plan for a price, which is [`Price::MAX`] if not even the minimums fit.
pub(super) fn at_price<W: Walk + ?Sized>(
    request: &Request,
    settlement: Settlement,
    price: Price,
    walk: &mut W,
    room: Room<'_>,
) -> Decision {
    let Settlement { available, overcommit, minimum } = settlement;
    let stability = request.stability;
    let mut room = room;
    let mut upper_bound = None;
    if overcommit > 0 {
        totals(walk, |book| book.rest());
    } else {
        let bound = bound(price, available, totals(walk, |book| book.totals_at(price)));
        upper_bound = Some(bound);
        let mut spent = by_price(walk, settlement, price, stability, room.bids);
        if !stability.is_on() && room.trials.len() > 1 {
            let value = totals(walk, |book| book.totals()).value;
            let least = totals(walk, |book| book.feet()).value;
            let known = Known { price, upper_bound: bound, value, least };
            if known.is_open() {
                spent = refine(walk, settlement, known, &mut room)
                    .unwrap_or_else(|| by_price(walk, settlement, price, stability, room.bids));
            }
        }
        fill_fractions(walk, available, spent, stability, room.bids);
    }
    cap_raises(request, walk, room.bids);
    let Totals { cost: assigned, value } = totals(walk, |book| book.close());
    let upper_bound = upper_bound.unwrap_or(value).max(value);
    Decision {
        available,
        overcommit,
        minimum,
        price,
        assigned,
        certificate: Some(Certificate { value, upper_bound }),
        flips: flips(walk),
        ..Decision::default()
    }
}

/// Assigns the levels at a price and spends the rest. Returns the amount spent, in nanoseconds.
fn by_price<W: Walk + ?Sized>(
    walk: &mut W,
    settlement: Settlement,
    price: Price,
    stability: Stability,
    room: &mut [Bid],
) -> u64 {
    let spent = totals(walk, |book| book.take_at(price, stability)).cost;
    let spent = fill(walk, settlement.available, spent, stability, room);
    if stability.is_on() { spent } else { alone(walk, settlement, spent, room) }
}

/// Computes the value of the levels in the books, and an upper bound for all levels with the same budget:
/// the certificate of the proportional policy, or of any other levels.
///
/// The levels stay unchanged; the slopes of the books are used.
pub fn certify<W: Walk + ?Sized>(request: &Request, walk: &mut W) -> Certificate {
    let settlement = settle(request, walk);
    let value = totals(walk, |book| book.totals()).value;
    if settlement.overcommit > 0 {
        return Certificate { value, upper_bound: value };
    }
    make_slopes(walk, settlement);
    let price = price(settlement, Stability::OFF, None, walk);
    let at_price = totals(walk, |book| book.totals_at(price));
    let upper_bound = bound(price, settlement.available, at_price).max(value);
    Certificate { value, upper_bound }
}

/// Recomputes slopes that are not valid for this budget.
pub(super) fn make_slopes<W: Walk + ?Sized>(walk: &mut W, settlement: Settlement) {
    let spare = settlement.available.saturating_sub(settlement.minimum);
    let spare = u32::try_from(spare).unwrap_or(u32::MAX);
    each(walk, |book| {
        if !book.slopes.made_for.holds(spare) {
            book.make_slopes(spare);
        }
    });
}

/// Returns the price: the previous one if the dead band allows it, else the least at which all steps
/// fit.
fn price<W: Walk + ?Sized>(
    settlement: Settlement,
    stability: Stability,
    last: Option<Price>,
    walk: &mut W,
) -> Price {
    let available = settlement.available;
    let mut cost = |price| {
        (0..walk.accounts()).fold(0_u64, |sum, account| {
            let cost = walk.visit(account, |book| book.cost_at(price, stability));
            sum.saturating_add(cost.unwrap_or(0))
        })
    };
    match last {
        Some(last) if stability.reserve > 0 => {
            let now = cost(last);
            let low = available.saturating_sub(stability.reserved(available));
            if now > available {
                least_price(Some(last), available, cost)
            } else if now <= low {
                least_price(Some(last), low.max(settlement.minimum), cost)
            } else {
                last
            }
        }
        _ => least_price(last, available, cost),
    }
}

/// Returns an upper bound for the value of all levels with that budget, in 2⁻³¹, from the totals of all
/// steps that are worth the price.
///
/// These steps maximise value − price × cost, so no other levels exceed that maximum plus
/// price × budget. The price is exact, and slopes are less than 2⁻³⁰ too small: at a price that is higher
/// by this part the same levels are optimal, except for steps that lose less than this part of their value.
pub(super) fn bound(price: Price, available: u64, at_price: Totals) -> u64 {
    let Totals { cost, value } = at_price;
    if price == Price::FREE && cost <= available {
        return value;
    }
    let left = price.of(available.saturating_sub(cost));
    let lacks = price.of(cost.saturating_sub(available)).saturating_sub(2);
    let bound = value.saturating_add(left).saturating_sub(lacks);
    bound.saturating_add(value.max(bound) >> 29).saturating_add(1)
}

fn each<W: Walk + ?Sized>(walk: &mut W, mut see: impl FnMut(&mut Book<'_>)) {
    for account in 0..walk.accounts() {
        walk.visit(account, &mut see);
    }
}

fn totals<W: Walk + ?Sized>(walk: &mut W, mut see: impl FnMut(&mut Book<'_>) -> Totals) -> Totals {
    (0..walk.accounts()).fold(Totals::default(), |sum, account| {
        sum.plus(walk.visit(account, &mut see).unwrap_or_default())
    })
}
