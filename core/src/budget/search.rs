//! The search for a cutoff by counting, of prices and of benefits.

use super::cutoff::{ABOVE_ALL, WarmStart};
use super::kernels::terms::PriceWindow;
use super::marks::MOST_MARKED;
use super::module_view::{PartialResult, adds_up};
use super::price::Price;
use crate::target::IS_BOARD;

/// The number of prices or benefits that a pass evaluates.
pub(super) const PIVOTS: usize = 4;
/// The growth of the steps away from a wrong start, as a shift.
const STRIDE: u32 = 3;
/// The most steps in a range in which the price is interpolated.
const INTERPOLATED_STEPS: u64 = 1 << 16;
/// The greatest width of such a range.
const INTERPOLATED_WIDTH: u32 = 1 << 15;
/// The number of steps that a window has at most after one without the price.
const MOST_AFTER_MISS: u64 = MOST_MARKED / 2;

/// The cost of all steps from a pivot on, in nanoseconds, and their number; or of all upgrades to the highest level.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct PivotCount {
    pub(super) cost: u64,
    pub(super) steps: u64,
}

impl PivotCount {
    pub(super) const fn times(self, factor: u64) -> Self {
        Self { cost: self.cost.wrapping_mul(factor), steps: self.steps.wrapping_mul(factor) }
    }

    pub(super) const fn minus(self, other: Self) -> Self {
        Self {
            cost: self.cost.saturating_sub(other.cost),
            steps: self.steps.saturating_sub(other.steps),
        }
    }
}

adds_up!(PivotCount: cost, steps);

impl PartialResult for [PivotCount; PIVOTS] {
    #[allow(clippy::inline_always)] // a part of loops that are compiled for vectors
    #[inline(always)]
    fn plus(mut self, other: Self) -> Self {
        for (sum, more) in self.iter_mut().zip(other) {
            *sum = sum.plus(more);
        }
        self
    }
}

/// The result of a search among the steps of a window.
#[derive(Clone, Copy)]
pub(super) enum WindowSteps {
    /// The least price at which the cost is within the limit.
    Price(Price),
    /// The cost at the low end of the window, if that is within the limit.
    Cost(u64),
    /// The whole window costs more than the limit, or it has too many steps.
    Unknown,
}

/// The search for the least price at which the cost is at most `limit`, or the least benefit from which on all upgrades
/// cost at most that. The caller evaluates the [`pivots`](Self::pivots), or the steps in a [`window`](Self::window). Costs
/// do not rise with the price and fit at [`Price::MAX`], so it is unique.
pub(super) struct CutoffSearch {
    pub(super) limit: u64,
    /// The number of steps up to which a window is likely to have the price.
    few: u64,
    low: u32,
    high: u32,
    at_low: Option<PivotCount>,
    at_high: Option<PivotCount>,
    /// Whether the cost at the high end is known.
    is_high_known: bool,
    /// The next prices to evaluate, from the least to the greatest.
    pub(super) pivots: [u32; PIVOTS],
    far: u32,
    /// The previous price, and the width of the next window beside it.
    start: Option<(u32, u32)>,
    /// The same for another price to try.
    second: Option<(u32, u32)>,
    /// The number of windows without the price since the last pass.
    misses: u8,
}

/// One in this many actors, at least [`MIN_UPGRADES`], may be left to be upgraded one by one.
const ACTORS_PER_UPGRADE: u64 = 512;
const MIN_UPGRADES: u64 = 32;
/// The least and the greatest width of a window beside the previous price.
const LEAST_WINDOW: u32 = 1 << 7;
const MAX_WINDOW: u32 = 1 << 14;

impl CutoffSearch {
    pub(super) fn new(limit: u64, start: Option<Price>, spread: u32, few: u64) -> Self {
        let (least, most) = (Price::MIN.bits(), Price::MAX.bits());
        let spread = if spread == 0 { 1 << 10 } else { spread };
        let far = spread << STRIDE;
        let start = start.map(Price::bits);
        let pivots = match start {
            // A quarter of the exponents that occur.
            None => [most / 8, most / 4, most * 3 / 8, most / 2],
            Some(start) => [
                start.saturating_sub(far),
                start.saturating_sub(spread),
                start.saturating_add(spread),
                start.saturating_add(far),
            ],
        };
        Self {
            limit,
            few,
            low: least.wrapping_sub(1),
            high: most,
            at_low: None,
            at_high: None,
            is_high_known: false,
            pivots: pivots.map(|pivot| pivot.clamp(least, most)),
            far,
            second: None,
            start: start.map(|start| (start, spread.max(LEAST_WINDOW))),
            misses: 0,
        }
    }

    /// Searches for a benefit, to a window of few of `rows`.
    pub(super) fn of_benefits(limit: u64, rows: u64, warm_start: WarmStart) -> Self {
        let WarmStart { at, spread, .. } = warm_start;
        let few = (rows / ACTORS_PER_UPGRADE).max(MIN_UPGRADES);
        let search = Self::new(limit, (at > 0).then_some(Price::from_bits(at)), spread, few);
        let search = Self { high: ABOVE_ALL, start: None, ..search };
        if at > 0 { search } else { Self { pivots: [1 << 6, 1 << 10, 1 << 13, 1 << 16], ..search } }
    }

    /// Searches below the last of the rising pivots, from which on nothing costs more than `limit`.
    pub(super) fn of_benefits_below(limit: u64, rows: u64, pivots: [u32; PIVOTS]) -> Self {
        Self { pivots, ..Self::of_benefits(limit, rows, WarmStart::default()) }
    }

    /// Counts until few steps are between the ends of the range in which the price is; returns these.
    pub(super) fn find(
        &mut self,
        mut count: impl FnMut([u32; PIVOTS]) -> [PivotCount; PIVOTS],
    ) -> [u32; 2] {
        while self.price().is_none() && self.between().is_none_or(|near| near.steps > self.few) {
            self.pass(count(self.pivots));
        }
        [self.low, self.high]
    }

    /// Evaluates prices in a likely range next.
    pub(super) fn aim(&mut self, low: u32, high: u32) {
        let [low, high] = [low.min(high), low.max(high)].map(|end| end.max(Price::MIN.bits()));
        let third = high.wrapping_sub(low).div_ceil(3);
        // The first step out of the range is as wide as a third of it.
        self.far = (third >> STRIDE).max(1);
        let (a, b) = (low.saturating_add(third), high.saturating_sub(third));
        self.pivots = [low, a.min(b), a.max(b), high];
    }

    pub(super) fn price(&self) -> Option<Price> {
        (self.high.wrapping_sub(self.low) <= 1).then_some(Price::from_bits(self.high))
    }

    pub(super) fn pass(&mut self, results: [PivotCount; PIVOTS]) {
        for (pivot, results) in self.pivots.into_iter().zip(results) {
            self.note(pivot, results.cost, Some(results));
        }
        self.misses = 0;
        self.pivots = self.next();
    }

    /// Returns a cost between those of both ends, with the number of steps that it probably has.
    fn about(&self, cost: u64) -> Option<PivotCount> {
        let (low, high) = (self.at_low?, self.at_high?);
        let PivotCount { cost: all, steps } = low.minus(high);
        let more = part_of(steps, cost.saturating_sub(high.cost), all);
        Some(PivotCount { cost, steps: high.steps.wrapping_add(more) })
    }

    /// Tries windows beside two prices first, as far as they are in the range.
    pub(super) fn try_prices(&mut self, prices: [u32; 2], spread: u32) {
        let width = spread.max(LEAST_WINDOW);
        let mut starts = prices.map(|price| (price, width)).into_iter();
        self.start = starts.find(|&start| self.beside(start).is_some());
        self.second = starts.find(|&start| self.beside(start).is_some());
    }

    /// Returns the part of the range that is within a width of a price.
    fn beside(&self, (price, width): (u32, u32)) -> Option<[u32; 2]> {
        let low = price.saturating_sub(width).max(self.low);
        let high = price.saturating_add(width).min(self.high);
        (low < high).then_some([low, high])
    }

    /// Takes the cost at a price.
    pub(super) fn note(&mut self, price: u32, cost: u64, results: Option<PivotCount>) {
        if cost.abs_diff(self.limit) > self.limit >> 5 {
            // The previous price is far away.
            self.start = None;
        }
        if cost > self.limit {
            if price > self.low {
                (self.low, self.at_low) = (price, results);
            }
        } else if price <= self.high {
            (self.high, self.at_high, self.is_high_known) = (price, results, true);
        }
    }

    /// Returns a window in which the price is likely; of the price itself, and `width` below it, if it is known.
    pub(super) fn window(&self, width: u32) -> Option<PriceWindow> {
        let window = |low: u32, high: u32| PriceWindow {
            low: Price::from_bits(low.max(Price::MIN.bits())),
            high: Price::from_bits(high),
        };
        if self.price().is_some() {
            return Some(window(self.high.saturating_sub(width), self.high));
        }
        if let Some([low, high]) = self.start.and_then(|start| self.beside(start)) {
            return Some(window(low, high));
        }
        let (near, most) = match self.misses {
            0 if self.width() <= INTERPOLATED_WIDTH => (self.near()?, INTERPOLATED_STEPS),
            0 => (self.near()?, self.few),
            1 => (self.between()?, MOST_AFTER_MISS),
            _ => return None,
        };
        let low = near.low.saturating_sub(width);
        (near.steps <= most.max(self.few)).then(|| window(low, near.high))
    }

    /// Takes the cost at the high end of a window, and the result of the search among its steps; returns the price if it
    /// is right.
    pub(super) fn check(
        &mut self,
        window: PriceWindow,
        cost: u64,
        steps: WindowSteps,
    ) -> Option<Price> {
        self.note(window.high.bits(), cost, self.about(cost));
        if let WindowSteps::Cost(cost) = steps {
            self.note(window.low.bits(), cost, self.about(cost));
        }
        // A second window beside the previous price is wider.
        let wider = |(start, width): (u32, u32)| (start, width << STRIDE);
        let next = self.second.take().or(self.start.map(wider));
        self.start = next.filter(|&(_, width)| width <= MAX_WINDOW);
        self.misses = self.misses.saturating_add(1);
        self.pivots = self.next();
        match steps {
            WindowSteps::Price(price) if cost <= self.limit => Some(price),
            _ => None,
        }
    }

    fn width(&self) -> u32 {
        self.high.wrapping_sub(self.low)
    }

    /// Returns the whole range in which the price is, if its ends were evaluated.
    fn between(&self) -> Option<Near> {
        let steps = self.at_low?.minus(self.at_high?).steps;
        Some(Near { low: self.low, high: self.high, steps })
    }

    /// Returns the part of that range in which the price is likely; all of it if few steps are there.
    fn near(&self) -> Option<Near> {
        let all = self.between()?;
        let (low, high, steps) = (self.at_low?, self.at_high?, all.steps);
        if steps <= self.few {
            return Some(all);
        }
        // Interpolation is much code and saves no pass over few actors.
        if IS_BOARD {
            return None;
        }
        let width = u64::from(self.width());
        let more = low.cost.saturating_sub(self.limit);
        let part = part_of(width, more, low.cost.saturating_sub(high.cost));
        let at = self.low.saturating_add(u32::try_from(part).unwrap_or(u32::MAX));
        // The position varies by the square root of the number of steps, and steps may not be spread evenly.
        let far = width.wrapping_mul(3).checked_div(steps.isqrt()).unwrap_or(width).max(width / 6);
        let far = u32::try_from(far).unwrap_or(u32::MAX).saturating_add(2);
        let (low, high) = (at.saturating_sub(far).max(self.low), at.saturating_add(far));
        Some(Near { low, high: high.min(self.high), steps })
    }

    fn next(&mut self) -> [u32; PIVOTS] {
        let (low, high, far) = (self.low, self.high, self.far);
        let (least, most) = (Price::MIN.bits(), Price::MAX.bits());
        let away =
            |far: u32, step: usize| (0..=step).fold(far, |far, _| far.saturating_mul(1 << STRIDE));
        if low < least {
            self.far = away(far, PIVOTS);
            return core::array::from_fn(|step| {
                high.saturating_sub(away(far, PIVOTS - 1 - step)).max(least)
            });
        }
        if !self.is_high_known {
            self.far = away(far, PIVOTS);
            return core::array::from_fn(|step| low.saturating_add(away(far, step)).min(most));
        }
        let part = |parts: u32, of: u32| {
            // Prices have 24 bits.
            let part = high.wrapping_sub(low).wrapping_mul(parts).checked_div(of);
            low.saturating_add(part.unwrap_or(0)).max(least)
        };
        match self.near() {
            Some(near) if near.steps > self.few && self.width() <= INTERPOLATED_WIDTH => {
                let (a, b) = (part(1, 3), part(2, 3));
                let (low, high) = (near.low.max(least), near.high);
                let [least, most] = [a.min(low), b.max(high)];
                let (c, d) = (a.max(low), b.min(high));
                [least, c.min(d), c.max(d), most]
            }
            _ => [part(1, 5), part(2, 5), part(3, 5), part(4, 5)],
        }
    }
}

/// Returns a part of a number.
fn part_of(number: u64, part: u64, all: u64) -> u64 {
    // 24 bits of both.
    let down = 40_u32.saturating_sub(all.leading_zeros());
    number.wrapping_mul(part >> down) / (all >> down).max(1)
}

struct Near {
    low: u32,
    high: u32,
    steps: u64,
}

#[cfg(test)]
mod tests {
    use std::vec::Vec;

    use proptest::prelude::*;

    use super::*;
    use crate::benefit::Benefit;

    fn passes(least: u32, start: Option<u32>, spread: u32, slope: u64) -> (u32, u32) {
        let mut search = CutoffSearch::new(1 << 40, start.map(Price::from_bits), spread, 16);
        let mut passes = 0;
        loop {
            if let Some(price) = search.price() {
                return (price.bits(), passes);
            }
            passes += 1;
            search.pass(search.pivots.map(|price| {
                let below = i64::from(least) - i64::from(price);
                let more = if below > 0 { slope + below.unsigned_abs() * slope } else { 0 };
                let less = (below.min(0).unsigned_abs() * slope).min(1 << 39);
                PivotCount { cost: (1 << 40) + more - less, steps: (1 << 40) + more - less }
            }));
        }
    }

    fn wanted(actors: &[(u32, u32)], pivot: u32) -> PivotCount {
        let above = actors.iter().filter(|actor| actor.0 >= pivot);
        above.fold(PivotCount::default(), |sum, &(_, cost)| {
            sum.plus(PivotCount { cost: cost.into(), steps: 1 })
        })
    }

    proptest! {
        #[test]
        fn leftovers_pay_all_upgrades_from_the_cutoff_and_not_all_below(
            actors in prop::collection::vec((0_u32..=Benefit::MAX.bits(), 0_u32..2_000), 0..400),
            zeros in 0..24, leftover in 0_u64..400_000, at in 0_u32..1 << 24, spread in 0_u32..1 << 12,
        ) {
            let actors: Vec<_> = actors.into_iter().map(|(benefit, cost)| (benefit >> zeros, cost)).collect();
            let warm_start = WarmStart { at: at >> zeros, spread, ..WarmStart::default() };
            let mut search = CutoffSearch::of_benefits(leftover, 3 * ACTORS_PER_UPGRADE, warm_start);
            search.few = 3;
            let mut passes = 0;
            let [low, high] = search.find(|pivots| {
                passes += 1;
                assert!(passes < 30 && pivots.is_sorted(), "{passes} passes, {pivots:?}");
                pivots.map(|pivot| wanted(&actors, pivot))
            });
            prop_assert!(wanted(&actors, high).cost <= leftover);
            prop_assert!(low == 0 || wanted(&actors, low).cost > leftover);
        }

        #[test]
        fn warm_and_cold_find_the_same_price(
            least in 1_u32..1 << 24, start in prop::option::of(0_u32..1 << 24), far in -2_000_i32..2_000,
            spread in 0_u32..1 << 13, slope in prop_oneof![1_u64..5, Just(1 << 30)],
        ) {
            let near = least.saturating_add_signed(far).clamp(1, Price::MAX.bits());
            for start in [start, Some(near), None] {
                let (price, passes) = passes(least, start, spread, slope);
                prop_assert_eq!(price, least);
                prop_assert!(passes <= 30, "{} passes", passes);
            }
        }
    }
}
