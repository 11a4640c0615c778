//! The distribution of the budget that the price leaves over.

use crate::budget::module_view::{Book, Walk};
use crate::budget::offer::Offer;
use crate::budget::policy::Stability;
use crate::budget::price::Price;
use crate::budget::slope::Slope;
use crate::budget::upgrade_queue::{Bid, Bids};

/// Spends what is left on steps by falling worth, ties by lower id, and returns what is spent then.
///
/// First every actor may take the next step of its hull, entirely or not at all, so that the first of
/// equals does not take the budget of two others. Then any better level that fits is taken.
pub(super) fn fill<W: Walk + ?Sized>(
    walk: &mut W,
    available: u64,
    spent: u64,
    stability: Stability,
    room: &mut [Bid],
) -> u64 {
    let steps = Steps { stability, price: Price::FREE, whole: true };
    let spent = fill_steps(walk, available, spent, steps, room);
    fill_steps(walk, available, spent, Steps { whole: false, ..steps }, room)
}

/// On which steps money is spent.
#[derive(Clone, Copy)]
pub(super) struct Steps {
    pub(super) stability: Stability,
    /// The least value of these steps.
    pub(super) price: Price,
    /// Whether each is taken whole or not at all.
    pub(super) whole: bool,
}

/// Spends what is left on some steps.
pub(super) fn fill_steps<W: Walk + ?Sized>(
    walk: &mut W,
    available: u64,
    spent: u64,
    steps: Steps,
    room: &mut [Bid],
) -> u64 {
    let Steps { stability, price, whole } = steps;
    let reserved = stability.reserved(available);
    let pot = available.saturating_sub(spent);
    if !pays_a_step(walk, pot, reserved) {
        return spent;
    }
    let mut bids = Bids::new(room);
    for account in 0..walk.accounts() {
        walk.visit(account, |book| book.bid_for_steps(account, &mut bids, stability, price));
    }
    spent.saturating_add(bids.serve(pot, reserved, |account, row, pot| {
        let step = |book: &mut Book<'_>| {
            if whole {
                book.step(row, pot, stability, reserved)
            } else {
                book.climb(row, pot, stability, reserved)
            }
        };
        walk.visit(account, step).unwrap_or(0)
    }))
}

/// Whether a leftover budget pays any step of any actor, so that visiting all actors is useful.
fn pays_a_step<W: Walk + ?Sized>(walk: &mut W, pot: u64, reserved: u64) -> bool {
    (0..walk.accounts()).any(|account| {
        let pays = walk.visit(account, |book| {
            let least = u64::from(book.account.least_step());
            let free = pot.saturating_sub(reserved);
            let pays = free >= least || pot >= least && book.comes_back();
            pays || book.account.has_plateaus()
        });
        pays == Some(true)
    })
}

/// Spends what is left on fractions of levels where they are valid, by falling worth of the next level.
pub(super) fn fill_fractions<W: Walk + ?Sized>(
    walk: &mut W,
    available: u64,
    spent: u64,
    stability: Stability,
    room: &mut [Bid],
) {
    let reserved = stability.reserved(available);
    let mut bids = Bids::new(room);
    for account in 0..walk.accounts() {
        walk.visit(account, |book| book.bid_for_fractions(account, &mut bids, stability));
    }
    bids.serve(available.saturating_sub(spent), reserved, |account, row, pot| {
        let raise = |book: &mut Book<'_>| book.raise_steadily(row, pot, stability, reserved);
        walk.visit(account, raise).unwrap_or(0)
    });
}

impl Book<'_> {
    /// Whether an actor may use the dead band: it is below its previous level or has none.
    fn comes_back(&self) -> bool {
        let rows = self.account.benefits.len();
        let mut levels = self.levels.iter().zip(self.last).take(rows);
        self.last.len() < rows
            || levels.any(|(&level, last)| last.level().is_none_or(|last| level < last))
    }

    /// Adds the bids for the next steps of the hull that are worth a price.
    fn bid_for_steps(
        &self,
        number: usize,
        bids: &mut Bids<'_>,
        stability: Stability,
        price: Price,
    ) {
        self.bid(number, bids, stability, price, |offer, rung| {
            (offer.slope_above(rung), offer.cost(offer.highest()))
        });
    }

    /// Adds the bids for the way to the next level.
    fn bid_for_fractions(&self, number: usize, bids: &mut Bids<'_>, stability: Stability) {
        if self.account.continuous {
            self.bid(number, bids, stability, Price::FREE, |offer, rung| {
                let next = rung.wrapping_add(1);
                (Slope::between(offer.costs, offer.qualities, rung, next), offer.cost(next))
            });
        }
    }

    /// Adds the upgrades of all actors for which a step is worth a price; `step` returns the step and the
    /// greatest cost after it.
    fn bid(
        &self,
        number: usize,
        bids: &mut Bids<'_>,
        stability: Stability,
        price: Price,
        step: impl Fn(&Offer<'_>, usize) -> (Slope, u64),
    ) {
        bids.step(self.account.least_step());
        let number = u16::try_from(number).unwrap_or(u16::MAX);
        let rows = self.all_offers(stability).zip(self.ids).zip(0_u32..);
        for (((offer, rung), &id), row) in rows {
            let (step, most) = step(&offer, rung);
            let worth = offer.worth_of(step, rung);
            if worth >= price {
                let rest = most.saturating_sub(offer.cost(rung));
                let rest = u32::try_from(rest).unwrap_or(u32::MAX);
                bids.push(Bid::ranked(worth.bits(), id, number, row, rest));
            }
        }
    }

    /// Raises a row by a whole step of its hull if a leftover budget pays it, and returns the cost. An
    /// actor that was higher in the previous frame returns there.
    pub(in crate::budget) fn step(
        &mut self,
        row: usize,
        pot: u64,
        stability: Stability,
        reserved: u64,
    ) -> u64 {
        let Some((offer, rung)) = self.offer(row, stability) else { return 0 };
        if offer.is_below_last(rung) {
            return self.climb(row, pot, stability, reserved);
        }
        let to = offer.step_above(rung);
        let price = offer.cost(to).saturating_sub(offer.cost(rung));
        let (_, money) = offer.reach(rung, pot, reserved);
        if price > money {
            return 0;
        }
        self.set_rung(row, to);
        price
    }

    /// Raises a row to the best level that a pot pays, and returns the price. Beyond the last level it
    /// leaves the reserve, and to come back there it stops there.
    pub(in crate::budget) fn climb(
        &mut self,
        row: usize,
        pot: u64,
        stability: Stability,
        reserved: u64,
    ) -> u64 {
        let Some((offer, rung)) = self.offer(row, stability) else { return 0 };
        let (most, money) = offer.reach(rung, pot, reserved);
        let to = offer.best_above(rung, most, money);
        let price = offer.cost(to).saturating_sub(offer.cost(rung));
        self.set_rung(row, to);
        price
    }
}
