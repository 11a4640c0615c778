//! The cutoff, at which a budget is exhausted: a benefit, or the optimal policy's price.
//!
//! Actors are upgraded by falling benefit, each as far as the leftover budget allows. All actors from the cutoff on get
//! their highest level, in any order, as the budget pays all of these upgrades. The cutoff is most often near the last one,
//! or is [found by counting](super::search); only actors near it are upgraded one by one.

use crate::benefit::Benefit;

pub(super) const ABOVE_ALL: u32 = Benefit::MAX.bits() + 1;
/// The least number of rows of a sample.
const SAMPLED_ROWS: u64 = 1 << 15;
/// The most blocks that one block of a sample stands for.
const MAX_STRIDE: u32 = 1 << 5;

/// The least distance of prices between which no window is likely to reach, a sixteenth of a factor of 2.
const LEAST_JUMP: u32 = 1 << 13;

/// The start of the next search: the last cutoff benefit, or the optimal policy's price, and how far it moved. No plan
/// depends on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct WarmStart {
    pub(super) at: u32,
    pub(super) spread: u32,
    pub(super) reach: MarkDepth,
    /// The cutoff of actors that return to their previous level; 0 in a first frame.
    pub(super) returning: u32,
    /// The width of the window on either side of it: each is a factor of 2 to this power.
    pub(super) returning_octaves: u8,
    /// The depth below the window in which returning actors and others were mixed.
    pub(super) mixed: u32,
    /// The budget that was left below the cutoff, in nanoseconds, saturating; `None` in a first frame.
    pub(super) rest: Option<u32>,
    /// Whether few rows were marked.
    pub(super) has_few: bool,
    /// The budget of that price.
    pub(super) budget: u64,
    /// The price before the last jump, and its budget. A budget that varies about a gap, a range of prices without steps,
    /// jumps between both prices.
    pub(super) other: Option<(u32, u64)>,
}

impl WarmStart {
    /// Returns the benefits between which the cutoff is expected, falling; `None` in a first frame.
    pub(super) fn window(self) -> Option<(u32, u32)> {
        let Self { at, spread, .. } = self;
        // Small benefits are more frequent.
        let (up, down) = (spread.saturating_mul(2).max(2), spread.max(2));
        let (high, low) = (at.saturating_add(up).min(ABOVE_ALL), at.saturating_sub(down).max(1));
        (at > 0).then_some((high, low))
    }

    /// Returns the same for actors that return to their previous level; `None` in a first frame.
    pub(super) fn returning_window(self) -> Option<(u32, u32)> {
        let Self { returning: at, returning_octaves: octaves, .. } = self;
        let far = (at >> 6).max(2);
        let high = u64::from(at.saturating_add(far)) << octaves;
        let high = u32::try_from(high).unwrap_or(ABOVE_ALL).min(ABOVE_ALL);
        (at > 0).then_some((high, (at.saturating_sub(far) >> octaves).max(1)))
    }

    /// Takes the cutoff of returning actors, or the low end of the window if all there were paid, and how many of them were
    /// marked.
    pub(super) fn with_returning(self, last: Self, at: u32, found: u64, rows: u64) -> Self {
        let octaves = if found > rows / 1_024 + 64 {
            last.returning_octaves.saturating_sub(1)
        } else if found < rows / 8_192 + 16 {
            last.returning_octaves.saturating_add(1).min(24)
        } else {
            last.returning_octaves
        };
        Self { returning: at, returning_octaves: octaves, ..self }
    }

    /// Whether the window of the last frame is likely to contain the cutoff again: few rows were in it, and the last cutoff is
    /// not near its ends.
    pub(super) fn suits(self, low: u32, high: u32) -> bool {
        let part = high.saturating_sub(low) >> 3;
        self.has_few && self.at >= low.saturating_add(part) && self.at < high.saturating_sub(part)
    }

    /// Returns the most that a step below the cutoff is expected to cost.
    pub(super) fn likely_step(self) -> u32 {
        self.rest.map_or(u32::MAX, |rest| rest.saturating_mul(2))
    }

    pub(super) fn reach(self) -> MarkDepth {
        if self.reach == MarkDepth::NOTHING { MarkDepth(10) } else { self.reach }
    }

    /// Returns the prices to try for a budget, if the cost at the last price is near it: the last one and the one before the
    /// last jump, first the one whose cost was nearer.
    pub(super) fn prices(self, budget: u64, cost: u64) -> Option<[u32; 2]> {
        let ((price, other), far) = (self.other?, budget.abs_diff(cost));
        let is_nearer = budget.abs_diff(other) < far;
        let prices = if is_nearer { [price, self.at] } else { [self.at, price] };
        (far <= budget >> 4).then_some(prices)
    }

    /// Returns the warm start after a price; see [`after`](Self::after).
    pub(super) fn after_price(self, at: u32, budget: u64, too_few: bool, too_many: bool) -> Self {
        let (mut from, mut other) = (self, self.other);
        if self.at > 0 && at.abs_diff(self.at) > LEAST_JUMP {
            from.at = self.other.map_or(at, |(price, _)| price);
            other = Some((self.at, self.budget));
        }
        Self { budget, other, ..from.after(at, too_few, too_many) }
    }

    /// Returns the next warm start: the cutoff, and whether too few or far too many rows below thresholds were marked.
    pub(super) fn after(self, at: u32, too_few: bool, too_many: bool) -> Self {
        let spread = if self.at == 0 {
            1 << 10
        } else {
            // The budget may have jumped, which does not say that the cutoff moves as far again.
            let most = self.spread.saturating_mul(8).clamp(1 << 4, 1 << 12);
            at.abs_diff(self.at).saturating_mul(2).max(self.spread >> 1).clamp(2, most)
        };
        let MarkDepth(shift) = self.reach();
        let shift = if too_few {
            shift.saturating_sub(2)
        } else if too_many {
            shift.saturating_add(1)
        } else {
            shift
        };
        let reach = MarkDepth(shift.clamp(1, 24));
        Self { at, spread, reach, ..Self::default() }
    }
}

/// The depth below a threshold to which rows are marked: a part of it, as a shift plus 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub(crate) struct MarkDepth(u8);

impl MarkDepth {
    pub(super) const NOTHING: Self = Self(0);

    /// Returns the same part of a price, in units of its last place.
    pub(super) fn of_price(self) -> u32 {
        1 << 17_u8.saturating_sub(self.0)
    }

    pub(super) fn below(self, threshold: u32) -> u32 {
        if self == Self::NOTHING { 0 } else { threshold >> self.0.wrapping_sub(1) }
    }
}

/// A sample of very many actors, whose counts estimate those of all.
#[derive(Debug, Clone, Copy)]
pub(super) struct RowSample {
    /// One block in this many is in the sample; with 1, all are, as there are too few.
    pub(super) stride: u32,
    most: u32,
}

impl RowSample {
    /// `most` is the greatest cost of an actor, in nanoseconds.
    pub(super) fn of(rows: u64, most: u32) -> Self {
        let stride = u32::try_from(rows / SAMPLED_ROWS).unwrap_or(u32::MAX);
        Self { stride: stride.clamp(1, MAX_STRIDE), most }
    }

    /// Returns two amounts between which the estimate of an amount probably is.
    pub(super) fn around(self, money: u64) -> [u64; 2] {
        // The variance of a sum of amounts is at most the sum, times the greatest of them.
        let variance = money.saturating_mul(self.most.into()).saturating_mul(self.stride.into());
        let far = variance.isqrt().saturating_mul(2);
        [money.saturating_sub(far), money.saturating_add(far)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_about_a_gap_tries_both_prices() {
        let (low, high) = (1 << 20, (1 << 20) + 2 * LEAST_JUMP);
        let first = WarmStart::default().after_price(high, 1_000, false, false);
        assert_eq!(first.prices(1_000, 1_010), None);
        let second = first.after_price(low, 1_020, false, false);
        // The jump itself says nothing about the next movement.
        assert!(second.spread < first.spread);
        assert_eq!(second.prices(1_001, 1_019), Some([high, low]));
        assert_eq!(second.prices(1_015, 1_019), Some([low, high]));
        assert_eq!(second.prices(500, 1_019), None);
        let third = second.after_price(high + 1, 1_001, false, false);
        assert_eq!(third.prices(1_019, 1_002), Some([low, high + 1]));
        assert!(third.spread < second.spread);
    }
}
