//! What a tick decided for the scene as a whole.

use lodger_core::budget::Decision;
use lodger_core::units::Budget;

/// What the last tick decided for the scene as a whole.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Outcome {
    pub(crate) budget: Budget,
    /// What forced actors and modules that are not managed cost, in nanoseconds.
    pub(crate) fixed: u64,
    pub(crate) decision: Decision,
    pub(crate) quarantined: usize,
}

impl Outcome {
    /// That of an empty scene.
    pub(crate) fn new(budget: Budget) -> Self {
        Self { budget, fixed: 0, decision: Decision::default(), quarantined: 0 }
    }
}
