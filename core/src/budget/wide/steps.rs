//! Ladders as tables, for vectorized loops.

use super::group::ROWS_PER_BLOCK;
use crate::benefit::Benefit;
use crate::budget::demand::ModuleInput;
use crate::budget::ladder::Ladders;
use crate::budget::module_view::ModuleView;
use crate::budget::rate::{BenefitRate, UNREACHABLE};

const MANY: usize = 64;
const FEW_STEPS: usize = 4;
const MAX_STEPS: usize = 16;

pub(super) struct StepTables<const L: usize, const K: usize> {
    base: [u8; L],
    top: [u8; L],
    minimum: [u32; L],
    thresholds: [[u32; L]; K],
    above: [[u32; L]; K],
    rises: [[u32; L]; K],
}

pub(super) trait TableKernel {
    type Output;

    fn run<const L: usize, const K: usize>(self, steps: &StepTables<L, K>) -> Self::Output;
}

#[derive(Clone, Copy)]
pub(super) struct TableShape<'a> {
    ladders: Ladders<'a>,
    has_one: bool,
    steps: usize,
}

impl<'a> TableShape<'a> {
    #[inline]
    pub(super) fn of(module: &ModuleView<'a>) -> Option<Self> {
        Self::with(module, module.input.benefits.len())
    }

    #[inline]
    pub(super) fn with(module: &ModuleView<'a>, rows: usize) -> Option<Self> {
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
    pub(super) fn run<V: TableKernel>(
        self,
        threshold: impl Fn(usize, u32) -> u32,
        kernel: V,
    ) -> V::Output {
        match (self.has_one, self.steps <= FEW_STEPS) {
            (true, true) => kernel.run(&StepTables::<1, FEW_STEPS>::new(self.ladders, threshold)),
            (true, false) => kernel.run(&StepTables::<1, MAX_STEPS>::new(self.ladders, threshold)),
            (false, true) => {
                kernel.run(&StepTables::<MANY, FEW_STEPS>::new(self.ladders, threshold))
            }
            (false, false) => {
                kernel.run(&StepTables::<MANY, MAX_STEPS>::new(self.ladders, threshold))
            }
        }
    }

    pub(super) fn ladders(self) -> Ladders<'a> {
        self.ladders
    }

    pub(super) fn movement(self, from: BenefitRate, to: BenefitRate) -> u32 {
        let (from, to) = (from.thresholds(), to.thresholds());
        let at = |found: Option<u32>| found.unwrap_or(UNREACHABLE);
        let costs = self.ladders.costs.iter();
        costs.fold(0, |most, &cost| most.max(at(from(cost)).abs_diff(at(to(cost)))))
    }
}

impl<const L: usize, const K: usize> StepTables<L, K> {
    #[inline(never)]
    fn new(ladders: Ladders<'_>, threshold: impl Fn(usize, u32) -> u32) -> Self {
        let mut new = Self {
            base: [0; L],
            top: [0; L],
            minimum: [0; L],
            thresholds: [[UNREACHABLE; L]; K],
            above: [[0; L]; K],
            rises: [[0; L]; K],
        };
        let Ladders { spans, costs } = ladders;
        for (kind, &span) in spans.iter().take(L).enumerate() {
            let costs = Ladders::part(span, costs);
            let minimum = costs.first().copied().unwrap_or(0);
            let base = costs.iter().skip(1).take_while(|&&cost| cost == minimum).count();
            let start = span.parts().0 as usize;
            let mut last = minimum;
            let level_indices = costs.iter().enumerate().skip(base.wrapping_add(1)).take(K);
            for (step, (level_index, &cost)) in level_indices.enumerate() {
                let place = start.wrapping_add(level_index);
                set(&mut new.thresholds, step, kind, threshold(place, cost));
                set(&mut new.above, step, kind, cost.wrapping_sub(minimum));
                set(&mut new.rises, step, kind, cost.wrapping_sub(last));
                last = cost;
            }
            let steps = costs.len().saturating_sub(base).saturating_sub(1).min(K);
            for above in new.above.iter_mut().skip(steps) {
                set_one(above, kind, last.wrapping_sub(minimum));
            }
            set_one(&mut new.base, kind, span.level(u8::try_from(base).unwrap_or(u8::MAX)));
            set_one(&mut new.top, kind, u8::try_from(steps).unwrap_or(u8::MAX));
            set_one(&mut new.minimum, kind, minimum);
        }
        new
    }
}

fn set_one<T, const L: usize>(column: &mut [T; L], kind: usize, value: T) {
    if let Some(place) = column.get_mut(kind) {
        *place = value;
    }
}

fn set<const L: usize, const K: usize>(
    table: &mut [[u32; L]; K],
    step: usize,
    kind: usize,
    value: u32,
) {
    if let Some(column) = table.get_mut(step) {
        set_one(column, kind, value);
    }
}

pub(super) const FLUSH_ROWS: usize = 256;

// The loops over steps are unrolled; with `L` of 1, no ladder is looked up.
impl<const L: usize, const K: usize> StepTables<L, K> {
    pub(super) const HAS_ONE: bool = L == 1;

    #[inline(always)]
    fn of<T: Copy + Default>(column: &[T; L], kind: u8) -> T {
        column.get(usize::from(kind) & L.wrapping_sub(1)).copied().unwrap_or_default()
    }

    #[inline(always)]
    pub(super) fn level_index(&self, benefit: Benefit, kind: u8) -> u32 {
        self.thresholds.iter().fold(0, |level_index, column| {
            level_index.wrapping_add(u32::from(benefit.bits() >= Self::of(column, kind)))
        })
    }

    #[inline(always)]
    pub(super) fn index_and_slack(&self, benefit: Benefit, kind: u8) -> (u32, u32) {
        self.thresholds.iter().fold((0, u32::MAX), |(level_index, slack), column| {
            let past = benefit.bits().wrapping_sub(Self::of(column, kind));
            // All ones if the threshold is not reached; it is below 2^31.
            let missed = (past.cast_signed() >> 31).cast_unsigned();
            (level_index.wrapping_add(missed).wrapping_add(1), slack.min(past ^ missed))
        })
    }

    #[inline(never)]
    pub(super) fn map(&self, of: impl Fn(u32) -> u32) -> [[u32; L]; K] {
        self.thresholds.map(|column| column.map(&of))
    }

    #[inline(always)]
    pub(super) fn is_just_below(&self, benefit: Benefit, kind: u8, by: &[[u32; L]; K]) -> bool {
        self.thresholds.iter().zip(by).fold(false, |is, (column, by)| {
            let missing = Self::of(column, kind).wrapping_sub(1).wrapping_sub(benefit.bits());
            is | (missing < Self::of(by, kind))
        })
    }

    #[inline(always)]
    pub(super) fn top(&self, kind: u8) -> u32 {
        Self::of(&self.top, kind).into()
    }

    #[inline(always)]
    #[allow(clippy::cast_possible_truncation)] // at most `K`
    pub(super) fn level(&self, level_index: u32, kind: u8) -> u8 {
        Self::of(&self.base, kind).wrapping_add(level_index as u8)
    }

    #[inline(always)]
    pub(super) fn cost(&self, level_index: u32, kind: u8) -> u32 {
        Self::of(&self.minimum, kind).wrapping_add(self.above(level_index, kind))
    }

    #[inline(always)]
    pub(super) fn above(&self, level_index: u32, kind: u8) -> u32 {
        let step = (level_index as usize).wrapping_sub(1) & K.wrapping_sub(1);
        let place = step.wrapping_mul(L).wrapping_add(usize::from(kind) & L.wrapping_sub(1));
        let above = self.above.as_flattened().get(place).copied().unwrap_or(0);
        if level_index > 0 { above } else { 0 }
    }

    #[inline(always)]
    pub(super) fn rest(&self, level_index: u32, kind: u8) -> u32 {
        let top = u32::try_from(K).unwrap_or(0);
        self.above(top, kind).wrapping_sub(self.above(level_index, kind))
    }

    #[inline(always)]
    pub(super) fn minimum(&self, kind: u8) -> u32 {
        Self::of(&self.minimum, kind)
    }

    pub(super) fn steps(&self, kind: usize) -> impl Iterator<Item = (u32, u32)> {
        self.thresholds.iter().zip(&self.rises).filter_map(move |(thresholds, steps)| {
            Some((*thresholds.get(kind)?, *steps.get(kind)?))
        })
    }

    pub(super) fn cost_of(&self, rows: usize, taken: [u64; K]) -> u64 {
        let minimum = u64::from(self.minimum(0)).wrapping_mul(rows as u64);
        taken.into_iter().zip(self.steps(0)).fold(minimum, |cost, (rows, (_, step))| {
            cost.wrapping_add(rows.wrapping_mul(step.into()))
        })
    }
}
