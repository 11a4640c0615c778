//! One frame: benefits, then the core's ledger, module by module.

use lodger_core::Real;
use lodger_core::budget::{Bid, Book, Certificate, Load, Request, Room, Walk, certify, decide};
use lodger_core::calibration::Headroom;

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
        let request = Request {
            budget: self.budget,
            fixed,
            headroom: Headroom::NONE,
            policy: self.policy,
            stability: self.stability,
            max_raises: self.max_raises,
        };
        if request.has_bids() && self.bids.len() < automatic {
            self.bids.resize(automatic, Bid::default());
        }
        let room = Room { bids: &mut self.bids, trials: &mut self.trials };
        let decision = decide(&request, &mut self.standing, &mut Rosters(&mut self.modules), room);
        self.outcome = Outcome { request, decision, quarantined, load: Load::Normal };
        self.modules.iter_mut().for_each(Roster::remember);
        self.changes.end_tick(&mut self.modules, &self.actors, self.tag);
        self.plan()
    }

    /// What the last plan is worth and could be, whatever its policy: the optimal one's plans carry it
    /// already, see [`Plan::certificate`]. It looks at every actor several times.
    pub fn certify(&mut self) -> Certificate {
        certify(&self.outcome.request, &mut Rosters(&mut self.modules))
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

    fn visit<R>(&mut self, account: usize, see: impl FnOnce(&mut Book<'_>) -> R) -> Option<R> {
        let module = self.0.get_mut(account)?;
        let mut book = module.book();
        let seen = see(&mut book);
        let (assigned, made_for) = (book.assigned, book.slopes.made_for);
        module.assigned = assigned;
        module.ladders.slopes_are_for(made_for);
        Some(seen)
    }
}
