//! The actors of all modules, a column for each number.
//!
//! Rows are dense and stored module by module; in each the automatic actors come first and the forced
//! actors last, so that the passes of a tick run over plain slices.

use lodger_core::benefit::ActorState;
use lodger_core::budget::PreviousLevel;
use lodger_core::importance::ImportanceCurve;
use lodger_core::{Benefit, Real};

use crate::column::{Column, at, exchange, part, part_mut, set};
use crate::columns::{OverrideColumn, States};

#[derive(Debug, Clone, Copy)]
pub(crate) struct Row<N: Real> {
    pub(crate) slot: u32,
    pub(crate) state: ActorState<N>,
    pub(crate) radius: N,
    pub(crate) curve: ImportanceCurve<N>,
    pub(crate) given: Option<Benefit>,
    pub(crate) ladder: u32,
}

#[derive(Debug, Clone)]
pub(crate) struct Rows<S, O, const ACTORS: usize> {
    pub(crate) states: S,
    pub(crate) overrides: O,
    /// The override, or the benefit of the last tick.
    pub(crate) benefit: Column<Benefit, ACTORS>,
    /// The slots of the actors, by which core orders them.
    pub(crate) slot: Column<u32, ACTORS>,
    /// Numbers of ladders in their module.
    pub(crate) ladder: Column<u32, ACTORS>,
    pub(crate) level: Column<u8, ACTORS>,
    pub(crate) previous: Column<PreviousLevel, ACTORS>,
    /// The forced level; meaningless in an automatic row.
    pub(crate) forced: Column<u8, ACTORS>,
    pub(crate) flags: Column<RowFlags, ACTORS>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct RowFlags(u8);

impl RowFlags {
    const PLANNED: u8 = 1;
    const AUTOMATIC: u8 = 2;
    const GIVEN: u8 = 4;

    const fn has(self, mark: u8) -> bool {
        self.0 & mark != 0
    }

    pub(crate) const fn is_planned(self) -> bool {
        self.has(Self::PLANNED)
    }

    /// Whether the last tick picked the level.
    const fn is_automatic(self) -> bool {
        self.has(Self::PLANNED) && self.has(Self::AUTOMATIC)
    }

    pub(crate) const fn is_given(self) -> bool {
        self.has(Self::GIVEN)
    }

    const fn given(self, given: bool) -> Self {
        Self(if given { self.0 | Self::GIVEN } else { self.0 & !Self::GIVEN })
    }

    const fn after_tick(self, automatic: bool) -> Self {
        let given = self.0 & Self::GIVEN;
        Self(given | Self::PLANNED | if automatic { Self::AUTOMATIC } else { 0 })
    }

    const fn previous(self, level: u8) -> PreviousLevel {
        if self.is_automatic() {
            PreviousLevel::automatic(level)
        } else if self.is_planned() {
            PreviousLevel::manual(level)
        } else {
            PreviousLevel::NONE
        }
    }
}

macro_rules! each {
    ($rows:expr, $column:ident => $action:expr) => {{
        each!(@ $rows, $column, $action,
            benefit slot ladder level previous forced flags);
    }};
    (@ $rows:expr, $column:ident, $action:expr, $($name:ident)*) => {
        $({ let $column = &mut $rows.$name; $action; })*
    };
}

impl<S, O: OverrideColumn, const ACTORS: usize> Rows<S, O, ACTORS> {
    pub(crate) const fn new(states: S) -> Self {
        Self {
            states,
            overrides: O::NEW,
            benefit: Column::new(),
            slot: Column::new(),
            ladder: Column::new(),
            level: Column::new(),
            previous: Column::new(),
            forced: Column::new(),
            flags: Column::new(),
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.slot.len()
    }

    /// Adds a row behind all others; there must be space.
    pub(crate) fn push<N: Real, R>(&mut self, row: Row<N>)
    where
        S: States<N, R>,
    {
        self.states.push(row.state, row.radius, row.curve);
        let benefit = row.given.unwrap_or(Benefit::ZERO);
        self.overrides.push(benefit);
        let _ = self.benefit.push(benefit);
        let _ = self.slot.push(row.slot);
        let _ = self.ladder.push(row.ladder);
        let _ = self.level.push(0);
        let _ = self.previous.push(PreviousLevel::NONE);
        let _ = self.forced.push(0);
        let _ = self.flags.push(RowFlags::default().given(row.given.is_some()));
    }

    pub(crate) fn pop<N: Real, R>(&mut self)
    where
        S: States<N, R>,
    {
        self.states.pop();
        self.overrides.pop();
        each!(self, column => column.pop());
    }

    pub(crate) fn exchange<N: Real, R>(&mut self, a: usize, b: usize)
    where
        S: States<N, R>,
    {
        self.states.exchange(a, b);
        self.overrides.exchange(a, b);
        each!(self, column => exchange(column, a, b));
    }

    pub(crate) fn set_given(&mut self, row: usize, given: Option<Benefit>) {
        if let Some(flags) = self.flags.get_mut(row) {
            *flags = flags.given(given.is_some());
        }
        if let Some(benefit) = given {
            self.overrides.set(row, benefit);
            set(&mut self.benefit, row, benefit);
        }
    }

    pub(crate) fn is_planned(&self, row: usize) -> bool {
        at(&self.flags, row).is_planned()
    }

    /// Stores the previous levels of some rows, of which the first `automatic` are automatic now.
    pub(crate) fn remember(&mut self, start: usize, rows: usize, automatic: usize) {
        let flags = part_mut(&mut self.flags, start, rows);
        let previous = part_mut(&mut self.previous, start, rows);
        let levels = part(&self.level, start, rows).iter().zip(previous);
        let common = flags.iter().fold(u8::MAX, |common, flags| common & flags.0);
        if automatic == rows && RowFlags(common).is_automatic() {
            // The flags stay.
            levels.for_each(|(&level, previous)| *previous = PreviousLevel::automatic(level));
            return;
        }
        for (row, ((&level, previous), flags)) in levels.zip(flags).enumerate() {
            *previous = flags.previous(level);
            *flags = flags.after_tick(row < automatic);
        }
    }
}
