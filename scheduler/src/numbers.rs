//! Which numbers of a state are meant.

use lodger_core::Real;
use lodger_core::benefit::{State, Weighed};

/// Some of the numbers of a state.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Numbers {
    pub(crate) position: bool,
    pub(crate) age: bool,
    pub(crate) speed: bool,
}

impl From<Weighed> for Numbers {
    fn from(Weighed { position, age, speed }: Weighed) -> Self {
        Self { position, age, speed }
    }
}

impl Numbers {
    pub(crate) const ALL: Self = Self { position: true, age: true, speed: true };

    pub(crate) fn or(self, other: Self) -> Self {
        Self {
            position: self.position || other.position,
            age: self.age || other.age,
            speed: self.speed || other.speed,
        }
    }

    pub(crate) fn without(self, other: Self) -> Self {
        Self {
            position: self.position && !other.position,
            age: self.age && !other.age,
            speed: self.speed && !other.speed,
        }
    }

    pub(crate) fn any(self) -> bool {
        self.position || self.age || self.speed
    }

    /// Whether these numbers of a state are sound.
    pub(crate) fn are_sound<N: Real>(self, state: State<N>) -> bool {
        let zero = State { position: [N::ZERO; 3], age: N::ZERO, speed: N::ZERO };
        State {
            position: if self.position { state.position } else { zero.position },
            age: if self.age { state.age } else { zero.age },
            speed: if self.speed { state.speed } else { zero.speed },
        }
        .is_sound()
    }
}
