//! The actors of all modules, a column for each number.
//!
//! Rows are dense and stored module by module; in each the automatic actors come first and the forced
//! actors last, so that the passes of a tick run over plain slices.

use lodger_core::benefit::{ActorState, Priority};
use lodger_core::budget::PreviousLevel;
use lodger_core::importance::ImportanceCurve;
use lodger_core::{Benefit, Real};

use crate::column::{Column, at, exchange, part, part_mut, set};
use crate::columns::{
    OverrideColumn as _, PriorityColumn as _, Selection, States as _, ViewColumns as _,
};
use crate::index::RowNumber;
use crate::module_data::{ModuleData, ModuleFlags};

#[derive(Debug, Clone, Copy)]
pub(crate) struct Row<N: Real> {
    pub(crate) slot: usize,
    pub(crate) state: ActorState<N>,
    pub(crate) radius: N,
    pub(crate) curve: ImportanceCurve<N>,
    pub(crate) given: Option<Benefit>,
    pub(crate) ladder: usize,
}

#[derive(Debug, Clone)]
pub(crate) struct Rows<N: Real, C: Selection, const ACTORS: usize> {
    pub(crate) states: C::States<N, ACTORS>,
    pub(crate) views: C::Views<N, ACTORS>,
    pub(crate) priorities: C::Priorities<ACTORS>,
    pub(crate) overrides: C::Overrides<ACTORS>,
    /// The override, or the benefit of the last tick.
    pub(crate) benefit: Column<Benefit, ACTORS>,
    /// The slots of the actors, by which core orders them.
    pub(crate) slot: Column<C::SlotIndex, ACTORS>,
    /// Numbers of ladders in their module.
    pub(crate) ladder: Column<C::SlotIndex, ACTORS>,
    /// The forced levels of forced rows; 0 in others.
    pub(crate) forced: Column<u8, ACTORS>,
    pub(crate) level: Column<u8, ACTORS>,
    /// The previous levels, with [`RowMarks`].
    pub(crate) previous: Column<PreviousLevel, ACTORS>,
}

/// The marks of a row, in the bits of its [`PreviousLevel`] that core does not read.
#[derive(Clone, Copy)]
struct RowMarks(u16);

impl RowMarks {
    const PLANNED: u16 = 1 << 10;
    const AUTOMATIC: u16 = 1 << 11;
    const GIVEN: u16 = 1 << 12;

    const fn of(previous: PreviousLevel) -> Self {
        Self(previous.bits())
    }

    const fn has(self, mark: u16) -> bool {
        self.0 & mark != 0
    }

    const fn given(is_given: bool) -> u16 {
        if is_given { Self::GIVEN } else { 0 }
    }

    /// Returns the previous level of a row whose level the last tick picked, as this one does.
    const fn steady(level: u8) -> PreviousLevel {
        let marks = Self::PLANNED | Self::AUTOMATIC;
        PreviousLevel::from_bits(PreviousLevel::automatic(level).bits() | marks)
    }

    const fn keep_given(self, previous: PreviousLevel) -> PreviousLevel {
        PreviousLevel::from_bits(previous.bits() | self.0 & Self::GIVEN)
    }

    /// Returns the previous level of a row with these marks and this level, with the marks after the tick.
    const fn remember(self, level: u8, is_automatic: bool) -> PreviousLevel {
        let previous = if !self.has(Self::PLANNED) {
            PreviousLevel::NONE
        } else if self.has(Self::AUTOMATIC) {
            PreviousLevel::automatic(level)
        } else {
            PreviousLevel::manual(level)
        };
        let automatic = if is_automatic { Self::AUTOMATIC } else { 0 };
        let marks = Self::PLANNED | automatic;
        self.keep_given(PreviousLevel::from_bits(previous.bits() | marks))
    }
}

impl<N: Real, C: Selection, const ACTORS: usize> Rows<N, C, ACTORS> {
    pub(crate) const NEW: Self = Self {
        states: C::States::<N, ACTORS>::NEW,
        views: C::Views::<N, ACTORS>::NEW,
        priorities: C::Priorities::<ACTORS>::NEW,
        overrides: C::Overrides::<ACTORS>::NEW,
        benefit: [Benefit::ZERO; ACTORS],
        slot: [C::SlotIndex::NONE; ACTORS],
        ladder: [C::SlotIndex::NONE; ACTORS],
        forced: [0; ACTORS],
        level: [0; ACTORS],
        previous: [PreviousLevel::NONE; ACTORS],
    };

    /// Sets the row behind all others; there must be space.
    pub(crate) fn add(&mut self, end: usize, row: Row<N>) {
        self.states.add(end, row.state, row.curve);
        self.views.add(end, row.radius);
        self.priorities.set(end, Priority::ONE);
        let benefit = row.given.unwrap_or(Benefit::ZERO);
        self.overrides.set(end, benefit);
        set(&mut self.benefit, end, benefit);
        set(&mut self.slot, end, RowNumber::new(row.slot));
        set(&mut self.ladder, end, RowNumber::new(row.ladder));
        set(&mut self.forced, end, 0);
        set(&mut self.level, end, 0);
        let marks = PreviousLevel::from_bits(RowMarks::given(row.given.is_some()));
        set(&mut self.previous, end, marks);
    }

    /// Removes the last row: no slot has it.
    pub(crate) fn remove(&mut self, last: usize) {
        set(&mut self.slot, last, RowNumber::NONE);
    }

    pub(crate) fn exchange(&mut self, a: usize, b: usize) {
        self.states.exchange(a, b);
        self.views.exchange(a, b);
        self.priorities.exchange(a, b);
        self.overrides.exchange(a, b);
        exchange(&mut self.benefit, a, b);
        exchange(&mut self.slot, a, b);
        exchange(&mut self.ladder, a, b);
        exchange(&mut self.forced, a, b);
        exchange(&mut self.level, a, b);
        exchange(&mut self.previous, a, b);
    }

    pub(crate) fn set_given(&mut self, row: usize, given: Option<Benefit>) {
        if let Some(previous) = self.previous.get_mut(row) {
            let others = previous.bits() & !RowMarks::GIVEN;
            *previous = PreviousLevel::from_bits(others | RowMarks::given(given.is_some()));
        }
        if let Some(benefit) = given {
            self.overrides.set(row, benefit);
            set(&mut self.benefit, row, benefit);
        }
    }

    fn has(&self, row: usize, mark: u16) -> bool {
        RowMarks::of(at(&self.previous, row)).has(mark)
    }

    pub(crate) fn is_planned(&self, row: usize) -> bool {
        self.has(row, RowMarks::PLANNED)
    }

    pub(crate) fn is_given(&self, row: usize) -> bool {
        self.has(row, RowMarks::GIVEN)
    }

    /// Returns the number of a row's ladder in its module.
    pub(crate) fn ladder(&self, row: usize) -> usize {
        at(&self.ladder, row).get()
    }

    pub(crate) fn set_ladder(&mut self, row: usize, ladder: usize) {
        set(&mut self.ladder, row, RowNumber::new(ladder));
    }

    /// Stores the previous levels of a module's rows.
    pub(crate) fn remember(&mut self, module: &mut ModuleData<N, C>, start: usize) {
        let (rows, automatic) = (module.rows.get(), module.automatic_rows());
        let previous = part_mut(&mut self.previous, start, rows);
        let levels = part(&self.level, start, rows).iter().zip(previous);
        let is_steady = automatic == rows;
        if is_steady && module.flags.has(ModuleFlags::STEADY) {
            if module.given.get() == 0 {
                levels.for_each(|(&level, previous)| *previous = RowMarks::steady(level));
            } else {
                levels.for_each(|(&level, previous)| {
                    *previous = RowMarks::of(*previous).keep_given(RowMarks::steady(level));
                });
            }
            return;
        }
        for (row, (&level, previous)) in levels.enumerate() {
            *previous = RowMarks::of(*previous).remember(level, row < automatic);
        }
        module.flags.set(ModuleFlags::STEADY, is_steady);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn core_does_not_read_the_marks_of_a_row() {
        let marks = RowMarks(RowMarks::PLANNED | RowMarks::AUTOMATIC | RowMarks::GIVEN);
        for previous in
            [PreviousLevel::NONE, PreviousLevel::automatic(255), PreviousLevel::manual(7)]
        {
            let marked = PreviousLevel::from_bits(previous.bits() | marks.0);
            assert_eq!(marked.level(), previous.level());
            assert_eq!(marked.is_automatic(), previous.is_automatic());
            assert_ne!(marked, previous);
        }
    }
}
