//! The actors of one module, a column for each number but those that benefits are computed from.
//!
//! Rows are dense. The automatic actors come first and the forced ones last, so that the passes of a
//! tick run over plain slices without a branch.

use lodger_core::Benefit;
use lodger_core::budget::{Last, Lod, LodControl};

use crate::bits::Bits;
use crate::dirty::Dirty;
use crate::marks::ActorFlags;

/// One actor, as a row.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Row {
    pub(crate) slot: u32,
    pub(crate) benefit_override: Option<Benefit>,
    pub(crate) ladder: u32,
    pub(crate) control: LodControl,
    pub(crate) visible: bool,
    pub(crate) key: u64,
}

/// All actors of a module; their states are in [`StateColumns`](crate::states::StateColumns), row by row.
#[derive(Debug, Clone, Default)]
pub(crate) struct ActorRows {
    /// The number of automatic rows; the rest is forced.
    pub(crate) automatic: usize,
    pub(crate) benefit_override: Vec<Option<Benefit>>,
    pub(crate) ladder: Vec<u32>,
    /// `ladder as u8`; valid for at most 256 ladders.
    pub(crate) narrow: Vec<u8>,
    pub(crate) control: Vec<LodControl>,
    /// The slots of the rows, which are the ids of the actors.
    pub(crate) slot: Vec<u32>,
    /// The user's own numbers.
    pub(crate) key: Vec<u64>,
    pub(crate) flags: Vec<ActorFlags>,
    /// Rows that may have another benefit than the rule's: those with a benefit override, invisible ones, and
    /// those with an invalid number that the rule does not weigh.
    pub(crate) overridden: Bits,
    /// Rows of which numbers were borrowed since the last tick.
    pub(crate) unchecked: Bits,
    /// The benefits and levels of the last tick.
    pub(crate) benefit: Vec<Benefit>,
    pub(crate) level: Vec<u8>,
    pub(crate) fraction: Vec<u16>,
    /// No column: it has bits of removed rows, too.
    pub(crate) dirty: Dirty,
    /// Whether other rows are automatic than in the last tick, or have other ladders.
    pub(crate) is_regrouped: bool,
}

/// Does the same to every column.
macro_rules! each_column {
    ($columns:expr, $column:ident => $action:expr, $($name:ident)*) => {
        $({ let $column = &mut $columns.$name; $action; })*
    };
}
pub(crate) use each_column;

/// The same for [`ActorRows`].
macro_rules! each {
    ($columns:expr, $column:ident => $action:expr) => {
        each_column!($columns, $column => $action,
            benefit_override ladder narrow control slot key flags overridden unchecked benefit level fraction);
    };
}

impl ActorRows {
    pub(crate) fn len(&self) -> usize {
        self.slot.len()
    }

    pub(crate) fn lod(&self, row: usize) -> Lod {
        Lod::new(self.level[row], self.fraction[row])
    }

    /// The level of the last tick, if the ledger decided for the module then.
    pub(crate) fn last(&self, row: usize) -> Last {
        let (flags, level) = (self.flags[row], self.level[row]);
        match (flags.has_last(), flags.was_forced()) {
            (false, _) => Last::NONE,
            (true, true) => Last::fixed(level),
            (true, false) => Last::automatic(level),
        }
    }

    pub(crate) fn set_ladder(&mut self, row: usize, ladder: u32) {
        (self.ladder[row], self.narrow[row]) = (ladder, low_byte(ladder));
        self.is_regrouped = true;
    }

    /// Notes that numbers of a row were set: whether all its numbers are valid, and whether its benefit depends
    /// on those that were set.
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
        self.dirty.mark(self.len());
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

    /// Removes the last row, a forced one.
    pub(crate) fn pop(&mut self) {
        each!(self, column => column.pop());
        self.dirty.mark(self.len());
    }

    pub(crate) fn swap(&mut self, a: usize, b: usize) {
        each!(self, column => column.swap(a, b));
        self.dirty.mark(a);
        self.dirty.mark(b);
    }

    /// Makes a row automatic, and returns the row with which it is to be swapped.
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

    /// Makes a row forced, and returns the row with which it is to be swapped.
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

#[allow(clippy::cast_possible_truncation)] // the low byte is meant
fn low_byte(ladder: u32) -> u8 {
    ladder as u8
}
