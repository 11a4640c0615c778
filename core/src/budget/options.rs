use super::decision::Totals;
use super::demand::ModuleInput;
use super::ladder::{LadderSpan, Ladders};
use super::module_view::ModuleView;
use super::policy::Hysteresis;
use super::price::Price;
use super::slope::{Slope, base, quality};
use super::work::Quality;
use crate::benefit::Benefit;
use crate::product::short_product;

/// The options of a module's actors: the cost and value of each level.
#[derive(Clone, Copy)]
pub(super) struct ModuleOptions<'a> {
    pub(super) input: ModuleInput<'a>,
    pub(super) qualities: &'a [Quality],
    pub(super) slopes: &'a [Slope],
}

/// The options of one actor. Level indices count from its lowest level.
#[derive(Clone, Copy)]
pub(super) struct ActorOptions<'a> {
    pub(super) costs: &'a [u32],
    pub(super) qualities: &'a [Quality],
    slopes: &'a [Slope],
    span: LadderSpan,
    /// The highest level index with the cost of the lowest.
    pub(super) base: usize,
    pub(super) benefit: Benefit,
}

impl ModuleView<'_> {
    pub(super) fn options(&self) -> ModuleOptions<'_> {
        let (input, qualities) = (self.input, self.qualities);
        ModuleOptions { input, qualities, slopes: self.shared_slopes() }
    }

    /// Returns the slopes, which parts of a view share.
    pub(super) fn shared_slopes(&self) -> &[Slope] {
        if self.slopes.of_costs.is_empty() { self.wide.slopes } else { self.slopes.of_costs }
    }
}

impl<'a> ModuleOptions<'a> {
    #[inline]
    pub(super) fn of(&self, row: usize) -> ActorOptions<'a> {
        let ModuleInput { ladders, ladder, benefits, .. } = self.input;
        let span = ladders.span(ladder.at(row));
        self.of_span(span, benefits.get(row).copied().unwrap_or_default())
    }

    /// Returns the options of an actor with a ladder and benefit.
    // The smallest Cortex-M have the least flash: callers share one copy of this and of some functions below.
    #[cfg_attr(not(all(target_arch = "arm", not(target_has_atomic = "32"))), inline)]
    #[cfg_attr(all(target_arch = "arm", not(target_has_atomic = "32")), inline(never))]
    pub(super) fn of_span(&self, span: LadderSpan, benefit: Benefit) -> ActorOptions<'a> {
        let costs = Ladders::part(span, self.input.ladders.costs);
        ActorOptions {
            costs,
            qualities: Ladders::beside(span, costs.len(), self.qualities),
            slopes: Ladders::beside(span, costs.len(), self.slopes),
            span,
            base: base(costs),
            benefit,
        }
    }
}

impl ActorOptions<'_> {
    #[inline]
    pub(super) fn cost(&self, level_index: usize) -> u64 {
        self.costs.get(level_index).copied().unwrap_or(0).into()
    }

    /// Returns benefit times quality, in 2⁻³¹.
    #[inline]
    pub(super) fn value(&self, level_index: usize) -> u64 {
        short_product(self.benefit.bits(), quality(self.qualities, level_index))
    }

    /// Returns the cost and value of a level index.
    pub(super) fn totals(&self, level_index: usize) -> Totals {
        Totals { cost: self.cost(level_index), value: self.value(level_index) }
    }

    /// Returns the additional cost and value of another level index, wrapping if it is lower.
    #[cfg_attr(not(all(target_arch = "arm", not(target_has_atomic = "32"))), inline)]
    #[cfg_attr(all(target_arch = "arm", not(target_has_atomic = "32")), inline(never))]
    pub(super) fn between(&self, from: usize, to: usize) -> Totals {
        if from == to {
            return Totals::default();
        }
        let (from, to) = (self.totals(from), self.totals(to));
        Totals { cost: to.cost.wrapping_sub(from.cost), value: to.value.wrapping_sub(from.value) }
    }

    #[inline]
    pub(super) fn level(&self, level_index: usize) -> u8 {
        self.span.level(u8::try_from(level_index).unwrap_or(u8::MAX))
    }

    #[inline]
    pub(super) fn level_index(&self, level: u8) -> usize {
        usize::from(level.saturating_sub(self.span.lowest())).min(self.highest())
    }

    #[inline]
    pub(super) fn highest(&self) -> usize {
        self.costs.len().saturating_sub(1)
    }

    /// [`Ladder::index_of_previous`].
    #[inline]
    pub(super) fn index_of_previous(&self, level: Option<u8>) -> usize {
        let Some(level) = level else { return self.highest() };
        // Few levels are on a plateau.
        let index = self.level_index(level);
        let [now, above] = [index, index.wrapping_add(1)].map(|index| self.costs.get(index));
        if now == above {
            return self.span.of_costs(self.costs).index_of_previous(Some(level));
        }
        index
    }

    #[inline]
    pub(super) fn slope_above(&self, level_index: usize) -> Slope {
        self.slopes.get(level_index.wrapping_add(1)).copied().unwrap_or(Slope::NEVER)
    }

    /// Returns what the hull step above an index is worth, to an actor with a previous index.
    #[inline]
    pub(super) fn worth_above(
        &self,
        level_index: usize,
        previous: usize,
        hysteresis: Hysteresis,
    ) -> Price {
        let is_below = level_index < previous;
        let benefit = if is_below { self.benefit } else { hysteresis.discounted(self.benefit) };
        self.slope_above(level_index).worth(benefit)
    }

    /// Returns the index after all hull steps above one that are worth a price to a benefit.
    pub(super) fn climb(&self, from: usize, benefit: Benefit, price: Price) -> usize {
        let mut level_index = from;
        while self.slope_above(level_index).worth(benefit) >= price {
            level_index = level_index.wrapping_add(1);
        }
        level_index
    }

    #[cfg_attr(not(all(target_arch = "arm", not(target_has_atomic = "32"))), inline)]
    #[cfg_attr(all(target_arch = "arm", not(target_has_atomic = "32")), inline(never))]
    pub(super) fn step_above(&self, level_index: usize) -> usize {
        let mut steps = self.slopes.iter().skip(level_index.wrapping_add(1));
        let Some(first) = steps.next() else { return level_index };
        level_index.wrapping_add(1).wrapping_add(steps.take_while(|&slope| slope == first).count())
    }

    /// Returns the best index in `level_index`..=`most` for at most `money` more nanoseconds: of equal quality the
    /// cheapest, of equal cost the highest.
    #[cfg_attr(not(all(target_arch = "arm", not(target_has_atomic = "32"))), inline)]
    #[cfg_attr(all(target_arch = "arm", not(target_has_atomic = "32")), inline(never))]
    pub(super) fn best_above(&self, level_index: usize, most: usize, money: u64) -> usize {
        let limit = self.cost(level_index).saturating_add(money);
        let level_indices = level_index.wrapping_add(1)..=most.min(self.highest());
        level_indices.take_while(|&to| self.cost(to) <= limit).fold(level_index, |best, to| {
            let is_better = self.value(to) > self.value(best) || self.cost(to) == self.cost(best);
            if is_better { to } else { best }
        })
    }
}
