use super::tables::{StepTable, bases};
use crate::budget::ladder::Ladders;
use crate::budget::module_view::{Kernel, ModuleView, PartialResult};
use crate::budget::optimal::Totals;
use crate::budget::price::Price;
use crate::budget::wide::group::ROWS_PER_BLOCK;
use crate::budget::wide::place::{BlockRows, BlockVisitor, each_group};
use crate::budget::wide::steps::{StepTables, TableKernel, TableShape};

#[derive(Debug, Clone, Copy)]
pub(super) struct PriceWindow {
    pub(super) low: Price,
    pub(super) high: Price,
}

pub(super) struct Take(pub(super) PriceWindow);

#[derive(Debug, Clone, Copy, Default)]
pub(super) struct AssignTotals {
    pub(super) totals: Totals,
    pub(super) least: u64,
    pub(super) found: u64,
}

impl PartialResult for AssignTotals {
    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        Self {
            totals: self.totals.plus(other.totals),
            least: self.least.wrapping_add(other.least),
            found: self.found.wrapping_add(other.found),
        }
    }
}

impl Kernel for Take {
    type Partial = AssignTotals;

    #[inline(always)]
    fn run(&self, part: &mut ModuleView<'_>) -> AssignTotals {
        let Some(shape) = TableShape::of(part) else { return AssignTotals::default() };
        let ladders = shape.ladders();
        shape.run(|_, _| 0, Place { part, ladders, window: self.0 })
    }
}

struct Place<'a, 'b> {
    part: &'a mut ModuleView<'b>,
    ladders: Ladders<'b>,
    window: PriceWindow,
}

impl TableKernel for Place<'_, '_> {
    type Output = AssignTotals;

    #[inline(always)]
    fn run<const L: usize, const K: usize>(self, steps: &StepTables<L, K>) -> AssignTotals {
        let Self { part, ladders, window } = self;
        let slopes = part.shared_slopes();
        let mut group = PlaceGroup {
            steps,
            high: StepTable::thresholds(ladders, slopes, window.high),
            low: StepTable::thresholds(ladders, slopes, window.low),
            bases: bases(ladders, |span, level_index| part.quality(span, level_index)),
            qualities: StepTable::new(ladders, 0, |span, level_index| {
                part.quality(span, level_index)
            }),
            taken: AssignTotals::default(),
        };
        each_group::<L>(part, &mut group);
        group.taken
    }
}

struct PlaceGroup<'a, const L: usize, const K: usize> {
    steps: &'a StepTables<L, K>,
    high: StepTable<L, K>,
    low: StepTable<L, K>,
    bases: [u32; L],
    qualities: StepTable<L, K>,
    taken: AssignTotals,
}

impl<const L: usize, const K: usize> BlockVisitor for PlaceGroup<'_, L, K> {
    #[inline(always)]
    fn see(&mut self, mut rows: BlockRows<'_>) {
        let (mut level_indices, mut more) = ([0_u8; ROWS_PER_BLOCK], [0_u8; ROWS_PER_BLOCK]);
        let places = level_indices.iter_mut().zip(&mut more);
        for (((level_index, more), &benefit), &kind) in
            places.zip(rows.benefits).zip(rows.ladder_bytes)
        {
            *level_index = (self.high.reached(benefit, kind) & 0xff) as u8;
            *more = (self.low.reached(benefit, kind) & 0xff) as u8;
        }
        let cost = rows.cost(self.steps, &level_indices);
        let (value, least) = self.worth(&rows, &level_indices);
        let levels = rows.levels(self.steps, &level_indices);
        rows.set(&levels);
        rows.group.found = 0;
        if level_indices
            .iter()
            .zip(&more)
            .fold(0, |differ, (level_index, more)| differ | (level_index ^ more))
            != 0
        {
            let pairs = level_indices.iter().zip(&more).enumerate();
            rows.group.found = pairs.fold(0_u64, |found, (row, (level_index, more))| {
                found | u64::from(level_index != more) << row
            });
            rows.keep();
        }
        let found = rows.group.found.count_ones().into();
        self.taken = self.taken.plus(AssignTotals { totals: Totals { cost, value }, least, found });
    }
}

impl<const L: usize, const K: usize> PlaceGroup<'_, L, K> {
    #[inline(always)]
    fn worth(&self, rows: &BlockRows<'_>, level_indices: &[u8; ROWS_PER_BLOCK]) -> (u64, u64) {
        let [base, ..] = &self.bases[..] else { return (0, 0) };
        if StepTables::<L, K>::HAS_ONE {
            // An actor that takes a step adds its gain; 64 benefits add up in 32 bits.
            let all =
                rows.benefits.iter().fold(0_u32, |sum, benefit| sum.wrapping_add(benefit.bits()));
            let mut quality = u64::from(*base);
            let least = quality.wrapping_mul(all.into());
            let mut value = least;
            for (threshold, to) in self.high.of(0).into_iter().zip(self.qualities.of(0)) {
                let taken = rows.benefits.iter().fold(0_u32, |sum, benefit| {
                    let bits = benefit.bits();
                    sum.wrapping_add(if bits >= threshold { bits } else { 0 })
                });
                let gain = u64::from(to).wrapping_sub(quality);
                value = value.wrapping_add(gain.wrapping_mul(taken.into()));
                quality = to.into();
            }
            return (value, least);
        }
        let (mut value, mut least) = (0_u64, 0_u64);
        for ((&benefit, &kind), &level_index) in
            rows.benefits.iter().zip(rows.ladder_bytes).zip(level_indices)
        {
            let base = self.bases.get(usize::from(kind) & L.wrapping_sub(1)).copied().unwrap_or(0);
            let to = self.qualities.to(level_index.into(), kind);
            let quality = if level_index > 0 { to } else { base };
            let worth = |quality: u32| u64::from(benefit.bits()).wrapping_mul(quality.into());
            value = value.wrapping_add(worth(quality));
            least = least.wrapping_add(worth(base));
        }
        (value, least)
    }
}
