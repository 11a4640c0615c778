//! Targets scaled down by one factor, so that all of them fit the budget.

use super::demand::{Account, Claims};
use crate::benefit::Benefit;
use crate::units::{BenefitValue, Budget};

/// The factor by which all targets are scaled down, in 2⁻³², from 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Scale(u64);

impl Scale {
    /// Nobody gets more than the minimum.
    pub const ZERO: Self = Self(0);
    /// Everybody gets the target.
    pub const ONE: Self = Self(1 << 32);

    /// available / wanted, rounded down, by restoring division; at most 1.
    #[must_use]
    pub fn fitting(available: u64, wanted: u64) -> Self {
        if available >= wanted {
            return Self::ONE;
        }
        let mut quotient = 0_u64;
        // Targets are nearly always below 4.29 s, and half the width is half the work on a Cortex-M.
        if let (Ok(mut rest), Ok(wanted)) = (u32::try_from(available), u32::try_from(wanted)) {
            for _ in 0..32 {
                let fits = rest >= wanted.wrapping_sub(rest);
                rest = rest.wrapping_shl(1).wrapping_sub(if fits { wanted } else { 0 });
                quotient = quotient << 1 | u64::from(fits);
            }
            return Self(quotient);
        }
        let mut rest = available;
        for _ in 0..32 {
            let carry = rest >> 63 == 1;
            rest <<= 1;
            quotient <<= 1;
            if carry || rest >= wanted {
                rest = rest.wrapping_sub(wanted);
                quotient |= 1;
            }
        }
        Self(quotient)
    }

    /// The factor in units of 2⁻³².
    #[must_use]
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// The factor as a number, exactly.
    #[must_use]
    #[allow(clippy::cast_precision_loss)] // 33 bits
    pub fn to_f64(self) -> f64 {
        self.0 as f64 / 4_294_967_296.0
    }
}

/// What benefit is worth in a module in this frame: benefit value × scale, 40 bits of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Rate {
    multiplier: u64,
    shift: u32,
}

impl Rate {
    /// The rate of a module of that benefit value.
    #[must_use]
    pub fn new(value: BenefitValue, scale: Scale) -> Self {
        let product = u64::from(value.ns()).wrapping_mul(scale.0);
        let excess = 24_u32.saturating_sub(product.leading_zeros());
        Self { multiplier: product >> excess, shift: 48_u32.wrapping_sub(excess) }
    }

    /// The scaled target of a benefit, in nanoseconds rounded down.
    #[inline]
    #[must_use]
    pub fn share(self, benefit: Benefit) -> u64 {
        u64::from(benefit.bits()).wrapping_mul(self.multiplier) >> self.shift
    }

    /// The smallest benefit whose share is at least `cost`; `None` if there is none.
    ///
    /// "Share >= cost" and "benefit >= threshold" are the same, so a level can be chosen by comparing
    /// benefits alone.
    #[must_use]
    pub fn threshold(self, cost: u32) -> Option<Benefit> {
        self.threshold_by(self.reciprocal(), cost)
    }

    /// 2^62 over the highest 32 bits of the multiplier, good to some 28 bits; for
    /// [`threshold_by`](Self::threshold_by).
    #[allow(clippy::cast_possible_truncation)] // shifted into 32 bits just before
    pub(super) fn reciprocal(self) -> u32 {
        let zeros = self.multiplier.leading_zeros();
        if zeros == 64 {
            return 0;
        }
        let top = ((self.multiplier << zeros) >> 32) as u32;
        // 48/17 − 32/17·x is within 1/17 of 1/x between a half and 1; each step of Newton's method
        // squares that.
        let mut reciprocal = 3_031_741_621_u32.wrapping_sub(high_product(top, 2_021_161_080));
        for _ in 0..3 {
            let excess = high_product(top, reciprocal).wrapping_sub(1 << 30).cast_signed();
            let correction = high_product(reciprocal, excess.unsigned_abs()) << 2;
            reciprocal = if excess < 0 {
                reciprocal.wrapping_add(correction)
            } else {
                reciprocal.wrapping_sub(correction)
            };
        }
        reciprocal
    }

    /// As [`threshold`](Self::threshold), with the reciprocal at hand. It is only an estimate: the
    /// exact product decides.
    pub(super) fn threshold_by(self, reciprocal: u32, cost: u32) -> Option<Benefit> {
        if cost == 0 {
            return Some(Benefit::ZERO);
        }
        if self.share(Benefit::MAX) < u64::from(cost) {
            return None;
        }
        // The limit fits, as a product reaches it.
        let limit = u64::from(cost) << self.shift;
        let zeros = cost.leading_zeros();
        let quotient = high_product(cost << zeros, reciprocal);
        let shift = zeros.wrapping_add(62).wrapping_sub(self.shift);
        let shift = shift.wrapping_sub(self.multiplier.leading_zeros());
        let mut benefit = quotient.checked_shr(shift).unwrap_or(0);
        let mut product = u64::from(benefit).wrapping_mul(self.multiplier);
        while product < limit {
            benefit = benefit.wrapping_add(1);
            product = product.wrapping_add(self.multiplier);
        }
        while product.wrapping_sub(self.multiplier) >= limit && benefit > 0 {
            benefit = benefit.wrapping_sub(1);
            product = product.wrapping_sub(self.multiplier);
        }
        Some(Benefit::from_bits(benefit))
    }
}

/// The high half of a product.
#[allow(clippy::cast_possible_truncation)] // the high half is meant
fn high_product(a: u32, b: u32) -> u32 {
    (u64::from(a).wrapping_mul(u64::from(b)) >> 32) as u32
}

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
