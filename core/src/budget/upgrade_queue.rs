//! Candidate upgrades, and the queue in which they share a leftover budget.
//!
//! A leftover budget is exhausted long before the upgrades are, so they are sorted only as far as they are visited.
//! `core`'s sorts contain code that panics on inconsistent orders.

use core::cell::Cell;

use super::MAX_ACTORS;
use crate::benefit::Benefit;
use crate::target::IS_SMALLEST;

/// A candidate upgrade of one actor: scratch memory for [`decide`](super::decide), one for each automatic actor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Upgrade {
    /// From the highest bits: 24 of falling benefit, 24 of the id, 16 of the module. The lowest key is first.
    key: u64,
    row: u32,
    /// The cost of an upgrade to the highest level, in nanoseconds.
    rest: u32,
}

impl Upgrade {
    pub(super) fn new(benefit: Benefit, id: u32, module: u16, row: u32, rest: u32) -> Self {
        let falling = u64::from(Benefit::MAX.bits() - benefit.bits());
        let id = u64::from(id & MAX_ACTORS);
        Self { key: falling << 40 | id << 16 | u64::from(module), row, rest }
    }

    /// Makes an upgrade sorted by falling rank, of which the low 24 bits count.
    pub(super) fn ranked(rank: u32, id: u32, module: u16, row: u32, rest: u32) -> Self {
        Self::new(Benefit::from_bits(rank), id, module, row, rest)
    }

    #[allow(clippy::cast_possible_truncation)] // 24 bits remain
    pub(super) const fn benefit(self) -> u32 {
        Benefit::MAX.bits().wrapping_sub((self.key >> 40) as u32)
    }

    pub(super) const fn key(&self) -> u64 {
        self.key
    }

    #[allow(clippy::cast_possible_truncation)] // keeps the low sixteen bits
    pub(super) const fn module(self) -> usize {
        (self.key as u16) as usize
    }

    pub(super) const fn row(self) -> usize {
        self.row as usize
    }

    pub(super) const fn rest(self) -> u64 {
        self.rest as u64
    }
}

/// Upgrades that share a leftover budget, in the caller's memory.
#[derive(Debug)]
pub(super) struct UpgradeQueue<'a> {
    scratch: &'a mut [Upgrade],
    len: usize,
}

impl<'a> UpgradeQueue<'a> {
    pub(super) const fn new(scratch: &'a mut [Upgrade]) -> Self {
        Self { scratch, len: 0 }
    }

    /// Adds an upgrade; returns whether there was space.
    #[inline]
    pub(super) fn push(&mut self, upgrade: Upgrade) -> bool {
        let place = self.scratch.get_mut(self.len);
        let has_room = place.is_some();
        if let Some(place) = place {
            *place = upgrade;
            self.len = self.len.wrapping_add(1);
        }
        has_room
    }

    /// Visits all upgrades by falling benefit, ties by lower id, until `visit` returns `false`.
    pub(super) fn visit(self, mut visit: impl FnMut(Upgrade) -> bool) {
        visit_in_order(self.scratch.get_mut(..self.len).unwrap_or_default(), &mut visit);
    }

    pub(super) const fn len(&self) -> usize {
        self.len
    }
}

const SMALL: usize = 24;

fn visit_in_order(upgrades: &mut [Upgrade], visit: &mut impl FnMut(Upgrade) -> bool) {
    // The smallest Cortex-M have the least flash: they use the heap alone.
    if IS_SMALLEST {
        drain(upgrades, visit);
        return;
    }
    // Twice the depth of even splits; a worse split is left to the heap.
    let depth = 2 * (usize::BITS - upgrades.len().leading_zeros());
    split(upgrades, depth, visit);
}

fn split(
    upgrades: &mut [Upgrade],
    mut depth: u32,
    visit: &mut impl FnMut(Upgrade) -> bool,
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

fn partition(upgrades: &mut [Upgrade]) -> usize {
    let key = |index| upgrades.get(index).map_or(0, Upgrade::key);
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

fn drain(upgrades: &mut [Upgrade], visit: &mut impl FnMut(Upgrade) -> bool) -> bool {
    for root in (0..upgrades.len() / 2).rev() {
        let Some(&upgrade) = upgrades.get(root) else { break };
        sift_down(upgrades, root, upgrade);
    }
    let mut heap = upgrades;
    while let Some(&first) = heap.first() {
        if !visit(first) {
            return false;
        }
        let Some((&mut last, rest)) = heap.split_last_mut() else { break };
        heap = rest;
        sift_down(heap, 0, last);
    }
    true
}

fn sift_down(heap: &mut [Upgrade], mut root: usize, upgrade: Upgrade) {
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
    use crate::Benefit;

    fn upgrades(benefits: &[u32]) -> Vec<Upgrade> {
        let rows = benefits.iter().zip(0_u32..);
        rows.map(|(&bits, id)| Upgrade::new(Benefit::from_bits(bits), id, 0, id, 1)).collect()
    }

    fn visited(mut upgrades: Vec<Upgrade>, depth: Option<u32>, stop_after: usize) -> Vec<Upgrade> {
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

    proptest! {
        #[test]
        fn upgrades_are_visited_in_sorted_order(
            benefits in prop::collection::vec(0_u32..200, 0..400),
            stop_after in 1_usize..500,
            depth in prop::option::of(0_u32..4),
        ) {
            let mut sorted = upgrades(&benefits);
            sorted.sort_by_key(|upgrade| (core::cmp::Reverse(benefits[upgrade.row()]), upgrade.row()));
            sorted.truncate(stop_after);
            prop_assert_eq!(visited(upgrades(&benefits), depth, stop_after), sorted);
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
            let visited = visited(upgrades(&benefits), None, usize::MAX);
            assert!(visited.is_sorted_by_key(Upgrade::key));
            assert_eq!(visited.len(), benefits.len());
            let (mut rest, mut moved) = (upgrades(&benefits), 0);
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
