//! Marked actors, and the price among their steps.

use super::take::Window;
use crate::budget::module_view::{Book, Walk};
use crate::budget::optimal::Totals;
use crate::budget::policy::Stability;
use crate::budget::price::Price;
use crate::budget::upgrade_queue::{Bid, Bids};
use crate::budget::wide::group::GROUP;

/// The least price in a window at which everything fits, if everything costs so much at its high end;
/// `None` if it is outside, or if there is no space for all steps of marked actors.
pub(super) fn price<W: Walk + ?Sized>(
    walk: &mut W,
    window: Window,
    available: u64,
    cost: u64,
    room: &mut [Bid],
) -> Option<Price> {
    let mut left = available.checked_sub(cost)?;
    let mut bids = Bids::new(room);
    for account in 0..walk.accounts() {
        let has_room = walk.visit(account, |book| book.bid_for_all(account, window.low, &mut bids));
        if has_room == Some(false) {
            return None;
        }
    }
    let mut missing = None;
    bids.visit(|bid| {
        match left.checked_sub(bid.rest()) {
            Some(rest) => left = rest,
            None => missing = Some(bid.benefit()),
        }
        missing.is_none()
    });
    match missing {
        Some(worth) => Some(Price::from_bits(worth.saturating_add(1))),
        None => (window.low == Price::FREE).then_some(Price::FREE),
    }
}

impl Book<'_> {
    /// The rows that were found.
    pub(super) fn found(&self) -> impl Iterator<Item = usize> {
        let rows = self.account.benefits.len();
        self.crowd.groups.iter().zip((0..rows).step_by(GROUP)).flat_map(|(group, first)| {
            let mut found = group.found;
            core::iter::from_fn(move || {
                let row = (found != 0).then(|| first.wrapping_add(found.trailing_zeros() as usize));
                found &= found.wrapping_sub(1);
                row
            })
        })
    }

    /// Adds all steps of marked actors that are worth a price; returns whether there was space.
    fn bid_for_all(&self, number: usize, low: Price, bids: &mut Bids<'_>) -> bool {
        let number = u16::try_from(number).unwrap_or(u16::MAX);
        self.found().all(|row| {
            let Some((offer, mut rung)) = self.offer(row, Stability::OFF) else { return true };
            let id = self.ids.get(row).copied().unwrap_or(0);
            let row = u32::try_from(row).unwrap_or(u32::MAX);
            loop {
                let worth = offer.worth_of(offer.slope_above(rung), rung);
                if worth < low {
                    return true;
                }
                let to = offer.step_above(rung);
                let rest = offer.cost(to).saturating_sub(offer.cost(rung));
                let rest = u32::try_from(rest).unwrap_or(u32::MAX);
                if !bids.push(Bid::ranked(worth.bits(), id, number, row, rest)) {
                    return false;
                }
                rung = to;
            }
        })
    }

    /// Gives marked actors all steps that are worth a price, and returns the additional totals.
    pub(super) fn take_if_found(&mut self, price: Price) -> Totals {
        let mut more = Totals::default();
        for group in 0..self.account.benefits.len().div_ceil(GROUP) {
            let mut found = self.crowd.groups.get(group).map_or(0, |group| group.found);
            while found != 0 {
                let row = group.wrapping_mul(GROUP).wrapping_add(found.trailing_zeros() as usize);
                found &= found.wrapping_sub(1);
                let Some((offer, rung)) = self.offer(row, Stability::OFF) else { continue };
                let to = offer.rung_at(price);
                let cost = offer.cost(to).wrapping_sub(offer.cost(rung));
                let value = offer.value(to).wrapping_sub(offer.value(rung));
                more = more.plus(Totals { cost, value });
                self.set_rung(row, to);
            }
        }
        self.assigned = self.assigned.wrapping_add(more.cost);
        more
    }

    /// Adds the next steps of marked actors that are worth a price.
    pub(super) fn bid_if_found_for_steps(&self, number: usize, low: Price, bids: &mut Bids<'_>) {
        let number = u16::try_from(number).unwrap_or(u16::MAX);
        for row in self.found() {
            let Some((offer, rung)) = self.offer(row, Stability::OFF) else { continue };
            let worth = offer.worth_of(offer.slope_above(rung), rung);
            if worth >= low {
                let id = self.ids.get(row).copied().unwrap_or(0);
                let row = u32::try_from(row).unwrap_or(u32::MAX);
                bids.push(Bid::ranked(worth.bits(), id, number, row, 0));
            }
        }
    }
}
