//! A plan that spends the whole budget on one actor.

use super::fill::fill;
use super::totals;
use crate::budget::module_view::{Book, Walk};
use crate::budget::policy::Stability;
use crate::budget::settlement::Settlement;
use crate::budget::upgrade_queue::Bid;

/// The actor that gains the most from the whole budget, by one step of a hull or by several.
#[derive(Clone, Copy)]
struct Lone {
    /// In 2⁻³¹.
    gain: u64,
    id: u32,
    account: usize,
    row: usize,
    rung: usize,
}

/// If one actor with the whole budget has more value than all actors together, it gets the budget, and
/// others the rest. So the value of a plan is at least half of the best: the best is no more than the
/// levels at the price and the one step that no longer fits.
///
/// Returns the amount spent, in nanoseconds.
/// Returns what is spent then, in nanoseconds.
pub(super) fn alone<W: Walk + ?Sized>(
    walk: &mut W,
    settlement: Settlement,
    spent: u64,
    room: &mut [Bid],
) -> u64 {
    let Settlement { available, minimum, .. } = settlement;
    let spare = available.saturating_sub(minimum);
    let (mut feet, mut best) = (0_u64, None);
    for account in 0..walk.accounts() {
        let found = walk.visit(account, |book| (book.feet().value, book.lone(account, spare)));
        let (value, lone) = found.unwrap_or_default();
        feet = feet.saturating_add(value);
        best = Lone::better(best, lone);
    }
    let value = totals(walk, |book| book.totals()).value;
    let Some(lone) = best.filter(|lone| feet.saturating_add(lone.gain) > value) else {
        return spent;
    };
    let minimum = totals(walk, |book| book.rest()).cost;
    let price = walk.visit(lone.account, |book| book.set_lone(lone)).unwrap_or(0);
    fill(walk, available, minimum.saturating_add(price), Stability::OFF, room)
}

impl Lone {
    /// Returns the actor with the greater gain, of equals the one with the lower id.
    fn better(one: Option<Self>, other: Option<Self>) -> Option<Self> {
        match (one, other) {
            (Some(a), Some(b)) if (b.gain, a.id) > (a.gain, b.id) => Some(b),
            (Some(a), _) => Some(a),
            (None, b) => b,
        }
    }
}

impl Book<'_> {
    fn lone(&self, account: usize, spare: u64) -> Option<Lone> {
        let rows = self.all_offers(Stability::OFF).zip(self.ids).enumerate();
        rows.fold(None, |best, (row, ((offer, _), &id))| {
            let rung = offer.best_above(offer.foot, offer.highest(), spare);
            let gain = offer.value(rung).saturating_sub(offer.value(offer.foot));
            Lone::better(best, (gain > 0).then_some(Lone { gain, id, account, row, rung }))
        })
    }

    fn set_lone(&mut self, lone: Lone) -> u64 {
        let Some((offer, rung)) = self.offer(lone.row, Stability::OFF) else { return 0 };
        let price = offer.cost(lone.rung).saturating_sub(offer.cost(rung));
        self.set_rung(lone.row, lone.rung);
        price
    }
}
