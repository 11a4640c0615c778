//! What a tick decided for the scene as a whole.

use lodger_core::budget::{Decision, Overload, Request};
use lodger_core::units::Budget;

/// What the last tick decided for the scene as a whole.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Outcome {
    /// What was asked.
    pub(crate) request: Request,
    pub(crate) decision: Decision,
    pub(crate) quarantined: usize,
    pub(crate) overload: Overload,
}

impl Outcome {
    /// That of an empty scene.
    pub(crate) fn new(budget: Budget) -> Self {
        Self {
            request: Request { budget, ..Request::default() },
            decision: Decision::default(),
            quarantined: 0,
            overload: Overload::default(),
        }
    }
}
