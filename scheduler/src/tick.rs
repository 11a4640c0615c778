//! One frame: benefits, then the core's ledger, module by module.

use lodger_core::Real;
use lodger_core::budget::{Bid, Bids, Claims, Decision, Request, Scale, Walk, decide};
use lodger_core::units::BenefitValue;

use crate::module::ModuleState;
use crate::plan::Plan;
use crate::scene::Scene;

/// What the last tick decided for the scene as a whole.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Outcome {
    pub(crate) decision: Decision,
    pub(crate) fixed: u64,
    pub(crate) quarantined: usize,
}

impl<N: Real> Scene<N> {
    /// Decides the LOD of every actor. Allocates nothing once a tick of that many actors was made.
    #[doc(alias = "simulate")]
    pub fn tick(&mut self) -> Plan<'_, N> {
        let mut quarantined = 0;
        let mut fixed = 0;
        for module in &mut self.modules {
            quarantined += module.observe(&self.eyes);
            module.charge();
            if module.enabled || self.count_unmanaged {
                fixed += module.charged;
            }
        }
        let automatic = self.modules.iter().map(ModuleState::decided).sum();
        if self.leftovers.has_pot() && self.room.len() < automatic {
            self.room.resize(automatic, Bid::default());
        }
        let request = Request { budget: self.budget, fixed, leftovers: self.leftovers };
        let decision = decide(&request, &mut Walks(&mut self.modules), &mut self.room);
        self.outcome = Outcome { decision, fixed, quarantined };
        Plan::new(self)
    }
}

/// The modules as the ledger walks them, and what it spends on each.
struct Walks<'a, N: Real>(&'a mut [ModuleState<N>]);

impl<N: Real> Walk for Walks<'_, N> {
    fn accounts(&self) -> usize {
        self.0.len()
    }

    fn benefit_value(&self, account: usize) -> BenefitValue {
        self.0[account].benefit_value
    }

    fn minimum(&mut self, account: usize) -> u64 {
        self.0[account].account().minimum()
    }

    fn benefit(&mut self, account: usize) -> u64 {
        self.0[account].account().benefit()
    }

    fn claims(&mut self, account: usize, scale: Scale) -> Claims {
        self.0[account].account().claims(scale)
    }

    fn assign(&mut self, account: usize, scale: Scale) -> u64 {
        let module = &mut self.0[account];
        module.assigned = module.book().assign(scale);
        module.assigned
    }

    fn shares(&mut self, account: usize, scale: Scale) -> u64 {
        self.0[account].account().shares(scale)
    }

    fn gather(&mut self, account: usize, bids: &mut Bids<'_>) {
        self.0[account].book().gather(account, bids);
    }

    fn raise(&mut self, account: usize, row: usize, pot: u64) -> u64 {
        let module = &mut self.0[account];
        let price = module.book().raise(row, pot);
        module.assigned += price;
        price
    }
}
