//! The cost of a unit of benefit in a frame, and the least benefit for a cost.
//!
//! A suffix such as `_q16` counts a name's fractional bits.

use super::scale::Scale;
use crate::benefit::Benefit;
use crate::product::{high_product, product, product_of_40};
use crate::target::IS_BOARD;
use crate::units::BenefitValue;

/// The threshold of an unreachable cost: above every benefit, by less than 2³¹.
pub(super) const UNREACHABLE: u32 = 1 << 30;

/// A module's cost of a unit of benefit in this frame: benefit value × scale, as 40 bits.
///
/// # Examples
/// ```
/// # use lodger_core::Benefit;
/// # use lodger_core::budget::{BenefitRate, Scale};
/// # use lodger_core::units::BenefitValue;
/// let rate = BenefitRate::new(BenefitValue::from_ns(1_000), Scale::fitting(1, 2));
/// assert_eq!(rate.share(Benefit::new(0.75_f32)?), 375);
/// assert_eq!(rate.threshold(375), Some(Benefit::new(0.75_f32)?));
/// # Ok::<(), lodger_core::ValueError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct BenefitRate {
    multiplier: u64,
    shift: u32,
}

impl BenefitRate {
    /// Multiplies a module's benefit value by the scale.
    #[must_use]
    #[allow(clippy::cast_possible_truncation)] // keeps the high half
    pub fn new(value: BenefitValue, scale: Scale) -> Self {
        let product_q32 = u64::from(value.ns()).wrapping_mul(scale.bits());
        let excess = 24_u32.saturating_sub(((product_q32 >> 32) as u32).leading_zeros());
        Self { multiplier: product_q32 >> excess, shift: 48_u32.wrapping_sub(excess) }
    }

    /// Returns the scaled target of a benefit, in nanoseconds rounded down.
    #[inline]
    #[must_use]
    pub fn share(self, benefit: Benefit) -> u64 {
        u64::from(benefit.bits()).wrapping_mul(self.multiplier) >> self.shift
    }

    /// Sums the shares, in nanoseconds; `None` at a rate for which each share must be computed by itself.
    pub(super) fn shares(self, benefits: &[Benefit]) -> Option<u64> {
        let Self { multiplier, shift } = self;
        // The low half of a product is nearly always shifted out, and the high half has 32 bits.
        let down = shift.checked_sub(32).filter(|&down| down < 32)?;
        Some(benefits.iter().fold(0, |sum: u64, benefit| {
            sum.wrapping_add((product_of_40(benefit.bits(), multiplier) >> down).into())
        }))
    }

    /// Returns the least benefit whose share is at least `cost`; `None` if there is none.
    ///
    /// Levels can be picked by comparing benefits with it.
    #[must_use]
    pub fn threshold(self, cost: u32) -> Option<Benefit> {
        let bits = self.threshold_of_cost()(cost);
        (bits != UNREACHABLE).then_some(Benefit::from_bits(bits))
    }

    /// [`threshold`](Self::threshold) as bits for many costs; [`UNREACHABLE`] for none.
    #[inline]
    pub(super) fn threshold_of_cost(self) -> impl Fn(u32) -> u32 {
        let [reciprocal_q30, down] = self.reciprocal();
        move |cost| {
            if cost == 0 {
                return 0;
            }
            // On boards, an exact product takes most of the time.
            let short = if IS_BOARD { short_threshold(cost, reciprocal_q30, down) } else { None };
            short
                .or_else(|| self.exact_threshold(cost, reciprocal_q30, down))
                .unwrap_or(UNREACHABLE)
        }
    }

    /// Returns the reciprocal of the multiplier in 2⁻³⁰, and how far its product with a cost is shifted.
    #[inline]
    #[allow(clippy::cast_possible_truncation)] // keeps the high half
    fn reciprocal(self) -> [u32; 2] {
        let Self { multiplier, shift } = self;
        // A multiplier that was shifted has 40 bits.
        let zeros = if shift < 48 { 24 } else { multiplier.leading_zeros() };
        let reciprocal_q30 = reciprocal_q30((multiplier.wrapping_shl(zeros) >> 32) as u32);
        [reciprocal_q30, 94_u32.wrapping_sub(shift).wrapping_sub(zeros)]
    }

    /// Returns the threshold of a cost above 0.
    #[cfg_attr(target_os = "none", inline(never))]
    #[cfg_attr(not(target_os = "none"), inline)]
    #[allow(clippy::cast_possible_truncation)] // 32 bits remain; a reachable benefit has 24
    fn exact_threshold(self, cost: u32, reciprocal_q30: u32, down: u32) -> Option<u32> {
        let Self { multiplier, shift } = self;
        if self.share(Benefit::MAX) < cost.into() {
            return None;
        }
        // An estimate that is always too small, nearly always by less than 1; the exact product
        // decides.
        let quotient = product(cost, reciprocal_q30).wrapping_shr(down);
        let mut benefit = (quotient as u32).wrapping_add(1);
        let high = benefit.wrapping_mul((multiplier >> 32) as u32);
        let mut product = product(benefit, multiplier as u32).wrapping_add(u64::from(high) << 32);
        // The limit does not overflow, as a product reaches it.
        let limit = u64::from(cost) << shift;
        while product < limit {
            benefit = benefit.wrapping_add(1);
            product = product.wrapping_add(multiplier);
        }
        Some(benefit)
    }
}

/// Returns the threshold of a cost of 16 bits by 32-bit products, if it is below 4 and the error of the reciprocal cannot
/// change it: about fifteen of sixteen are.
#[inline]
fn short_threshold(cost: u32, reciprocal_q30: u32, down: u32) -> Option<u32> {
    const MOST_Q8: u32 = 4 << 24;
    // The reciprocal is too small by less than 2⁻²² of it, and the shift drops less than 1.
    const ERROR_Q8: u32 = 1 + (MOST_Q8 >> 22);
    let down_q8 = down.wrapping_sub(24);
    if cost >> 16 != 0 || down_q8 >= 32 {
        return None;
    }
    let low = cost.wrapping_mul(reciprocal_q30 & 0xffff) >> 16;
    let estimate_q8 = cost.wrapping_mul(reciprocal_q30 >> 16).wrapping_add(low) >> down_q8;
    let below = estimate_q8 >> 8;
    let is_exact = estimate_q8 < MOST_Q8 && estimate_q8.wrapping_add(ERROR_Q8) >> 8 == below;
    is_exact.then_some(below.wrapping_add(1))
}

/// Returns 1/x for 0.5 to 1, to about 25 bits and always too small.
fn reciprocal_q30(x_q32: u32) -> u32 {
    // 48/17 − 32/17·x is within 1/17 of 1/x between a half and 1, and each step of Newton's method
    // squares the error. The first steps use only the higher 16 bits.
    let x_q16 = x_q32 >> 16;
    let mut rough_q15 = 92_521_u32.wrapping_sub(x_q16.wrapping_mul(61_681) >> 16);
    for _ in 0..2 {
        let missing_q19 =
            (1_u32 << 31).wrapping_sub(x_q16.wrapping_mul(rough_q15)).cast_signed() >> 12;
        let more_q15 = missing_q19.wrapping_mul(rough_q15.cast_signed()) >> 19;
        rough_q15 = rough_q15.wrapping_add_signed(more_q15);
    }
    let rough_q30 = rough_q15 << 15;
    let excess_q30 = high_product(x_q32, rough_q30).wrapping_sub(1 << 30).cast_signed();
    let correction_q30 = high_product(rough_q30, excess_q30.unsigned_abs()) << 2;
    let close_q30 = if excess_q30 < 0 {
        rough_q30.wrapping_add(correction_q30)
    } else {
        rough_q30.wrapping_sub(correction_q30)
    };
    // Truncated products could make it a few units too large.
    close_q30.wrapping_sub(1 << 5)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn reciprocals_are_always_too_small_and_never_by_much() {
        for high in 1_u32 << 15..1 << 16 {
            for low in [0, 1, 0x7fff, 0x8000, 0xffff] {
                let number = u64::from(high << 16 | low);
                // The multiplier may be greater by almost 1.
                let (exact, got) =
                    ((1 << 62) / (number + 1), u64::from(reciprocal_q30(high << 16 | low)));
                assert!(got < exact && exact - got < exact >> 23, "{number} {got} {exact}");
            }
        }
    }

    proptest! {
        #[test]
        fn a_short_threshold_is_exact(
            value: u32, scale in 0..=1_u64 << 32, cost in 1_u32..1 << 16, zeros in 0..32,
        ) {
            let rate = BenefitRate::new(BenefitValue::from_ns(value >> zeros), Scale::from_bits(scale));
            let [reciprocal_q30, down] = rate.reciprocal();
            if let Some(short) = short_threshold(cost, reciprocal_q30, down) {
                prop_assert_eq!(Some(short), rate.exact_threshold(cost, reciprocal_q30, down));
            }
        }
    }
}
