use crate::budget::policy::Hysteresis;
use crate::budget::scale::Scale;

/// The scale of a frame, and the hysteresis of its levels.
#[derive(Clone, Copy)]
pub(in crate::budget) struct ShareTerms {
    pub(in crate::budget) scale: Scale,
    pub(in crate::budget) hysteresis: Hysteresis,
}

/// A leftover budget, in nanoseconds.
#[derive(Clone, Copy)]
pub(in crate::budget) struct LeftoverBudget {
    pub(in crate::budget) left: u64,
    /// The part that only returning actors may use.
    pub(in crate::budget) reserved: u64,
}

impl LeftoverBudget {
    pub(in crate::budget) fn new(whole: u64, spent: u64, hysteresis: Hysteresis) -> Self {
        Self { left: whole.saturating_sub(spent), reserved: hysteresis.reserved(whole) }
    }

    pub(in crate::budget) const fn free(self) -> u64 {
        self.left.saturating_sub(self.reserved)
    }
}
