//! The next actors, among those with an affordable step.

use crate::benefit::Benefit;
use crate::budget::kernels::block::{BlockRows, BlockVisitor, clamp, each_block};
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
        let (ladders, slopes) = (part.input.ladders, part.shared_slopes());
        let pays = |money: u64, is_whole: bool| {
            StepTable::new(ladders, 0, |span, level| {
                let actor = part.options().of_span(span, Benefit::MAX);
                let from = level.wrapping_sub(1);
                let to = if is_whole { actor.step_above(from) } else { level };
                let has_slope = actor.slope_above(from) != Slope::NEVER;
                let cost = actor.cost(to).saturating_sub(actor.cost(from));
                u32::from(has_slope && cost <= money)
            })
        };
        let mut block = MarkBlock {
            tables,
            kernel: *self,
            at_price: StepTable::by_price(ladders, slopes, self.price),
            below: StepTable::by_price(ladders, slopes, self.below),
            low: StepTable::by_price(ladders, slopes, self.low),
            left_pays: pays(self.budget.left, false),
            free_pays: pays(self.budget.free(), self.is_whole),
            most: [[0; K]; L],
            found: 0,
        };
        each_block::<L>(part, 1, &mut block);
        let (most, found) = (block.most, block.found);
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

struct MarkBlock<'a, const L: usize, const K: usize> {
    tables: &'a LadderTables<L, K>,
    kernel: MarkKernel,
    at_price: StepTable<L, K>,
    below: StepTable<L, K>,
    low: StepTable<L, K>,
    left_pays: StepTable<L, K>,
    free_pays: StepTable<L, K>,
    /// The greatest benefit that counts for each step.
    most: [[u32; K]; L],
    found: u64,
}

impl<const L: usize, const K: usize> BlockVisitor for MarkBlock<'_, L, K> {
    #[inline(always)]
    fn see(&mut self, mut rows: BlockRows<'_>) {
        let MarkKernel { hysteresis, is_whole, .. } = self.kernel;
        let now = rows.indices(self.tables);
        let mut previous = [0; ROWS_PER_BLOCK];
        if hysteresis.is_on() {
            previous = rows.previous(self.tables);
        }
        let mut flags = [0_u8; ROWS_PER_BLOCK];
        let inputs = rows.benefits.iter().zip(rows.ladder_bytes).zip(now.iter().zip(&previous));
        for (flag, ((&benefit, &kind), (&now, &previous))) in flags.iter_mut().zip(inputs.clone()) {
            let discounted = hysteresis.discounted(benefit);
            let key = if now < previous { benefit } else { discounted };
            let is_below = u8::from(self.below.reached(key, kind) <= now);
            let is_above = u8::from(self.low.reached(key, kind) > now);
            *flag = is_below & is_above & u8::from(benefit > Benefit::ZERO);
        }
        if flags.iter().fold(0, |any, flag| any | flag) == 0 {
            rows.group.found = 0;
            return;
        }
        let mut found = 0_u64;
        for (row, (((&benefit, &kind), (&now, &previous)), &flag)) in inputs.zip(&flags).enumerate()
        {
            let (discounted, returns) = (hysteresis.discounted(benefit), now < previous);
            if flag == 0 || now >= self.tables.top(kind) {
                continue;
            }
            let pays = if returns { &self.left_pays } else { &self.free_pays };
            if pays.to(now.wrapping_add(1), kind) == 0 {
                continue;
            }
            if is_whole {
                let full = self.at_price.reached(benefit, kind);
                if clamp(previous, self.at_price.reached(discounted, kind), full) != now {
                    continue;
                }
            }
            found |= 1 << row;
            let steps = self.most.get_mut(usize::from(kind) & L.wrapping_sub(1));
            if let Some(most) = steps.and_then(|steps| steps.get_mut(usize::from(now))) {
                let key = if returns { benefit } else { discounted };
                *most = (*most).max(key.bits());
            }
        }
        rows.mark(found);
        self.found = self.found.wrapping_add(found.count_ones().into());
    }
}
