//! A candidate upgrade of one actor.

use super::MAX_ACTORS;
use crate::benefit::Benefit;

/// A candidate upgrade of one actor, with its sort key.
///
/// The caller owns one for each automatic actor and lends them to [`decide`](super::decide) as scratch
/// memory; their content is private.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Bid {
    /// From the highest bits: 24 of falling benefit, 24 of the id, 16 of the module. The lowest key is
    /// served first.
    key: u64,
    /// The actor's row in its module.
    row: u32,
    /// The cost of an upgrade to the highest level, in nanoseconds.
    rest: u32,
}

impl Bid {
    pub(super) fn new(benefit: Benefit, id: u32, account: u16, row: u32, rest: u32) -> Self {
        let falling = u64::from(Benefit::MAX.bits() - benefit.bits());
        let id = u64::from(id & MAX_ACTORS);
        Self { key: falling << 40 | id << 16 | u64::from(account), row, rest }
    }

    /// Makes an upgrade that is sorted by falling rank, of which the low 24 bits count.
    pub(super) fn ranked(rank: u32, id: u32, account: u16, row: u32, rest: u32) -> Self {
        Self::new(Benefit::from_bits(rank), id, account, row, rest)
    }

    /// Returns the benefit, or the rank.
    #[allow(clippy::cast_possible_truncation)] // 24 bits remain
    pub(super) const fn benefit(self) -> u32 {
        Benefit::MAX.bits().wrapping_sub((self.key >> 40) as u32)
    }

    pub(super) const fn key(&self) -> u64 {
        self.key
    }

    #[allow(clippy::cast_possible_truncation)] // keeps the low sixteen bits
    pub(super) const fn account(self) -> usize {
        (self.key as u16) as usize
    }

    pub(super) const fn row(self) -> usize {
        self.row as usize
    }

    pub(super) const fn rest(self) -> u64 {
        self.rest as u64
    }
}
