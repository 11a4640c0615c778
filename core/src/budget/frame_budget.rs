use super::policy::Request;
use crate::calibration::Headroom;
use crate::units::Budget;

/// The budget for actors after headroom, reserved costs and minimums, in nanoseconds.
#[derive(Clone, Copy)]
pub(super) struct FrameBudget {
    pub(super) available: u64,
    pub(super) overcommit: u64,
    pub(super) minimum: u64,
}

impl FrameBudget {
    #[inline]
    pub(super) fn of(request: &Request, minimum: u64) -> Self {
        let needed = request.reserved.saturating_add(minimum);
        Self {
            available: planned(request.budget, request.headroom, needed).minus(request.reserved),
            overcommit: request.budget.excess(needed),
            minimum,
        }
    }
}

impl Request {
    /// Returns [`available`](super::Decision::available) and [`overcommit`](super::Decision::overcommit) of the decision, for
    /// its [`minimum`](super::Decision::minimum).
    #[must_use]
    pub fn available(&self, minimum: u64) -> [u64; 2] {
        let FrameBudget { available, overcommit, .. } = FrameBudget::of(self, minimum);
        [available, overcommit]
    }
}

/// Returns the budget without the headroom, but at least the needed part.
fn planned(budget: Budget, headroom: Headroom, needed: u64) -> Budget {
    match budget.ns() {
        Some(ns) if headroom > Headroom::NONE => {
            let part = |ns: u64| ns.wrapping_mul(headroom.bits().into());
            let kept = part(ns >> 24).wrapping_add(part(ns & 0xff_ffff) >> 24);
            Budget::from_ns(ns.saturating_sub(kept).max(needed.min(ns)))
        }
        _ => budget,
    }
}
