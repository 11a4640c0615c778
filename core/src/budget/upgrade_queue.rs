//! Candidate upgrades, and the queue in which they share a leftover budget.
//!
//! A leftover budget is exhausted long before the upgrades are, so they are sorted only as far as they are visited.
//! `core`'s sorts contain code that panics on inconsistent orders.

use core::cell::Cell;

use super::MAX_ACTORS;
use crate::benefit::Benefit;
use crate::target::IS_SMALLEST;

/// A candidate upgrade of one actor: [`Upgrade`], [`CompactUpgrade`] or [`SmallUpgrade`].
pub trait CandidateUpgrade: Copy + sealed::Record {}

mod sealed {
    use super::{UpgradePlace, falling};

    /// The record of an upgrade. The lowest key is first: 24 bits of falling rank, then the id.
    pub trait Record {
        type Key: Ord + Copy + Default + Into<u64>;

        /// The number of bits below the rank.
        const BITS_BELOW: u32;

        /// Whether it has a cost, which wide scenes read.
        const HAS_COST: bool;

        fn of_actor(rank: u32, id: u32, module: u16, row: u32, cost: u32) -> Self;

        fn key(&self) -> Self::Key;

        #[inline]
        #[allow(clippy::cast_possible_truncation)] // 24 bits remain
        fn rank(&self) -> u32 {
            falling((self.key().into() >> Self::BITS_BELOW) as u32)
        }

        fn place(&self) -> UpgradePlace;

        /// Returns the cost in nanoseconds; 0 if it [has none](Self::HAS_COST).
        fn cost(&self) -> u64 {
            0
        }
    }
}
pub(super) use sealed::Record;

/// The place of an upgraded actor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UpgradePlace {
    /// The number of its module, and its row there.
    Row { module: usize, row: usize },
    /// Only its id.
    Id(u32),
}

/// Returns 24 bits, from a rank and back.
const fn falling(rank: u32) -> u32 {
    Benefit::MAX.bits().wrapping_sub(Benefit::from_bits(rank).bits())
}

/// A candidate upgrade of any scene: scratch memory for [`decide`](super::decide), one for each automatic actor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Upgrade {
    /// From the highest bits: 24 of falling rank, 24 of the id, 16 of the module.
    key: u64,
    row: u32,
    /// In nanoseconds.
    cost: u32,
}

impl CandidateUpgrade for Upgrade {}

impl Record for Upgrade {
    type Key = u64;
    const BITS_BELOW: u32 = 40;
    const HAS_COST: bool = true;

    #[inline]
    fn of_actor(rank: u32, id: u32, module: u16, row: u32, cost: u32) -> Self {
        let id = u64::from(id & MAX_ACTORS);
        Self { key: wide_key(rank) | id << 16 | u64::from(module), row, cost }
    }

    #[inline]
    fn key(&self) -> u64 {
        self.key
    }

    #[inline]
    #[allow(clippy::cast_possible_truncation)] // keeps the low sixteen bits
    fn place(&self) -> UpgradePlace {
        UpgradePlace::Row { module: (self.key as u16).into(), row: self.row as usize }
    }

    #[inline]
    fn cost(&self) -> u64 {
        self.cost.into()
    }
}

const fn wide_key(rank: u32) -> u64 {
    (falling(rank) as u64) << 40
}

/// A candidate upgrade of 8 bytes, for scenes that are not [wide](super::Modules::WIDE), with at most 256 modules, 65 536
/// actors in each, and ids below 65 536. In other scenes the order of upgrades, or the upgraded actors, are wrong.
///
/// # Examples
/// ```
/// # use lodger_core::budget::{CompactUpgrade, Upgrade};
/// assert_eq!((size_of::<CompactUpgrade>(), size_of::<Upgrade>()), (8, 16));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct CompactUpgrade {
    /// From the highest bits: 24 of falling rank; 16 of the id, 8 of the module and 16 of the row.
    key: u64,
}

impl CompactUpgrade {
    /// No upgrade, for scratch that is not in use.
    pub const NONE: Self = Self { key: 0 };
}

impl CandidateUpgrade for CompactUpgrade {}

impl Record for CompactUpgrade {
    type Key = u64;
    const BITS_BELOW: u32 = 40;
    const HAS_COST: bool = false;

    #[inline]
    fn of_actor(rank: u32, id: u32, module: u16, row: u32, _: u32) -> Self {
        let id = u64::from(id & 0xffff);
        let row = u64::from(row & 0xffff);
        Self { key: wide_key(rank) | id << 24 | u64::from(module & 0xff) << 16 | row }
    }

    #[inline]
    fn key(&self) -> u64 {
        self.key
    }

    #[inline]
    fn place(&self) -> UpgradePlace {
        UpgradePlace::Row {
            module: (self.key >> 16 & 0xff) as usize,
            row: (self.key & 0xffff) as usize,
        }
    }
}

/// A candidate upgrade of 4 bytes, for scenes that are not [wide](super::Modules::WIDE), with ids below 256. In other scenes the
/// order of upgrades, or the upgraded actors, are wrong.
///
/// Its actor is found by [`Modules::place_of`](super::Modules::place_of).
///
/// # Examples
/// ```
/// # use lodger_core::budget::{SmallUpgrade, Upgrade};
/// assert_eq!((size_of::<SmallUpgrade>(), size_of::<Upgrade>()), (4, 16));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct SmallUpgrade {
    /// From the highest bits: 24 of falling rank; 8 of the id.
    key: u32,
}

impl SmallUpgrade {
    /// No upgrade, for scratch that is not in use.
    pub const NONE: Self = Self { key: 0 };
}

impl CandidateUpgrade for SmallUpgrade {}

impl Record for SmallUpgrade {
    type Key = u32;
    const BITS_BELOW: u32 = 8;
    const HAS_COST: bool = false;

    #[inline]
    fn of_actor(rank: u32, id: u32, _: u16, _: u32, _: u32) -> Self {
        Self { key: falling(rank) << 8 | (id & 0xff) }
    }

    #[inline]
    fn key(&self) -> u32 {
        self.key
    }

    #[inline]
    fn place(&self) -> UpgradePlace {
        UpgradePlace::Id(self.key & 0xff)
    }
}

/// A queue that upgrades are added to. Functions that add them are compiled once for all candidates.
pub(super) trait UpgradeSink {
    /// Adds an upgrade of an actor; `cost` counts in wide scenes only. Returns whether there was space.
    fn push(&mut self, rank: u32, id: u32, module: u16, row: u32, cost: u32) -> bool;
}

impl<U: CandidateUpgrade> UpgradeSink for UpgradeQueue<'_, U> {
    fn push(&mut self, rank: u32, id: u32, module: u16, row: u32, cost: u32) -> bool {
        let place = self.scratch.get_mut(self.len);
        let has_room = place.is_some();
        if let Some(place) = place {
            *place = U::of_actor(rank, id, module, row, cost);
            self.len = self.len.wrapping_add(1);
        }
        has_room
    }
}

/// Upgrades that share a leftover budget, in the caller's memory.
#[derive(Debug)]
pub(super) struct UpgradeQueue<'a, U> {
    scratch: &'a mut [U],
    len: usize,
}

impl<'a, U: CandidateUpgrade> UpgradeQueue<'a, U> {
    pub(super) const fn new(scratch: &'a mut [U]) -> Self {
        Self { scratch, len: 0 }
    }

    /// Visits all upgrades by falling benefit, ties by lower id, until `visit` returns `false`.
    pub(super) fn visit(self, mut visit: impl FnMut(U) -> bool) {
        visit_in_order(self.scratch.get_mut(..self.len).unwrap_or_default(), &mut visit);
    }

    pub(super) fn into_heap(self) -> UpgradeHeap<'a, U> {
        UpgradeHeap::new(self.scratch.get_mut(..self.len).unwrap_or_default())
    }

    pub(super) const fn len(&self) -> usize {
        self.len
    }
}

const SMALL: usize = 24;

fn visit_in_order<U: CandidateUpgrade>(upgrades: &mut [U], visit: &mut impl FnMut(U) -> bool) {
    // The smallest Cortex-M have the least flash: they use the heap alone.
    if IS_SMALLEST {
        drain(upgrades, visit);
        return;
    }
    // Twice the depth of even splits; a worse split is left to the heap.
    let depth = 2 * (usize::BITS - upgrades.len().leading_zeros());
    split(upgrades, depth, visit);
}

fn split<U: CandidateUpgrade>(
    upgrades: &mut [U],
    mut depth: u32,
    visit: &mut impl FnMut(U) -> bool,
) -> bool {
    let mut rest = upgrades;
    while rest.len() > SMALL && depth > 0 {
        depth -= 1;
        let border = partition(rest);
        if border == 0 {
            break;
        }
        // `None` means a border beyond the end, which a partition never returns.
        let parts = core::mem::take(&mut rest).split_at_mut_checked(border);
        let Some((first, later)) = parts else { break };
        if !split(first, depth, visit) {
            return false;
        }
        rest = later;
    }
    drain(rest, visit)
}

fn partition<U: CandidateUpgrade>(upgrades: &mut [U]) -> usize {
    let key = |index| upgrades.get(index).map_or_else(U::Key::default, U::key);
    let quarter = upgrades.len() / 4;
    let (a, b, c) = (key(quarter), key(upgrades.len() / 2), key(upgrades.len() - quarter));
    let pivot = a.min(b).max(c.min(a.max(b)));
    let cells = Cell::from_mut(upgrades).as_slice_of_cells();
    let mut border = 0_usize;
    for cell in cells {
        // Always swapping and sometimes moving the border avoids a mispredicted branch.
        let Some(place) = cells.get(border) else { break };
        let upgrade = cell.replace(place.get());
        place.set(upgrade);
        border = border.wrapping_add(usize::from(upgrade.key() < pivot));
    }
    border
}

fn drain<U: CandidateUpgrade>(upgrades: &mut [U], visit: &mut impl FnMut(U) -> bool) -> bool {
    let mut heap = UpgradeHeap::new(upgrades);
    while let Some(first) = heap.first() {
        if !visit(first) {
            return false;
        }
        heap.remove_first();
    }
    true
}

/// A binary heap of upgrades, of which the first has the lowest key.
pub(super) struct UpgradeHeap<'a, U>(&'a mut [U]);

impl<'a, U: CandidateUpgrade> UpgradeHeap<'a, U> {
    #[inline]
    pub(super) fn new(upgrades: &'a mut [U]) -> Self {
        for root in (0..upgrades.len() / 2).rev() {
            let Some(&upgrade) = upgrades.get(root) else { break };
            sift_down(upgrades, root, upgrade);
        }
        Self(upgrades)
    }

    #[inline]
    pub(super) fn first(&self) -> Option<U> {
        self.0.first().copied()
    }

    /// Gives the first upgrade another rank.
    #[inline]
    #[allow(clippy::cast_possible_truncation)] // the module and row of an upgrade
    pub(super) fn rank_first(&mut self, rank: u32) {
        if let Some(first) = self.first() {
            let (id, module, row) = match first.place() {
                UpgradePlace::Row { module, row } => (0, module as u16, row as u32),
                UpgradePlace::Id(id) => (id, 0, 0),
            };
            sift_down(self.0, 0, U::of_actor(rank, id, module, row, 0));
        }
    }

    #[inline]
    pub(super) fn remove_first(&mut self) {
        if let Some((&mut last, rest)) = core::mem::take(&mut self.0).split_last_mut() {
            sift_down(rest, 0, last);
            self.0 = rest;
        }
    }
}

// The smallest Cortex-M have the least flash: all callers share one copy there.
#[cfg_attr(not(all(target_arch = "arm", not(target_has_atomic = "32"))), inline)]
#[cfg_attr(all(target_arch = "arm", not(target_has_atomic = "32")), inline(never))]
fn sift_down<U: CandidateUpgrade>(heap: &mut [U], mut root: usize, upgrade: U) {
    loop {
        let left = root.wrapping_mul(2).wrapping_add(1);
        let child = match (heap.get(left), heap.get(left.wrapping_add(1))) {
            (Some(a), Some(b)) if b.key() < a.key() => left.wrapping_add(1),
            (Some(_), _) => left,
            (None, _) => break,
        };
        match (heap.get(child).copied(), heap.get_mut(root)) {
            (Some(next), Some(place)) if next.key() < upgrade.key() => *place = next,
            _ => break,
        }
        root = child;
    }
    if let Some(place) = heap.get_mut(root) {
        *place = upgrade;
    }
}

#[cfg(test)]
mod tests {
    use std::vec::Vec;

    use proptest::prelude::*;

    use super::*;

    fn upgrades<U: CandidateUpgrade>(benefits: &[u32]) -> Vec<U> {
        let rows = benefits.iter().zip(0_u32..);
        rows.map(|(&rank, id)| U::of_actor(rank, id, 0, id, 1)).collect()
    }

    fn visited<U: CandidateUpgrade>(
        mut upgrades: Vec<U>,
        depth: Option<u32>,
        stop_after: usize,
    ) -> Vec<U> {
        let mut visited = Vec::new();
        let mut visit = |upgrade| {
            visited.push(upgrade);
            visited.len() < stop_after
        };
        match depth {
            None => visit_in_order(&mut upgrades, &mut visit),
            Some(depth) => _ = split(&mut upgrades, depth, &mut visit),
        }
        visited
    }

    fn row(upgrade: &impl CandidateUpgrade) -> usize {
        match upgrade.place() {
            UpgradePlace::Row { row, .. } => row,
            UpgradePlace::Id(id) => id as usize,
        }
    }

    fn rows_in_order<U: CandidateUpgrade>(
        benefits: &[u32],
        depth: Option<u32>,
        stop_after: usize,
    ) -> Vec<usize> {
        let visited = visited(upgrades::<U>(benefits), depth, stop_after);
        visited.iter().map(row).collect()
    }

    proptest! {
        #[test]
        fn upgrades_are_visited_in_sorted_order(
            benefits in prop::collection::vec(0_u32..200, 0..400),
            stop_after in 1_usize..500,
            depth in prop::option::of(0_u32..4),
        ) {
            let mut sorted: Vec<usize> = (0..benefits.len()).collect();
            sorted.sort_by_key(|&row| (core::cmp::Reverse(benefits[row]), row));
            let few: Vec<usize> = sorted.iter().copied().filter(|&row| row < 256).collect();
            let first = |rows: &[usize]| rows[..rows.len().min(stop_after)].to_vec();
            prop_assert_eq!(rows_in_order::<Upgrade>(&benefits, depth, stop_after), first(&sorted));
            prop_assert_eq!(
                rows_in_order::<CompactUpgrade>(&benefits, depth, stop_after), first(&sorted)
            );
            let benefits = &benefits[..benefits.len().min(256)];
            prop_assert_eq!(rows_in_order::<SmallUpgrade>(benefits, depth, stop_after), first(&few));
        }

        #[test]
        fn smaller_upgrades_equal_an_upgrade(
            ranks in [0_u32..1 << 24, 0_u32..1 << 24], ids: [u16; 2], module: u8, row: u16, cost: u32,
        ) {
            let (module, row) = (u16::from(module), u32::from(row));
            let (a, b) = (ranks[0], ranks[1]);
            let of = |i: usize| (ranks[i], u32::from(ids[i]), module, row, cost);
            let large = [0, 1].map(of).map(|(a, b, c, d, e)| Upgrade::of_actor(a, b, c, d, e));
            let compact = [0, 1].map(of).map(|(a, b, c, d, e)| CompactUpgrade::of_actor(a, b, c, d, e));
            let small = [0, 1].map(of).map(|(a, b, c, d, e)| SmallUpgrade::of_actor(a, b & 0xff, c, d, e));
            let is_first = |ids: [u16; 2]| (b, ids[0]) < (a, ids[1]);
            prop_assert_eq!(large[0].key() < large[1].key(), is_first(ids));
            prop_assert_eq!(compact[0].key() < compact[1].key(), is_first(ids));
            prop_assert_eq!(small[0].key() < small[1].key(), is_first(ids.map(|id| id & 0xff)));
            let place = UpgradePlace::Row { module: module.into(), row: row as usize };
            for (i, rank) in [a, b].into_iter().enumerate() {
                prop_assert_eq!((large[i].rank(), large[i].place()), (rank, place));
                prop_assert_eq!((compact[i].rank(), compact[i].place()), (rank, place));
                let id = u32::from(ids[i] & 0xff);
                prop_assert_eq!((small[i].rank(), small[i].place()), (rank, UpgradePlace::Id(id)));
            }
            prop_assert_eq!((large[0].cost(), compact[0].cost(), small[0].cost()), (cost.into(), 0, 0));
        }
    }

    #[test]
    fn work_grows_linearly_for_every_order_of_arrival() {
        let there_and_back = |n: u32| (0..n / 2).chain((0..n / 2).rev()).collect::<Vec<u32>>();
        let interleaved = |n: u32| (0..n).map(|i| if i % 2 == 0 { i } else { n - i }).collect();
        for benefits in [
            (0..20_000).collect::<Vec<u32>>(),
            (0..20_000).rev().collect(),
            std::vec![7; 20_000],
            there_and_back(20_000),
            interleaved(20_000),
        ] {
            let visited = visited(upgrades::<Upgrade>(&benefits), None, usize::MAX);
            assert!(visited.is_sorted_by_key(Upgrade::key));
            assert_eq!(visited.len(), benefits.len());
            let (mut rest, mut moved) = (upgrades::<Upgrade>(&benefits), 0);
            let mut parts = std::vec![rest.as_mut_slice()];
            while let Some(part) = parts.pop().filter(|part| part.len() > SMALL) {
                moved += part.len();
                let border = partition(part);
                let (first, later) = part.split_at_mut(border);
                parts.push(if first.len() > later.len() { first } else { later });
            }
            // Following the longer part down moves each upgrade only a few times.
            assert!(moved < 8 * benefits.len(), "{moved} moves");
        }
    }
}
