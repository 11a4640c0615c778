//! The rows of a block in a kernel.

use core::slice::{Chunks, ChunksMut, IterMut};

use super::group::{BlockTotals, ROWS_PER_BLOCK, RowBlock};
use super::tables::{LadderTables, StepTable};
use crate::benefit::Benefit;
use crate::budget::module_view::ModuleView;
use crate::budget::policy::Hysteresis;

/// A level index, from the base, of each row of a block.
pub(crate) type Indices = [u8; ROWS_PER_BLOCK];

pub(crate) struct BlockRows<'a> {
    pub(crate) benefits: &'a [Benefit],
    pub(crate) ladder_bytes: &'a [u8],
    pub(crate) group: &'a mut RowBlock,
    levels: &'a mut [u8],
    before: &'a mut [u8],
    totals: Option<&'a mut BlockTotals>,
}

const FIRST: Indices = [0; ROWS_PER_BLOCK];

/// The blocks of a module, or of some of its rows.
// A loop over an iterator is compiled for the vectors of its function, unlike a closure.
pub(crate) struct Blocks<'a, const L: usize> {
    benefits: Chunks<'a, Benefit>,
    ladder_bytes: Chunks<'a, u8>,
    groups: IterMut<'a, RowBlock>,
    levels: ChunksMut<'a, u8>,
    before: ChunksMut<'a, u8>,
    totals: IterMut<'a, BlockTotals>,
    stride: u32,
}

impl<'a, const L: usize> Blocks<'a, L> {
    /// Returns the first of each `stride` blocks of all rows.
    #[inline(always)]
    pub(crate) fn of(module: &'a mut ModuleView<'_>, stride: u32) -> Self {
        let benefits = module.input.benefits;
        let rows = benefits.len().min(module.levels.len());
        Self { stride, ..Self::from(module, 0, benefits.get(..rows).unwrap_or(benefits)) }
    }

    /// Returns the blocks of the rows from `first` on, with these benefits.
    #[inline(always)]
    pub(crate) fn from(
        module: &'a mut ModuleView<'_>,
        first: usize,
        benefits: &'a [Benefit],
    ) -> Self {
        let rows = first..first.wrapping_add(benefits.len());
        let (wide, block) = (&mut module.wide, first / ROWS_PER_BLOCK);
        let ladder_bytes = wide.ladder_bytes.get(rows.clone()).unwrap_or_default();
        let levels = module.levels.get_mut(rows.clone()).unwrap_or_default();
        Self {
            benefits: benefits.chunks(ROWS_PER_BLOCK),
            ladder_bytes: ladder_bytes.chunks(ROWS_PER_BLOCK),
            groups: wide.groups.get_mut(block..).unwrap_or_default().iter_mut(),
            levels: levels.chunks_mut(ROWS_PER_BLOCK),
            before: wide.before.get_mut(rows).unwrap_or_default().chunks_mut(ROWS_PER_BLOCK),
            totals: wide.totals.get_mut(block..).unwrap_or_default().iter_mut(),
            stride: 1,
        }
    }

    #[inline(always)]
    fn next_block(&mut self) -> Option<BlockRows<'a>> {
        Some(BlockRows {
            benefits: self.benefits.next()?,
            ladder_bytes: if L == 1 { &FIRST } else { self.ladder_bytes.next()? },
            group: self.groups.next()?,
            levels: self.levels.next()?,
            before: self.before.next()?,
            totals: self.totals.next(),
        })
    }
}

impl<'a, const L: usize> Iterator for Blocks<'a, L> {
    type Item = BlockRows<'a>;

    #[inline(always)]
    fn next(&mut self) -> Option<BlockRows<'a>> {
        let rows = self.next_block();
        for _ in 1..self.stride {
            self.next_block();
        }
        rows
    }
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

impl BlockRows<'_> {
    /// Returns the stored totals, if the block's inputs are those for which they were stored.
    #[inline(always)]
    pub(crate) fn known_totals(&self) -> Option<[u64; 8]> {
        let is_known = self.group.has_totals && !self.group.changed;
        self.totals.as_deref().filter(|_| is_known).map(|totals| totals.0)
    }

    /// Stores the totals of this pass, if there is a place.
    #[inline(always)]
    pub(crate) fn store(&mut self, totals: impl FnOnce() -> [u64; 8]) {
        if let Some(place) = &mut self.totals {
            **place = BlockTotals(totals());
            self.group.has_totals = true;
        }
    }

    #[inline(always)]
    pub(crate) fn set<const L: usize, const K: usize>(
        &mut self,
        tables: &LadderTables<L, K>,
        indices: &Indices,
    ) {
        let mut new = [0; ROWS_PER_BLOCK];
        if let Some((base, _)) = tables.uniform {
            for (level, &index) in new.iter_mut().zip(indices) {
                *level = base.wrapping_add(index);
            }
        } else {
            for ((level, &index), &kind) in new.iter_mut().zip(indices).zip(self.ladder_bytes) {
                *level = tables.base(kind).wrapping_add(index);
            }
        }
        let differ = |differ: u8, (level, new): (&u8, &u8)| differ | (level ^ new);
        if self.levels.iter().zip(&new).fold(0, differ) != 0 {
            self.group.keep(self.levels, self.before);
            self.levels.iter_mut().zip(new).for_each(|(level, new)| *level = new);
        }
    }

    /// Marks rows, whose levels may change.
    #[inline(always)]
    pub(crate) fn mark(&mut self, found: u64) {
        self.group.found = found;
        if found != 0 {
            self.group.keep(self.levels, self.before);
        }
    }

    #[inline(always)]
    pub(crate) fn cost<const L: usize, const K: usize>(
        &self,
        tables: &LadderTables<L, K>,
        indices: &Indices,
    ) -> u64 {
        let indices = indices.get(..self.benefits.len()).unwrap_or(indices);
        if LadderTables::<L, K>::HAS_ONE {
            let mut taken = [0_u64; K];
            for (taken, step) in taken.iter_mut().zip(1_u8..) {
                let count = |count: u8, &index: &u8| count.wrapping_add(u8::from(index >= step));
                *taken = indices.iter().fold(0, count).into();
            }
            tables.cost_of(indices.len(), taken)
        } else {
            indices.iter().zip(self.ladder_bytes).fold(0, |sum: u64, (&index, &kind)| {
                sum.wrapping_add(tables.cost(index, kind).into())
            })
        }
    }

    /// Returns the current indices.
    #[inline(always)]
    pub(crate) fn indices<const L: usize, const K: usize>(
        &self,
        tables: &LadderTables<L, K>,
    ) -> Indices {
        let mut indices = [0; ROWS_PER_BLOCK];
        for ((index, &level), &kind) in indices.iter_mut().zip(&*self.levels).zip(self.ladder_bytes)
        {
            *index = level.wrapping_sub(tables.base(kind));
        }
        indices
    }

    /// Returns the previous indices: clamped to the valid range, on a plateau its end.
    #[inline(always)]
    pub(crate) fn previous<const L: usize, const K: usize>(
        &self,
        tables: &LadderTables<L, K>,
    ) -> Indices {
        // An actor without a previous level has the level 255, which is clamped to the highest.
        let levels: &[u8] = if self.group.changed { self.before } else { self.levels };
        let mut indices = [0; ROWS_PER_BLOCK];
        if let Some((base, top)) = tables.uniform {
            for (index, &level) in indices.iter_mut().zip(levels) {
                *index = level.saturating_sub(base).min(top);
            }
        } else {
            for ((index, &level), &kind) in indices.iter_mut().zip(levels).zip(self.ladder_bytes) {
                *index = level.saturating_sub(tables.base(kind)).min(tables.top(kind));
            }
        }
        if let Some(ends) = &tables.plateau_ends {
            for (index, &kind) in indices.iter_mut().zip(self.ladder_bytes) {
                *index = if *index > 0 { (ends.to(*index, kind) & 0xff) as u8 } else { 0 };
            }
        }
        indices
    }

    /// Returns the bits of the rows whose flag is not 0.
    #[inline(always)]
    pub(crate) fn bits(flags: &Indices) -> u64 {
        if flags.iter().fold(0, |any, flag| any | flag) == 0 {
            return 0;
        }
        let rows = flags.iter().enumerate();
        rows.fold(0, |bits, (row, &flag)| bits | u64::from(flag != 0) << row)
    }
}

/// The indices that a block's benefits reach, the same with discounted benefits, and the previous ones.
///
/// Without hysteresis the discounted benefits are the benefits, and no previous index counts: it is 0.
pub(crate) struct Reached {
    pub(crate) full: Indices,
    pub(crate) discounted: Indices,
    pub(crate) previous: Indices,
}

impl Reached {
    #[inline(always)]
    pub(crate) fn of<const L: usize, const K: usize>(
        rows: &BlockRows<'_>,
        tables: &LadderTables<L, K>,
        thresholds: &StepTable<L, K>,
        hysteresis: Hysteresis,
    ) -> Self {
        let mut full = [0_u8; ROWS_PER_BLOCK];
        let benefits = rows.benefits.iter().zip(rows.ladder_bytes);
        for (full, (&benefit, &kind)) in full.iter_mut().zip(benefits.clone()) {
            *full = thresholds.reached(benefit, kind);
        }
        if !hysteresis.is_on() {
            return Self { full, discounted: full, previous: [0; ROWS_PER_BLOCK] };
        }
        let mut discounted = [0_u8; ROWS_PER_BLOCK];
        for (discounted, (&benefit, &kind)) in discounted.iter_mut().zip(benefits) {
            *discounted = thresholds.reached(hysteresis.discounted(benefit), kind);
        }
        Self { full, discounted, previous: rows.previous(tables) }
    }

    /// Returns the indices with hysteresis.
    #[inline(always)]
    pub(crate) fn indices(&self) -> Indices {
        let mut indices = [0_u8; ROWS_PER_BLOCK];
        let reached = self.full.iter().zip(&self.discounted).zip(&self.previous);
        for (index, ((&full, &discounted), &previous)) in indices.iter_mut().zip(reached) {
            *index = clamp(previous, discounted, full);
        }
        indices
    }

    /// Returns whether rows return to their previous index, as 0 or 1.
    #[inline(always)]
    pub(crate) fn returns(&self) -> Indices {
        let mut returns = [0_u8; ROWS_PER_BLOCK];
        for (returns, (&full, &previous)) in
            returns.iter_mut().zip(self.full.iter().zip(&self.previous))
        {
            *returns = u8::from(full < previous);
        }
        returns
    }
}

/// Returns the previous index, clamped to the indices that the discounted and the full benefit reach.
#[inline(always)]
pub(crate) fn clamp(previous: u8, discounted: u8, full: u8) -> u8 {
    previous.min(full).max(discounted)
}
