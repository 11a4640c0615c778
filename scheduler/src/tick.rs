//! One frame: benefits, then the core's ledger, module by module.

use lodger_core::Real;
use lodger_core::budget::{Bid, Leftovers, Scale, Settlement, settle, spend};

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
        let accounts = self.modules.iter().filter(|m| m.terms.managed).map(Roster::account);
        let settlement = settle(self.budget, fixed, accounts);
        let mut assigned = fixed;
        for module in &mut self.modules {
            module.assign(settlement.scale);
            assigned += module.assigned;
        }
        assigned += self.spend_leftovers(settlement, assigned - fixed);
        self.outcome = Outcome { budget: self.budget, settlement, fixed, assigned, quarantined };
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

    /// Raises LODs from the pots of the policy, and returns what that cost.
    fn spend_leftovers(&mut self, settlement: Settlement, assigned: u64) -> u64 {
        if self.leftovers != Leftovers::Keep {
            self.bids.clear();
            self.bids.reserve(self.modules.iter().map(|module| module.rows.automatic).sum());
        }
        if settlement.overcommit > 0 {
            return 0;
        }
        let (modules, bids) = (self.modules.as_mut_slice(), &mut self.bids);
        let left_over = |module: &Roster<N>| module.left_over(settlement.scale);
        match self.leftovers {
            Leftovers::Keep => 0,
            Leftovers::WithinModule => {
                let alone = modules.iter_mut().map(std::slice::from_mut);
                alone.map(|module| raise_lods(module, bids, left_over(&module[0]))).sum()
            }
            Leftovers::AcrossModules => {
                let pot = modules.iter().map(left_over).sum();
                raise_lods(modules, bids, pot)
            }
            Leftovers::WholeBudget => {
                raise_lods(modules, bids, settlement.available.saturating_sub(assigned))
            }
        }
    }
}

/// Spends a pot on the actors of some modules, and returns how much of it was spent.
fn raise_lods<N: Real>(modules: &mut [Roster<N>], bids: &mut Vec<Bid>, pot: u64) -> u64 {
    let managed = || modules.iter().filter(|module| module.terms.managed);
    let least_step = managed().map(|module| module.account().least_step()).min();
    let Some(least_step) = least_step.filter(|&step| pot >= u64::from(step)) else { return 0 };
    bids.clear();
    for (module, number) in modules.iter().zip(0..).filter(|(module, _)| module.terms.managed) {
        bids.extend(module.bids(number));
    }
    pot - spend(pot, least_step, bids, |bid, pot| modules[bid.account()].raise(bid, pot))
}

impl<N: Real> Roster<N> {
    /// What the shares of the automatic actors leave over, in nanoseconds.
    fn left_over(&self, scale: Scale) -> u64 {
        if self.terms.managed {
            self.account().shares(scale).saturating_sub(self.assigned)
        } else {
            0
        }
    }

    fn bids(&self, module: u16) -> impl Iterator<Item = Bid> {
        let rows = &self.rows;
        self.account().bids(module, &rows.slot, &rows.level, &rows.fraction)
    }

    /// Raises the LOD of a bid as far as the pot pays, and returns the price.
    fn raise(&mut self, bid: Bid, pot: u64) -> u64 {
        let row = bid.row();
        let ladder = self.ladders.capped().ladder(self.rows.ladder[row]);
        let (lod, price) = ladder.raise(self.rows.lod(row), pot, self.continuous);
        self.rows.set_lod(row, lod);
        self.assigned += price;
        price
    }
}
