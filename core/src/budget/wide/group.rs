//! What is kept for a group of rows.

use crate::budget::columns::{split, split_mut};
use crate::budget::frontier::Guess;
use crate::budget::scale::Scale;
use crate::budget::slope::Slope;

/// So many rows have a [`Group`].
pub const GROUP: usize = 64;

/// What the ledger notes for [`GROUP`] rows.
#[derive(Debug, Clone, Copy, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Group {
    /// A bit for each row that a pot may serve.
    pub(super) found: u64,
    /// How far thresholds may have moved in all before a level here changes, if it is drafted.
    pub(super) limit: u32,
    /// Whether a level changed in this frame; what they were is kept then.
    pub(super) changed: bool,
    /// Whether its benefits are others than when it was drafted.
    pub(super) stale: bool,
}

impl Group {
    /// Begins a frame: no level has changed.
    #[inline]
    pub fn begin(&mut self) {
        self.changed = false;
    }

    /// Says that a benefit changed, so that what was [drafted](Draft) for the group does not hold.
    #[inline]
    pub fn touch(&mut self) {
        self.stale = true;
    }

    /// Whether a level changed in this frame; all levels before are in [`Crowd::before`] then.
    #[inline]
    #[must_use]
    pub fn has_changed(&self) -> bool {
        self.changed
    }
}

/// What a [`Book`](crate::budget::Book) of very many actors has beside its other columns. All of it is
/// memory of the caller's, which only wide walks ([`Walk::WIDE`](crate::budget::Walk::WIDE)) need.
#[derive(Debug, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Crowd<'a> {
    /// Each actor's ladder once more, in a byte; empty where there is one for all, or where there are more
    /// than 64, which are looked at row by row.
    pub kinds: &'a [u8],
    /// One for every [`GROUP`] rows, the last for what is left.
    pub groups: &'a mut [Group],
    /// A place for each row: the levels before the frame, of groups that changed.
    pub before: &'a mut [u8],
    /// The slopes, where they are shared by parts of a book.
    pub slopes: &'a [Slope],
    /// The sum of all benefits, if whoever made them has added them up.
    pub total: Option<u64>,
    /// Where the pot ran dry that this account is the first of; to be kept from frame to frame.
    pub guess: Guess,
    /// For what the levels stand; to be kept from frame to frame.
    pub draft: Draft,
}

impl Crowd<'_> {
    /// What belongs to the first rows, and what to the others.
    pub(in crate::budget) fn split_at(self, rows: usize) -> (Self, Self) {
        let Self { kinds, groups, before, slopes, guess, draft, .. } = self;
        let (kinds, kinds_after) = split(kinds, rows);
        let (groups, groups_after) = split_mut(groups, rows.div_ceil(GROUP));
        let (before, before_after) = split_mut(before, rows);
        let first = Self { kinds, groups, before, total: None, slopes, guess, draft };
        let (kinds, groups, before) = (kinds_after, groups_after, before_after);
        (first, Self { kinds, groups, before, total: None, slopes, guess, draft })
    }
}

/// What the levels of a book stand for, if they stand for anything: whoever changes a ladder, a cost, the
/// benefit value, or who has a row, sets the default.
#[derive(Debug, Clone, Copy, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Draft {
    /// The scale at whose thresholds they were chosen.
    pub(super) scale: Option<Scale>,
    /// How far thresholds have moved in all.
    pub(super) moved: u32,
    /// What all rows cost.
    pub(super) cost: u64,
}

impl Draft {
    /// That of levels which were [drafted](crate::budget::Book::draft) for a scale in all parts of a book,
    /// and cost so many nanoseconds together.
    #[must_use]
    pub const fn at(scale: Scale, cost: u64) -> Self {
        Self { scale: Some(scale), moved: 0, cost }
    }
}
