//! The common factor that makes all targets fit.

use crate::decimal::{Decimal, shown_as};
use crate::target::IS_SMALLEST;

/// The factor by which all targets are scaled down, in 2⁻³², from 0 to 1.
///
/// `Debug` shows the shortest decimal that rounds down to it, as in `Scale(0.75)`.
///
/// # Examples
/// ```
/// # use lodger_core::budget::Scale;
/// assert_eq!(Scale::fitting(3_000_000, 4_000_000).to_f64(), 0.75);
/// assert_eq!(Scale::fitting(5, 4), Scale::ONE);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Scale(u64);

impl Scale {
    /// The scale 0: every actor gets its minimum.
    pub const ZERO: Self = Self(0);
    /// The scale 1: every actor gets its target.
    pub const ONE: Self = Self(1 << 32);

    /// Makes a scale from [`bits`](Self::bits), saturating at 1.
    #[must_use]
    pub const fn from_bits(bits: u64) -> Self {
        if bits > Self::ONE.0 { Self::ONE } else { Self(bits) }
    }

    /// Returns available / wanted, rounded down, at most 1; by restoring division.
    #[inline(never)]
    #[must_use]
    pub fn fitting(available: u64, wanted: u64) -> Self {
        if available >= wanted {
            return Self::ONE;
        }
        // Targets are nearly always below 4.29 s; half the width is half the work on a Cortex-M.
        if let (Ok(available), Ok(wanted)) = (u32::try_from(available), u32::try_from(wanted)) {
            return Self(fraction(available, wanted).into());
        }
        let (mut quotient, mut rest) = (0_u64, available);
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

    /// Returns the factor in 2⁻³².
    #[must_use]
    pub const fn bits(self) -> u64 {
        self.0
    }

    fn text(self) -> Decimal {
        Decimal::within(self.0, 1, 32)
    }

    /// Converts to a number, exactly.
    #[must_use]
    #[allow(clippy::cast_precision_loss)] // 33 bits
    pub fn to_f64(self) -> f64 {
        self.0 as f64 / 4_294_967_296.0
    }
}

shown_as!(Scale, "Scale({})");

/// Returns `part / whole` in 2⁻³², rounded down, for `part` < `whole`.
fn fraction(part: u32, whole: u32) -> u32 {
    // The smallest Cortex-M have no division.
    if IS_SMALLEST { quotient_by_bits(part, whole, 32).0 } else { fraction_by_halves(part, whole) }
}

/// Returns `part` · 2^`bits` / `whole`, rounded down, for `part` < `whole`, and the remainder; by restoring division.
pub(super) fn quotient_by_bits(mut part: u32, whole: u32, bits: u32) -> (u32, u32) {
    let mut quotient = 0_u32;
    for _ in 0..bits {
        // Twice the part may have 33 bits.
        let missing = whole.wrapping_sub(part);
        quotient <<= 1;
        if part >= missing {
            (part, quotient) = (part.wrapping_sub(missing), quotient | 1);
        } else {
            part <<= 1;
        }
    }
    (quotient, part)
}

/// Long division, sixteen bits at a time, by the processor's 32-bit division.
pub(super) fn fraction_by_halves(part: u32, whole: u32) -> u32 {
    let zeros = whole.leading_zeros();
    let (mut part, whole) = (part.wrapping_shl(zeros), whole.wrapping_shl(zeros));
    let (high, low) = (whole >> 16, whole & 0xffff);
    let mut quotient = 0_u32;
    for _ in 0..2 {
        // The estimate by the high half is at most 2 too large.
        let mut half = part.checked_div(high).unwrap_or(0);
        let mut rest = part.wrapping_sub(half.wrapping_mul(high));
        while rest <= 0xffff && (half > 0xffff || half.wrapping_mul(low) > rest << 16) {
            half = half.wrapping_sub(1);
            rest = rest.wrapping_add(high);
        }
        part = (part << 16).wrapping_sub(half.wrapping_mul(whole));
        quotient = quotient << 16 | half;
    }
    quotient
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn fractions_are_those_of_64_bits(part: u32, whole: u32, zeros in 0..32) {
            for whole in [whole, whole >> zeros, part.saturating_add(whole >> zeros)] {
                for part in [part, part >> zeros, whole.saturating_sub(part >> zeros)] {
                    if part < whole {
                        let exact = (u64::from(part) << 32) / u64::from(whole);
                        prop_assert_eq!(u64::from(fraction_by_halves(part, whole)), exact);
                        prop_assert_eq!(u64::from(quotient_by_bits(part, whole, 32).0), exact);
                    }
                }
            }
        }
    }
}
