//! The columns of a module: a row for each actor, those that the ledger decides for first.

use heapless::Vec;
use lodger_core::Real;
use lodger_core::benefit::{Columns, State};
use lodger_core::budget::{Last, LodControl};
use lodger_core::importance::Curve;

/// Up to `ACTORS` rows. All columns are equally long.
#[derive(Debug, Clone)]
pub(super) struct Rows<N: Real, B, const ACTORS: usize> {
    x: Vec<N, ACTORS>,
    y: Vec<N, ACTORS>,
    z: Vec<N, ACTORS>,
    age: Vec<N, ACTORS>,
    speed: Vec<N, ACTORS>,
    curve: Vec<Curve<N>, ACTORS>,
    id: Vec<u32, ACTORS>,
    body: Vec<B, ACTORS>,
    control: Vec<LodControl, ACTORS>,
    level: Vec<u8, ACTORS>,
    /// What was shown in the last frame.
    last: Vec<Last, ACTORS>,
    /// How many are automatic.
    automatic: usize,
}

impl<N: Real, B, const ACTORS: usize> Rows<N, B, ACTORS> {
    pub(super) const fn new() -> Self {
        Self {
            x: Vec::new(),
            y: Vec::new(),
            z: Vec::new(),
            age: Vec::new(),
            speed: Vec::new(),
            curve: Vec::new(),
            id: Vec::new(),
            body: Vec::new(),
            control: Vec::new(),
            level: Vec::new(),
            last: Vec::new(),
            automatic: 0,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.body.len()
    }

    pub(super) fn is_full(&self) -> bool {
        self.body.is_full()
    }

    /// How many of the rows, from the first, are the ledger's.
    pub(super) const fn automatic(&self) -> usize {
        self.automatic
    }

    /// Everybody's id, where its level goes, and what it was.
    pub(super) fn ids_and_levels(&mut self) -> (&[u32], &mut [u8], &[Last]) {
        (&self.id, &mut self.level, &self.last)
    }

    /// Notes everybody's level, which the ledger chose for so many, from the first.
    pub(super) fn remember(&mut self, chosen: usize) {
        for (row, (last, &level)) in self.last.iter_mut().zip(&self.level).enumerate() {
            *last = if row < chosen { Last::automatic(level) } else { Last::fixed(level) };
        }
    }

    /// Everybody's body, and the level that it has.
    pub(super) fn bodies(&mut self) -> impl Iterator<Item = (&mut B, u8)> {
        self.body.iter_mut().zip(self.level.iter().copied())
    }

    pub(super) fn levels(&self) -> &[u8] {
        &self.level
    }

    /// Everybody's level, and who chooses it.
    pub(super) fn levels_and_controls(&mut self) -> impl Iterator<Item = (&mut u8, LodControl)> {
        self.level.iter_mut().zip(self.control.iter().copied())
    }

    pub(super) fn find(&self, id: u32) -> Option<usize> {
        self.id.iter().position(|&other| other == id)
    }

    /// What benefits are made of.
    pub(super) fn columns(&self) -> Columns<'_, N> {
        let Self { x, y, z, age, speed, curve, .. } = self;
        Columns { x, y, z, age, speed, curve }
    }

    /// Everybody's body, and where it stands.
    pub(super) fn places(&self) -> impl Iterator<Item = (&B, [N; 3])> {
        let places = self.x.iter().zip(&self.y).zip(&self.z);
        self.body.iter().zip(places).map(|(body, ((&x, &y), &z))| (body, [x, y, z]))
    }

    pub(super) fn age_by(&mut self, time: N) {
        for age in &mut self.age {
            *age = *age + time;
        }
    }

    /// Adds an automatic row; gives the body back if there is no room.
    pub(super) fn push(
        &mut self,
        id: u32,
        state: State<N>,
        curve: Curve<N>,
        body: B,
    ) -> Result<(), B> {
        self.body.push(body)?;
        // The body tells whether there is room.
        let numbers = self.numbers().into_iter().zip(of_state(state));
        for (column, number) in numbers {
            let _ = column.push(number);
        }
        let _ = self.curve.push(curve);
        let _ = self.id.push(id);
        let _ = self.control.push(LodControl::Automatic);
        let _ = self.level.push(0);
        let _ = self.last.push(Last::NONE);
        self.swap(self.len().wrapping_sub(1), self.automatic);
        self.automatic = self.automatic.wrapping_add(1);
        Ok(())
    }

    /// Takes a row out; there must be one.
    pub(super) fn remove(&mut self, row: usize) -> B {
        let row = self.leave_the_ledger(row);
        for column in self.numbers() {
            column.swap_remove(row);
        }
        self.curve.swap_remove(row);
        self.id.swap_remove(row);
        self.control.swap_remove(row);
        self.level.swap_remove(row);
        self.last.swap_remove(row);
        self.body.swap_remove(row)
    }

    pub(super) fn set_state(&mut self, row: usize, state: State<N>) {
        for (column, number) in self.numbers().into_iter().zip(of_state(state)) {
            if let Some(place) = column.get_mut(row) {
                *place = number;
            }
        }
    }

    /// Sets who chooses the level of a row, which moves to its place.
    pub(super) fn set_control(&mut self, row: usize, control: LodControl) {
        let mut row = self.leave_the_ledger(row);
        if control == LodControl::Automatic {
            self.swap(row, self.automatic);
            row = self.automatic;
            self.automatic = row.wrapping_add(1);
        }
        if let Some(place) = self.control.get_mut(row) {
            *place = control;
        }
    }

    /// Moves a row behind the automatic ones, and returns where it is then.
    fn leave_the_ledger(&mut self, row: usize) -> usize {
        if row >= self.automatic {
            return row;
        }
        self.automatic = self.automatic.wrapping_sub(1);
        self.swap(row, self.automatic);
        self.automatic
    }

    fn swap(&mut self, a: usize, b: usize) {
        for column in self.numbers() {
            column.swap(a, b);
        }
        self.curve.swap(a, b);
        self.id.swap(a, b);
        self.body.swap(a, b);
        self.control.swap(a, b);
        self.level.swap(a, b);
        self.last.swap(a, b);
    }

    fn numbers(&mut self) -> [&mut Vec<N, ACTORS>; 5] {
        [&mut self.x, &mut self.y, &mut self.z, &mut self.age, &mut self.speed]
    }
}

fn of_state<N: Real>(state: State<N>) -> [N; 5] {
    let [x, y, z] = state.position;
    [x, y, z, state.age, state.speed]
}
