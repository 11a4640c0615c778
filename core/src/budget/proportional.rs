//! Targets scaled down by one factor, so that all of them fit the budget.

use super::demand::{Account, Claims};
use super::scale::Scale;
use crate::units::Budget;

/// The search for the greatest scale at which everybody's share, or minimum if that is more, fits.
///
/// The caller walks the actors, once for each pass and in any order or number of parts, and feeds
/// what it found; [`settle`] does all of it for accounts in one thread. A pass finds who is pinned
/// at the scale so far, and the rest share what the pinned leave. It is Newton's method on a
/// piecewise linear function: nearly always a few passes, some 70 at the very worst.
#[derive(Debug, Clone, Copy)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct ScaleSearch {
    available: u64,
    minimum: u64,
    scale: Scale,
    pinned: Option<u64>,
}

impl ScaleSearch {
    /// A search that starts with nobody pinned and full targets. What all actors cost at their
    /// minimum fits what is available; both in nanoseconds.
    #[must_use]
    pub const fn new(available: u64, minimum: u64) -> Self {
        Self { available, minimum, scale: Scale::ONE, pinned: None }
    }

    /// The scale so far, at which the next pass looks for pinned actors.
    #[must_use]
    pub const fn scale(&self) -> Scale {
        self.scale
    }

    /// Takes in what all actors claim at that scale, and the targets of those that are not pinned.
    /// `true` ends the search.
    pub fn pass(&mut self, claims: Claims, targets: u64) -> bool {
        let found_nobody = self.pinned == Some(claims.pinned);
        self.pinned = Some(claims.pinned);
        let left = self.available.saturating_sub(claims.minimum);
        self.scale = self.scale.min(Scale::fitting(left, targets));
        found_nobody || self.minimum == 0
    }
}

/// What was decided for the scene as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Settlement {
    /// What is left of the budget after the fixed charges, in nanoseconds.
    pub available: u64,
    /// By how many nanoseconds the fixed charges and minimums exceed the budget. The budget is
    /// infeasible if that is not 0.
    pub overcommit: u64,
    /// The factor on every target; 0 when infeasible.
    pub scale: Scale,
}

/// Divides a budget among the accounts: fixed charges first, then minimums, then scaled targets.
///
/// `fixed` is what forced actors and disabled modules cost, in nanoseconds.
#[allow(clippy::needless_pass_by_value)] // an iterator over borrowed accounts is cheap to clone
pub fn settle<'a, I>(budget: Budget, fixed: u64, accounts: I) -> Settlement
where
    I: Iterator<Item = Account<'a>> + Clone,
{
    let minimums = accounts.clone().map(|account| account.minimum());
    let minimum = minimums.fold(0, u64::saturating_add);
    let available = budget.minus(fixed);
    let overcommit = budget.excess(fixed.saturating_add(minimum));
    if overcommit > 0 {
        return Settlement { available, overcommit, scale: Scale::ZERO };
    }
    if minimum == 0 {
        // Nobody can be pinned, so nobody is looked at.
        let targets = accounts.map(|account| account.target()).fold(0, u64::saturating_add);
        return Settlement { available, overcommit, scale: Scale::fitting(available, targets) };
    }
    let mut search = ScaleSearch::new(available, minimum);
    loop {
        let (mut claims, mut targets) = (Claims::default(), 0_u64);
        for account in accounts.clone() {
            let found = account.claims(search.scale());
            targets = targets.saturating_add(account.benefit_value.target(found.benefit));
            claims = claims.plus(found);
        }
        if search.pass(claims, targets) {
            return Settlement { available, overcommit, scale: search.scale() };
        }
    }
}
