//! A better plan, where the price does not prove that there is none.

use super::fill::fill;
use super::levels::Totals;
use super::totals;
use super::trials::{Aim, Trials, WAYS, Way};
use crate::budget::bid::Bid;
use crate::budget::book::Book;
use crate::budget::offer::Offer;
use crate::budget::policy::Stability;
use crate::budget::pot::Bids;
use crate::budget::price::Price;
use crate::budget::room::Room;
use crate::budget::settlement::Settlement;
use crate::budget::walk::Walk;

/// So many actors have other levels tried.
const CORE: usize = 255;

/// Which actors are in the core, by account and row.
type Members = [(u16, u32); CORE];

/// What is known of the plan that is to be refined.
pub(super) struct Known {
    pub(super) price: Price,
    /// What the levels at the price come to.
    pub(super) at_price: Totals,
    pub(super) upper_bound: u64,
    /// What is spent, in nanoseconds.
    pub(super) spent: u64,
}

/// Tries other levels for the actors that would lose the least by them against the price, until the plan
/// is proven to be within 2⁻¹⁰ of the best or the room is used up. Returns what is spent then, in
/// nanoseconds.
#[inline(never)]
pub(super) fn refine<W: Walk + ?Sized>(
    walk: &mut W,
    settlement: Settlement,
    known: &Known,
    room: &mut Room<'_>,
) -> u64 {
    let plan = totals(walk, |book| book.totals()).value;
    let aim = aim(settlement, known, plan);
    let Some(mut trials) = Trials::new(room.trials, aim).filter(Trials::is_open) else {
        return known.spent;
    };
    let spare = settlement.available.saturating_sub(settlement.minimum);
    let mut bids = Bids::new(room.bids);
    for account in 0..walk.accounts() {
        walk.visit(account, |book| book.bid_for_core(account, &aim, spare, &mut bids));
    }
    let mut members: Members = [(0, 0); CORE];
    let mut places = members.iter_mut().zip(0_u8..);
    // What those who have not joined could give back.
    let mut give = signed(known.at_price.cost.saturating_sub(settlement.minimum));
    bids.visit(|bid| {
        let Some((place, member)) = places.next().filter(|_| trials.is_open()) else {
            return false;
        };
        *place = (u16::try_from(bid.account()).unwrap_or(0), u32::try_from(bid.row()).unwrap_or(0));
        let (mut ways, mut len) = ([Way::default(); WAYS], 0);
        walk.visit(bid.account(), |book| {
            let Some((offer, _)) = book.offer(bid.row(), Stability::OFF) else { return };
            let rung = offer.rung_at(trials.aim.price);
            give = give.saturating_sub(signed(offer.cost(rung).saturating_sub(offer.cost(0))));
            len = offer.ways(rung, &trials.aim, spare, member, &mut ways);
        });
        trials.join(ways.get(..len).unwrap_or(&[]), give);
        true
    });
    let Some(found) = trials.found else { return known.spent };
    let mut spent = totals(walk, |book| book.take_at(known.price, Stability::OFF)).cost;
    for (member, rung) in found.steps.iter() {
        let (account, row) = members.get(usize::from(member)).copied().unwrap_or_default();
        walk.visit(account.into(), |book| {
            let Some((offer, now)) = book.offer(row as usize, Stability::OFF) else { return };
            let (now, then) = (offer.cost(now), offer.cost(rung.into()));
            spent = spent.wrapping_sub(now).wrapping_add(then);
            book.set_rung(row as usize, rung.into());
        });
    }
    fill(walk, settlement.available, spent, Stability::OFF, room.bids)
}

/// What is known, beyond the levels at the price.
fn aim(settlement: Settlement, known: &Known, plan: u64) -> Aim {
    let more = |value: u64| signed(value).saturating_sub(signed(known.at_price.value));
    Aim {
        price: known.price,
        left: signed(settlement.available.saturating_sub(known.at_price.cost)),
        bound: more(known.upper_bound),
        best: more(plan),
        enough: signed(known.upper_bound >> 10),
    }
}

fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

impl Book<'_> {
    /// Adds the bids of those to whom another level is not hopeless, by rising loss.
    fn bid_for_core(&self, number: usize, aim: &Aim, spare: u64, bids: &mut Bids<'_>) {
        let number = u16::try_from(number).unwrap_or(u16::MAX);
        let rows = self.all_offers(Stability::OFF).zip(self.ids).zip(0_u32..);
        for (((offer, _), &id), row) in rows {
            let rung = offer.rung_at(aim.price);
            let others = offer.within(spare).filter(|&other| other != rung);
            let losses = others.map(|other| offer.way(rung, other, aim).1.max(0));
            let Some(loss) = losses.min().filter(|&loss| aim.is_hopeful(loss)) else { continue };
            let key = Price::rounded_down(loss.unsigned_abs(), 0).bits();
            bids.push(Bid::ranked(Price::MAX.bits().saturating_sub(key), id, number, row, 0));
        }
    }
}

impl Offer<'_> {
    /// The rungs that so much beyond the lowest pays.
    fn within(&self, spare: u64) -> impl Iterator<Item = usize> {
        let limit = self.cost(0).saturating_add(spare);
        (self.foot..self.costs.len()).take_while(move |&rung| self.cost(rung) <= limit)
    }

    /// Another rung than that at the price, and what it loses.
    fn way(&self, rung: usize, other: usize, aim: &Aim) -> (Way, i64) {
        let more = |of: fn(&Self, usize) -> u64| {
            signed(of(self, other)).saturating_sub(signed(of(self, rung)))
        };
        let (cost, value) = (more(Self::cost), more(Self::value));
        (Way { cost, value, step: None }, aim.loss(cost, value))
    }

    /// The rung at the price and those next to it that are not hopeless; returns how many.
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
