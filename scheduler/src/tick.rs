//! One frame: benefits, then the core's ledger, module by module.

use lodger_core::Real;
use lodger_core::budget::{Bid, Bids, Claims, Request, Scale, Walk, decide};
use lodger_core::units::BenefitValue;

use crate::outcome::Outcome;
use crate::plan::Plan;
use crate::roster::Roster;
use crate::scene::Scene;

impl<N: Real> Scene<N> {
    /// Decides the LOD of every actor. Allocates nothing once a tick of that many actors was made,
    /// and of that many changes if they are listed.
    #[doc(alias = "simulate")]
    pub fn tick(&mut self) -> Plan<'_, N> {
        self.begin_tick();
        let mut quarantined = 0;
        let mut fixed = 0;
        for module in &mut self.modules {
            quarantined += module.observe(&self.eyes);
            module.charge();
            if module.terms.managed || self.count_unmanaged {
                fixed += module.charged;
            }
        }
        let automatic = self.modules.iter().map(Roster::automatic).sum();
        if self.leftovers.has_pot() && self.room.len() < automatic {
            self.room.resize(automatic, Bid::default());
        }
        let request = Request { budget: self.budget, fixed, leftovers: self.leftovers };
        let decision = decide(&request, &mut Rosters(&mut self.modules), &mut self.room);
        self.outcome = Outcome { budget: self.budget, fixed, decision, quarantined };
        self.changes.end_tick(&mut self.modules, &self.actors, self.tag);
        self.plan()
    }

    /// Takes over what was changed since the last tick, whose plan ends here.
    fn begin_tick(&mut self) {
        self.kept.clear();
        self.changes.begin_tick(&self.modules);
        for module in &mut self.modules {
            module.begin_tick();
        }
    }
}

/// The modules as the ledger walks them.
struct Rosters<'a, N: Real>(&'a mut [Roster<N>]);

impl<N: Real> Walk for Rosters<'_, N> {
    fn accounts(&self) -> usize {
        self.0.len()
    }

    fn benefit_value(&self, account: usize) -> BenefitValue {
        self.0[account].terms.benefit_value
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
        let ladder = module.ladders.capped().ladder(module.rows.ladder[row]);
        let (lod, price) = ladder.raise(module.rows.lod(row), pot, module.continuous);
        (module.rows.level[row], module.rows.fraction[row]) = (lod.level(), lod.fraction());
        module.assigned += price;
        price
    }
}
