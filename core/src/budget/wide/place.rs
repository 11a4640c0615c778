//! Assignment of new levels to a block of rows, saving the old ones.

use super::group::{GROUP, Group};
use super::steps::StepTables;
use crate::benefit::Benefit;
use crate::budget::module_view::Book;

/// A block of rows, of the length of the shortest column.
pub(super) struct BlockRows<'a> {
    pub(super) benefits: &'a [Benefit],
    pub(super) kinds: &'a [u8],
    pub(super) group: &'a mut Group,
    levels: &'a mut [u8],
    before: &'a mut [u8],
}

/// The ladder of rows that all have the first one.
const FIRST: [u8; GROUP] = [0; GROUP];

/// An operation on each block of a module view. A closure would not be compiled for the vectors of its caller.
pub(super) trait BlockVisitor {
    fn see(&mut self, rows: BlockRows<'_>);
}

/// Visits all blocks of a module view, in order.
#[inline(always)]
pub(super) fn each_group<const L: usize>(module: &mut Book<'_>, to: &mut impl BlockVisitor) {
    let benefits = module.account.benefits;
    let rows = benefits.len().min(module.levels.len());
    let benefits = benefits.get(..rows).unwrap_or(benefits);
    groups_of::<L>(module, 0, benefits, to);
}

/// A source of benefits.
pub trait Source {
    /// Writes the benefits of the rows from the first one on. Implementations inline it.
    fn fill(&mut self, first: usize, benefits: &mut [Benefit]);
}

impl<S: Source + ?Sized> Source for &mut S {
    #[inline(always)]
    fn fill(&mut self, first: usize, benefits: &mut [Benefit]) {
        (**self).fill(first, benefits);
    }
}

/// The number of blocks that are assigned while their benefits are in the first-level cache.
const NEAR: usize = 2 * GROUP;

/// Writes benefits, and visits all blocks of a module view without benefits, in order.
#[inline(always)]
pub(super) fn each_new_group<const L: usize>(
    module: &mut Book<'_>,
    benefits: &mut [Benefit],
    source: &mut impl Source,
    to: &mut impl BlockVisitor,
) {
    for (benefits, first) in benefits.chunks_mut(NEAR).zip((0..).step_by(NEAR)) {
        source.fill(first, benefits);
        groups_of::<L>(module, first, benefits, to);
    }
}

/// Visits the blocks of some rows; the first row begins a block.
#[inline(always)]
fn groups_of<const L: usize>(
    module: &mut Book<'_>,
    first: usize,
    benefits: &[Benefit],
    to: &mut impl BlockVisitor,
) {
    let rows = first..first.wrapping_add(benefits.len());
    let crowd = &mut module.crowd;
    let mut kinds = crowd.kinds.get(rows.clone()).unwrap_or_default().chunks(GROUP);
    let levels = module.levels.get_mut(rows.clone()).unwrap_or_default().chunks_mut(GROUP);
    let before = crowd.before.get_mut(rows.clone()).unwrap_or_default().chunks_mut(GROUP);
    let groups = crowd.groups.get_mut(rows.start / GROUP..).unwrap_or_default();
    let places = groups.iter_mut().zip(levels.zip(before));
    for (benefits, (group, (levels, before))) in benefits.chunks(GROUP).zip(places) {
        let kinds = if L == 1 { &FIRST } else { kinds.next().unwrap_or_default() };
        to.see(BlockRows { benefits, kinds, group, levels, before });
    }
}

impl BlockRows<'_> {
    /// Sets the levels, and saves the levels before the frame.
    #[inline(always)]
    pub(super) fn set(&mut self, new: &[u8; GROUP]) {
        let differ = |differ: u8, (level, new): (&u8, &u8)| differ | (level ^ new);
        if self.levels.iter().zip(new).fold(0, differ) != 0 {
            self.keep();
            self.levels.iter_mut().zip(new).for_each(|(level, &new)| *level = new);
        }
    }

    /// Saves the levels before the frame.
    #[inline(always)]
    pub(super) fn keep(&mut self) {
        if !self.group.changed {
            self.group.changed = true;
            self.before.iter_mut().zip(&*self.levels).for_each(|(before, &level)| *before = level);
        }
    }

    /// Returns the cost of the rows at level indices, in nanoseconds.
    #[inline(always)]
    pub(super) fn cost<const L: usize, const K: usize>(
        &self,
        steps: &StepTables<L, K>,
        level_indices: &[u8; GROUP],
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
            level_indices.iter().zip(self.kinds).fold(0, |sum: u64, (&level_index, &kind)| {
                sum.wrapping_add(steps.cost(level_index.into(), kind).into())
            })
        }
    }

    /// Returns the level indices of the rows.
    #[inline(always)]
    pub(super) fn level_indices<const L: usize, const K: usize>(
        &self,
        steps: &StepTables<L, K>,
    ) -> [u8; GROUP] {
        let mut level_indices = [0; GROUP];
        for ((level_index, &level), &kind) in
            level_indices.iter_mut().zip(&*self.levels).zip(self.kinds)
        {
            *level_index = level.wrapping_sub(steps.level(0, kind));
        }
        level_indices
    }

    /// Returns the levels of level indices.
    #[inline(always)]
    pub(super) fn levels<const L: usize, const K: usize>(
        &self,
        steps: &StepTables<L, K>,
        level_indices: &[u8; GROUP],
    ) -> [u8; GROUP] {
        let mut levels = [0; GROUP];
        for ((level, &level_index), &kind) in levels.iter_mut().zip(level_indices).zip(self.kinds) {
            *level = steps.level(level_index.into(), kind);
        }
        levels
    }
}
