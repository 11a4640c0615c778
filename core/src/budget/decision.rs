//! What was decided for a scene.

use super::certificate::Certificate;
use super::price::Price;
use super::scale::Scale;

/// What was decided for the scene as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub struct Decision {
    /// What is left of the budget after the headroom and the fixed charges, in nanoseconds.
    pub available: u64,
    /// By how many nanoseconds the fixed charges and minimums exceed the budget. The budget is
    /// infeasible if that is not 0.
    pub overcommit: u64,
    /// What all automatic actors cost at their lowest valid levels, in nanoseconds.
    pub minimum: u64,
    /// The factor on every target; 0 when infeasible. [`Scale::ONE`] for the optimal policy.
    pub scale: Scale,
    /// What a unit of money is worth to the optimal policy; [`Price::FREE`] for the proportional one.
    pub price: Price,
    /// What all automatic actors cost at the LODs that they were given, in nanoseconds.
    pub assigned: u64,
    /// What the plan is worth and could be; `None` for the proportional policy, for which
    /// [`certify`](super::certify) finds it.
    pub certificate: Option<Certificate>,
    /// How many actors the ledger decided for in the last frame too and now gave another whole level.
    pub flips: u32,
}

impl Default for Decision {
    /// That of a scene without actors and without a budget.
    fn default() -> Self {
        Self {
            available: 0,
            overcommit: 0,
            minimum: 0,
            scale: Scale::ONE,
            price: Price::FREE,
            assigned: 0,
            certificate: None,
            flips: 0,
        }
    }
}
