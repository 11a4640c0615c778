//! The costs of an actor's levels.

use super::lod::{Lod, LodControl};
use super::scale::quotient_by_bits;
use crate::error::{Quantity, ValueError, ValueProblem};

/// An actor's costs in nanoseconds, from its lowest valid level to its highest.
///
/// # Examples
/// ```
/// use lodger_core::budget::{Ladder, Lod};
///
/// let ladder = Ladder::new(1, &[0, 400, 1_000])?;
/// assert_eq!(ladder.affordable(999, false), Lod::new(2, 0));
/// assert_eq!(ladder.affordable(700, true), Lod::new(2, 1 << 15));
/// assert_eq!(ladder.cost(Lod::new(2, 1 << 15)), 700);
/// # Ok::<(), lodger_core::ValueError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Ladder<'a> {
    lowest: u8,
    costs: &'a [u32],
}

impl<'a> Ladder<'a> {
    /// Makes a ladder of the levels from `lowest` on, with costs in nanoseconds.
    ///
    /// # Errors
    /// [`ValueProblem::Missing`] without a cost, [`ValueProblem::TooLarge`] beyond level 255, [`ValueProblem::Decreasing`].
    pub fn new(lowest: u8, costs: &'a [u32]) -> Result<Self, ValueError> {
        if costs.is_empty() {
            Err(ValueError::new(Quantity::Cost, ValueProblem::Missing))
        } else if costs.len() > 256 - usize::from(lowest) {
            Err(ValueError::new(Quantity::Cost, ValueProblem::TooLarge))
        } else if !costs.is_sorted() {
            Err(ValueError::new(Quantity::Cost, ValueProblem::Decreasing))
        } else {
            Ok(Self { lowest, costs })
        }
    }

    /// Returns the lowest valid level.
    #[must_use]
    pub const fn lowest(self) -> u8 {
        self.lowest
    }

    /// Returns the highest valid level.
    #[must_use]
    pub fn highest(self) -> u8 {
        self.level(self.costs.len().saturating_sub(1))
    }

    /// Returns the highest valid level as a LOD.
    #[must_use]
    pub fn top(self) -> Lod {
        Lod::new(self.highest(), 0)
    }

    /// Returns the costs, in nanoseconds.
    #[must_use]
    pub const fn costs(self) -> &'a [u32] {
        self.costs
    }

    /// Returns the lowest level's cost, in nanoseconds.
    #[must_use]
    pub fn minimum(self) -> u32 {
        self.at(0)
    }

    /// Returns the highest level's cost, in nanoseconds.
    #[must_use]
    pub fn maximum(self) -> u32 {
        self.costs.last().copied().unwrap_or(0)
    }

    /// Returns the highest LOD that costs at most `money` nanoseconds; the lowest is always affordable.
    ///
    /// Of levels with equal costs it returns the highest.
    // The smallest Cortex-M have the least flash: all callers share one copy there.
    #[cfg_attr(not(all(target_arch = "arm", not(target_has_atomic = "32"))), inline)]
    #[cfg_attr(all(target_arch = "arm", not(target_has_atomic = "32")), inline(never))]
    #[must_use]
    #[allow(clippy::cast_possible_truncation)] // sixteen bits
    pub fn affordable(self, money: u64, continuous: bool) -> Lod {
        // Costs have 32 bits, so more money buys no more.
        let money = u32::try_from(money).unwrap_or(u32::MAX).max(self.minimum());
        let level_indices = self.costs.iter().take_while(|&&cost| cost <= money).count();
        let index = level_indices.saturating_sub(1);
        let fraction = if continuous && level_indices < self.costs.len() {
            let rise = self.at(level_indices).wrapping_sub(self.at(index));
            // A Cortex-M does not divide 48 bits.
            quotient_by_bits(money.wrapping_sub(self.at(index)), rise, 16).0 as u16
        } else {
            0
        };
        Lod::new(self.level(index), fraction)
    }

    /// Returns a LOD's cost in nanoseconds; fractions round up, and a LOD beyond an end costs as much as the end.
    #[cfg_attr(not(all(target_arch = "arm", not(target_has_atomic = "32"))), inline)]
    #[cfg_attr(all(target_arch = "arm", not(target_has_atomic = "32")), inline(never))]
    #[must_use]
    #[allow(clippy::cast_possible_truncation)] // at most the rise, which has 32 bits
    pub fn cost(self, lod: Lod) -> u32 {
        let lod = self.clamp(lod);
        let index = usize::from(lod.level().wrapping_sub(self.lowest));
        let cost = self.at(index);
        if lod.fraction() == 0 {
            return cost;
        }
        let rise = u64::from(self.at(index.wrapping_add(1)).saturating_sub(cost));
        let part = rise.wrapping_mul(u64::from(lod.fraction())).wrapping_add(0xffff) >> 16;
        cost.saturating_add(part as u32)
    }

    /// Returns the highest LOD that the cost of `lod` and a leftover budget pay together, and its additional cost, in
    /// nanoseconds.
    #[inline]
    #[must_use]
    pub fn raise(self, lod: Lod, leftover: u64, continuous: bool) -> (Lod, u64) {
        let paid = u64::from(self.cost(lod));
        let raised = self.affordable(paid.saturating_add(leftover), continuous);
        (raised, u64::from(self.cost(raised)).saturating_sub(paid))
    }

    /// Returns the index of a previous level: clamped to the valid range, on a plateau its upper end. An actor without one,
    /// which is new or has another number of levels, behaves as if it had its highest level.
    // The smallest Cortex-M have the least flash: all callers share one copy there.
    #[cfg_attr(not(all(target_arch = "arm", not(target_has_atomic = "32"))), inline)]
    #[cfg_attr(all(target_arch = "arm", not(target_has_atomic = "32")), inline(never))]
    pub(super) fn index_of_previous(self, level: Option<u8>) -> usize {
        let highest = self.costs.len().saturating_sub(1);
        let Some(level) = level else { return highest };
        let mut index = usize::from(level.saturating_sub(self.lowest)).min(highest);
        while index < highest && self.costs.get(index) == self.costs.get(index.wrapping_add(1)) {
            index = index.wrapping_add(1);
        }
        index
    }

    /// Returns the additional cost of the next level; `None` if there is none.
    #[inline]
    pub(super) fn step_above(self, level: u8) -> Option<u32> {
        let level_index = usize::from(level.wrapping_sub(self.lowest));
        let [now, above, ..] = self.costs.get(level_index..)? else { return None };
        Some(above.wrapping_sub(*now))
    }

    /// Returns the level to which an actor with a previous level returns.
    #[inline]
    pub(super) fn level_to_return(self, previous: Option<u8>) -> u8 {
        self.level(self.index_of_previous(previous))
    }

    /// Raises a whole level as far as a leftover budget pays, at most to `most`; returns it and its additional cost.
    #[inline]
    pub(super) fn raise_whole(self, level: u8, leftover: u64, most: u8) -> (u8, u32) {
        let level = level.clamp(self.lowest, self.highest().max(self.lowest));
        let level_indices =
            self.costs.get(usize::from(level.wrapping_sub(self.lowest))..).unwrap_or(&[]);
        let Some((&paid, higher)) = level_indices.split_first() else { return (level, 0) };
        let (mut raised, mut price) = (level, 0);
        for &cost in higher {
            let more = cost.wrapping_sub(paid);
            if u64::from(more) > leftover || raised >= most {
                break;
            }
            (raised, price) = (raised.wrapping_add(1), more);
        }
        (raised, price)
    }

    /// Returns the LOD of an actor that is not automatic: its forced LOD, clamped, and rounded unless `continuous`; the
    /// highest LOD if it is not forced.
    #[must_use]
    pub fn fixed(self, control: LodControl, continuous: bool) -> Lod {
        match control {
            LodControl::Automatic => self.top(),
            LodControl::Forced(lod) if continuous => self.clamp(lod),
            LodControl::Forced(lod) => self.clamp(lod.rounded()),
        }
    }

    /// Clamps a LOD to the valid range.
    #[inline]
    #[must_use]
    pub fn clamp(self, lod: Lod) -> Lod {
        lod.max(Lod::new(self.lowest, 0)).min(Lod::new(self.highest(), 0))
    }

    #[inline]
    fn at(self, index: usize) -> u32 {
        self.costs.get(index).copied().unwrap_or(0)
    }

    #[inline]
    #[allow(clippy::cast_possible_truncation)] // at most 255 by construction
    fn level(self, index: usize) -> u8 {
        self.lowest.wrapping_add(index as u8)
    }
}

/// A ladder's position in the costs of its module.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct LadderSpan {
    start: u32,
    len: u16,
    lowest: u8,
}

impl LadderSpan {
    /// Makes the span of `len` costs from `start` on, the first of level `lowest`. The rules of [`Ladder::new`] hold.
    /// Spans may overlap, as a shorter range is a part of a longer one, unless there are [slopes](super::Slopes).
    #[must_use]
    pub const fn new(start: u32, len: u16, lowest: u8) -> Self {
        Self { start, len, lowest }
    }

    /// Returns the start, the number of costs, and the lowest level.
    #[must_use]
    pub const fn parts(self) -> (u32, u16, u8) {
        (self.start, self.len, self.lowest)
    }

    #[inline]
    pub(super) const fn start(self) -> usize {
        self.start as usize
    }

    #[inline]
    pub(super) const fn lowest(self) -> u8 {
        self.lowest
    }

    /// Returns the ladder of this span's costs.
    #[inline]
    pub(super) const fn of_costs(self, costs: &[u32]) -> Ladder<'_> {
        Ladder { lowest: self.lowest, costs }
    }

    #[inline]
    pub(super) const fn level(self, level_index: u8) -> u8 {
        self.lowest.wrapping_add(level_index)
    }
}

/// The different ladders of one module; actors share equal ones.
///
/// # Examples
/// ```
/// # use lodger_core::budget::{LadderSpan, Ladders};
/// // Levels 0 to 2, and the same levels without the lowest.
/// let spans = [LadderSpan::new(0, 3, 0), LadderSpan::new(1, 2, 1)];
/// let ladders = Ladders { spans: &spans, costs: &[0, 100, 400] };
/// assert_eq!((ladders.ladder(1).lowest(), ladders.ladder(1).minimum()), (1, 100));
/// ```
#[derive(Debug, Clone, Copy, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Ladders<'a> {
    /// Each ladder's position in `costs`.
    pub spans: &'a [LadderSpan],
    /// All ladders' costs, in nanoseconds.
    pub costs: &'a [u32],
}

impl<'a> Ladders<'a> {
    /// Returns a ladder; one without costs if the index or its span is out of bounds.
    #[inline]
    #[must_use]
    pub fn ladder(&self, index: u32) -> Ladder<'a> {
        let span = self.span(index);
        span.of_costs(Self::part(span, self.costs))
    }

    #[inline]
    pub(super) fn span(&self, index: u32) -> LadderSpan {
        self.spans.get(index as usize).copied().unwrap_or_default()
    }

    #[inline]
    pub(super) fn part<T>(span: LadderSpan, column: &[T]) -> &[T] {
        let start = span.start();
        column.get(start..start.wrapping_add(span.len.into())).unwrap_or(&[])
    }

    /// Returns the part beside the first `len` costs, of a column that may be shorter.
    #[inline]
    pub(super) fn beside<T>(span: LadderSpan, len: usize, column: &[T]) -> &[T] {
        let from = column.get(span.start()..).unwrap_or(&[]);
        from.get(..len).unwrap_or(from)
    }

    pub(super) fn beside_mut<T>(span: LadderSpan, len: usize, column: &mut [T]) -> &mut [T] {
        let from = column.get_mut(span.start()..).unwrap_or_default();
        let len = len.min(from.len());
        from.get_mut(..len).unwrap_or_default()
    }

    /// Returns all ladders in order.
    pub fn iter(&self) -> impl Iterator<Item = Ladder<'a>> {
        let costs = self.costs;
        self.spans.iter().map(move |&span| span.of_costs(Self::part(span, costs)))
    }
}
