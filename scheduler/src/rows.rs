//! The actors of one module, a column for each number except the inputs of benefits.
//!
//! Automatic rows come first and forced rows last, so that the passes of a tick run over plain slices.

use std::ops::Range;

use lodger_core::Benefit;
use lodger_core::benefit::Priority;
use lodger_core::budget::{
    BlockTotals, CachedAssignment, LastKernel, Lod, LodControl, PreviousLevel, RowBlock, WarmStart,
    WideState,
};

use crate::bits::{BitSet, Dirty, ROWS_PER_BLOCK};

#[derive(Debug, Clone, Copy)]
pub(crate) struct Row {
    pub(crate) slot: u32,
    pub(crate) benefit_override: Option<Benefit>,
    pub(crate) ladder: u32,
    pub(crate) control: LodControl,
    pub(crate) visible: bool,
    pub(crate) key: u64,
    pub(crate) priority: Priority,
}

/// A column that takes no memory while all rows have the default.
#[derive(Debug, Clone, Default)]
pub(crate) struct OptionalColumn<T> {
    values: Vec<T>,
}

impl<T: Copy + Default + PartialEq> OptionalColumn<T> {
    /// Returns the values of rows; none if all rows have the default.
    pub(crate) fn rows(&self, rows: Range<usize>) -> &[T] {
        if self.values.is_empty() { &[] } else { &self.values[rows] }
    }

    pub(crate) fn get(&self, row: usize) -> T {
        self.values.get(row).copied().unwrap_or_default()
    }

    /// Returns the values of all rows, to be set.
    pub(crate) fn fill(&mut self, rows: usize) -> &mut Vec<T> {
        self.values.resize(rows, T::default());
        &mut self.values
    }

    /// Sets the value of a row; returns whether it had another.
    pub(crate) fn set(&mut self, row: usize, value: T, rows: usize) -> bool {
        let has_changed = self.get(row) != value;
        if has_changed {
            self.fill(rows)[row] = value;
        }
        has_changed
    }

    pub(crate) fn clear(&mut self) {
        self.values = Vec::new();
    }

    fn push(&mut self, value: T, rows: usize) {
        if !self.values.is_empty() || value != T::default() {
            self.fill(rows).push(value);
        }
    }

    fn pop(&mut self) {
        self.values.pop();
    }

    fn swap(&mut self, a: usize, b: usize) {
        if !self.values.is_empty() {
            self.values.swap(a, b);
        }
    }

    fn reserve(&mut self, rows: usize) {
        if !self.values.is_empty() {
            self.values.reserve(rows);
        }
    }
}

#[derive(Debug, Clone, Default)]
pub(crate) struct ActorRows {
    pub(crate) automatic: usize,
    pub(crate) benefit_override: Vec<Option<Benefit>>,
    pub(crate) ladder: Vec<u32>,
    /// `ladder as u8`; valid for at most 256 ladders.
    pub(crate) narrow: Vec<u8>,
    pub(crate) control: Vec<LodControl>,
    pub(crate) slot: Vec<u32>,
    pub(crate) key: Vec<u64>,
    pub(crate) flags: Vec<ActorFlags>,
    /// Rows whose benefit may differ from the rule's: with a benefit override, invisible, or with an invalid
    /// number without a weight.
    pub(crate) overridden: BitSet,
    /// Rows that were borrowed since the last tick.
    pub(crate) unchecked: BitSet,
    pub(crate) benefit: Vec<Benefit>,
    pub(crate) level: Vec<u8>,
    pub(crate) fraction: Vec<u16>,
    pub(crate) priority: OptionalColumn<Priority>,
    /// Whether no view sees a row, if the user says so.
    pub(crate) out_of_view: OptionalColumn<bool>,
    /// A set of rows, also of removed rows; not a column.
    pub(crate) dirty: Dirty,
    /// Whether the automatic rows or the ladders have changed since the last tick.
    pub(crate) is_regrouped: bool,
}

macro_rules! each_column {
    ($columns:expr, $column:ident => $action:expr, $($name:ident)*) => {
        $({ let $column = &mut $columns.$name; $action; })*
    };
}
pub(crate) use each_column;

macro_rules! each {
    ($columns:expr, $column:ident => $action:expr) => {
        each_column!($columns, $column => $action,
            benefit_override ladder narrow control slot key flags overridden unchecked benefit level fraction priority out_of_view);
    };
}

impl ActorRows {
    pub(crate) fn len(&self) -> usize {
        self.slot.len()
    }

    pub(crate) fn lod(&self, row: usize) -> Lod {
        Lod::new(self.level[row], self.fraction[row])
    }

    /// Returns the previous level, as if the module was managed then.
    pub(crate) fn previous(&self, row: usize) -> PreviousLevel {
        let (flags, level) = (self.flags[row], self.level[row]);
        match (flags.has_previous(), flags.was_forced()) {
            (false, _) => PreviousLevel::NONE,
            (true, true) => PreviousLevel::manual(level),
            (true, false) => PreviousLevel::automatic(level),
        }
    }

    pub(crate) fn set_ladder(&mut self, row: usize, ladder: u32) {
        (self.ladder[row], self.narrow[row]) = (ladder, low_byte(ladder));
        self.is_regrouped = true;
    }

    /// Records that numbers of a row were set. `matters` says whether its benefit depends on them.
    #[inline]
    pub(crate) fn note_set(&mut self, row: usize, is_valid: bool, matters: bool) {
        if !is_valid {
            self.overridden.set(row);
        }
        if matters || self.overridden.get(row) {
            self.dirty.mark(row);
        }
    }

    pub(crate) fn reserve(&mut self, rows: usize) {
        each!(self, column => column.reserve(rows));
        self.dirty.reserve(self.len() + rows);
    }

    /// Adds a row at the end, among the forced ones.
    pub(crate) fn push(&mut self, row: Row, is_valid: bool) {
        let is_overridden = row.benefit_override.is_some() || !row.visible || !is_valid;
        let rows = self.len();
        self.dirty.mark(rows);
        self.priority.push(row.priority, rows);
        self.out_of_view.push(false, rows);
        self.benefit_override.push(row.benefit_override);
        self.ladder.push(row.ladder);
        self.narrow.push(low_byte(row.ladder));
        self.control.push(row.control);
        self.slot.push(row.slot);
        self.key.push(row.key);
        self.flags.push(ActorFlags::new(row.visible));
        self.overridden.push(is_overridden);
        self.unchecked.push(false);
        self.benefit.push(Benefit::ZERO);
        self.level.push(0);
        self.fraction.push(0);
    }

    pub(crate) fn pop(&mut self) {
        each!(self, column => column.pop());
        self.dirty.mark(self.len());
    }

    pub(crate) fn swap(&mut self, a: usize, b: usize) {
        each!(self, column => column.swap(a, b));
        self.dirty.mark(a);
        self.dirty.mark(b);
    }

    /// Makes a row automatic, and returns the row to swap it with.
    pub(crate) fn make_automatic(&mut self, row: usize) -> usize {
        if row < self.automatic {
            return row;
        }
        let border = self.automatic;
        self.automatic += 1;
        self.is_regrouped = true;
        self.dirty.mark(border);
        border
    }

    /// Makes a row forced, and returns the row to swap it with.
    pub(crate) fn make_forced(&mut self, row: usize) -> usize {
        if row >= self.automatic {
            return row;
        }
        self.automatic -= 1;
        self.is_regrouped = true;
        self.dirty.mark(self.automatic);
        self.automatic
    }
}

#[allow(clippy::cast_possible_truncation)] // keeps the low byte
fn low_byte(ladder: u32) -> u8 {
    ladder as u8
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct ActorFlags(u8);

impl ActorFlags {
    const PLANNED: u8 = 1;
    const INVISIBLE: u8 = 2;
    const WAS_INVISIBLE: u8 = 4;
    const WAS_QUARANTINED: u8 = 8;
    const WAS_FORCED: u8 = 16;
    const NO_LAST: u8 = 32;

    pub(crate) fn new(visible: bool) -> Self {
        Self(Self::NO_LAST | if visible { 0 } else { Self::INVISIBLE })
    }

    fn has(self, mark: u8) -> bool {
        self.0 & mark != 0
    }

    fn set(&mut self, mark: u8, on: bool) {
        self.0 = if on { self.0 | mark } else { self.0 & !mark };
    }

    pub(crate) fn is_planned(self) -> bool {
        self.has(Self::PLANNED)
    }

    /// Whether the current level is a previous level for the next tick.
    pub(crate) fn has_previous(self) -> bool {
        !self.has(Self::NO_LAST)
    }

    /// Records that the current level belongs to another number of levels.
    pub(crate) fn forget_previous(&mut self) {
        self.set(Self::NO_LAST, true);
    }

    pub(crate) fn was_forced(self) -> bool {
        self.has(Self::WAS_FORCED)
    }

    /// Records that a tick has decided on the actor.
    pub(crate) fn settle(&mut self, forced: bool) {
        self.set(Self::PLANNED, true);
        self.set(Self::NO_LAST, false);
        self.set(Self::WAS_FORCED, forced);
    }

    pub(crate) fn is_visible(self) -> bool {
        !self.has(Self::INVISIBLE)
    }

    pub(crate) fn set_visible(&mut self, visible: bool) {
        self.set(Self::INVISIBLE, !visible);
    }

    pub(crate) fn was_invisible(self) -> bool {
        self.has(Self::WAS_INVISIBLE)
    }

    /// Whether the last tick found the actor's state invalid, if it read the state.
    pub(crate) fn was_quarantined(self) -> bool {
        self.has(Self::WAS_QUARANTINED)
    }

    pub(crate) fn find(&mut self, quarantined: bool) {
        self.set(Self::WAS_INVISIBLE, !self.is_visible());
        self.set(Self::WAS_QUARANTINED, quarantined);
    }
}

#[derive(Debug, Clone, Default)]
pub(crate) struct WideBuffers {
    /// The blocks of the automatic rows.
    groups: Vec<RowBlock>,
    /// The levels before the tick: of forced rows, and of blocks that changed.
    pub(crate) before: Vec<u8>,
    automatic: usize,
    /// The sum of the automatic rows' benefits in 2⁻¹⁶, if it is known.
    pub(crate) total: Option<u64>,
    pub(crate) warm_start: WarmStart,
    pub(crate) cached: CachedAssignment,
    /// The totals of the blocks, and the kernel whose totals they are.
    totals: Vec<BlockTotals>,
    last_kernel: LastKernel,
    /// Whether the tick uses and stores totals of blocks. If all benefits change, this takes time and gains nothing.
    pub(crate) keeps_benefits: bool,
}

impl WideBuffers {
    /// Begins a tick; returns whether the automatic rows have changed.
    pub(crate) fn begin_tick(
        &mut self,
        automatic: usize,
        levels: &[u8],
        is_regrouped: bool,
    ) -> bool {
        self.before.resize(levels.len(), 0);
        let has_other_rows = is_regrouped || automatic != self.automatic;
        if has_other_rows {
            self.automatic = automatic;
            let groups = automatic.div_ceil(ROWS_PER_BLOCK);
            self.groups.resize(groups, RowBlock::default());
            self.totals.resize(groups, BlockTotals::default());
            self.total = None;
            self.forget();
        }
        self.keeps_benefits = true;
        self.groups.iter_mut().for_each(RowBlock::begin);
        has_other_rows
    }

    /// Forgets which levels the ladders, costs, benefit value and rows lead to.
    pub(crate) fn forget(&mut self) {
        (self.cached, self.last_kernel) = (CachedAssignment::default(), LastKernel::default());
    }

    /// Takes the sum of new benefits of all automatic rows.
    pub(crate) fn renew(&mut self, total: u64) {
        self.total = Some(total);
        self.forget();
        self.keeps_benefits = false;
    }

    pub(crate) fn view(&mut self, automatic: usize) -> WideState<'_> {
        // Rows that were added since the tick have no place yet.
        let known = automatic.min(self.before.len());
        WideState {
            groups: &mut self.groups,
            before: &mut self.before[..known],
            total: self.total,
            warm_start: self.warm_start,
            cached: self.cached,
            totals: if self.keeps_benefits { &mut self.totals } else { &mut [] },
            last_kernel: self.keeps_benefits.then_some(&mut self.last_kernel),
            ..WideState::default()
        }
    }

    /// Corrects the sum of benefits by the change of one row.
    pub(crate) fn replace(&mut self, old: Benefit, new: Benefit) {
        let more = u64::from(new.bits()).wrapping_sub(old.bits().into());
        self.total = self.total.map(|total| total.wrapping_add(more));
    }

    pub(crate) fn touch(&mut self, group: usize) {
        if let Some(group) = self.groups.get_mut(group) {
            group.touch();
        }
    }

    /// Returns the rows that may have another level than before, in order.
    fn suspects(&self) -> impl Iterator<Item = Range<usize>> {
        let groups = self.groups.iter().zip((0..).step_by(ROWS_PER_BLOCK));
        let changed = groups.filter(|(group, _)| group.has_changed());
        let end = self.automatic;
        let changed = changed.map(move |(_, first)| first..end.min(first + ROWS_PER_BLOCK));
        changed.chain(std::iter::once(self.automatic..self.before.len()))
    }

    /// Returns the rows that have another level than before the tick, with the level before.
    pub(crate) fn changed(&self, levels: &[u8]) -> impl Iterator<Item = (usize, u8)> {
        self.suspects().flat_map(move |rows| {
            let pairs = self.before[rows.clone()].iter().zip(&levels[rows.clone()]).zip(rows);
            let changed = pairs.filter(|((before, level), _)| before != level);
            changed.map(|((&before, _), row)| (row, before))
        })
    }

    /// Sets the level of an automatic row before the tick, if its block keeps levels.
    pub(crate) fn restore(&mut self, row: usize, level: u8) {
        if self.groups[row / ROWS_PER_BLOCK].has_changed() {
            self.before[row] = level;
        }
    }

    pub(crate) fn has_changed(&self, row: usize, levels: &[u8]) -> bool {
        let is_kept = row >= self.automatic || self.groups[row / ROWS_PER_BLOCK].has_changed();
        is_kept && self.before[row] != levels[row]
    }
}
