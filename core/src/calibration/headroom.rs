//! The part of a budget that is not planned with.

use crate::units::Budget;

/// The part of a budget that is not planned with, because measured work takes more than planned in
/// nearly half of all frames where prices are unbiased: from 0 to a half, in 2⁻²⁴.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Headroom(u32);

impl Headroom {
    /// All of the budget is planned with.
    pub const NONE: Self = Self(0);
    /// Half of the budget is not planned with.
    pub const MAX: Self = Self(1 << 23);

    /// From [`bits`](Self::bits); what is more than a half is a half.
    #[must_use]
    pub const fn from_bits(bits: u32) -> Self {
        if bits > Self::MAX.0 { Self::MAX } else { Self(bits) }
    }

    /// In 2⁻²⁴ of the budget.
    #[must_use]
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// The part of the budget, from 0 to 0.5.
    #[must_use]
    pub fn to_f64(self) -> f64 {
        f64::from(self.0) / f64::from(1 << 24)
    }

    /// Takes in what a frame took in all, in nanoseconds, against its budget.
    pub fn observe(&mut self, budget: Budget, measured: u64) {
        let _ = (budget, measured);
    }
}
