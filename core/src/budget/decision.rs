//! The result of a decision, and its optimality certificate.

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
    /// The price of the optimal policy; [`Price::MIN`] for the proportional one.
    pub price: Price,
    /// The cost of all automatic actors at their assigned LODs, in nanoseconds.
    pub assigned: u64,
    /// The certificate of the plan; `None` for the proportional policy, for which
    /// [`certify`](super::certify) computes it.
    pub certificate: Option<OptimalityCertificate>,
    /// The number of actors that were automatic in the previous frame too and now have another whole level.
    pub switches: u32,
}

impl Default for Decision {
    /// The decision for a scene without actors and without a budget.
    fn default() -> Self {
        Self {
            available: 0,
            overcommit: 0,
            minimum: 0,
            scale: Scale::ONE,
            price: Price::MIN,
            assigned: 0,
            certificate: None,
            switches: 0,
        }
    }
}

/// The value of a plan, and an upper bound for the value of every plan.
///
/// Both are Σ benefit · quality over the automatic actors of managed modules, in 2⁻³¹.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct OptimalityCertificate {
    /// The value of the plan, in 2⁻³¹.
    pub value: u64,
    /// The upper bound of the value of every plan, in 2⁻³¹: at least `value`.
    pub upper_bound: u64,
}

impl OptimalityCertificate {
    /// Returns the value of the plan.
    #[must_use]
    pub fn value(self) -> f64 {
        number(self.value)
    }

    /// Returns the upper bound for the same budget.
    #[must_use]
    pub fn upper_bound(self) -> f64 {
        number(self.upper_bound)
    }

    /// Returns the greatest possible loss against the best plan as a part of the bound, in \[0, 1\]; 0
    /// if no plan is better.
    #[must_use]
    #[allow(clippy::cast_precision_loss)] // 53 bits are enough
    pub fn gap(self) -> f64 {
        let missing = self.upper_bound.saturating_sub(self.value);
        if missing == 0 { 0.0 } else { missing as f64 / self.upper_bound as f64 }
    }
}

#[allow(clippy::cast_precision_loss)] // 53 bits are enough for a report
fn number(value: u64) -> f64 {
    value as f64 / f64::from(1_u32 << 31)
}
