//! The levels at a price, and their cost at several prices.

use core::ops::Range;

use crate::benefit::Benefit;
use crate::budget::decision::Totals;
use crate::budget::kernels::block::{BlockRows, Blocks, Indices, Reached, clamp};
use crate::budget::kernels::group::ROWS_PER_BLOCK;
use crate::budget::kernels::tables::{LadderTables, StepTable, TableKernel, bases, of_kind};
use crate::budget::kernels::terms::{PriceWindow, Returning, TakeKernel};
use crate::budget::ladder::{LadderSpan, Ladders};
use crate::budget::last::PreviousLevel;
use crate::budget::module_view::{ModuleView, PartialResult, adds_up};
use crate::budget::options::ActorOptions;
use crate::budget::policy::Hysteresis;
use crate::budget::price::Price;
use crate::budget::rate::UNREACHABLE;
use crate::budget::search::{PIVOTS, PivotCount};
use crate::budget::slope::{Slope, base, quality};
use crate::product::{product, short_product};

impl PriceWindow {
    pub(super) const fn at(price: Price) -> Self {
        Self { low: price, high: price }
    }
}

#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct TakeTotals {
    /// The totals at the price.
    pub(super) totals: Totals,
    /// The totals at the price without hysteresis.
    pub(super) full: Totals,
    /// The additional totals of actors that return.
    pub(super) back: Totals,
    /// The value of all lowest levels.
    pub(super) least: u64,
    /// The number of marked rows.
    pub(super) found: u64,
    /// The number of actors below their previous level.
    pub(super) returning: u64,
}

adds_up!(TakeTotals: totals, full, back, least, found, returning);

impl TakeTotals {
    #[inline(always)]
    fn without_marks(self) -> [u64; 8] {
        let Self { totals, full, back, least, returning, .. } = self;
        let [totals, full, back] = [totals, full, back].map(|Totals { cost, value }| [cost, value]);
        let [[a, b], [c, d], [e, f]] = [totals, full, back];
        [a, b, c, d, e, f, least, returning]
    }

    /// Returns the totals of rows without a mark.
    #[inline(always)]
    fn of_unmarked([a, b, c, d, e, f, least, returning]: [u64; 8]) -> Self {
        let [totals, full, back] =
            [[a, b], [c, d], [e, f]].map(|[cost, value]| Totals { cost, value });
        Self { totals, full, back, least, found: 0, returning }
    }
}

impl TableKernel for TakeKernel {
    type Partial = TakeTotals;
    const ASSIGNS: bool = true;

    #[inline(always)]
    fn run_tables<const L: usize, const K: usize>(
        &self,
        part: &mut ModuleView<'_>,
        tables: &LadderTables<L, K>,
    ) -> TakeTotals {
        let (ladders, slopes) = (part.input.ladders, part.shared_slopes());
        let mut block = TakeBlock {
            tables,
            kernel: *self,
            high: StepTable::by_price(ladders, slopes, self.window.high),
            low: StepTable::by_price(ladders, slopes, self.window.low),
            returns_to: StepTable::new(ladders, 0, |span, level| part.best_until(span, level)),
            bases: bases(ladders, |span, level| part.quality(span, level)),
            qualities: StepTable::new(ladders, 0, |span, level| part.quality(span, level)),
            has_slope: StepTable::new(ladders, 0, |span, level| {
                let slope = slopes.get(span.start().wrapping_add(level));
                slope.is_some_and(|&slope| slope != Slope::NEVER).into()
            }),
            result: TakeTotals::default(),
        };
        for rows in Blocks::<L>::of(part, 1) {
            block.see(rows);
        }
        block.result
    }

    fn run_rows(&self, part: &mut ModuleView<'_>) -> TakeTotals {
        let mut result = TakeTotals::default();
        part.fractions.fill(0);
        part.each_run(|part, options, rows| {
            result = result.plus(self.take_run(part, options, rows));
        });
        result
    }
}

impl TakeKernel {
    /// Assigns the levels of rows that share a ladder.
    fn take_run(
        &self,
        part: &mut ModuleView<'_>,
        options: &mut ActorOptions<'_>,
        rows: Range<usize>,
    ) -> TakeTotals {
        let (price, is_on) = (self.window.high, self.hysteresis.is_on());
        let at = StepsAtPrice::new(*options, price, rows.len());
        let has_groups = !part.wide.groups.is_empty();
        let mut run = RunTotals::default();
        for row in rows {
            let benefit = part.input.benefits.get(row).copied().unwrap_or_default();
            let full = at.climb(options.base, benefit);
            let level = options.level(full);
            let is_at = |last: &PreviousLevel| last.is_at(level);
            // Nearly all actors stay at their previous level.
            let stays = !is_on || part.previous.get(row).is_some_and(is_at);
            let index = if has_groups || !stays {
                options.benefit = benefit;
                self.take_row(part, (options, &at), (row, full), &mut run.result)
            } else {
                part.set_level(row, level);
                full
            };
            run.add(options, index, benefit);
        }
        run.finish(options)
    }

    /// Assigns the level of a row with an index at the price of the whole benefit; returns its index at the price. Adds to
    /// the totals all but the totals at the price.
    #[inline(never)]
    fn take_row(
        &self,
        part: &mut ModuleView<'_>,
        (options, at): (&ActorOptions<'_>, &StepsAtPrice<'_>),
        (row, full): (usize, usize),
        result: &mut TakeTotals,
    ) -> usize {
        let Self { window, hysteresis, returning, .. } = *self;
        let benefit = options.benefit;
        let discounted = part.applied(hysteresis).discounted(benefit);
        let previous = part.previous_index(row, options, hysteresis);
        let is_above = full > previous;
        let index = if is_above { at.climb(previous, discounted) } else { full };
        result.full = result.full.plus(options.between(index, full));
        let rises = |from: usize, benefit| options.slope_above(from).worth(benefit) >= window.low;
        let mut is_marked = window.low < window.high
            && (rises(full, benefit) || is_above && rises(index, discounted));
        let mut to = index;
        if full < previous && options.slope_above(index).worth(benefit) > Price::BELOW_MIN {
            result.returning = result.returning.wrapping_add(1);
            match returning {
                Returning::Mark => is_marked = true,
                Returning::Return => {
                    to = options.best_above(index, previous, u64::MAX);
                    result.back = result.back.plus(options.between(index, to));
                }
                Returning::Leave => {}
            }
        }
        result.found = result.found.wrapping_add(is_marked.into());
        part.set_level(row, options.level(to));
        part.wide.mark(row, is_marked);
        index
    }
}

/// The totals of rows that share a ladder.
#[derive(Default)]
struct RunTotals {
    /// The actors and the sum of the benefits at each of the first levels; a run is too short for more than 32 bits.
    levels: [(u32, u32); LISTED_STEPS],
    /// The full totals are the difference from the totals.
    result: TakeTotals,
}

impl RunTotals {
    #[inline]
    fn add(&mut self, options: &ActorOptions<'_>, index: usize, benefit: Benefit) {
        if let Some((actors, sum)) = self.levels.get_mut(index) {
            (*actors, *sum) = (actors.wrapping_add(1), sum.wrapping_add(benefit.bits()));
        } else {
            let mut options = *options;
            options.benefit = benefit;
            self.result.totals = self.result.totals.plus(options.totals(index));
            self.result.least = self.result.least.wrapping_add(options.value(options.base));
        }
    }

    fn finish(self, options: &ActorOptions<'_>) -> TakeTotals {
        let Self { levels, mut result } = self;
        let least = quality(options.qualities, options.base);
        for (&(actors, benefits), index) in levels.iter().zip(0..) {
            if actors > 0 {
                let cost = options.costs.get(index).copied().unwrap_or(0);
                result.totals = result.totals.plus(Totals {
                    cost: product(cost, actors),
                    value: short_product(benefits, quality(options.qualities, index)),
                });
                result.least = result.least.wrapping_add(short_product(benefits, least));
            }
        }
        result.full = result.full.plus(result.totals);
        result
    }
}

/// The steps of a ladder that are worth a price.
struct StepsAtPrice<'a> {
    options: ActorOptions<'a>,
    price: Price,
    /// The benefits from which on steps are worth it, if enough rows share them.
    least: [u32; LISTED_STEPS],
    is_listed: bool,
}

const LISTED_STEPS: usize = 8;
/// The number of rows from which on it pays to compute the benefits first.
const ENOUGH_ROWS: usize = 4;

impl<'a> StepsAtPrice<'a> {
    fn new(options: ActorOptions<'a>, price: Price, rows: usize) -> Self {
        let mut least = [UNREACHABLE; LISTED_STEPS];
        let is_listed = rows >= ENOUGH_ROWS && options.highest() < LISTED_STEPS;
        if is_listed {
            for (place, from) in least.iter_mut().zip(0..options.highest()) {
                *place = options.slope_above(from).threshold(price);
            }
        }
        Self { options, price, least, is_listed }
    }

    /// Returns the index after all steps that are worth the price.
    #[inline]
    fn climb(&self, from: usize, benefit: Benefit) -> usize {
        if !self.is_listed {
            return self.options.climb(from, benefit, self.price);
        }
        let mut level_index = from;
        for &least in self.least.get(from..).unwrap_or_default() {
            if least > benefit.bits() {
                break;
            }
            level_index = level_index.wrapping_add(1);
        }
        level_index
    }
}

struct TakeBlock<'a, const L: usize, const K: usize> {
    tables: &'a LadderTables<L, K>,
    kernel: TakeKernel,
    high: StepTable<L, K>,
    low: StepTable<L, K>,
    /// The index to which an actor returns if a step leads to its previous one.
    returns_to: StepTable<L, K>,
    bases: [u32; L],
    qualities: StepTable<L, K>,
    /// Whether any budget pays for a step.
    has_slope: StepTable<L, K>,
    result: TakeTotals,
}

impl<const L: usize, const K: usize> TakeBlock<'_, L, K> {
    #[inline(always)]
    fn see(&mut self, mut rows: BlockRows<'_>) {
        if self.kernel.is_repeated
            && let Some(known) = rows.known_totals()
        {
            self.result = self.result.plus(TakeTotals::of_unmarked(known));
            return;
        }
        let TakeKernel { window, hysteresis, returning, .. } = self.kernel;
        let reached = Reached::of(&rows, self.tables, &self.high, hysteresis);
        let mut indices = reached.indices();
        let mut result = TakeTotals {
            totals: self.totals(&rows, &indices),
            least: self.value(&rows, &[0; ROWS_PER_BLOCK]),
            ..TakeTotals::default()
        };
        let (mut found, mut back) = (0, 0);
        if hysteresis.is_on() {
            result.full = self.totals(&rows, &reached.full);
            back = self.returning(&rows, &reached, &indices);
            result.returning = back.count_ones().into();
        } else {
            result.full = result.totals;
        }
        if window.low < window.high {
            found = self.changing(&rows, &reached, &indices);
        }
        match returning {
            Returning::Return if back != 0 => {
                self.return_all(&rows, &reached, back, &mut indices);
                let after = self.totals(&rows, &indices);
                result.back = Totals {
                    cost: after.cost.wrapping_sub(result.totals.cost),
                    value: after.value.wrapping_sub(result.totals.value),
                };
            }
            Returning::Mark => found |= back,
            Returning::Return | Returning::Leave => {}
        }
        rows.set(self.tables, &indices);
        rows.mark(found);
        result.found = found.count_ones().into();
        rows.store(|| result.without_marks());
        self.result = self.result.plus(result);
    }

    /// Returns the bits of the rows below their previous index that a budget might pay.
    #[inline(always)]
    fn returning(&self, rows: &BlockRows<'_>, reached: &Reached, indices: &Indices) -> u64 {
        let mut returns = reached.returns();
        if returns.iter().fold(0, |any, is| any | is) == 0 {
            return 0;
        }
        let inputs = indices.iter().zip(rows.benefits).zip(rows.ladder_bytes);
        for (returns, ((&index, &benefit), &kind)) in returns.iter_mut().zip(inputs) {
            let has_slope = u8::from(self.has_slope.to(index.wrapping_add(1), kind) > 0);
            *returns &= has_slope & u8::from(benefit > Benefit::ZERO);
        }
        BlockRows::bits(&returns)
    }

    fn return_all(
        &self,
        rows: &BlockRows<'_>,
        reached: &Reached,
        mut back: u64,
        indices: &mut Indices,
    ) {
        while back != 0 {
            let row = back.trailing_zeros() as usize;
            back &= back.wrapping_sub(1);
            let kind = rows.ladder_bytes.get(row).copied().unwrap_or(0);
            if let (Some(index), Some(&previous)) =
                (indices.get_mut(row), reached.previous.get(row))
            {
                let to = (self.returns_to.to(previous, kind) & 0xff) as u8;
                *index = (*index).max(to);
            }
        }
    }

    /// Returns the bits of the rows that take other steps at the low end of the window.
    #[inline(always)]
    fn changing(&self, rows: &BlockRows<'_>, reached: &Reached, indices: &Indices) -> u64 {
        let hysteresis = self.kernel.hysteresis;
        let mut changing = [0_u8; ROWS_PER_BLOCK];
        let benefits = rows.benefits.iter().zip(rows.ladder_bytes);
        for (changing, ((&benefit, &kind), &full)) in
            changing.iter_mut().zip(benefits.clone().zip(&reached.full))
        {
            *changing = self.low.reached(benefit, kind) ^ full;
        }
        if hysteresis.is_on() {
            let now = reached.previous.iter().zip(indices).zip(&reached.full);
            for (changing, ((&benefit, &kind), ((&previous, &index), &full))) in
                changing.iter_mut().zip(benefits.zip(now))
            {
                let discounted = self.low.reached(hysteresis.discounted(benefit), kind);
                // The full index at the low end, from the difference above.
                *changing |= clamp(previous, discounted, *changing ^ full) ^ index;
            }
        }
        BlockRows::bits(&changing)
    }

    #[inline(always)]
    fn totals(&self, rows: &BlockRows<'_>, indices: &Indices) -> Totals {
        Totals { cost: rows.cost(self.tables, indices), value: self.value(rows, indices) }
    }

    #[inline(always)]
    fn value(&self, rows: &BlockRows<'_>, indices: &Indices) -> u64 {
        if LadderTables::<L, K>::HAS_ONE {
            // An actor that takes a step adds its gain; 64 benefits add up in 32 bits.
            let all =
                rows.benefits.iter().fold(0_u32, |sum, benefit| sum.wrapping_add(benefit.bits()));
            let mut quality = u64::from(of_kind(&self.bases, 0));
            let mut value = quality.wrapping_mul(all.into());
            for (step, to) in (1_u8..).zip(self.qualities.of(0)) {
                let taken =
                    rows.benefits.iter().zip(indices).fold(0_u32, |sum, (benefit, &index)| {
                        sum.wrapping_add(if index >= step { benefit.bits() } else { 0 })
                    });
                let gain = u64::from(to).wrapping_sub(quality);
                value = value.wrapping_add(gain.wrapping_mul(taken.into()));
                quality = to.into();
            }
            return value;
        }
        let mut value = 0_u64;
        for ((&benefit, &kind), &index) in rows.benefits.iter().zip(rows.ladder_bytes).zip(indices)
        {
            let to = self.qualities.to(index, kind);
            let quality = if index > 0 { to } else { of_kind(&self.bases, kind) };
            value = value.wrapping_add(u64::from(benefit.bits()).wrapping_mul(quality.into()));
        }
        value
    }
}

/// Sums the cost of the levels at several prices.
pub(super) struct CostKernel {
    /// From the least to the greatest.
    pub(super) prices: [Price; PIVOTS],
    pub(super) hysteresis: Hysteresis,
    /// One block in this many stands for all of them, if ladders fit tables.
    pub(super) stride: u32,
}

impl TableKernel for CostKernel {
    type Partial = [PivotCount; PIVOTS];
    const ASSIGNS: bool = false;

    #[inline(always)]
    fn run_tables<const L: usize, const K: usize>(
        &self,
        part: &mut ModuleView<'_>,
        tables: &LadderTables<L, K>,
    ) -> Self::Partial {
        let (ladders, slopes) = (part.input.ladders, part.shared_slopes());
        let at = self.prices.map(|price| StepTable::<L, K>::by_price(ladders, slopes, price));
        let mut counts = Self::Partial::default();
        for rows in Blocks::<L>::of(part, self.stride) {
            for (thresholds, count) in at.iter().zip(&mut counts) {
                let indices = Reached::of(&rows, tables, thresholds, self.hysteresis).indices();
                let steps =
                    indices.iter().fold(0_u32, |sum, &index| sum.wrapping_add(index.into()));
                *count = count
                    .plus(PivotCount { cost: rows.cost(tables, &indices), steps: steps.into() });
            }
        }
        counts.map(|count| count.times(self.stride.into()))
    }

    fn run_rows(&self, part: &mut ModuleView<'_>) -> Self::Partial {
        let mut counts = Self::Partial::default();
        part.each_actor(self.hysteresis, |_, _, actor| {
            let mut level_index = actor.options.base;
            let mut worth = actor.worth_above(level_index);
            // All steps that are worth a price are worth the lower ones, too.
            for (count, &price) in counts.iter_mut().zip(&self.prices).rev() {
                while worth >= price {
                    level_index = level_index.wrapping_add(1);
                    worth = actor.worth_above(level_index);
                }
                let steps = level_index.wrapping_sub(actor.options.base);
                count.cost = count.cost.wrapping_add(actor.options.cost(level_index));
                count.steps = count.steps.wrapping_add(steps as u64);
            }
        });
        counts
    }
}

impl ModuleView<'_> {
    pub(super) fn quality(&self, span: LadderSpan, level: usize) -> u32 {
        let len = Ladders::part(span, self.input.ladders.costs).len();
        quality(Ladders::beside(span, len, self.qualities), level)
    }

    /// Returns the index from the base of the best of the levels up to one: of equal qualities the cheapest, of equal
    /// costs the highest.
    fn best_until(&self, span: LadderSpan, level: usize) -> u32 {
        let actor = self.options().of_span(span, Benefit::MAX);
        let best = actor.best_above(actor.base, level, u64::MAX);
        u32::try_from(best.wrapping_sub(base(actor.costs))).unwrap_or(0)
    }
}
