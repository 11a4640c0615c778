//! The next actors, among those with an affordable step.

use crate::benefit::Benefit;
use crate::budget::kernels::block::{clamp, each_block};
use crate::budget::kernels::group::ROWS_PER_BLOCK;
use crate::budget::kernels::tables::{LadderTables, StepTable, TableKernel};
use crate::budget::kernels::terms::LeftoverBudget;
use crate::budget::module_view::{ModuleView, PartialResult};
use crate::budget::policy::Hysteresis;
use crate::budget::price::Price;
use crate::budget::slope::Slope;

/// Marks actors with a step that the budget pays, and finds the greatest break-even price of the steps.
#[derive(Clone, Copy)]
pub(super) struct MarkKernel {
    /// The step is worth less than this price,
    pub(super) below: Price,
    /// and at least this one.
    pub(super) low: Price,
    /// The price of the plan.
    pub(super) price: Price,
    pub(super) hysteresis: Hysteresis,
    /// Whether steps are whole hull steps of actors that are still at their level at the price.
    pub(super) is_whole: bool,
    pub(super) budget: LeftoverBudget,
}

#[derive(Debug, Clone, Copy, Default)]
pub(super) struct MarkResult {
    pub(super) found: u64,
    /// The greatest break-even price, as bits.
    pub(super) best: u32,
}

impl PartialResult for MarkResult {
    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        Self { found: self.found.wrapping_add(other.found), best: self.best.max(other.best) }
    }
}

impl TableKernel for MarkKernel {
    type Partial = MarkResult;
    const ASSIGNS: bool = false;

    #[inline(always)]
    fn run_tables<const L: usize, const K: usize>(
        &self,
        part: &mut ModuleView<'_>,
        tables: &LadderTables<L, K>,
    ) -> MarkResult {
        let Self { below, low, price, hysteresis, is_whole, budget } = *self;
        let (ladders, slopes) = (part.input.ladders, part.shared_slopes());
        let pays = |money: u64, is_whole: bool| {
            StepTable::<L, K>::new(ladders, 0, |span, level| {
                let actor = part.options().of_span(span, Benefit::MAX);
                let from = level.wrapping_sub(1);
                let to = if is_whole { actor.step_above(from) } else { level };
                let has_slope = actor.slope_above(from) != Slope::NEVER;
                let cost = actor.cost(to).saturating_sub(actor.cost(from));
                u32::from(has_slope && cost <= money)
            })
        };
        let (left_pays, free_pays) = (pays(budget.left, false), pays(budget.free(), is_whole));
        let [at_price, below, low] =
            [price, below, low].map(|price| StepTable::<L, K>::by_price(ladders, slopes, price));
        // The greatest benefit that counts for each step.
        let (mut most, mut found) = ([[0; K]; L], 0_u64);
        each_block::<L>(part, 1, &mut |mut rows| {
            let now = rows.indices(tables);
            let mut previous = [0; ROWS_PER_BLOCK];
            if hysteresis.is_on() {
                previous = rows.previous(tables);
            }
            let mut flags = [0_u8; ROWS_PER_BLOCK];
            let inputs = rows.benefits.iter().zip(rows.ladder_bytes).zip(now.iter().zip(&previous));
            for (flag, ((&benefit, &kind), (&now, &previous))) in
                flags.iter_mut().zip(inputs.clone())
            {
                let discounted = hysteresis.discounted(benefit);
                let key = if now < previous { benefit } else { discounted };
                let is_below = u8::from(below.reached(key, kind) <= now);
                let is_above = u8::from(low.reached(key, kind) > now);
                *flag = is_below & is_above & u8::from(benefit > Benefit::ZERO);
            }
            if flags.iter().fold(0, |any, flag| any | flag) == 0 {
                rows.group.found = 0;
                return;
            }
            let mut marked = 0_u64;
            for (row, (((&benefit, &kind), (&now, &previous)), &flag)) in
                inputs.zip(&flags).enumerate()
            {
                let (discounted, returns) = (hysteresis.discounted(benefit), now < previous);
                let pays = if returns { &left_pays } else { &free_pays };
                let is_at_price = || {
                    let full = at_price.reached(benefit, kind);
                    clamp(previous, at_price.reached(discounted, kind), full) == now
                };
                if flag == 0
                    || now >= tables.top(kind)
                    || pays.to(now.wrapping_add(1), kind) == 0
                    || is_whole && !is_at_price()
                {
                    continue;
                }
                marked |= 1 << row;
                let steps = most.get_mut(usize::from(kind) & L.wrapping_sub(1));
                if let Some(most) = steps.and_then(|steps| steps.get_mut(usize::from(now))) {
                    let key = if returns { benefit } else { discounted };
                    *most = key.bits().max(*most);
                }
            }
            rows.mark(marked);
            found = found.wrapping_add(marked.count_ones().into());
        });
        let places = StepTable::<L, K>::new(ladders, u32::MAX, |span, level| {
            u32::try_from(level).unwrap_or(u32::MAX).saturating_add(span.parts().0)
        });
        let slopes = part.shared_slopes();
        let steps = most.as_flattened().iter().zip(places.0.as_flattened());
        let best = steps.fold(0, |best, (&benefit, &place)| {
            let slope = slopes.get(place as usize).copied().unwrap_or_default();
            best.max(slope.worth(Benefit::from_bits(benefit)).bits())
        });
        MarkResult { found, best }
    }

    fn run_rows(&self, part: &mut ModuleView<'_>) -> MarkResult {
        let Self { below, low, price, hysteresis, is_whole, budget } = *self;
        let (left, free) = (budget.left, budget.free());
        let mut result = MarkResult::default();
        part.each_actor(hysteresis, |part, row, actor| {
            let (options, now, worth) = (actor.options, actor.now, actor.worth_above(actor.now));
            let next = now.wrapping_add(1);
            let (to, money) = match (now < actor.previous, is_whole) {
                (true, _) => (next, left),
                (false, true) => (options.step_above(now), free),
                (false, false) => (next, free),
            };
            let is_marked = worth >= low.max(Price::MIN)
                && worth < below
                && options.cost(to).saturating_sub(options.cost(now)) <= money
                && (!is_whole || actor.indices_at(price).0 == now);
            if is_marked {
                result = result.plus(MarkResult { found: 1, best: worth.bits() });
            }
            part.wide.mark(row, is_marked);
        });
        result
    }
}
