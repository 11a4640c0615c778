//! The limit of upgrades, and the count of changed levels.

use super::lod::Lod;
use super::module_view::{Book, Walk};
use super::offer::Offer;
use super::policy::{Policy, Request, Stability};
use super::upgrade_queue::{Bid, Bids};

/// Limits upgrades above the previous levels as requested, and returns the amount that this saves, in
/// nanoseconds. The actors with the greatest benefit keep their upgrade, or with a price the upgrades of
/// the greatest value for their cost; of equals the lower ids.
#[inline]
pub(super) fn cap_raises<W: Walk + ?Sized>(
    request: &Request,
    walk: &mut W,
    room: &mut [Bid],
) -> u64 {
    request.max_raises.map_or(0, |most| cap(request.policy, most, walk, room))
}

#[inline(never)]
fn cap<W: Walk + ?Sized>(policy: Policy, most: u32, walk: &mut W, room: &mut [Bid]) -> u64 {
    let mut bids = Bids::new(room);
    let mut freed = 0_u64;
    for account in 0..walk.accounts() {
        let without_place =
            walk.visit(account, |book| book.bid_for_raises(account, policy, &mut bids));
        freed = freed.saturating_add(without_place.unwrap_or(0));
    }
    let most = usize::try_from(most).unwrap_or(usize::MAX);
    if bids.len() <= most {
        return freed;
    }
    let mut risen = 0_usize;
    bids.visit(|bid| {
        if risen < most {
            risen = risen.wrapping_add(1);
        } else {
            let saved = walk.visit(bid.account(), |book| book.put_back(bid.row()));
            freed = freed.saturating_add(saved.unwrap_or(0));
        }
        true
    });
    freed
}

/// Counts the actors that were automatic in the previous frame too and now have another whole level.
#[inline]
pub(super) fn flips<W: Walk + ?Sized>(walk: &mut W) -> u32 {
    (0..walk.accounts()).fold(0, |sum, account| {
        sum.wrapping_add(walk.visit(account, |book| book.flips()).unwrap_or(0))
    })
}

impl Book<'_> {
    /// Adds the upgraded actors, above their previous level. An actor without space is reverted; returns
    /// the amount that this saves.
    fn bid_for_raises(&mut self, number: usize, policy: Policy, bids: &mut Bids<'_>) -> u64 {
        let number = u16::try_from(number).unwrap_or(u16::MAX);
        let mut freed = 0_u64;
        for row in 0..self.account.benefits.len() {
            let Some((offer, last)) = self.risen(row) else { continue };
            let rank = match policy {
                Policy::Proportional(_) => offer.benefit.bits(),
                Policy::Optimal => offer.slope_above(last).worth(offer.benefit).bits(),
            };
            let id = self.ids.get(row).copied().unwrap_or(0);
            let place = u32::try_from(row).unwrap_or(u32::MAX);
            if !bids.push(Bid::ranked(rank, id, number, place, 0)) {
                freed = freed.saturating_add(self.put_back(row));
            }
        }
        freed
    }

    /// Returns the options of an actor above its previous level index, and that index.
    fn risen(&self, row: usize) -> Option<(Offer<'_>, usize)> {
        let last = self.last.get(row)?.level()?;
        let (offer, rung) = self.offer(row, Stability::OFF)?;
        let last = offer.rung(last).max(offer.foot);
        (rung > last).then_some((offer, last))
    }

    /// Reverts an upgraded actor to its previous level, and returns the amount that this saves.
    fn put_back(&mut self, row: usize) -> u64 {
        let Some((_, last)) = self.risen(row) else { return 0 };
        let ladder = self.account.ladder_of(row);
        let level = self.levels.get(row).copied().unwrap_or(0);
        let fraction = self.fractions.get_mut(row).map_or(0, core::mem::take);
        let before = u64::from(ladder.cost(Lod::new(level, fraction)));
        self.set_rung(row, last);
        let level = self.levels.get(row).copied().unwrap_or(0);
        let saved = before.saturating_sub(ladder.cost(Lod::new(level, 0)).into());
        self.assigned = self.assigned.saturating_sub(saved);
        saved
    }

    fn flips(&self) -> u32 {
        let rows = self.levels.iter().zip(self.last).zip(self.account.benefits);
        rows.fold(0, |flips, ((&level, last), _)| {
            let flipped = last.is_automatic() && last.level() != Some(level);
            flips.wrapping_add(flipped.into())
        })
    }
}
