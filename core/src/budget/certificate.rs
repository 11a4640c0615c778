//! Optimality certificates.

/// The value of a plan, and an upper bound for the value of every plan.
///
/// Both are Σ benefit · quality over the automatic actors of managed modules, in 2⁻³¹.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Certificate {
    /// The value of the plan, in 2⁻³¹.
    pub value: u64,
    /// The upper bound of the value of every plan, in 2⁻³¹: at least `value`.
    pub upper_bound: u64,
}

impl Certificate {
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
