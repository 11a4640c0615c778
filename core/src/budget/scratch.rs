//! Scratch memory of a decision.

use super::upgrade_queue::{CandidateUpgrade, Upgrade};

/// Scratch memory of a decision; its content does not matter. Scenes that are not [wide](super::Modules::WIDE) and not large
/// need half the memory with [`CompactUpgrade`](super::CompactUpgrade), and small ones a quarter with
/// [`SmallUpgrade`](super::SmallUpgrade).
#[derive(Debug)]
pub struct Scratch<'a, U: CandidateUpgrade = Upgrade> {
    /// A place for each automatic actor if the request [needs upgrades](super::Request::needs_upgrades). An actor without a
    /// place may get no leftovers, and is not upgraded if [upgrades are limited](super::Request::max_upgrades).
    pub upgrades: &'a mut [U],
    /// Places for the local search, by which the optimal policy improves a plan not proven to be within 2⁻¹⁰ of the
    /// best; empty: no local search.
    pub moves: &'a mut [Move],
}

impl Default for Scratch<'_> {
    fn default() -> Self {
        Self { upgrades: &mut [], moves: &mut [] }
    }
}

/// A move of the local search: a few actors at other levels.
#[derive(Debug, Clone, Copy, Default)]
pub struct Move {
    /// Additional cost in nanoseconds.
    pub(super) cost: i64,
    /// Additional value in 2⁻³¹.
    pub(super) value: i64,
    pub(super) steps: LevelChanges,
}

/// Actors by their numbers in the search, and their level indices.
#[derive(Debug, Clone, Copy)]
pub(super) struct LevelChanges {
    taken: [(u8, u8); MAX_CHANGES],
    len: u8,
}

/// The greatest number of actors in a move with other levels than at the price.
pub(super) const MAX_CHANGES: usize = 63;

impl Default for LevelChanges {
    fn default() -> Self {
        Self { taken: [(0, 0); MAX_CHANGES], len: 0 }
    }
}

impl LevelChanges {
    #[inline]
    pub(super) fn and(mut self, step: Option<(u8, u8)>) -> Option<Self> {
        if let Some(step) = step {
            *self.taken.get_mut(usize::from(self.len))? = step;
            self.len = self.len.wrapping_add(1);
        }
        Some(self)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (u8, u8)> {
        self.taken.iter().copied().take(self.len.into())
    }
}
