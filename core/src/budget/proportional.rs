//! Targets scaled down by one factor, so that all of them fit the budget.

use super::demand::Claims;
use super::scale::Scale;
use super::walk::Walk;
use crate::units::Budget;

/// The search for the greatest scale at which everybody's share, or minimum if that is more, fits.
///
/// A pass finds who is pinned at the scale so far, and the rest share what the pinned leave. It is
/// Newton's method on a piecewise linear function: nearly always a few passes, some 70 at the very
/// worst.
struct ScaleSearch {
    available: u64,
    scale: Scale,
    pinned: Option<u64>,
}

impl ScaleSearch {
    /// A search that starts with nobody pinned and full targets. What all actors cost at their
    /// minimum fits what is available, in nanoseconds.
    const fn new(available: u64) -> Self {
        Self { available, scale: Scale::ONE, pinned: None }
    }

    /// Takes in what all actors claim at the scale so far, and the targets of those that are not
    /// pinned. `true` ends the search.
    fn pass(&mut self, claims: Claims, targets: u64) -> bool {
        let found_nobody = self.pinned == Some(claims.pinned);
        self.pinned = Some(claims.pinned);
        let left = self.available.saturating_sub(claims.minimum);
        self.scale = self.scale.min(Scale::fitting(left, targets));
        found_nobody
    }
}

/// How far the budget goes.
pub(super) struct Settlement {
    /// What is left of it after the fixed charges, in nanoseconds.
    pub(super) available: u64,
    /// By how many nanoseconds the fixed charges and minimums exceed it.
    pub(super) overcommit: u64,
    /// The factor on every target; 0 when infeasible.
    pub(super) scale: Scale,
}

/// Divides a budget among the accounts: fixed charges first, then minimums, then scaled targets.
///
/// `fixed` is what forced actors and disabled modules cost, in nanoseconds.
pub(super) fn settle<W: Walk + ?Sized>(budget: Budget, fixed: u64, walk: &mut W) -> Settlement {
    // At no scale at all, everybody is pinned whose minimum costs something.
    let (claims, targets) = claims(walk, Scale::ZERO);
    let minimum = claims.minimum;
    let available = budget.minus(fixed);
    let overcommit = budget.excess(fixed.saturating_add(minimum));
    if overcommit > 0 {
        return Settlement { available, overcommit, scale: Scale::ZERO };
    }
    if minimum == 0 {
        // Nobody can be pinned at any scale, so all targets are known.
        return Settlement { available, overcommit, scale: Scale::fitting(available, targets) };
    }
    let mut search = ScaleSearch::new(available);
    loop {
        let (claims, targets) = self::claims(walk, search.scale);
        if search.pass(claims, targets) {
            return Settlement { available, overcommit, scale: search.scale };
        }
    }
}

/// What all actors claim at a scale, and the targets of those that are not pinned, in nanoseconds.
fn claims<W: Walk + ?Sized>(walk: &mut W, scale: Scale) -> (Claims, u64) {
    let mut all = (Claims::default(), 0_u64);
    for account in 0..walk.accounts() {
        let claims = walk.claims(account, scale);
        let target = walk.benefit_value(account).target(claims.benefit);
        all = (all.0.plus(claims), all.1.saturating_add(target));
    }
    all
}
