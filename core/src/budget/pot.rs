//! What shares leave over, and whom it serves.

use super::bid::Bid;
use super::order::visit_in_order;

/// The bids of one pot, gathered in memory that the caller lends.
#[derive(Debug)]
pub struct Bids<'a> {
    room: &'a mut [Bid],
    len: usize,
    /// What all of them would take to the highest level, in nanoseconds.
    rest: u64,
    /// The least that any LOD can be raised for, in nanoseconds.
    least_step: u32,
}

impl<'a> Bids<'a> {
    pub(super) const fn new(room: &'a mut [Bid]) -> Self {
        Self { room, len: 0, rest: 0, least_step: u32::MAX }
    }

    /// Adds a bid, and returns whether there was room.
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

    /// Says that no LOD of an account can be raised for less.
    pub(super) fn step(&mut self, least: u32) {
        self.least_step = self.least_step.min(least);
    }

    /// Serves the bids by falling benefit, ties by lower id, and returns what was spent of the pot, in
    /// nanoseconds.
    ///
    /// `raise` is given an account, a row and the rest of the pot; it gives the actor the highest LOD
    /// that this pays for and returns the price. As the pot only shrinks, nobody can pay for
    /// another step in the end. `reserved` is what not everybody may take of the pot.
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

    /// Visits all bids in the same order, until `visit` returns `false`.
    pub(super) fn visit(self, mut visit: impl FnMut(Bid) -> bool) {
        visit_in_order(self.room.get_mut(..self.len).unwrap_or_default(), &mut visit);
    }

    pub(super) const fn len(&self) -> usize {
        self.len
    }
}
