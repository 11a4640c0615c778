//! What a tick decided for the scene as a whole.

use lodger_core::budget::{Scale, Settlement};
use lodger_core::units::Budget;

/// What the last tick decided for the scene as a whole.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Outcome {
    pub(crate) budget: Budget,
    pub(crate) settlement: Settlement,
    pub(crate) fixed: u64,
    pub(crate) assigned: u64,
    pub(crate) quarantined: usize,
}

impl Outcome {
    /// That of an empty scene.
    pub(crate) const fn new(budget: Budget) -> Self {
        let settlement = Settlement { available: 0, overcommit: 0, scale: Scale::ONE };
        Self { budget, settlement, fixed: 0, assigned: 0, quarantined: 0 }
    }
}
