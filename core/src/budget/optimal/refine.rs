//! Local search for a better plan, if the certificate leaves a gap.

use super::fill::{Steps, fill, fill_steps};
use super::levels::Totals;
use super::totals;
use super::trials::{Aim, Other, Trials, WAYS, Way, loss};
use crate::budget::module_view::{Book, Walk};
use crate::budget::offer::Offer;
use crate::budget::policy::Stability;
use crate::budget::price::Price;
use crate::budget::room::{MOST_STEPS, Room};
use crate::budget::settlement::Settlement;
use crate::budget::upgrade_queue::{Bid, Bids};

/// The greatest number of actors in the search.
const CORE: usize = 255;

/// The actors in the search, by module and row: two columns, which take less memory than pairs.
struct Members {
    accounts: [u16; CORE],
    rows: [u32; CORE],
}

/// The plan to be improved.
#[derive(Clone, Copy)]
pub(in crate::budget) struct Known {
    pub(in crate::budget) price: Price,
    pub(in crate::budget) upper_bound: u64,
    /// The value of the plan, in 2⁻³¹.
    pub(in crate::budget) value: u64,
    /// The value of all actors at their minimum.
    pub(in crate::budget) least: u64,
}

/// Tries other levels for the actors that lose the least by them at the price, until the plan is proven
/// to be within 2⁻¹⁰ of the best, not counting the value of all minimums, or the scratch memory is used
/// up. Returns the amount spent, in nanoseconds; `None` without a better plan, and then the levels are
/// not a plan.
#[inline(never)]
pub(super) fn refine<W: Walk + ?Sized>(
    walk: &mut W,
    settlement: Settlement,
    known: Known,
    room: &mut Room<'_>,
) -> Option<u64> {
    let Settlement { available, minimum, .. } = settlement;
    let base = take_with_ties(walk, available, known.price, room.bids);
    let spare = available.saturating_sub(minimum);
    // The cost that actors outside the search could give back.
    let give = signed(base.cost.saturating_sub(minimum));
    let mut aim = aim(available, known, base);
    let mut changes = Changes { len: 0, of: [(0, 0, 0); MOST_STEPS] };
    // The best choice of moves to keep is unknown, so several are tried.
    for quarters in [2, 4, 0] {
        if aim.is_open()
            && let Some(trials) = Trials::new(room.trials, aim, quarters)
            && let Some(best) = attempt(walk, trials, spare, give, room.bids, &mut changes)
        {
            aim.best = best;
        }
    }
    if changes.len == 0 {
        return None;
    }
    let mut spent = base.cost;
    for &(account, row, rung) in changes.of.iter().take(changes.len) {
        let change = |book: &mut Book<'_>| {
            let (offer, now) = book.offer(row as usize, Stability::OFF)?;
            let (now, then) = (offer.cost(now), offer.cost(rung.into()));
            book.set_rung(row as usize, rung.into());
            Some((now, then))
        };
        let (now, then) = walk.visit(account.into(), change).flatten().unwrap_or_default();
        spent = spent.wrapping_sub(now).wrapping_add(then);
    }
    Some(fill(walk, available, spent, Stability::OFF, room.bids))
}

/// Actors that get other level indices, by module and row.
struct Changes {
    len: usize,
    of: [(u16, u32, u8); MOST_STEPS],
}

/// Adds actors to the search, and returns the additional value of the best move; `None` if no move is
/// better than the plan, and then nothing changes.
// A separate stack frame: a Cortex-M has little stack, and this memory is free again before spending.
#[inline(never)]
fn attempt<W: Walk + ?Sized>(
    walk: &mut W,
    mut trials: Trials<'_>,
    spare: u64,
    mut give: i64,
    room: &mut [Bid],
    changes: &mut Changes,
) -> Option<i64> {
    let mut bids = Bids::new(room);
    for account in 0..walk.accounts() {
        walk.visit(account, |book| book.bid_for_core(account, &mut trials.aim, spare, &mut bids));
    }
    let mut members = Members { accounts: [0; CORE], rows: [0; CORE] };
    let mut places = members.accounts.iter_mut().zip(&mut members.rows).zip(0_u8..);
    bids.visit(|bid| {
        let Some(((account, row), member)) = places.next().filter(|_| trials.is_open()) else {
            return false;
        };
        *account = u16::try_from(bid.account()).unwrap_or(0);
        *row = u32::try_from(bid.row()).unwrap_or(0);
        let (mut ways, mut len) = ([Way::default(); WAYS], 0);
        walk.visit(bid.account(), |book| {
            let Some((offer, rung)) = book.offer(bid.row(), Stability::OFF) else { return };
            give = give.saturating_sub(signed(offer.cost(rung).saturating_sub(offer.cost(0))));
            offer.gains(rung, spare, &mut trials.aim.others, i64::saturating_sub);
            len = offer.ways(rung, &trials.aim, spare, member, &mut ways);
        });
        trials.join(ways.get(..len).unwrap_or(&[]), give);
        true
    });
    let found = trials.found.filter(|found| found.steps.iter().next().is_some())?;
    changes.len = 0;
    for ((member, rung), place) in found.steps.iter().zip(&mut changes.of) {
        let member = usize::from(member);
        let account = members.accounts.get(member).copied().unwrap_or(0);
        *place = (account, members.rows.get(member).copied().unwrap_or(0), rung);
        changes.len = changes.len.wrapping_add(1);
    }
    Some(trials.aim.best)
}

/// Assigns the levels at a price, and takes as many of the steps just below it as fit: they lose a
/// negligible value, and moves need not find them again.
fn take_with_ties<W: Walk + ?Sized>(
    walk: &mut W,
    available: u64,
    price: Price,
    room: &mut [Bid],
) -> Totals {
    let at_price = totals(walk, |book| book.take_at(price, Stability::OFF)).cost;
    let missed = Price::from_bits(price.bits().saturating_sub(1)).max(Price::FREE);
    let steps = Steps { stability: Stability::OFF, price: missed, whole: true };
    fill_steps(walk, available, at_price, steps, room);
    totals(walk, |book| book.totals())
}

/// Computes the bounds relative to the levels at which moves begin.
fn aim(available: u64, known: Known, base: Totals) -> Aim {
    let more = |value: u64| signed(value).saturating_sub(signed(base.value));
    Aim {
        price: known.price,
        left: signed(available.saturating_sub(base.cost)),
        bound: more(known.upper_bound),
        best: more(known.value),
        enough: signed(known.enough()),
        others: Other::around(known.price),
    }
}

impl Known {
    /// Returns the gap that is acceptable.
    const fn enough(self) -> u64 {
        self.upper_bound.saturating_sub(self.least) >> 10
    }

    /// Whether the gap is larger than acceptable.
    pub(in crate::budget) const fn is_open(self) -> bool {
        self.upper_bound.saturating_sub(self.value) > self.enough()
    }
}

fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

impl Book<'_> {
    /// Adds the actors for which another level is not hopeless, by rising loss, and the gains of all
    /// actors at other prices.
    fn bid_for_core(&self, number: usize, aim: &mut Aim, spare: u64, bids: &mut Bids<'_>) {
        let number = u16::try_from(number).unwrap_or(u16::MAX);
        let rows = self.all_offers(Stability::OFF).zip(self.ids).zip(0_u32..);
        for (((offer, rung), &id), row) in rows {
            offer.gains(rung, spare, &mut aim.others, i64::saturating_add);
            let others = offer.within(spare).filter(|&other| other != rung);
            let losses = others.map(|other| offer.way(rung, other, aim).1.max(0));
            let Some(loss) = losses.min().filter(|&loss| aim.is_hopeful(loss)) else { continue };
            let key = Price::rounded_down(loss.unsigned_abs(), 0).bits();
            bids.push(Bid::ranked(Price::MAX.bits().saturating_sub(key), id, number, row, 0));
        }
    }
}

impl Offer<'_> {
    /// Returns the level indices that are affordable with `spare` beyond the lowest.
    fn within(&self, spare: u64) -> impl Iterator<Item = usize> {
        let limit = self.cost(0).saturating_add(spare);
        (self.foot..self.costs.len()).take_while(move |&rung| self.cost(rung) <= limit)
    }

    /// Returns another level than the one at the price, and its loss.
    fn way(&self, rung: usize, other: usize, aim: &Aim) -> (Way, i64) {
        let (cost, value) = self.more(rung, other);
        (Way { cost, value, step: None }, aim.loss(cost, value))
    }

    /// Adds or subtracts its gains at other prices.
    fn gains(&self, rung: usize, spare: u64, others: &mut [Other], add: fn(i64, i64) -> i64) {
        for other in others {
            let gains = self.within(spare).map(|to| {
                let (cost, value) = self.more(rung, to);
                loss(other.price, cost, value).saturating_neg()
            });
            other.gain = add(other.gain, gains.max().unwrap_or(0).max(0));
        }
    }

    /// Returns the additional cost and value of another level index.
    fn more(&self, rung: usize, other: usize) -> (i64, i64) {
        let more = |of: fn(&Self, usize) -> u64| {
            signed(of(self, other)).saturating_sub(signed(of(self, rung)))
        };
        (more(Self::cost), more(Self::value))
    }

    /// Collects the level index at the price and those near it that are not hopeless; returns their number.
    fn ways(
        &self,
        rung: usize,
        aim: &Aim,
        spare: u64,
        member: u8,
        ways: &mut [Way; WAYS],
    ) -> usize {
        let limit = self.cost(0).saturating_add(spare);
        let mut places = ways.iter_mut().skip(1);
        let mut len = 1_usize;
        for distance in 1..self.costs.len() {
            let (up, down) = (rung.wrapping_add(distance), rung.checked_sub(distance));
            for other in [Some(up), down.filter(|&down| down >= self.foot)].into_iter().flatten() {
                if other > self.highest() || self.cost(other) > limit {
                    continue;
                }
                let (way, loss) = self.way(rung, other, aim);
                if !aim.is_hopeful(loss) {
                    continue;
                }
                let Some(place) = places.next() else { return len };
                let other = u8::try_from(other).unwrap_or(u8::MAX);
                *place = Way { step: Some((member, other)), ..way };
                len = len.wrapping_add(1);
            }
        }
        len
    }
}
