//! How good a plan is, and how good any plan could be.

/// What a plan is worth, and a bound that no plan exceeds.
///
/// Both are Σ benefit · quality over the automatic actors of managed modules, in 2⁻³¹.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Certificate {
    /// What the plan is worth, in 2⁻³¹.
    pub value: u64,
    /// What no plan exceeds, in 2⁻³¹: at least `value`.
    pub upper_bound: u64,
}

impl Certificate {
    /// What the plan is worth.
    #[must_use]
    pub fn value(self) -> f64 {
        number(self.value)
    }

    /// What no plan for the same budget exceeds.
    #[must_use]
    pub fn upper_bound(self) -> f64 {
        number(self.upper_bound)
    }

    /// By which part of the bound the plan may miss the best one, in \[0, 1\]; 0 where nothing can be
    /// won.
    #[must_use]
    #[allow(clippy::cast_precision_loss)] // 53 bits are enough for a part
    pub fn gap(self) -> f64 {
        let missing = self.upper_bound.saturating_sub(self.value);
        if missing == 0 { 0.0 } else { missing as f64 / self.upper_bound as f64 }
    }
}

#[allow(clippy::cast_precision_loss)] // 53 bits are enough for a report
fn number(value: u64) -> f64 {
    value as f64 / f64::from(1_u32 << 31)
}
