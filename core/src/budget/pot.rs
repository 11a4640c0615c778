//! The queue of upgrades that share a leftover budget.

use super::bid::Bid;
use super::order::visit_in_order;

/// Upgrades that share a leftover budget, in memory of the caller.
#[derive(Debug)]
pub struct Bids<'a> {
    room: &'a mut [Bid],
    len: usize,
    /// The cost of all upgrades to the highest level, in nanoseconds.
    rest: u64,
    /// The least cost of any upgrade, in nanoseconds.
    least_step: u32,
}

impl<'a> Bids<'a> {
    pub(super) const fn new(room: &'a mut [Bid]) -> Self {
        Self { room, len: 0, rest: 0, least_step: u32::MAX }
    }

    /// Adds an upgrade, and returns whether there was space.
    #[inline]
    pub(super) fn push(&mut self, bid: Bid) -> bool {
        let place = self.room.get_mut(self.len);
        let has_room = place.is_some();
        if let Some(place) = place {
            *place = bid;
            self.len = self.len.wrapping_add(1);
            self.rest = self.rest.saturating_add(bid.rest());
        }
        has_room
    }

    /// States that no upgrade in a module costs less.
    pub(super) fn step(&mut self, least: u32) {
        self.least_step = self.least_step.min(least);
    }

    /// Spends a leftover budget on upgrades by falling benefit, ties by lower id, and returns the amount
    /// that was spent, in nanoseconds.
    ///
    /// `raise` takes a module, a row and the remaining budget; it gives the actor the highest LOD that
    /// this pays for and returns its cost. As the budget only shrinks, no further upgrade is affordable
    /// in the end. `reserved` is the part of the budget that some upgrades must not use.
    pub(super) fn serve(
        self,
        pot: u64,
        reserved: u64,
        mut raise: impl FnMut(usize, usize, u64) -> u64,
    ) -> u64 {
        let bids = self.room.get_mut(..self.len).unwrap_or_default();
        let mut left = pot;
        let mut serve = |bid: Bid| {
            left = left.saturating_sub(raise(bid.account(), bid.row(), left));
            left >= u64::from(self.least_step)
        };
        if self.rest > pot.saturating_sub(reserved) {
            visit_in_order(bids, &mut serve);
        } else {
            for &bid in bids.iter() {
                serve(bid);
            }
        }
        pot.wrapping_sub(left)
    }

    /// Visits all upgrades in the same order, until `visit` returns `false`.
    pub(super) fn visit(self, mut visit: impl FnMut(Bid) -> bool) {
        visit_in_order(self.room.get_mut(..self.len).unwrap_or_default(), &mut visit);
    }

    pub(super) const fn len(&self) -> usize {
        self.len
    }
}
