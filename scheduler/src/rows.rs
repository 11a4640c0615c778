//! The actors of one module, a column for each number.
//!
//! Rows are dense. The automatic actors come first and the forced ones last, so that the passes of a
//! tick run over plain slices and ask nobody who decides.

use std::ops::Range;

use lodger_core::benefit::{self, State};
use lodger_core::budget::{Last, Lod, LodControl};
use lodger_core::importance::Curve;
use lodger_core::{Benefit, Real};

use crate::bits::Bits;
use crate::dirty::Dirty;
use crate::marks::Marks;

/// One actor, as a row.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Row<N: Real> {
    pub(crate) slot: u32,
    pub(crate) state: State<N>,
    pub(crate) radius: N,
    pub(crate) curve: Curve<N>,
    pub(crate) given: Option<Benefit>,
    pub(crate) ladder: u32,
    pub(crate) control: LodControl,
    pub(crate) visible: bool,
    pub(crate) key: u64,
}

/// All actors of a module.
#[derive(Debug, Clone)]
pub(crate) struct Rows<N: Real> {
    /// How many rows are automatic; the rest is forced.
    pub(crate) automatic: usize,
    pub(crate) x: Vec<N>,
    pub(crate) y: Vec<N>,
    pub(crate) z: Vec<N>,
    pub(crate) age: Vec<N>,
    pub(crate) speed: Vec<N>,
    pub(crate) radius: Vec<N>,
    pub(crate) curve: Vec<Curve<N>>,
    pub(crate) given: Vec<Option<Benefit>>,
    pub(crate) ladder: Vec<u32>,
    /// The low bytes of the ladders: all of them, where the module's table is small.
    pub(crate) narrow: Vec<u8>,
    pub(crate) control: Vec<LodControl>,
    /// The slots of the rows, which are the ids of the actors.
    pub(crate) slot: Vec<u32>,
    /// The user's own numbers.
    pub(crate) key: Vec<u64>,
    pub(crate) marks: Vec<Marks>,
    /// Who may have another benefit than the rule's: all whose benefit is given, who are invisible, or
    /// whose state is not sound in a number that the rule does not weigh.
    pub(crate) special: Bits,
    /// Of whom numbers were handed out since the last tick.
    pub(crate) unchecked: Bits,
    /// What the last tick found and decided.
    pub(crate) benefit: Vec<Benefit>,
    pub(crate) level: Vec<u8>,
    pub(crate) fraction: Vec<u16>,
    /// No column: it knows of rows that are gone, too.
    pub(crate) dirty: Dirty,
    /// Whether other rows are automatic than in the last tick, or have other ladders.
    pub(crate) is_regrouped: bool,
}

/// Does the same to every column.
macro_rules! each {
    ($columns:expr, $column:ident => $action:expr) => {{
        each!(@ $columns, $column, $action,
            x y z age speed radius curve given ladder narrow control slot key marks special unchecked benefit level
            fraction);
    }};
    (@ $columns:expr, $column:ident, $action:expr, $($name:ident)*) => {
        $({ let $column = &mut $columns.$name; $action; })*
    };
}

impl<N: Real> Default for Rows<N> {
    fn default() -> Self {
        Self {
            automatic: 0,
            x: Vec::new(),
            y: Vec::new(),
            z: Vec::new(),
            age: Vec::new(),
            speed: Vec::new(),
            radius: Vec::new(),
            curve: Vec::new(),
            given: Vec::new(),
            ladder: Vec::new(),
            narrow: Vec::new(),
            control: Vec::new(),
            slot: Vec::new(),
            key: Vec::new(),
            marks: Vec::new(),
            special: Bits::default(),
            unchecked: Bits::default(),
            benefit: Vec::new(),
            level: Vec::new(),
            fraction: Vec::new(),
            dirty: Dirty::default(),
            is_regrouped: false,
        }
    }
}

impl<N: Real> Rows<N> {
    pub(crate) fn len(&self) -> usize {
        self.slot.len()
    }

    pub(crate) fn state(&self, row: usize) -> State<N> {
        State {
            position: [self.x[row], self.y[row], self.z[row]],
            age: self.age[row],
            speed: self.speed[row],
        }
    }

    pub(crate) fn lod(&self, row: usize) -> Lod {
        Lod::new(self.level[row], self.fraction[row])
    }

    /// What the last tick showed, if the ledger decided for the module then.
    pub(crate) fn last(&self, row: usize) -> Last {
        let (marks, level) = (self.marks[row], self.level[row]);
        match (marks.has_last(), marks.was_forced()) {
            (false, _) => Last::NONE,
            (true, true) => Last::fixed(level),
            (true, false) => Last::automatic(level),
        }
    }

    /// What the benefit of these rows is computed from.
    pub(crate) fn observed(&self, rows: Range<usize>) -> benefit::Columns<'_, N> {
        benefit::Columns {
            x: &self.x[rows.clone()],
            y: &self.y[rows.clone()],
            z: &self.z[rows.clone()],
            age: &self.age[rows.clone()],
            speed: &self.speed[rows.clone()],
            curve: &self.curve[rows],
        }
    }

    pub(crate) fn set_ladder(&mut self, row: usize, ladder: u32) {
        (self.ladder[row], self.narrow[row]) = (ladder, low_byte(ladder));
        self.is_regrouped = true;
    }

    pub(crate) fn reserve(&mut self, rows: usize) {
        each!(self, column => column.reserve(rows));
        self.dirty.reserve(self.len() + rows);
    }

    /// Adds a row at the end, among the forced ones.
    pub(crate) fn push(&mut self, row: Row<N>) {
        let is_special = row.given.is_some() || !row.visible || !row.state.is_sound();
        self.dirty.mark(self.len());
        let [x, y, z] = row.state.position;
        self.x.push(x);
        self.y.push(y);
        self.z.push(z);
        self.age.push(row.state.age);
        self.speed.push(row.state.speed);
        self.radius.push(row.radius);
        self.curve.push(row.curve);
        self.given.push(row.given);
        self.ladder.push(row.ladder);
        self.narrow.push(low_byte(row.ladder));
        self.control.push(row.control);
        self.slot.push(row.slot);
        self.key.push(row.key);
        self.marks.push(Marks::new(row.visible));
        self.special.push(is_special);
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
        if a != b {
            each!(self, column => column.swap(a, b));
            self.dirty.mark(a);
            self.dirty.mark(b);
        }
    }
}

#[allow(clippy::cast_possible_truncation)] // the low byte is meant
fn low_byte(ladder: u32) -> u8 {
    ladder as u8
}
