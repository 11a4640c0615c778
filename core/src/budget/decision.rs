//! The result of a decision for a scene.

use super::certificate::Certificate;
use super::price::Price;
use super::scale::Scale;

/// The result of a decision for the scene as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub struct Decision {
    /// The budget less the headroom and the reserved costs, in nanoseconds.
    pub available: u64,
    /// The nanoseconds by which reserved costs and minimums exceed the budget. The budget is
    /// infeasible if this is not 0.
    pub overcommit: u64,
    /// The cost of all automatic actors at their lowest valid levels, in nanoseconds.
    pub minimum: u64,
    /// The factor on every target; 0 if infeasible. [`Scale::ONE`] for the optimal policy.
    pub scale: Scale,
    /// The price of the optimal policy; [`Price::FREE`] for the proportional one.
    pub price: Price,
    /// The cost of all automatic actors at their assigned LODs, in nanoseconds.
    pub assigned: u64,
    /// The certificate of the plan; `None` for the proportional policy, for which
    /// [`certify`](super::certify) computes it.
    pub certificate: Option<Certificate>,
    /// The number of actors that were automatic in the previous frame too and now have another whole level.
    pub flips: u32,
}

impl Default for Decision {
    /// The decision for a scene without actors and without a budget.
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
