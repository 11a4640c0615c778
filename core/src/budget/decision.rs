//! The result of a decision, and its certificate.

use super::module_view::adds_up;
use super::price::Price;
use super::scale::Scale;

/// The result of a decision for the whole scene; costs are in nanoseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub struct Decision {
    /// The budget less headroom and reserved costs.
    pub available: u64,
    /// The excess of reserved costs and minimums over the budget; the budget is infeasible if it is not 0.
    pub overcommit: u64,
    /// The cost of all automatic actors at their lowest valid levels.
    pub minimum: u64,
    /// The factor on every target; 0 if infeasible, [`Scale::ONE`] for the optimal policy.
    pub scale: Scale,
    /// The price of the optimal policy; [`Price::MIN`] for the proportional one.
    pub price: Price,
    /// The cost of all automatic actors at their assigned LODs.
    pub assigned: u64,
    /// The plan's certificate; `None` for the proportional policy, see [`certify`](super::certify).
    pub certificate: Option<OptimalityCertificate>,
    /// The number of actors that were automatic in the previous frame too and changed their whole level.
    pub switches: u32,
}

impl Default for Decision {
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

/// A plan's value, and an upper bound for every plan: Σ benefit · quality over the automatic actors of managed modules,
/// in 2⁻³¹.
///
/// # Examples
/// ```
/// # use lodger_core::budget::OptimalityCertificate;
/// let certificate = OptimalityCertificate { value: 3 << 29, upper_bound: 1 << 31 };
/// assert_eq!((certificate.value(), certificate.upper_bound(), certificate.gap()), (0.75, 1.0, 0.25));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct OptimalityCertificate {
    /// The plan's value, in 2⁻³¹.
    pub value: u64,
    /// The upper bound for every plan, in 2⁻³¹; at least `value`.
    pub upper_bound: u64,
}

impl OptimalityCertificate {
    /// Returns the plan's value.
    #[must_use]
    pub fn value(self) -> f64 {
        number(self.value)
    }

    /// Returns the upper bound.
    #[must_use]
    pub fn upper_bound(self) -> f64 {
        number(self.upper_bound)
    }

    /// Returns the greatest possible loss against the best plan as a part of the bound, in \[0, 1\].
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

/// A cost in nanoseconds, and a value in 2⁻³¹.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Totals {
    pub(super) cost: u64,
    pub(super) value: u64,
}

adds_up!(Totals: cost, value);
