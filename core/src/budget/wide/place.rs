use super::group::{ROWS_PER_BLOCK, RowBlock};
use super::steps::StepTables;
use crate::benefit::Benefit;
use crate::budget::module_view::ModuleView;

pub(super) struct BlockRows<'a> {
    pub(super) benefits: &'a [Benefit],
    pub(super) ladder_bytes: &'a [u8],
    pub(super) group: &'a mut RowBlock,
    levels: &'a mut [u8],
    before: &'a mut [u8],
}

const FIRST: [u8; ROWS_PER_BLOCK] = [0; ROWS_PER_BLOCK];

pub(super) trait BlockVisitor {
    fn see(&mut self, rows: BlockRows<'_>);
}

#[inline(always)]
pub(super) fn each_group<const L: usize>(module: &mut ModuleView<'_>, to: &mut impl BlockVisitor) {
    let benefits = module.input.benefits;
    let rows = benefits.len().min(module.levels.len());
    let benefits = benefits.get(..rows).unwrap_or(benefits);
    groups_of::<L>(module, 0, benefits, to);
}

/// A source of benefits.
pub trait BenefitSource {
    /// Writes the benefits of rows from `first` on. Implementations inline it.
    fn fill(&mut self, first: usize, benefits: &mut [Benefit]);
}

impl<S: BenefitSource + ?Sized> BenefitSource for &mut S {
    #[inline(always)]
    fn fill(&mut self, first: usize, benefits: &mut [Benefit]) {
        (**self).fill(first, benefits);
    }
}

const NEAR: usize = 2 * ROWS_PER_BLOCK;

#[inline(always)]
pub(super) fn each_new_group<const L: usize>(
    module: &mut ModuleView<'_>,
    benefits: &mut [Benefit],
    source: &mut impl BenefitSource,
    to: &mut impl BlockVisitor,
) {
    for (benefits, first) in benefits.chunks_mut(NEAR).zip((0..).step_by(NEAR)) {
        source.fill(first, benefits);
        groups_of::<L>(module, first, benefits, to);
    }
}

#[inline(always)]
fn groups_of<const L: usize>(
    module: &mut ModuleView<'_>,
    first: usize,
    benefits: &[Benefit],
    to: &mut impl BlockVisitor,
) {
    let rows = first..first.wrapping_add(benefits.len());
    let wide = &mut module.wide;
    let mut ladder_bytes =
        wide.ladder_bytes.get(rows.clone()).unwrap_or_default().chunks(ROWS_PER_BLOCK);
    let levels = module.levels.get_mut(rows.clone()).unwrap_or_default().chunks_mut(ROWS_PER_BLOCK);
    let before = wide.before.get_mut(rows.clone()).unwrap_or_default().chunks_mut(ROWS_PER_BLOCK);
    let groups = wide.groups.get_mut(rows.start / ROWS_PER_BLOCK..).unwrap_or_default();
    let places = groups.iter_mut().zip(levels.zip(before));
    for (benefits, (group, (levels, before))) in benefits.chunks(ROWS_PER_BLOCK).zip(places) {
        let ladder_bytes = if L == 1 { &FIRST } else { ladder_bytes.next().unwrap_or_default() };
        to.see(BlockRows { benefits, ladder_bytes, group, levels, before });
    }
}

impl BlockRows<'_> {
    #[inline(always)]
    pub(super) fn set(&mut self, new: &[u8; ROWS_PER_BLOCK]) {
        let differ = |differ: u8, (level, new): (&u8, &u8)| differ | (level ^ new);
        if self.levels.iter().zip(new).fold(0, differ) != 0 {
            self.keep();
            self.levels.iter_mut().zip(new).for_each(|(level, &new)| *level = new);
        }
    }

    #[inline(always)]
    pub(super) fn keep(&mut self) {
        if !self.group.changed {
            self.group.changed = true;
            self.before.iter_mut().zip(&*self.levels).for_each(|(before, &level)| *before = level);
        }
    }

    #[inline(always)]
    pub(super) fn cost<const L: usize, const K: usize>(
        &self,
        steps: &StepTables<L, K>,
        level_indices: &[u8; ROWS_PER_BLOCK],
    ) -> u64 {
        let level_indices = level_indices.get(..self.benefits.len()).unwrap_or(level_indices);
        if StepTables::<L, K>::HAS_ONE {
            let mut taken = [0_u64; K];
            for (taken, step) in taken.iter_mut().zip(1_u8..) {
                let count = |count: u8, &level_index: &u8| {
                    count.wrapping_add(u8::from(level_index >= step))
                };
                *taken = level_indices.iter().fold(0, count).into();
            }
            steps.cost_of(level_indices.len(), taken)
        } else {
            level_indices.iter().zip(self.ladder_bytes).fold(
                0,
                |sum: u64, (&level_index, &kind)| {
                    sum.wrapping_add(steps.cost(level_index.into(), kind).into())
                },
            )
        }
    }

    #[inline(always)]
    pub(super) fn level_indices<const L: usize, const K: usize>(
        &self,
        steps: &StepTables<L, K>,
    ) -> [u8; ROWS_PER_BLOCK] {
        let mut level_indices = [0; ROWS_PER_BLOCK];
        for ((level_index, &level), &kind) in
            level_indices.iter_mut().zip(&*self.levels).zip(self.ladder_bytes)
        {
            *level_index = level.wrapping_sub(steps.level(0, kind));
        }
        level_indices
    }

    #[inline(always)]
    pub(super) fn levels<const L: usize, const K: usize>(
        &self,
        steps: &StepTables<L, K>,
        level_indices: &[u8; ROWS_PER_BLOCK],
    ) -> [u8; ROWS_PER_BLOCK] {
        let mut levels = [0; ROWS_PER_BLOCK];
        for ((level, &level_index), &kind) in
            levels.iter_mut().zip(level_indices).zip(self.ladder_bytes)
        {
            *level = steps.level(level_index.into(), kind);
        }
        levels
    }
}
