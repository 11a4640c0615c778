//! What a tick decided for the scene as a whole.

use lodger_core::budget::Decision;
use lodger_core::calibration::Headroom;
use lodger_core::units::Budget;

/// What the last tick decided for the scene as a whole.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Outcome {
    pub(crate) budget: Budget,
    /// In nanoseconds.
    pub(crate) fixed: u64,
    pub(crate) headroom: Headroom,
    pub(crate) decision: Decision,
}
