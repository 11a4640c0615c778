//! What the price leaves over, and whom it serves.

use super::ask;
use super::find::{Find, Paid};
use super::take::{Taken, Window};
use crate::budget::bid::Bid;
use crate::budget::book::Book;
use crate::budget::optimal::Totals;
use crate::budget::policy::Stability;
use crate::budget::pot::Bids;
use crate::budget::price::Price;
use crate::budget::walk::Walk;

/// Each window is so many times as wide as the one before, as a shift.
const STRIDE: u32 = 4;
/// If more than that are found, fewer are looked for.
const MANY: u64 = 1 << 12;

/// What became of the rest of the money.
pub(super) struct Filled {
    /// What all levels come to then.
    pub(super) totals: Totals,
    served: u64,
    /// Whether somebody was served who had not been found first.
    pub(super) has_missed: bool,
}

impl Filled {
    /// Whether far more were found than served.
    pub(super) fn has_too_many(&self, found: u64) -> bool {
        !self.has_missed && found > self.served.saturating_mul(8).saturating_add(MANY / 2)
    }
}

/// Gives those who were found what the price buys, and spends what is left on steps by falling worth, ties
/// by lower id. Returns what the levels at the price come to, and what became of the rest.
///
/// First the next step of everybody's hull, whole or not at all; then whatever level is better and fits.
/// Where everybody stands after the first, nothing is free.
pub(super) fn fill<W: Walk + ?Sized>(
    walk: &mut W,
    window: Window,
    taken: Taken,
    available: u64,
    room: &mut [Bid],
) -> (Totals, Filled) {
    let (mut at_price, mut least_step) = (taken.totals, u32::MAX);
    for account in 0..walk.accounts() {
        let see =
            |book: &mut Book<'_>| (book.take_if_found(window.high), book.account.least_step());
        let (more, least) = walk.visit(account, see).unwrap_or((Totals::default(), u32::MAX));
        at_price = at_price.plus(more);
        least_step = least_step.min(least);
    }
    let filled = Filled { totals: at_price, served: 0, has_missed: false };
    let mut rest = Rest { available, least_step, filled };
    let paid = Paid::Whole { price: window.high };
    rest.serve(walk, window.low, paid, room);
    rest.below(walk, window, window.low, paid, room);
    rest.below(walk, window, window.high, Paid::Any, room);
    (at_price, rest.filled)
}

struct Rest {
    available: u64,
    /// No level of anybody costs less more than another.
    least_step: u32,
    filled: Filled,
}

impl Rest {
    fn left(&self) -> u64 {
        self.available.saturating_sub(self.filled.totals.cost)
    }

    fn pays(&self) -> bool {
        self.left() >= u64::from(self.least_step)
    }

    /// Serves those whose next steps are worth less than `high`, window by window.
    fn below<W: Walk + ?Sized>(
        &mut self,
        walk: &mut W,
        first: Window,
        high: Price,
        paid: Paid,
        room: &mut [Bid],
    ) {
        let mut high = high.bits();
        let mut width = first.high.bits().saturating_sub(first.low.bits()).max(1);
        let least = Price::FREE.bits();
        while self.pays() && high > least {
            let low = high.saturating_sub(width).max(least);
            let window = Window { low: Price::from_bits(low), high: Price::from_bits(high) };
            let found = ask(walk, &Find { window, paid, money: self.left() });
            if found > MANY && width > 1 {
                width = (width >> STRIDE).max(1);
                continue;
            }
            if found > 0 {
                self.filled.has_missed = true;
                self.serve(walk, window.low, paid, room);
            }
            high = low;
            width = width.saturating_mul(1 << STRIDE);
        }
    }

    /// Serves those who were found, if their next steps are worth a price.
    fn serve<W: Walk + ?Sized>(&mut self, walk: &mut W, low: Price, paid: Paid, room: &mut [Bid]) {
        if !self.pays() {
            return;
        }
        let mut bids = Bids::new(room);
        for account in 0..walk.accounts() {
            walk.visit(account, |book| book.bid_if_found_for_steps(account, low, &mut bids));
        }
        bids.visit(|bid| {
            let left = self.left();
            let more = walk.visit(bid.account(), |book| book.spend(bid.row(), left, paid));
            self.filled.totals = self.filled.totals.plus(more.unwrap_or_default());
            self.filled.served = self.filled.served.wrapping_add(1);
            self.pays()
        });
    }
}

impl Book<'_> {
    /// Raises a row as far as so much money pays, and returns what it comes to more.
    fn spend(&mut self, row: usize, money: u64, paid: Paid) -> Totals {
        let value = |book: &Self| {
            book.offer(row, Stability::OFF).map_or(0, |(offer, rung)| offer.value(rung))
        };
        let before = value(self);
        let cost = match paid {
            Paid::Whole { .. } => self.step(row, money, Stability::OFF, 0),
            Paid::Any => self.climb(row, money, Stability::OFF, 0),
        };
        self.assigned = self.assigned.wrapping_add(cost);
        Totals { cost, value: value(self).wrapping_sub(before) }
    }
}
