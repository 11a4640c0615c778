//! New levels for a group of rows, and what is kept of the old ones.

use super::group::{GROUP, Group};
use super::steps::Steps;
use crate::benefit::Benefit;
use crate::budget::book::Book;

/// A group of rows. Where there are fewer, the others have benefit 0 and the first ladder.
pub(super) struct Rows<'a> {
    pub(super) benefits: &'a [Benefit; GROUP],
    pub(super) kinds: &'a [u8; GROUP],
    pub(super) group: &'a mut Group,
    levels: &'a mut [u8],
    before: &'a mut [u8],
}

/// Rows that all have the first ladder.
const FIRST: [u8; GROUP] = [0; GROUP];

/// Shows all groups of a book, in order; `see` is told whether it needs the kinds.
#[inline(always)]
#[allow(clippy::inline_always)] // a part of loops that are compiled for vectors
pub(super) fn each_group<const L: usize>(book: &mut Book<'_>, mut see: impl FnMut(Rows<'_>)) {
    let rows = book.account.benefits.len().min(book.levels.len());
    let crowd = &mut book.crowd;
    let benefits = book.account.benefits.get(..rows).unwrap_or_default();
    let kinds = if L == 1 { &[] } else { crowd.kinds.get(..rows).unwrap_or_default() };
    let (full, last) = benefits.as_chunks::<GROUP>();
    let (full_kinds, last_kinds) = kinds.as_chunks::<GROUP>();
    let mut levels = book.levels.chunks_mut(GROUP);
    let mut before = crowd.before.chunks_mut(GROUP);
    let mut groups = crowd.groups.iter_mut();
    let mut kinds = full_kinds.iter();
    for benefits in full {
        let (Some(group), Some(levels), Some(before)) =
            (groups.next(), levels.next(), before.next())
        else {
            return;
        };
        let kinds = kinds.next().unwrap_or(&FIRST);
        see(Rows { benefits, kinds, group, levels, before });
    }
    if let (false, Some(group), Some(levels), Some(before)) =
        (last.is_empty(), groups.next(), levels.next(), before.next())
    {
        let (mut benefits, mut kinds) = ([Benefit::ZERO; GROUP], FIRST);
        benefits.iter_mut().zip(last).for_each(|(place, &benefit)| *place = benefit);
        kinds.iter_mut().zip(last_kinds).for_each(|(place, &kind)| *place = kind);
        let levels = levels.get_mut(..last.len()).unwrap_or_default();
        see(Rows { benefits: &benefits, kinds: &kinds, group, levels, before });
    }
}

#[allow(clippy::inline_always)] // parts of loops that are compiled for vectors
impl Rows<'_> {
    /// How many there are.
    #[inline(always)]
    pub(super) fn len(&self) -> usize {
        self.levels.len()
    }

    /// Sets the levels, and keeps those before.
    #[inline(always)]
    pub(super) fn set(&mut self, new: &[u8; GROUP]) {
        let is_same = match self.levels.first_chunk::<GROUP>() {
            Some(levels) => levels == new,
            None => new.get(..self.levels.len()).is_some_and(|new| new == self.levels),
        };
        if !is_same {
            self.keep();
            self.levels.iter_mut().zip(new).for_each(|(level, &new)| *level = new);
        }
    }

    /// Keeps the levels as they were before the frame.
    #[inline(always)]
    pub(super) fn keep(&mut self) {
        if !self.group.changed {
            self.group.changed = true;
            self.before.iter_mut().zip(&*self.levels).for_each(|(before, &level)| *before = level);
        }
    }

    /// What the rows cost at such levels, which are some of the steps', in nanoseconds.
    #[inline(always)]
    pub(super) fn cost<const L: usize, const K: usize>(
        &self,
        steps: &Steps<L, K>,
        rungs: &[u8; GROUP],
    ) -> u64 {
        // Those beyond the end stand on the foot of the first ladder.
        let beyond = (GROUP as u64).wrapping_sub(self.len() as u64);
        let too_much = beyond.wrapping_mul(steps.minimum(0).into());
        let cost = if Steps::<L, K>::HAS_ONE {
            let mut taken = [0_u64; K];
            for (taken, step) in taken.iter_mut().zip(1_u8..) {
                let count = |count: u8, &rung: &u8| count.wrapping_add(u8::from(rung >= step));
                *taken = rungs.iter().fold(0, count).into();
            }
            steps.cost_of(GROUP, taken)
        } else {
            let costs = rungs.iter().zip(self.kinds);
            costs.fold(0, |sum: u64, (&rung, &kind)| {
                sum.wrapping_add(steps.cost(rung.into(), kind).into())
            })
        };
        cost.wrapping_sub(too_much)
    }

    /// The rungs that the levels are.
    #[inline(always)]
    pub(super) fn rungs<const L: usize, const K: usize>(&self, steps: &Steps<L, K>) -> [u8; GROUP] {
        let mut rungs = [0; GROUP];
        for ((rung, &level), &kind) in rungs.iter_mut().zip(&*self.levels).zip(self.kinds) {
            *rung = level.wrapping_sub(steps.level(0, kind));
        }
        rungs
    }

    /// The levels of rungs.
    #[inline(always)]
    pub(super) fn levels<const L: usize, const K: usize>(
        &self,
        steps: &Steps<L, K>,
        rungs: &[u8; GROUP],
    ) -> [u8; GROUP] {
        let mut levels = [0; GROUP];
        for ((level, &rung), &kind) in levels.iter_mut().zip(rungs).zip(self.kinds) {
            *level = steps.level(rung.into(), kind);
        }
        levels
    }
}
