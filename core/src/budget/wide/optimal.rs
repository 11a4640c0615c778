//! The greatest benefit times quality for a budget, for very many actors.
//!
//! One pass evaluates several prices. Once the price is nearly known, every actor takes all steps with a
//! little more value, and a pass marks the actors that take another step at a slightly lower price: the
//! price lies among these few, and they are the first to spend the rest of the budget.

// The path of a method would fix the lifetime of a book.
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

use super::claims::{Flips, Minimum};
use super::general::keep_all_of;
use super::group::Draft;
use super::steps::Shape;
use crate::budget::decision::{Certificate, Decision};
use crate::budget::frontier::Guess;
use crate::budget::last::Standing;
use crate::budget::module_view::{Answer, Book, Question, Walk};
use crate::budget::optimal::{Known, Totals, at_price, bound, make_slopes};
use crate::budget::policy::Request;
use crate::budget::price::Price;
use crate::budget::room::Room;
use crate::budget::settlement::Settlement;
use crate::budget::upgrade_queue::Bid;
use count::CostAt;
use fill::fill;
use search::PriceSearch;
use tables::can_be_alone;
use take::{Take, Taken, Window};

/// Decides as [`optimal`](crate::budget::optimal) does without hysteresis.
pub(in crate::budget) fn optimal<W: Walk + ?Sized>(
    request: &Request,
    standing: &mut Standing,
    walk: &mut W,
    room: Room<'_>,
) -> Decision {
    let minimum = ask(walk, &Minimum);
    let settlement = Settlement::of(request, minimum);
    let Settlement { available, overcommit, .. } = settlement;
    if overcommit == 0 {
        make_slopes(walk, settlement);
    }
    let is_plain = (0..walk.accounts())
        .all(|account| walk.visit(account, |book| book.is_plain()).unwrap_or(true));
    let guess = walk.visit(0, |book| book.crowd.guess).unwrap_or_default();
    let mut search = PriceSearch::new(available, standing.price, guess.spread());
    let planned = if overcommit > 0 {
        is_plain.then(|| Planned::lowest(walk))
    } else if is_plain {
        Some(Planned::new(walk, available, &mut search, guess, room.bids))
    } else {
        None
    };
    let price = match &planned {
        Some(planned) => planned.price,
        None if overcommit > 0 => Price::MAX,
        None => least_price(walk, &mut search),
    };
    standing.price = Some(price);
    let mut decision = match planned {
        Some(planned) if !planned.may_be_better(walk, settlement, &room) => {
            planned.decision(settlement)
        }
        _ => {
            keep_all_of(walk);
            at_price(request, settlement, price, walk, room)
        }
    };
    decision.flips = u32::try_from(ask(walk, &Flips)).unwrap_or(u32::MAX);
    decision
}

/// A plan of whole levels.
struct Planned {
    price: Price,
    /// The totals of the levels.
    totals: Totals,
    /// The upper bound of the value of all levels.
    bound: u64,
    /// The value of all actors at their minimum.
    least: u64,
}

impl Planned {
    /// Assigns every actor its minimum.
    fn lowest<W: Walk + ?Sized>(walk: &mut W) -> Self {
        let taken = take(walk, Window { low: Price::MAX, high: Price::MAX });
        let bound = taken.totals.value;
        Self { price: Price::MAX, totals: taken.totals, bound, least: taken.least }
    }

    /// Assigns the levels at the least price at which all steps fit, and spends the rest of the budget.
    fn new<W: Walk + ?Sized>(
        walk: &mut W,
        available: u64,
        search: &mut PriceSearch,
        guess: Guess,
        room: &mut [Bid],
    ) -> Self {
        let (price, low, taken) = loop {
            if let Some(window) = search.window(guess.reach().of_price()) {
                let taken = take(walk, window);
                if let Some(price) = search.price() {
                    break (price, window.low, taken);
                }
                let found = (taken.found <= fill::MANY)
                    .then(|| found::price(walk, window, available, taken.totals.cost, room))
                    .flatten();
                if let Some(price) = search.check(window, taken.totals.cost, found) {
                    break (price, window.low, taken);
                }
            }
            let asked = ask(walk, &CostAt(search.pivots()));
            search.pass(asked);
        };
        let window = Window { low, high: price };
        let (at_price, filled) = fill(walk, window, taken, available, room);
        let (too_few, too_many) = (filled.has_missed, filled.has_too_many(taken.found));
        let next = guess.after(price.bits(), too_few, too_many);
        walk.visit(0, |book| book.crowd.guess = next);
        Self {
            price,
            totals: filled.totals,
            bound: bound(price, available, at_price),
            least: taken.least,
        }
    }

    /// Whether one actor with the whole budget, or a local search, could be better.
    fn may_be_better<W: Walk + ?Sized>(
        &self,
        walk: &mut W,
        settlement: Settlement,
        room: &Room<'_>,
    ) -> bool {
        let &Self { price, totals: Totals { value, .. }, bound: upper_bound, least } = self;
        let known = Known { price, upper_bound, value, least };
        settlement.overcommit == 0
            && (room.trials.len() > 1 && known.is_open() || can_be_alone(walk, value, least))
    }

    fn decision(&self, settlement: Settlement) -> Decision {
        let Settlement { available, overcommit, minimum } = settlement;
        let &Self { price, totals: Totals { cost: assigned, value }, bound, .. } = self;
        let certificate = Some(Certificate { value, upper_bound: bound.max(value) });
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

/// Finds the price alone.
fn least_price<W: Walk + ?Sized>(walk: &mut W, search: &mut PriceSearch) -> Price {
    loop {
        if let Some(price) = search.price() {
            return price;
        }
        let asked = ask(walk, &CostAt(search.pivots()));
        search.pass(asked);
    }
}

fn take<W: Walk + ?Sized>(walk: &mut W, window: Window) -> Taken {
    (0..walk.accounts()).fold(Taken::default(), |sum, account| {
        let taken = walk.ask(account, &Take(window));
        walk.visit(account, |book| {
            book.assigned = taken.totals.cost;
            // The levels were not assigned by share.
            book.crowd.draft = Draft::default();
        });
        sum.plus(taken)
    })
}

fn ask<W: Walk + ?Sized, Q: Question>(walk: &mut W, question: &Q) -> Q::Answer {
    (0..walk.accounts())
        .fold(Q::Answer::default(), |sum, account| sum.plus(walk.ask(account, question)))
}

impl Book<'_> {
    /// Whether tables hold all ladders, and every actor has an id.
    fn is_plain(&self) -> bool {
        Shape::of(self).is_some() && self.ids.len() >= self.account.benefits.len()
    }
}
