//! The ledger of a frame: one settlement, and one pot of what the shares leave over.

use heapless::Vec;
use lodger_core::Real;
use lodger_core::budget::{Bid, Settlement, settle, spend};

use super::{Body, Parts};

/// How many actors an app may have, as it keeps room for a bid of each.
pub const MAX_ACTORS: usize = 32;

impl<N, A, B, C, P, const CLOTHS: usize, const SWARMS: usize> Parts<N, A, B, C, P, CLOTHS, SWARMS>
where
    N: Real,
    A: Body<N>,
    B: Body<N>,
{
    /// Benefits, then levels, for everybody; returns what was paid first, in nanoseconds, too.
    pub(super) fn decide(&mut self) -> (u64, Settlement) {
        let eye = self.viewer.eye();
        self.cloth.observe(eye, self.time);
        self.particles.observe(eye, self.time);
        let fixed = self.cloth.fix_levels().saturating_add(self.particles.fix_levels());
        let accounts = [self.cloth.account(), self.particles.account()];
        let settlement = settle(self.budget, fixed, accounts.into_iter());
        let cloth = self.cloth.assign(settlement.scale);
        let particles = self.particles.assign(settlement.scale);
        self.spend_leftovers(cloth.saturating_add(particles));
        (fixed, settlement)
    }

    /// Spends a pot on whoever it serves best, of both modules.
    fn spend_leftovers(&mut self, pot: u64) {
        let Self { cloth, particles, .. } = self;
        let least = cloth.account().least_step().min(particles.account().least_step());
        if pot < u64::from(least) {
            return;
        }
        let mut bids = Vec::<Bid, MAX_ACTORS>::new();
        for bid in cloth.bids(0).chain(particles.bids(1)) {
            // There is room for all of them: the app has seen to it.
            let _ = bids.push(bid);
        }
        spend(pot, least, &mut bids, |bid, pot| match bid.account() {
            0 => cloth.raise(bid.row(), pot),
            _ => particles.raise(bid.row(), pot),
        });
    }
}
