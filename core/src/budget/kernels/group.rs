//! State of a block of rows.

use super::terms::{LastKernel, LevelKernel};
use crate::budget::cutoff::WarmStart;
use crate::budget::policy::Hysteresis;
use crate::budget::scale::Scale;
use crate::budget::slope::Slope;

/// The rows of a block, each of which has a [`RowBlock`].
pub const ROWS_PER_BLOCK: usize = 64;

/// The state of a block of [`ROWS_PER_BLOCK`] rows.
#[derive(Debug, Clone, Copy, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct RowBlock {
    pub(crate) found: u64,
    pub(crate) limit: u32,
    pub(crate) changed: bool,
    pub(crate) stale: bool,
    /// Whether the block's totals are those of its inputs.
    pub(crate) has_totals: bool,
}

impl RowBlock {
    /// Begins a frame.
    #[inline]
    pub fn begin(&mut self) {
        // Changed levels are the previous levels of this frame.
        self.has_totals &= !self.changed;
        self.changed = false;
    }

    /// Keeps the previous levels, as levels will change.
    #[inline(always)]
    pub(crate) fn keep(&mut self, levels: &[u8], before: &mut [u8]) {
        if !self.changed {
            self.changed = true;
            before.iter_mut().zip(levels).for_each(|(before, &level)| *before = level);
        }
    }

    /// Records that a benefit changed: the block's [cached](CachedAssignment) levels and [totals](BlockTotals) are invalid.
    #[inline]
    pub fn touch(&mut self) {
        self.stale = true;
        self.has_totals = false;
    }

    /// Whether a level changed in this frame; [`WideState::before`] then has the previous ones.
    #[inline]
    #[must_use]
    pub fn has_changed(&self) -> bool {
        self.changed
    }
}

/// The totals of a block after the last [kernel](LastKernel) that assigned its levels.
#[derive(Debug, Clone, Copy, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct BlockTotals(pub(crate) [u64; 8]);

/// Additional columns of a [`ModuleView`](crate::budget::ModuleView) of a [wide](crate::budget::Modules::WIDE) scene,
/// in the caller's memory.
#[derive(Debug, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct WideState<'a> {
    /// Each actor's ladder as a byte; empty for one ladder, or for more than 64, which are processed row by row.
    pub ladder_bytes: &'a [u8],
    /// One for each [`ROWS_PER_BLOCK`] rows or remainder.
    pub groups: &'a mut [RowBlock],
    /// A place for each row: previous levels, of blocks that changed.
    pub before: &'a mut [u8],
    /// The slopes, if parts share them.
    pub slopes: &'a [Slope],
    /// The sum of all benefits, if computed by the caller.
    pub total: Option<u64>,
    /// The warm start of this module's search; kept from frame to frame.
    pub warm_start: WarmStart,
    /// The current levels' scale and cost; kept from frame to frame.
    pub cached: CachedAssignment,
    /// The totals of each block. May be empty; then a frame in which few benefits change takes as long as any other.
    pub totals: &'a mut [BlockTotals],
    /// The kernel that assigned the levels, if there are totals; kept from frame to frame.
    pub last_kernel: Option<&'a mut LastKernel>,
}

impl WideState<'_> {
    /// Whether no level of a block changed, which begins at `row`.
    pub(crate) fn is_unchanged(&self, row: usize) -> bool {
        self.groups.get(row / ROWS_PER_BLOCK).is_some_and(|group| !group.changed)
    }

    /// Marks a row, or not; rows are visited in order.
    #[inline]
    pub(crate) fn mark(&mut self, row: usize, is_marked: bool) {
        if let Some(group) = self.groups.get_mut(row / ROWS_PER_BLOCK) {
            let others = if row.is_multiple_of(ROWS_PER_BLOCK) { 0 } else { group.found };
            group.found = others | u64::from(is_marked) << (row % ROWS_PER_BLOCK);
        }
    }

    /// Begins a pass that assigns levels by a kernel; returns whether the last pass had the same one.
    pub(crate) fn begin_pass(&mut self, kernel: LevelKernel) -> bool {
        // The levels will not be those of shares.
        self.cached = CachedAssignment::default();
        let kernel = LastKernel(Some(kernel));
        let last = self.last_kernel.as_deref_mut();
        last.is_some_and(|last| core::mem::replace(last, kernel) == kernel)
    }

    /// Forgets for which inputs the levels and totals are valid.
    pub(crate) fn forget(&mut self) {
        self.cached = CachedAssignment::default();
        if let Some(last) = &mut self.last_kernel {
            **last = LastKernel::default();
        }
    }

    /// Splits off the first rows.
    pub(crate) fn split_off(&mut self, rows: usize) -> Self {
        (self.total, self.last_kernel) = (None, None);
        let blocks = rows.div_ceil(ROWS_PER_BLOCK);
        Self {
            ladder_bytes: split_off(&mut self.ladder_bytes, rows),
            groups: split_off_mut(&mut self.groups, blocks),
            before: split_off_mut(&mut self.before, rows),
            totals: split_off_mut(&mut self.totals, blocks),
            slopes: self.slopes,
            warm_start: self.warm_start,
            cached: self.cached,
            ..Self::default()
        }
    }
}

/// The scale and cost of assigned levels. Reset it to the default after a change of a ladder, a cost, the benefit value
/// or the rows.
#[derive(Debug, Clone, Copy, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct CachedAssignment {
    pub(crate) scale: Option<Scale>,
    pub(crate) moved: u32,
    pub(crate) cost: u64,
    pub(crate) margin: u8,
}

impl CachedAssignment {
    /// Makes the state of levels [assigned](crate::budget::ModuleView::fill_and_assign) at a scale with hysteresis in
    /// all parts of a view, with their total cost in nanoseconds.
    #[must_use]
    pub const fn at(scale: Scale, hysteresis: Hysteresis, cost: u64) -> Self {
        Self { scale: Some(scale), moved: 0, cost, margin: hysteresis.margin }
    }
}

pub(crate) fn split_off<'a, T>(column: &mut &'a [T], rows: usize) -> &'a [T] {
    column.split_off(..rows.min(column.len())).unwrap_or_default()
}

#[allow(clippy::mut_mut)] // of a column that gets shorter
pub(crate) fn split_off_mut<'a, T>(column: &mut &'a mut [T], rows: usize) -> &'a mut [T] {
    column.split_off_mut(..rows.min(column.len())).unwrap_or_default()
}
