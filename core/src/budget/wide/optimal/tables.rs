//! What a part of a book knows of its ladders, beside their costs.

use crate::benefit::Benefit;
use crate::budget::book::Book;
use crate::budget::ladder::{LadderSpan, Ladders};
use crate::budget::offer::Offers;
use crate::budget::policy::Stability;
use crate::budget::price::Price;
use crate::budget::rate::UNREACHABLE;
use crate::budget::slope::{Slope, foot, quality};

impl Book<'_> {
    /// The slopes, of a part, too.
    pub(super) fn shared_slopes(&self) -> &[Slope] {
        if self.slopes.of_costs.is_empty() { self.crowd.slopes } else { self.slopes.of_costs }
    }

    /// What actors could have, in a part, too.
    pub(super) fn shared_offers(&self) -> Offers<'_> {
        let slopes = self.shared_slopes();
        Offers::new(self.account, self.qualities, slopes, &[], Stability::OFF)
    }

    /// How good a rung is, in 2⁻¹⁵.
    pub(super) fn quality(&self, span: LadderSpan, rung: usize) -> u32 {
        let len = Ladders::part(span, self.account.ladders.costs).len();
        quality(Ladders::beside(span, len, self.qualities), rung)
    }
}

/// A number for each step above the foot, of `L` ladders of at most `K` steps. Those of one actor are side by
/// side, so that they are compared together where there is more than one ladder.
pub(super) struct Table<const L: usize, const K: usize>(pub(super) [[u32; K]; L]);

impl<const L: usize, const K: usize> Table<L, K> {
    /// `of` is told the ladder and the rung to which a step leads.
    #[inline(never)]
    pub(super) fn new(
        ladders: Ladders<'_>,
        beyond: u32,
        of: impl Fn(LadderSpan, usize) -> u32,
    ) -> Self {
        let mut table = [[beyond; K]; L];
        for (row, &span) in table.iter_mut().zip(ladders.spans) {
            let costs = Ladders::part(span, ladders.costs);
            let rungs = foot(costs).wrapping_add(1)..costs.len();
            row.iter_mut().zip(rungs).for_each(|(place, rung)| *place = of(span, rung));
        }
        Self(table)
    }

    /// The least benefits that take steps at a price.
    pub(super) fn thresholds(ladders: Ladders<'_>, slopes: &[Slope], price: Price) -> Self {
        Self::new(ladders, UNREACHABLE, |span, rung| {
            let place = (span.parts().0 as usize).wrapping_add(rung);
            slopes.get(place).map_or(UNREACHABLE, |slope| slope.threshold(price))
        })
    }

    /// What the steps of a ladder cost, in nanoseconds.
    pub(super) fn costs(ladders: Ladders<'_>) -> Self {
        Self::new(ladders, 0, |span, rung| {
            let costs = Ladders::part(span, ladders.costs);
            let cost = |rung| costs.get(rung).copied().unwrap_or(0);
            cost(rung).wrapping_sub(cost(rung.wrapping_sub(1)))
        })
    }

    /// All of a ladder.
    #[inline(always)]
    pub(super) fn of(&self, kind: u8) -> [u32; K] {
        self.0.get(usize::from(kind) & L.wrapping_sub(1)).copied().unwrap_or([0; K])
    }

    /// How many thresholds a benefit reaches.
    #[inline(always)]
    pub(super) fn reached(&self, benefit: Benefit, kind: u8) -> u32 {
        self.of(kind)
            .into_iter()
            .fold(0, |rung, threshold| rung.wrapping_add(u32::from(benefit.bits() >= threshold)))
    }

    /// That of the step which leads to a rung.
    #[inline(always)]
    pub(super) fn to(&self, rung: u32, kind: u8) -> u32 {
        let step = (rung as usize).wrapping_sub(1) & K.wrapping_sub(1);
        let kind = usize::from(kind) & L.wrapping_sub(1);
        let place = kind.wrapping_mul(K).wrapping_add(step);
        self.0.as_flattened().get(place).copied().unwrap_or(0)
    }
}

/// A number for the foot of each ladder.
pub(super) fn feet<const L: usize>(
    ladders: Ladders<'_>,
    of: impl Fn(LadderSpan, usize) -> u32,
) -> [u32; L] {
    let mut feet = [0; L];
    for (place, &span) in feet.iter_mut().zip(ladders.spans) {
        *place = of(span, foot(Ladders::part(span, ladders.costs)));
    }
    feet
}
