//! The ledger of a frame.

use lodger_core::Real;
use lodger_core::budget::{Bid, Decision, Leftovers, Policy, Request, Room, Stability, decide};

use super::past::Past;
use super::{Body, Parts};

/// How many actors an app may have, as it keeps room for a bid of each.
pub const MAX_ACTORS: usize = 32;

impl<N, A, B, C, P, const CLOTHS: usize, const SWARMS: usize> Parts<N, A, B, C, P, CLOTHS, SWARMS>
where
    N: Real,
    A: Body<N>,
    B: Body<N>,
{
    /// Benefits, then levels, for everybody; returns what was asked, too.
    pub(super) fn decide(&mut self, past: &mut Past) -> (Request, Decision) {
        let eye = self.viewer.eye();
        self.cloth.observe(eye, self.time);
        self.particles.observe(eye, self.time);
        let fixed = self.cloth.fix_levels().saturating_add(self.particles.fix_levels());
        let request = Request {
            budget: self.budget,
            fixed,
            headroom: past.headroom,
            policy: Policy::Proportional(Leftovers::AcrossModules),
            stability: Stability::STEADY,
            ..Request::default()
        };
        let room = Room { bids: &mut [Bid::default(); MAX_ACTORS], trials: &mut [] };
        let mut books = [self.cloth.book(), self.particles.book()];
        let decision = decide(&request, &mut past.standing, &mut books[..], room);
        self.cloth.remember();
        self.particles.remember();
        (request, decision)
    }
}
