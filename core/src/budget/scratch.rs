//! Scratch memory of a decision.

use super::upgrade_queue::Upgrade;

/// Scratch memory of a decision; its content before and after does not matter.
#[derive(Debug, Default)]
pub struct Scratch<'a> {
    /// A place for each automatic actor if the request [needs upgrades](super::Request::needs_upgrades), else it
    /// may be empty. An actor without a place may get no part of the leftover budget, and is not upgraded
    /// if [upgrades are limited](super::Request::max_upgrades).
    pub upgrades: &'a mut [Upgrade],
    /// Places for moves of the local search, by which the optimal policy improves a plan that is not
    /// proven to be within 2⁻¹⁰ of the best. The local search is off if it is empty.
    pub moves: &'a mut [Move],
}

/// A move of the local search: a few actors at other levels. See [`Scratch::moves`].
#[derive(Debug, Clone, Copy, Default)]
pub struct Move {
    /// The additional cost, in nanoseconds.
    pub(super) cost: i64,
    /// The additional value, in 2⁻³¹.
    pub(super) value: i64,
    pub(super) steps: LevelChanges,
}

/// A few actors, by their numbers in the search, and their level indices.
#[derive(Debug, Clone, Copy)]
pub(super) struct LevelChanges {
    taken: [(u8, u8); MOST_CHANGES],
    len: u8,
}

/// The greatest number of actors in a move that have other levels than at the price.
pub(super) const MOST_CHANGES: usize = 63;

impl Default for LevelChanges {
    fn default() -> Self {
        Self { taken: [(0, 0); MOST_CHANGES], len: 0 }
    }
}

impl LevelChanges {
    /// Adds a step, if given; `None` if there is no space for it.
    #[inline]
    pub(super) fn and(mut self, step: Option<(u8, u8)>) -> Option<Self> {
        if let Some(step) = step {
            *self.taken.get_mut(usize::from(self.len))? = step;
            self.len = self.len.wrapping_add(1);
        }
        Some(self)
    }

    /// Returns the numbers and level indices.
    pub(super) fn iter(&self) -> impl Iterator<Item = (u8, u8)> {
        self.taken.iter().copied().take(self.len.into())
    }
}
