//! Ladders as tables, for vectorized loops.
//!
//! Level indices count from the base, the highest level at the cost of the lowest. Step `i` leads from index `i` to
//! `i + 1`.

use super::group::ROWS_PER_BLOCK;
use crate::benefit::Benefit;
use crate::budget::demand::ModuleInput;
use crate::budget::ladder::{LadderSpan, Ladders};
use crate::budget::module_view::{Kernel, ModuleView, PartialResult};
use crate::budget::price::Price;
use crate::budget::rate::{BenefitRate, UNREACHABLE};
use crate::budget::slope::{Slope, base};

const MANY: usize = 64;
const FEW_STEPS: usize = 4;
const MAX_STEPS: usize = 16;

/// A loop over rows whose ladders are in tables.
pub(crate) trait TableLoop {
    type Output;

    fn run<const L: usize, const K: usize>(self, tables: &LadderTables<L, K>) -> Self::Output;
}

/// A [`Kernel`] with a loop over rows whose ladders are in tables; not exported.
pub trait TableKernel: Sync {
    type Partial: PartialResult;
    /// Whether it may change levels, so that the previous ones are kept before rows are processed one by one.
    const ASSIGNS: bool;

    fn run_tables<const L: usize, const K: usize>(
        &self,
        part: &mut ModuleView<'_>,
        tables: &LadderTables<L, K>,
    ) -> Self::Partial;

    fn run_rows(&self, part: &mut ModuleView<'_>) -> Self::Partial;
}

impl<Q: TableKernel> Kernel for Q {
    type Partial = Q::Partial;

    #[inline(always)]
    fn run(&self, part: &mut ModuleView<'_>) -> Self::Partial {
        if let Some(shape) = TableShape::of(part) {
            return shape.run((self, part));
        }
        if Q::ASSIGNS {
            part.keep_all();
        }
        TableKernel::run_rows(self, part)
    }

    fn run_rows(&self, part: &mut ModuleView<'_>) -> Self::Partial {
        TableKernel::run_rows(self, part)
    }
}

impl ModuleView<'_> {
    /// Keeps the previous levels of all blocks, as their rows are processed one by one.
    pub(crate) fn keep_all(&mut self) {
        let before = self.wide.before.chunks_mut(ROWS_PER_BLOCK);
        let levels = self.levels.chunks(ROWS_PER_BLOCK).zip(before);
        for (group, (levels, before)) in self.wide.groups.iter_mut().zip(levels) {
            group.keep(levels, before);
        }
    }
}

impl<Q: TableKernel> TableLoop for (&Q, &mut ModuleView<'_>) {
    type Output = Q::Partial;

    #[inline(always)]
    fn run<const L: usize, const K: usize>(self, tables: &LadderTables<L, K>) -> Q::Partial {
        self.0.run_tables(self.1, tables)
    }
}

/// The size of the tables for a module.
#[derive(Clone, Copy)]
pub(crate) struct TableShape<'a> {
    ladders: Ladders<'a>,
    has_one: bool,
    steps: usize,
}

impl<'a> TableShape<'a> {
    /// Returns the shape; `None` if rows are processed one by one: the module is continuous, or its ladders are too
    /// many or too long.
    #[inline]
    pub(crate) fn of(module: &ModuleView<'a>) -> Option<Self> {
        Self::with(module, module.input.benefits.len())
    }

    #[inline]
    pub(crate) fn with(module: &ModuleView<'a>, rows: usize) -> Option<Self> {
        let ModuleInput { ladders, continuous, .. } = module.input;
        let wide = &module.wide;
        let has_room = module.levels.len() >= rows
            && wide.before.len() >= rows
            && wide.groups.len() >= rows.div_ceil(ROWS_PER_BLOCK);
        let has_one = ladders.spans.len() <= 1;
        let has_kinds = has_one || ladders.spans.len() <= MANY && wide.ladder_bytes.len() >= rows;
        if continuous || !has_room || !has_kinds {
            return None;
        }
        let most = ladders.spans.iter().map(|&span| Ladders::part(span, ladders.costs).len()).max();
        let steps = most.unwrap_or(0).saturating_sub(1);
        (steps <= MAX_STEPS).then_some(Self { ladders, has_one, steps })
    }

    #[inline(always)]
    pub(crate) fn run<V: TableLoop>(self, kernel: V) -> V::Output {
        match (self.has_one, self.steps <= FEW_STEPS) {
            (true, true) => kernel.run(&LadderTables::<1, FEW_STEPS>::new(self.ladders)),
            (true, false) => kernel.run(&LadderTables::<1, MAX_STEPS>::new(self.ladders)),
            (false, true) => kernel.run(&LadderTables::<MANY, FEW_STEPS>::new(self.ladders)),
            (false, false) => kernel.run(&LadderTables::<MANY, MAX_STEPS>::new(self.ladders)),
        }
    }

    /// Returns the greatest movement of a threshold between two rates.
    pub(crate) fn movement(self, from: BenefitRate, to: BenefitRate) -> u32 {
        let (from, to) = (from.threshold_of_cost(), to.threshold_of_cost());
        let costs = self.ladders.costs.iter();
        costs.fold(0, |most, &cost| most.max(from(cost).abs_diff(to(cost))))
    }
}

/// A number for each step of `L` ladders of at most `K` steps. The numbers of one ladder are adjacent, to be compared
/// together.
pub(crate) struct StepTable<const L: usize, const K: usize>(pub(crate) [[u32; K]; L]);

impl<const L: usize, const K: usize> StepTable<L, K> {
    /// Calls `of` with the span of a ladder and the index, from the lowest level, of the level that a step leads to.
    #[inline(never)]
    pub(crate) fn new(
        ladders: Ladders<'_>,
        beyond: u32,
        of: impl Fn(LadderSpan, usize) -> u32,
    ) -> Self {
        let mut table = [[beyond; K]; L];
        for (row, &span) in table.iter_mut().zip(ladders.spans) {
            let costs = Ladders::part(span, ladders.costs);
            let levels = base(costs).wrapping_add(1)..costs.len();
            row.iter_mut().zip(levels).for_each(|(place, level)| *place = of(span, level));
        }
        Self(table)
    }

    /// Calls `of` with the cost of a step, and of the level that it leads to.
    pub(crate) fn by_cost(ladders: Ladders<'_>, of: impl Fn(u32, u32) -> u32) -> Self {
        Self::new(ladders, 0, |span, level| {
            let costs = Ladders::part(span, ladders.costs);
            let cost = |level: usize| costs.get(level).copied().unwrap_or(0);
            let to = cost(level);
            of(to.wrapping_sub(cost(level.wrapping_sub(1))), to)
        })
    }

    /// Returns the least benefits whose shares pay the levels.
    pub(crate) fn by_share(ladders: Ladders<'_>, rate: BenefitRate) -> Self {
        let threshold = rate.threshold_of_cost();
        Self::new(ladders, UNREACHABLE, |span, level| {
            threshold(Ladders::part(span, ladders.costs).get(level).copied().unwrap_or(u32::MAX))
        })
    }

    /// Returns the least benefits to which the steps are worth a price.
    pub(crate) fn by_price(ladders: Ladders<'_>, slopes: &[Slope], price: Price) -> Self {
        Self::new(ladders, UNREACHABLE, |span, level| {
            let slope = slopes.get(span.start().wrapping_add(level));
            slope.map_or(UNREACHABLE, |slope| slope.threshold(price))
        })
    }

    /// Returns a bit for each step, whether its number is not 0.
    pub(crate) fn flags(&self) -> [u32; L] {
        let bits = |row: [u32; K]| {
            let steps = (0_u32..).zip(row);
            steps.fold(0, |bits, (step, number)| bits | u32::from(number != 0).wrapping_shl(step))
        };
        self.0.map(bits)
    }

    #[inline(always)]
    pub(crate) fn of(&self, kind: u8) -> [u32; K] {
        self.0.get(usize::from(kind) & L.wrapping_sub(1)).copied().unwrap_or([0; K])
    }

    /// Returns the number of thresholds that a benefit reaches.
    #[inline(always)]
    pub(crate) fn reached(&self, benefit: Benefit, kind: u8) -> u8 {
        let reached = self.of(kind).into_iter().fold(0_u32, |index, threshold| {
            index.wrapping_add(u32::from(benefit.bits() >= threshold))
        });
        (reached & 0xff) as u8
    }

    /// Returns [`reached`](Self::reached), and how far thresholds may move before it changes.
    #[inline(always)]
    pub(crate) fn reached_and_slack(&self, benefit: Benefit, kind: u8) -> (u8, u32) {
        let (reached, slack) =
            self.of(kind).into_iter().fold((0_u32, u32::MAX), |(index, slack), threshold| {
                let past = benefit.bits().wrapping_sub(threshold);
                // All ones if the threshold is not reached; it is below 2^31.
                let missed = (past.cast_signed() >> 31).cast_unsigned();
                (index.wrapping_add(missed).wrapping_add(1), slack.min(past ^ missed))
            });
        ((reached & 0xff) as u8, slack)
    }

    /// Whether a benefit is below a threshold by at most the number in `by`.
    #[inline(always)]
    pub(crate) fn is_just_below(&self, benefit: Benefit, kind: u8, by: &Self) -> bool {
        self.of(kind).into_iter().zip(by.of(kind)).fold(false, |is, (threshold, by)| {
            is | (threshold.wrapping_sub(1).wrapping_sub(benefit.bits()) < by)
        })
    }

    /// Returns the number of the step that leads to an index above 0.
    #[inline(always)]
    pub(crate) fn to(&self, index: u8, kind: u8) -> u32 {
        let step = usize::from(index).wrapping_sub(1) & K.wrapping_sub(1);
        let kind = usize::from(kind) & L.wrapping_sub(1);
        let place = kind.wrapping_mul(K).wrapping_add(step);
        self.0.as_flattened().get(place).copied().unwrap_or(0)
    }
}

/// Returns the element of a ladder.
#[inline(always)]
pub(crate) fn of_kind<T: Copy + Default, const L: usize>(column: &[T; L], kind: u8) -> T {
    column.get(usize::from(kind) & L.wrapping_sub(1)).copied().unwrap_or_default()
}

/// Returns a number for the base of each ladder.
pub(crate) fn bases<const L: usize>(
    ladders: Ladders<'_>,
    of: impl Fn(LadderSpan, usize) -> u32,
) -> [u32; L] {
    let mut bases = [0; L];
    for (place, &span) in bases.iter_mut().zip(ladders.spans) {
        *place = of(span, base(Ladders::part(span, ladders.costs)));
    }
    bases
}

/// The levels and costs of a module's ladders.
// The loops over steps are unrolled; with `L` of 1, no ladder is looked up.
pub struct LadderTables<const L: usize, const K: usize> {
    base: [u8; L],
    top: [u8; L],
    /// The level of the base and the index of the highest level, if they are the same for all ladders.
    pub(crate) uniform: Option<(u8, u8)>,
    minimum: [u32; L],
    /// The cost of each level above the minimum.
    above: StepTable<L, K>,
    /// The last index at the cost of the level, if levels above the base have equal costs.
    pub(crate) plateau_ends: Option<StepTable<L, K>>,
}

/// Rows whose counts are added in 32 bits.
pub(crate) const FLUSH_ROWS: usize = 256;

impl<const L: usize, const K: usize> LadderTables<L, K> {
    pub(crate) const HAS_ONE: bool = L == 1;

    #[inline(never)]
    fn new(ladders: Ladders<'_>) -> Self {
        let (mut bases, mut tops, mut minimum) = ([0; L], [0; L], [0; L]);
        let mut has_plateaus = false;
        let places = bases.iter_mut().zip(&mut tops).zip(&mut minimum);
        for (((base_level, top), minimum), &span) in places.zip(ladders.spans) {
            let costs = Ladders::part(span, ladders.costs);
            let base = base(costs);
            let above = costs.get(base..).unwrap_or(&[]);
            has_plateaus |= above.iter().zip(above.iter().skip(1)).any(|(cost, next)| cost == next);
            *base_level = span.level(u8::try_from(base).unwrap_or(u8::MAX));
            *top = u8::try_from(above.len().saturating_sub(1)).unwrap_or(u8::MAX);
            *minimum = costs.first().copied().unwrap_or(0);
        }
        let above = StepTable::new(ladders, 0, |span, level| {
            let costs = Ladders::part(span, ladders.costs);
            let cost = |level: usize| costs.get(level).copied().unwrap_or(0);
            cost(level).wrapping_sub(cost(0))
        });
        let used = || bases.iter().copied().zip(tops).take(ladders.spans.len());
        let uniform = used().next().filter(|&first| used().all(|pair| pair == first));
        let plateau_ends = has_plateaus.then(|| {
            StepTable::new(ladders, 0, |span, level| {
                let costs = Ladders::part(span, ladders.costs);
                let same = costs.iter().skip(level.wrapping_add(1));
                let same = same.take_while(|&cost| Some(cost) == costs.get(level)).count();
                let end = level.wrapping_add(same).wrapping_sub(base(costs));
                u32::try_from(end).unwrap_or(0)
            })
        });
        Self { base: bases, top: tops, uniform, minimum, above, plateau_ends }
    }

    /// Returns the index of the highest level.
    #[inline(always)]
    pub(crate) fn top(&self, kind: u8) -> u8 {
        of_kind(&self.top, kind)
    }

    #[inline(always)]
    pub(crate) fn base(&self, kind: u8) -> u8 {
        of_kind(&self.base, kind)
    }

    #[inline(always)]
    pub(crate) fn minimum(&self, kind: u8) -> u32 {
        of_kind(&self.minimum, kind)
    }

    /// Returns the cost of an index above the minimum.
    #[inline(always)]
    pub(crate) fn above(&self, index: u8, kind: u8) -> u32 {
        let above = self.above.to(index, kind);
        if index > 0 { above } else { 0 }
    }

    #[inline(always)]
    pub(crate) fn cost(&self, index: u8, kind: u8) -> u32 {
        self.minimum(kind).wrapping_add(self.above(index, kind))
    }

    /// Returns the cost of each step of the first ladder.
    #[inline(always)]
    pub(crate) fn rises(&self) -> [u32; K] {
        let mut last = 0;
        self.above.of(0).map(|above| above.wrapping_sub(core::mem::replace(&mut last, above)))
    }

    /// Returns the cost of rows of the first ladder that took steps.
    #[inline(always)]
    pub(crate) fn cost_of(&self, rows: usize, taken: [u64; K]) -> u64 {
        let minimum = u64::from(self.minimum(0)).wrapping_mul(rows as u64);
        let steps = taken.into_iter().zip(self.rises());
        steps.fold(minimum, |cost, (rows, rise)| cost.wrapping_add(rows.wrapping_mul(rise.into())))
    }
}
