//! Targets scaled down by one factor, so that all of them fit the budget.

use super::demand::Claims;
use super::scale::Scale;
use super::walk::Walk;
use crate::units::Budget;

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
#[inline]
pub(super) fn settle<W: Walk + ?Sized>(budget: Budget, fixed: u64, walk: &mut W) -> Settlement {
    let accounts = 0..walk.accounts();
    let add = |sum: u64, account| sum.wrapping_add(walk.minimum(account));
    let minimum = accounts.clone().fold(0, add);
    let available = budget.minus(fixed);
    let overcommit = budget.excess(fixed.saturating_add(minimum));
    let scale = if overcommit > 0 {
        Scale::ZERO
    } else if minimum > 0 {
        search(available, walk)
    } else {
        // Nobody can be pinned, so nobody is looked at twice.
        let targets = accounts.fold(0_u64, |sum, account| {
            let target = walk.benefit_value(account).target(walk.benefit(account));
            sum.saturating_add(target)
        });
        Scale::fitting(available, targets)
    };
    Settlement { available, overcommit, scale }
}

/// The greatest scale at which everybody's share, or minimum if that is more, fits what is available.
///
/// A pass finds who is pinned at the scale so far, and the rest share what the pinned leave. It is
/// Newton's method on a piecewise linear function: nearly always a few passes, some 70 at the very
/// worst.
#[inline(never)]
fn search<W: Walk + ?Sized>(available: u64, walk: &mut W) -> Scale {
    let (mut scale, mut pinned) = (Scale::ONE, None);
    loop {
        let (mut claims, mut targets) = (Claims::default(), 0_u64);
        for account in 0..walk.accounts() {
            let found = walk.claims(account, scale);
            targets = targets.saturating_add(walk.benefit_value(account).target(found.benefit));
            claims = claims.plus(found);
        }
        let left = available.saturating_sub(claims.minimum);
        scale = scale.min(Scale::fitting(left, targets));
        if pinned.replace(claims.pinned) == Some(claims.pinned) {
            return scale;
        }
    }
}
