//! The part of the budget that is kept free, because work takes more than planned now and then.

use lodger_core::Real;
use lodger_core::calibration::{Headroom, HeadroomTarget};

use crate::scene::Scene;

impl<N: Real> Scene<N> {
    /// Sets in which part of all ticks the work may take more than the budget: one in a thousand, unless
    /// this is called. `None` plans with the whole budget; so does an unlimited one, and a scene in
    /// which nothing is [`measured`](Self::measured). Where the budget is not time it must be `None`
    /// if times are measured nevertheless.
    ///
    /// What a tick's plan took is what modules reported until the next tick; one that did not is
    /// counted with what was planned, and modules off the books not at all. Until every module that
    /// reports work has been measured [`SETTLING`](lodger_core::calibration::SETTLING) times, its unit
    /// cost is an assumption, and what that breaks is not taken for noise.
    pub fn set_headroom_target(&mut self, target: Option<HeadroomTarget>) {
        self.headroom_target = target;
        if target.is_none() {
            self.headroom = Headroom::NONE;
        }
    }

    /// In which part of all ticks the work may take more than the budget.
    #[must_use]
    pub fn headroom_target(&self) -> Option<HeadroomTarget> {
        self.headroom_target
    }

    /// Takes in what the last plan took.
    pub(crate) fn follow_headroom(&mut self) {
        let (mut took, mut known, mut settled) = (0_u64, false, true);
        for module in &mut self.modules {
            let measured = module.measured.take();
            if module.counted {
                known |= measured.is_some();
                let has_worked = measured.is_some_and(|measured| measured.has_worked);
                settled &= !has_worked || module.calibration.is_settled();
                let planned = module.assigned.saturating_add(module.charged);
                took = took.saturating_add(measured.map_or(planned, |measured| measured.time));
            }
        }
        if let Some(target) = self.headroom_target
            && known
            && settled
        {
            self.headroom.observe(self.outcome.request.budget, took, target);
        }
    }
}
