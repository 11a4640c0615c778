//! The most benefit times quality that a budget buys.
//!
//! Money has one price for everybody: who finds a step of the ladder worth it takes it, and the price
//! is the least at which all of that fits. What is left over is less than the next step of somebody
//! costs, and goes as far as it can by hand.

// The path of a method is for books of one lifetime only.
#![allow(clippy::redundant_closure_for_method_calls)]

mod alone;
mod count;
mod fill;
mod levels;
mod refine;
mod search;
mod trials;

use super::bid::Bid;
use super::book::Book;
use super::certificate::Certificate;
use super::decision::Decision;
use super::last::Standing;
use super::policy::Stability;
use super::price::Price;
use super::raises::{cap_raises, flips};
use super::request::Request;
use super::room::Room;
use super::settlement::{Settlement, settle};
use super::walk::Walk;
use alone::alone;
use fill::{fill, fill_fractions};
pub(super) use levels::Totals;
pub(super) use refine::Known;
use refine::refine;
use search::least_price;

/// Buys the most benefit times quality.
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

/// The plan for a price, which is [`Price::MAX`] where not even the minimums fit.
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

/// What the price buys, and what can be had for the rest. Returns what is spent, in nanoseconds.
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

/// What the levels in the books are worth, and a bound that no levels for the same budget exceed: the
/// certificate of the proportional policy, or of levels that came about in any other way.
///
/// The levels stay as they are; the slopes of the books are used.
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

/// Brings the slopes up to date, if they were made for other money.
pub(super) fn make_slopes<W: Walk + ?Sized>(walk: &mut W, settlement: Settlement) {
    let spare = settlement.available.saturating_sub(settlement.minimum);
    let spare = u32::try_from(spare).unwrap_or(u32::MAX);
    each(walk, |book| {
        if !book.slopes.made_for.holds(spare) {
            book.make_slopes(spare);
        }
    });
}

/// The price: that of the last frame as far as the reserve allows, else the least at which everything
/// fits.
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

/// What no levels for that money exceed, in 2⁻³¹, where all steps that are worth a price come to so much.
///
/// Whoever takes exactly the steps that are worth the price has the most of value − price × money that
/// there is, so no other levels have more than that plus price × money. The price is exact, and slopes
/// are less than 2⁻³⁰ too small: at a price that is higher by so much the same levels are the best, but
/// for steps that lose less than that part of what they are worth.
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
