//! The inputs of a module's benefits. Only these columns and the loops in `benefits` depend on the number
//! type.

use std::ops::Range;

use lodger_core::Real;
use lodger_core::benefit::{ActorState, BenefitRule, StateColumns, StateFields};
use lodger_core::importance::ImportanceCurve;

use crate::rows::each_column;
use crate::scene_views::SightColumn;

/// The rule of a module and its inputs, in the rows of [`ActorRows`](crate::rows::ActorRows).
#[derive(Debug, Clone)]
pub(crate) struct ModuleStates<N: Real> {
    pub(crate) rule: BenefitRule<N>,
    pub(crate) x: Vec<N>,
    pub(crate) y: Vec<N>,
    pub(crate) z: Vec<N>,
    pub(crate) age: Vec<N>,
    pub(crate) speed: Vec<N>,
    pub(crate) radius: Vec<N>,
    pub(crate) curve: Vec<ImportanceCurve<N>>,
    pub(crate) sight: SightColumn,
}

impl<N: Real> ModuleStates<N> {
    pub(crate) fn new(rule: BenefitRule<N>) -> Self {
        Self {
            rule,
            x: Vec::new(),
            y: Vec::new(),
            z: Vec::new(),
            age: Vec::new(),
            speed: Vec::new(),
            radius: Vec::new(),
            curve: Vec::new(),
            sight: SightColumn::default(),
        }
    }

    pub(crate) fn state(&self, row: usize) -> ActorState<N> {
        ActorState {
            position: [self.x[row], self.y[row], self.z[row]],
            age: self.age[row],
            speed: self.speed[row],
        }
    }

    pub(crate) fn columns(&self, rows: Range<usize>) -> StateColumns<'_, N> {
        StateColumns {
            x: &self.x[rows.clone()],
            y: &self.y[rows.clone()],
            z: &self.z[rows.clone()],
            age: &self.age[rows.clone()],
            speed: &self.speed[rows.clone()],
            curve: &self.curve[rows],
        }
    }

    pub(crate) fn reserve(&mut self, rows: usize) {
        each_column!(self, column => column.reserve(rows), x y z age speed radius curve sight);
    }

    pub(crate) fn push(&mut self, state: ActorState<N>, radius: N, curve: ImportanceCurve<N>) {
        let [x, y, z] = state.position;
        self.x.push(x);
        self.y.push(y);
        self.z.push(z);
        self.age.push(state.age);
        self.speed.push(state.speed);
        self.radius.push(radius);
        self.curve.push(curve);
        self.sight.push();
    }

    pub(crate) fn pop(&mut self) {
        each_column!(self, column => column.pop(), x y z age speed radius curve sight);
    }

    pub(crate) fn swap(&mut self, a: usize, b: usize) {
        each_column!(self, column => column.swap(a, b), x y z age speed radius curve sight);
    }
}

#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct UsedFields {
    pub(crate) position: bool,
    pub(crate) age: bool,
    pub(crate) speed: bool,
}

impl From<StateFields> for UsedFields {
    fn from(StateFields { position, age, speed }: StateFields) -> Self {
        Self { position, age, speed }
    }
}

impl UsedFields {
    pub(crate) const NONE: Self = Self { position: false, age: false, speed: false };
    pub(crate) const POSITION: Self = Self { position: true, ..Self::NONE };
    pub(crate) const AGE: Self = Self { age: true, ..Self::NONE };
    pub(crate) const SPEED: Self = Self { speed: true, ..Self::NONE };
    pub(crate) const ALL: Self = Self { position: true, age: true, speed: true };

    /// Returns the numbers that have a weight in a rule, if there is a view.
    pub(crate) fn of_rule<N: Real>(rule: &BenefitRule<N>) -> Self {
        rule.used_fields(&[[N::ZERO; 3]]).into()
    }

    fn with(self, other: Self, of: impl Fn(bool, bool) -> bool) -> Self {
        Self {
            position: of(self.position, other.position),
            age: of(self.age, other.age),
            speed: of(self.speed, other.speed),
        }
    }

    pub(crate) fn or(self, other: Self) -> Self {
        self.with(other, |this, other| this || other)
    }

    pub(crate) fn and(self, other: Self) -> Self {
        self.with(other, |this, other| this && other)
    }

    pub(crate) fn without(self, other: Self) -> Self {
        self.with(other, |this, other| this && !other)
    }

    pub(crate) fn any(self) -> bool {
        self.position || self.age || self.speed
    }

    pub(crate) fn are_valid<N: Real>(self, state: ActorState<N>) -> bool {
        let zero = ActorState { position: [N::ZERO; 3], age: N::ZERO, speed: N::ZERO };
        ActorState {
            position: if self.position { state.position } else { zero.position },
            age: if self.age { state.age } else { zero.age },
            speed: if self.speed { state.speed } else { zero.speed },
        }
        .is_valid()
    }
}
