//! The cutoff benefit, at which a leftover budget is exhausted.
//!
//! Actors are upgraded by falling benefit, each as far as the leftover budget allows. All actors from the cutoff on get
//! their highest level, in any order, as the budget pays all of these upgrades. The cutoff is found by counting; only
//! actors near it are upgraded one by one.

use crate::benefit::Benefit;

pub(super) const PIVOTS: usize = 4;
const ABOVE_ALL: u32 = Benefit::MAX.bits() + 1;
/// The growth of the steps away from a wrong warm start, as a shift.
const STRIDE: u32 = 3;
/// The least number of rows of a sample.
const SAMPLED_ROWS: u64 = if cfg!(test) { 1 << 6 } else { 1 << 15 };
/// The most blocks that one block of a sample stands for.
const MAX_STRIDE: u32 = 1 << 5;
/// One in this many actors, at least [`FEW`], may be left to be upgraded one by one.
const PART: u64 = 512;
const FEW: u64 = 32;

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

    pub(super) fn pivots(self) -> [u32; PIVOTS] {
        let Self { at, spread, .. } = self;
        if at == 0 {
            return [1 << 16, 1 << 13, 1 << 10, 1 << 6];
        }
        let (near, far) = (spread.max(1), spread.max(1).saturating_mul(8));
        [
            at.saturating_add(far).min(ABOVE_ALL - 1),
            at.saturating_add(near).min(ABOVE_ALL - 1),
            at.saturating_sub(near).max(1),
            at.saturating_sub(far).max(1),
        ]
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
pub(super) struct MarkDepth(u8);

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

/// The upgrades to the highest level of all actors from a benefit on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct CutoffCount {
    pub(super) cost: u64,
    pub(super) rows: u64,
}

impl CutoffCount {
    pub(super) const fn times(self, factor: u64) -> Self {
        Self { cost: self.cost.wrapping_mul(factor), rows: self.rows.wrapping_mul(factor) }
    }

    #[inline(always)]
    #[allow(clippy::inline_always)] // a part of loops that are compiled for vectors
    pub(super) const fn plus(self, other: Self) -> Self {
        Self { cost: self.cost.wrapping_add(other.cost), rows: self.rows.wrapping_add(other.rows) }
    }
}

/// The search for the cutoff. The caller counts the upgrades from each of the [`pivots`](Self::pivots) on.
pub(super) struct CutoffSearch {
    leftover: u64,
    /// The budget does not pay all upgrades from this benefit on, or it is 0.
    low: u32,
    /// The cost of these upgrades, if it is known.
    wanted: Option<u64>,
    /// The budget pays all upgrades from this benefit on, which are `paid`.
    high: u32,
    paid: CutoffCount,
    rows: u64,
    enough: u64,
    pivots: [u32; PIVOTS],
    step: u32,
}

impl CutoffSearch {
    pub(super) fn new(leftover: u64, rows: u64, warm_start: WarmStart) -> Self {
        Self {
            leftover,
            low: 0,
            wanted: None,
            high: ABOVE_ALL,
            paid: CutoffCount::default(),
            rows,
            enough: (rows / PART).max(FEW),
            pivots: warm_start.pivots(),
            step: warm_start.spread,
        }
    }

    /// Begins with falling pivots, the last of which no row is below.
    pub(super) fn between(leftover: u64, rows: u64, pivots: [u32; PIVOTS]) -> Self {
        let search = Self::new(leftover, rows, WarmStart::default());
        Self { pivots, ..search }
    }

    pub(super) fn pivots(&self) -> [u32; PIVOTS] {
        self.pivots
    }

    pub(super) fn pass(&mut self, wanted: [CutoffCount; PIVOTS]) -> bool {
        let (low, high) = (self.low, self.high);
        for (pivot, wanted) in self.pivots.into_iter().zip(wanted) {
            if pivot >= self.high || pivot <= self.low {
                continue;
            }
            if wanted.cost > self.leftover {
                (self.low, self.rows, self.wanted) = (pivot, wanted.rows, Some(wanted.cost));
                break;
            }
            (self.high, self.paid) = (pivot, wanted);
        }
        let window = self.rows.wrapping_sub(self.paid.rows);
        if self.high.wrapping_sub(self.low) <= 1 || window <= self.enough {
            return true;
        }
        self.pivots = if low == 0 && high == ABOVE_ALL && self.low == 0 && self.step > 0 {
            // Everything from the last pivot on is paid: the cutoff is farther down.
            self.gallop(|high, far| high.saturating_sub(far).max(1))
        } else if low == 0 && high == ABOVE_ALL && self.high == ABOVE_ALL && self.step > 0 {
            let low = self.low;
            let mut up = self.gallop(|_, far| low.saturating_add(far).min(ABOVE_ALL - 1));
            up.reverse();
            up
        } else {
            self.pivots_between()
        };
        false
    }

    /// Returns the cutoff, and the cost of the upgrades from it on.
    pub(super) fn high(&self) -> (u32, u64) {
        (self.high, self.paid.cost)
    }

    /// Actors from this benefit to below [`high`](Self::high) are upgraded one by one.
    pub(super) fn low(&self) -> u32 {
        self.low
    }

    fn gallop(&mut self, at: impl Fn(u32, u32) -> u32) -> [u32; PIVOTS] {
        let mut far = self.step << STRIDE;
        self.step = 0;
        let high = self.high;
        core::array::from_fn(|_| {
            far = far.saturating_mul(1 << STRIDE);
            at(high, far)
        })
    }

    /// Returns pivots between the ends: near the likely cutoff, or closer at small benefits, which are more frequent.
    fn pivots_between(&self) -> [u32; PIVOTS] {
        let rest = self.high.wrapping_sub(self.low);
        if let Some(wanted) = self.wanted.filter(|_| rest > 1 << 6) {
            let (missing, all) =
                (wanted.saturating_sub(self.leftover), wanted.saturating_sub(self.paid.cost));
            let down = 40_u32.saturating_sub(all.leading_zeros());
            let part = u64::from(rest).wrapping_mul(missing >> down) / (all >> down).max(1);
            let at = self.low.saturating_add(u32::try_from(part).unwrap_or(rest));
            let inside =
                |at: u32| at.clamp(self.low.saturating_add(1), self.high.saturating_sub(1));
            let (near, far) = (rest >> 6, rest >> 3);
            return [
                inside(at.saturating_add(far)),
                inside(at.saturating_add(near)),
                inside(at.saturating_sub(near)),
                inside(at.saturating_sub(far)),
            ];
        }
        let part = rest / 16;
        let down = |parts: u32| {
            let at =
                if part == 0 { rest.wrapping_mul(parts) / 16 } else { part.wrapping_mul(parts) };
            self.low.saturating_add(at).max(1)
        };
        [down(10), down(5), down(2), down(1)]
    }
}

#[cfg(test)]
mod tests {
    use std::vec::Vec;

    use proptest::prelude::*;

    use super::*;

    fn wanted(actors: &[(u32, u32)], pivot: u32) -> CutoffCount {
        let above = actors.iter().filter(|actor| actor.0 >= pivot);
        above.fold(CutoffCount::default(), |sum, &(_, cost)| {
            sum.plus(CutoffCount { cost: cost.into(), rows: 1 })
        })
    }

    proptest! {
        #[test]
        fn leftovers_pay_all_upgrades_from_the_cutoff_and_not_all_below(
            actors in prop::collection::vec((0_u32..1 << 24, 0_u32..2_000), 0..400),
            zeros in 0..24, leftover in 0_u64..400_000, at in 0_u32..1 << 24, spread in 0_u32..1 << 12,
        ) {
            let actors: Vec<_> = actors.into_iter().map(|(benefit, cost)| (benefit >> zeros, cost)).collect();
            let warm_start = WarmStart { at: at >> zeros, spread, ..WarmStart::default() };
            let mut search = CutoffSearch::new(leftover, actors.len() as u64, warm_start);
            search.enough = 3;
            let mut passes = 0;
            while !search.pass(search.pivots().map(|pivot| wanted(&actors, pivot))) {
                passes += 1;
                prop_assert!(passes < 60);
                prop_assert!(search.pivots().is_sorted_by(|a, b| a >= b));
            }
            let (high, paid) = search.high();
            prop_assert_eq!(wanted(&actors, high).cost, paid);
            prop_assert!(paid <= leftover);
            prop_assert!(search.low() == 0 || wanted(&actors, search.low()).cost > leftover);
        }
    }
}
