//! Memory that a decision works in.

use super::bid::Bid;

/// Memory that a decision works in; what is in it before and after means nothing.
#[derive(Debug, Default)]
pub struct Room<'a> {
    /// A place for each automatic actor where the request [has bids](super::Request::has_bids), else it may
    /// be empty. Who finds no place may get nothing of what is left over, and
    /// does not rise where [raises are counted](super::Request::max_raises).
    pub bids: &'a mut [Bid],
    /// Places for trials: with how many of them the optimal policy looks for a better plan where its
    /// own is not proven to be within 2⁻¹⁰ of the best. Without any it does not look.
    pub trials: &'a mut [Trial],
}

/// A place for a way to spend the money of a few actors otherwise; see [`Room::trials`].
#[derive(Debug, Clone, Copy, Default)]
pub struct Trial {
    /// What it costs more, in nanoseconds.
    pub(super) cost: i64,
    /// What it is worth more, in 2⁻³¹.
    pub(super) value: i64,
    pub(super) steps: Steps,
}

/// A few actors, by their numbers in a core, and their rungs.
#[derive(Debug, Clone, Copy)]
pub(super) struct Steps {
    taken: [(u8, u8); MOST_STEPS],
    len: u8,
}

/// So many actors of a trial have other levels than at the price.
pub(super) const MOST_STEPS: usize = 63;

impl Default for Steps {
    fn default() -> Self {
        Self { taken: [(0, 0); MOST_STEPS], len: 0 }
    }
}

impl Steps {
    /// One step more, if there is one and it has a place.
    #[inline]
    pub(super) fn and(mut self, step: Option<(u8, u8)>) -> Option<Self> {
        if let Some(step) = step {
            *self.taken.get_mut(usize::from(self.len))? = step;
            self.len = self.len.wrapping_add(1);
        }
        Some(self)
    }

    /// The numbers and rungs.
    pub(super) fn iter(&self) -> impl Iterator<Item = (u8, u8)> {
        self.taken.iter().copied().take(self.len.into())
    }
}
