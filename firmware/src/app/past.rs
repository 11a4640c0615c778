//! What a frame leaves to the next one, beside levels and unit costs.

use lodger_core::budget::{Decision, Load, Overload, Request, Standing};
use lodger_core::calibration::Headroom;

/// What a frame leaves to the next one, beside levels and unit costs.
#[derive(Debug, Clone, Copy)]
pub(super) struct Past {
    pub(super) standing: Standing,
    pub(super) headroom: Headroom,
    overload: Overload,
}

impl Past {
    /// That of an app before its first frame.
    pub(super) const NONE: Self = Self {
        standing: Standing { price: None, scale: None },
        headroom: Headroom::NONE,
        overload: Overload::NONE,
    };

    /// Takes in what fixed charges and minimums cost, and returns the load from now on.
    pub(super) fn observe(&mut self, request: &Request, decision: &Decision) -> Load {
        self.overload.observe(request.budget, request.fixed.saturating_add(decision.minimum))
    }
}
