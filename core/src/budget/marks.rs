//! The next actors, among those with a step that a budget pays.

// A function that is not inlined is not compiled for the vectors of its caller.
#![allow(clippy::inline_always)]

use core::ops::Range;

use super::kernels::block::{BlockRows, Blocks, clamp};
use super::kernels::group::ROWS_PER_BLOCK;
use super::kernels::tables::{LadderTables, StepTable, TableKernel, of_kind};
use super::kernels::terms::LeftoverBudget;
use super::module_view::{Greatest, ModuleView, Modules, PartialResult, adds_up};
use super::policy::Hysteresis;
use super::price::Price;
use super::rate::{BenefitRate, UNREACHABLE};
use super::scale::Scale;
use super::slope::Slope;
use super::standing::PaidStep;
use crate::benefit::Benefit;

/// The number of rows that are marked at once.
pub(super) const MOST_MARKED: u64 = 1 << 14;

/// The growth of a range of keys with few actors, and the shrinking of one with too many, as a shift.
const STRIDE: u32 = 3;

/// The steps of a leftover budget, and the key in whose order actors take them.
#[derive(Clone, Copy)]
pub(super) enum NextStep {
    /// The level above, by the benefit that counts. An actor that the scale returned to its previous level had its turn.
    Level(Scale),
    /// The hull step above, by its break-even price as bits.
    Hull {
        /// The price of the plan.
        price: Price,
        /// Whether steps are whole hull steps of actors that are still at their level at the price.
        is_whole: bool,
    },
}

/// Marks actors with a step that the budget pays and a key in a range, and finds the greatest key below it.
#[derive(Clone, Copy)]
pub(super) struct MarkKernel {
    pub(super) step: NextStep,
    pub(super) hysteresis: Hysteresis,
    pub(super) budget: LeftoverBudget,
    /// Keys are less than this one,
    pub(super) below: u32,
    /// and at least this one.
    pub(super) low: u32,
}

#[derive(Debug, Clone, Copy, Default)]
pub(super) struct MarkResult {
    found: u64,
    /// The greatest key below the range; 0 if there is none.
    next: Greatest,
}

adds_up!(MarkResult: found, next);

impl MarkKernel {
    /// Marks the next actors; returns the key from which on these are all. `width` is that of the range of keys, with
    /// `u32::MAX` of all.
    pub(super) fn mark_next<W: Modules + ?Sized>(
        &self,
        modules: &mut W,
        indices: Range<usize>,
        width: &mut u32,
    ) -> u32 {
        let mut high = self.below;
        loop {
            let low = high.saturating_sub(*width).max(1);
            let kernel = Self { low, ..*self };
            let results = indices.clone().map(|index| modules.map_reduce(index, &kernel));
            let MarkResult { found, next: Greatest(next) } =
                results.fold(MarkResult::default(), PartialResult::plus);
            let is_narrowest = *width == 0 || *width == u32::MAX;
            if found > MOST_MARKED && !is_narrowest {
                *width >>= STRIDE;
            } else if found == 0 && next > 0 {
                high = next;
            } else {
                if found <= MOST_MARKED >> STRIDE {
                    *width = (*width).max(1).saturating_mul(1 << STRIDE);
                }
                return if found == 0 { 1 } else { low };
            }
        }
    }

    /// Returns for each step the benefits at which its key is `low` and `below`, the benefit from which on the scale or price
    /// pays it, and whether all of the budget and the free part pay it.
    fn limits<const L: usize, const K: usize>(
        &self,
        part: &ModuleView<'_>,
    ) -> [StepTable<L, K>; 5] {
        let Self { step, budget, below, low, .. } = *self;
        let (ladders, slopes) = (part.input.ladders, part.shared_slopes());
        match step {
            NextStep::Level(scale) => {
                let key = |key: u32| StepTable::new(ladders, UNREACHABLE, |_, _| key);
                let pays = |money: u64| {
                    StepTable::by_cost(ladders, |step, _| u32::from(u64::from(step) <= money))
                };
                let rate = BenefitRate::new(part.input.benefit_value, scale);
                let assigned = StepTable::by_share(ladders, rate);
                [key(low), key(below), assigned, pays(budget.left), pays(budget.free())]
            }
            NextStep::Hull { price, is_whole } => {
                let at = |price: Price| StepTable::by_price(ladders, slopes, price);
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
                let [low, below] = [low, below].map(|key| at(Price::from_bits(key)));
                [low, below, at(price), pays(budget.left, false), pays(budget.free(), is_whole)]
            }
        }
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
        let hysteresis = self.hysteresis;
        let [low, below, assigned, left_pays, free_pays] = self.limits::<L, K>(part);
        let (left_pays, free_pays) = (left_pays.flags(), free_pays.flags());
        // The greatest benefit of each step below the range.
        let (mut most, mut found) = ([[0; K]; L], 0_u64);
        for mut rows in Blocks::<L>::of(part, 1) {
            let now = rows.indices(tables);
            let mut previous = [0; ROWS_PER_BLOCK];
            if hysteresis.is_on() {
                previous = rows.previous(tables);
            }
            let mut may_rise = [0_u8; ROWS_PER_BLOCK];
            let inputs = rows.benefits.iter().zip(rows.ladder_bytes).zip(now.iter().zip(&previous));
            for (flag, ((&benefit, &kind), (&now, &previous))) in
                may_rise.iter_mut().zip(inputs.clone())
            {
                let returns = now < previous;
                let key = if returns { benefit } else { hysteresis.discounted(benefit) };
                let pays =
                    if returns { of_kind(&left_pays, kind) } else { of_kind(&free_pays, kind) };
                let is_paid = ((pays >> (now & 31)) & 1) as u8;
                let is_below = u8::from(below.reached(key, kind) <= now);
                *flag = is_below & is_paid & u8::from(benefit > Benefit::ZERO);
            }
            if may_rise.iter().fold(0, |any, flag| any | flag) == 0 {
                rows.group.found = 0;
                continue;
            }
            let flags = may_rise.iter_mut().zip(inputs.clone());
            match self.step {
                NextStep::Level(_) => {
                    for (flag, ((&benefit, &kind), (&now, &previous))) in flags {
                        let had_no_turn = assigned.reached(benefit, kind) >= previous;
                        *flag &= u8::from(now < previous) | u8::from(had_no_turn);
                    }
                }
                NextStep::Hull { is_whole: true, .. } => {
                    for (flag, ((&benefit, &kind), (&now, &previous))) in flags {
                        let full = assigned.reached(benefit, kind);
                        let discounted = assigned.reached(hysteresis.discounted(benefit), kind);
                        *flag &= u8::from(clamp(previous, discounted, full) == now);
                    }
                }
                NextStep::Hull { is_whole: false, .. } => {}
            }
            let mut keys = [Benefit::ZERO; ROWS_PER_BLOCK];
            let mut marked = may_rise;
            let flags = marked.iter_mut().zip(&mut keys).zip(inputs);
            for ((flag, counted), ((&benefit, &kind), (&now, &previous))) in flags {
                let key = if now < previous { benefit } else { hysteresis.discounted(benefit) };
                *flag &= u8::from(low.reached(key, kind) > now);
                *counted = key;
            }
            let marked = BlockRows::bits(&marked);
            let mut rest = BlockRows::bits(&may_rise) & !marked;
            while rest != 0 {
                let row = rest.trailing_zeros() as usize;
                rest &= rest.wrapping_sub(1);
                let kind = rows.ladder_bytes.get(row).copied().unwrap_or(0);
                let steps = most.get_mut(usize::from(kind) & L.wrapping_sub(1));
                let step = now.get(row).copied().unwrap_or(0);
                if let Some(most) = steps.and_then(|steps| steps.get_mut(usize::from(step))) {
                    *most = keys.get(row).copied().unwrap_or_default().bits().max(*most);
                }
            }
            rows.mark(marked);
            found = found.wrapping_add(marked.count_ones().into());
        }
        let (ladders, slopes) = (part.input.ladders, part.shared_slopes());
        let places = StepTable::<L, K>::new(ladders, 0, |span, level| {
            u32::try_from(span.start().wrapping_add(level)).unwrap_or(u32::MAX)
        });
        let steps = most.as_flattened().iter().zip(places.0.as_flattened());
        let next = steps.fold(0, |next, (&benefit, &place)| {
            next.max(match self.step {
                NextStep::Level(_) => benefit,
                NextStep::Hull { .. } => {
                    let slope = slopes.get(place as usize).copied().unwrap_or_default();
                    slope.worth(Benefit::from_bits(benefit)).bits()
                }
            })
        });
        MarkResult { found, next: Greatest(next) }
    }

    fn run_rows(&self, part: &mut ModuleView<'_>) -> MarkResult {
        let Self { step, hysteresis, budget, below, low } = *self;
        let mut result = MarkResult::default();
        let mut mark = |part: &mut ModuleView<'_>, row: usize, key: u32, may_rise: bool| {
            let may_rise = may_rise && key > 0 && key < below;
            let is_marked = may_rise && key >= low;
            let next = Greatest(if may_rise && !is_marked { key } else { 0 });
            result = result.plus(MarkResult { found: is_marked.into(), next });
            part.wide.mark(row, is_marked);
        };
        let (price, is_whole) = match step {
            NextStep::Level(scale) => {
                for row in 0..part.input.benefits.len() {
                    let key = part.payable(row, scale, hysteresis, budget).unwrap_or_default();
                    mark(part, row, key.bits(), true);
                }
                return result;
            }
            NextStep::Hull { price, is_whole } => (price, is_whole),
        };
        part.each_actor(hysteresis, |part, row, actor| {
            let (options, now, worth) = (&actor.options, actor.now, actor.worth_above(actor.now));
            let may_rise = PaidStep { budget, is_whole }.pays(options, now, actor.previous)
                && (!is_whole || actor.indices_at(price).0 == now);
            mark(part, row, worth.bits(), may_rise);
        });
        result
    }
}
