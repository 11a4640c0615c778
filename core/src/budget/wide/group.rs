//! State of a block of rows.

use crate::budget::cutoff::WarmStart;
use crate::budget::scale::Scale;
use crate::budget::slope::Slope;

/// The number of rows of a block, each of which has a [`RowBlock`].
pub const ROWS_PER_BLOCK: usize = 64;

/// The state of a block of [`ROWS_PER_BLOCK`] rows.
#[derive(Debug, Clone, Copy, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct RowBlock {
    /// A bit for each row that is a candidate for an upgrade.
    pub(super) found: u64,
    /// The total movement of thresholds at which a level of this block may change, if it is cached.
    pub(super) limit: u32,
    /// Whether a level changed in this frame; the previous levels are saved then.
    pub(super) changed: bool,
    /// Whether its benefits have changed since its levels were cached.
    pub(super) stale: bool,
}

impl RowBlock {
    /// Begins a frame: no level has changed.
    #[inline]
    pub fn begin(&mut self) {
        self.changed = false;
    }

    /// Records that a benefit changed, so that the block's [cached](CachedAssignment) levels are invalid.
    #[inline]
    pub fn touch(&mut self) {
        self.stale = true;
    }

    /// Whether a level changed in this frame; [`WideState::before`] then has all previous levels.
    #[inline]
    #[must_use]
    pub fn has_changed(&self) -> bool {
        self.changed
    }
}

/// The additional columns of a [`ModuleView`](crate::budget::ModuleView) of a wide scene, in memory of the caller
/// ([`Modules::WIDE`](crate::budget::Modules::WIDE)).
#[derive(Debug, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct WideState<'a> {
    /// Each actor's ladder as a byte; empty if all actors have one ladder, or if there are more than 64,
    /// which are processed row by row.
    pub ladder_bytes: &'a [u8],
    /// One for each [`ROWS_PER_BLOCK`] rows, the last for the remainder.
    pub groups: &'a mut [RowBlock],
    /// A place for each row: the levels before the frame, of blocks that changed.
    pub before: &'a mut [u8],
    /// The slopes, if parts of a module view share them.
    pub slopes: &'a [Slope],
    /// The sum of all benefits, if the caller has computed it.
    pub total: Option<u64>,
    /// The warm start of the search that begins with this module; kept from frame to frame.
    pub warm_start: WarmStart,
    /// The scale and cost of the current levels; kept from frame to frame.
    pub cached: CachedAssignment,
}

impl WideState<'_> {
    /// Splits off the first rows.
    pub(in crate::budget) fn split_at(self, rows: usize) -> (Self, Self) {
        let Self { ladder_bytes, groups, before, slopes, warm_start, cached, .. } = self;
        let (ladder_bytes, ladder_bytes_after) = split(ladder_bytes, rows);
        let (groups, groups_after) = split_mut(groups, rows.div_ceil(ROWS_PER_BLOCK));
        let (before, before_after) = split_mut(before, rows);
        let first = Self { ladder_bytes, groups, before, total: None, slopes, warm_start, cached };
        let (ladder_bytes, groups, before) = (ladder_bytes_after, groups_after, before_after);
        (first, Self { ladder_bytes, groups, before, total: None, slopes, warm_start, cached })
    }
}

/// The scale at which the levels of a module view were assigned, and their cost. The caller resets it to the
/// default after a change of a ladder, a cost, the benefit value or the rows.
#[derive(Debug, Clone, Copy, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct CachedAssignment {
    /// The scale whose thresholds determined the levels.
    pub(super) scale: Option<Scale>,
    /// The total movement of thresholds since.
    pub(super) moved: u32,
    /// The cost of all rows.
    pub(super) cost: u64,
}

impl CachedAssignment {
    /// Makes the state of levels that were [assigned](crate::budget::ModuleView::fill_and_assign) at a scale in all parts
    /// of a module view, with their total cost in nanoseconds.
    #[must_use]
    pub const fn at(scale: Scale, cost: u64) -> Self {
        Self { scale: Some(scale), moved: 0, cost }
    }
}

/// Splits a column after `rows` rows, or at its end.
pub(in crate::budget) fn split<T>(column: &[T], rows: usize) -> (&[T], &[T]) {
    column.split_at_checked(rows).unwrap_or((column, &[]))
}

/// `split` for mutable columns.
pub(in crate::budget) fn split_mut<T>(column: &mut [T], rows: usize) -> (&mut [T], &mut [T]) {
    column.split_at_mut(rows.min(column.len()))
}
