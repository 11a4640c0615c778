//! An actor that could be better than its share pays.

use super::MAX_ACTORS;
use crate::benefit::Benefit;

/// Room for an actor that could be better than its share pays.
///
/// The caller owns as many as there are automatic actors and lends them to
/// [`decide`](super::decide); what is in them is the ledger's business.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Bid {
    /// From the highest bits: 24 of falling benefit, 24 of the id, 16 of the account. The pot serves
    /// the lowest first.
    key: u64,
    /// The actor's row in its account.
    row: u32,
    /// What it would take to the highest level, in nanoseconds.
    rest: u32,
}

impl Bid {
    pub(super) fn new(benefit: Benefit, id: u32, account: u16, row: u32, rest: u32) -> Self {
        let falling = u64::from(Benefit::MAX.bits() - benefit.bits());
        let id = u64::from(id & MAX_ACTORS);
        Self { key: falling << 40 | id << 16 | u64::from(account), row, rest }
    }

    /// A bid for those who come by falling rank, of which the low 24 bits count.
    pub(super) fn ranked(rank: u32, id: u32, account: u16, row: u32, rest: u32) -> Self {
        Self::new(Benefit::from_bits(rank), id, account, row, rest)
    }

    /// The benefit, or the rank.
    #[allow(clippy::cast_possible_truncation)] // 24 bits are left
    pub(super) const fn benefit(self) -> u32 {
        Benefit::MAX.bits().wrapping_sub((self.key >> 40) as u32)
    }

    pub(super) const fn key(&self) -> u64 {
        self.key
    }

    #[allow(clippy::cast_possible_truncation)] // the low sixteen bits are meant
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
