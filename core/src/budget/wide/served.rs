//! Upgrades one by one, and the bound at which unmarked actors must be considered.

use super::group::GROUP;
use super::steps::Shape;
use crate::benefit::Benefit;
use crate::budget::bid::Bid;
use crate::budget::book::Book;
use crate::budget::frontier::Reach;
use crate::budget::ladder::Ladders;
use crate::budget::lod::Lod;
use crate::budget::pot::Bids;
use crate::budget::rate::Rate;
use crate::budget::scale::Scale;

impl Book<'_> {
    /// Adds the upgrades of marked actors, each with its least cost.
    pub(super) fn bid_if_found(&self, number: usize, bids: &mut Bids<'_>) {
        bids.step(self.account.least_step());
        let number = u16::try_from(number).unwrap_or(u16::MAX);
        for (group, first) in self.crowd.groups.iter().zip((0_usize..).step_by(GROUP)) {
            let mut found = group.found;
            while found != 0 {
                let row = first.wrapping_add(found.trailing_zeros() as usize);
                found &= found.wrapping_sub(1);
                let benefit = self.account.benefits.get(row).copied().unwrap_or_default();
                let id = self.ids.get(row).copied().unwrap_or(0);
                let step = self.next_step(row);
                let row = u32::try_from(row).unwrap_or(u32::MAX);
                bids.push(Bid::new(benefit, id, number, row, step));
            }
        }
    }

    /// Returns the least cost of an upgrade of a row, in nanoseconds.
    fn next_step(&self, row: usize) -> u32 {
        let ladder = self.account.ladder_of(row);
        let level = self.levels.get(row).copied().unwrap_or(0);
        if self.account.continuous {
            return 0;
        }
        let now = ladder.cost(Lod::new(level, 0));
        let next = ladder.costs().iter().find(|&&cost| cost > now);
        next.map_or(u32::MAX, |next| next.wrapping_sub(now))
    }

    /// Returns a bound for the benefit of an unmarked actor that a budget could upgrade; 0 if there is none.
    /// All actors from `low` on are marked, and all that miss a threshold by no more than the reach.
    pub(super) fn blind_below(&self, scale: Scale, low: u32, reach: Reach, pot: u64) -> u32 {
        if self.crowd.groups.len() < self.account.benefits.len().div_ceil(GROUP) {
            return u32::MAX;
        }
        // If ladders fit no table, all actors are marked.
        let Some(shape) = Shape::of(self) else { return 0 };
        let threshold = Rate::new(self.account.benefit_value, scale).threshold_of_cost();
        let ladders = shape.ladders();
        let mut blind = 0;
        for &span in ladders.spans {
            let costs = Ladders::part(span, ladders.costs);
            let minimum = costs.first().copied().unwrap_or(0);
            // Actors from one threshold to below the next have the level index between them.
            for pair in costs.windows(2) {
                let &[here, next] = pair else { continue };
                let from = if here == minimum { 1 } else { threshold(here).max(1) };
                let next_at = threshold(next);
                let seen_from = next_at.saturating_sub(reach.below(next_at)).min(low);
                let step = u64::from(next.wrapping_sub(here));
                if step > 0 && step <= pot && from < seen_from {
                    blind = blind.max(seen_from);
                }
            }
        }
        blind
    }

    /// Adds the upgrades that a budget can pay.
    pub(super) fn bid_if_payable(&self, number: usize, pot: u64, bids: &mut Bids<'_>) {
        bids.step(self.account.least_step());
        let number = u16::try_from(number).unwrap_or(u16::MAX);
        let fractions = self.fractions.iter().copied().chain(core::iter::repeat(0));
        let lods = self.levels.iter().zip(fractions);
        let lods = lods.map(|(&level, fraction)| Lod::new(level, fraction));
        let rows = self.account.rows().zip(lods).zip(self.ids).zip(0_u32..);
        for ((((ladder, benefit), lod), &id), row) in rows {
            if benefit > Benefit::ZERO && ladder.raise(lod, pot, self.account.continuous).1 > 0 {
                let rest = ladder.maximum().saturating_sub(ladder.cost(lod));
                bids.push(Bid::new(benefit, id, number, row, rest));
            }
        }
    }
}
