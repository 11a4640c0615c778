//! The price of the optimal policy.

/// The Lagrange multiplier of the budget, benefit times quality for a unit of cost: a float of 24 bits, 7 of exponent
/// and 17 of fraction, that orders as its bits.
///
/// `Debug` shows [`to_f64`](Self::to_f64), as in `Price(9.313226e-10)`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Price(u32);

const FRACTION: u32 = 17;
const BIAS: i32 = 40;

impl Price {
    /// The least price, at which every step with a value is taken.
    pub const MIN: Self = Self(1);
    /// The greatest price, at which no step is taken.
    pub const MAX: Self = Self((1 << 24) - 1);
    pub(super) const BELOW_MIN: Self = Self(0);

    /// Makes a price from [`bits`](Self::bits), saturating at 24 bits.
    #[must_use]
    pub const fn from_bits(bits: u32) -> Self {
        if bits > Self::MAX.0 { Self::MAX } else { Self(bits) }
    }

    /// Returns the bits, which order as prices.
    #[must_use]
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// Returns benefit times quality for a nanosecond or other unit of cost; 0 if every actor has its best level.
    #[must_use]
    pub fn to_f64(self) -> f64 {
        if self <= Self::MIN {
            return 0.0;
        }
        let mantissa = 1 << FRACTION | self.0 & ((1 << FRACTION) - 1);
        let exponent = i64::from(self.0 >> FRACTION) - i64::from(BIAS) - i64::from(FRACTION) - 31;
        // A power of two within the normal range of f64, from its bits.
        let power = f64::from_bits(u64::try_from(exponent + 1_023).unwrap_or(0) << 52);
        f64::from(mantissa) * power
    }

    #[allow(clippy::cast_possible_truncation)] // exact: 18 bits, and an exponent from -71 to 56
    fn to_f32(self) -> f32 {
        self.to_f64() as f32
    }

    /// Rounds `number` · 2^`exponent`, in units of 2⁻³¹, down to a price. Products of benefits and slopes have
    /// exponents from 7 to 79 of the 127, so none is clamped.
    #[inline]
    #[allow(clippy::cast_possible_truncation)] // eighteen bits remain
    pub(super) fn rounded_down(number: u64, exponent: i32) -> Self {
        if number == 0 {
            return Self::BELOW_MIN;
        }
        let zeros = number.leading_zeros();
        let mantissa_q31 = (number.wrapping_shl(zeros) >> 32) as u32;
        Self::of_mantissa(
            mantissa_q31,
            63_i32.wrapping_sub(zeros.cast_signed()).wrapping_add(exponent),
        )
    }

    /// Returns a number from 1 to 2, in 2⁻³¹, times a power of two, rounded down.
    #[inline]
    pub(super) fn of_mantissa(mantissa_q31: u32, exponent: i32) -> Self {
        let exponent = exponent.wrapping_add(BIAS).clamp(0, 127).cast_unsigned();
        Self(exponent << FRACTION | mantissa_q31 >> (31 - FRACTION) & ((1 << FRACTION) - 1))
    }

    /// Returns a mantissa of 18 bits and an exponent.
    #[inline]
    pub(super) fn parts(self) -> (u32, i32) {
        let exponent = (self.0 >> FRACTION).cast_signed();
        let mantissa = 1 << FRACTION | self.0 & ((1 << FRACTION) - 1);
        (mantissa, exponent.wrapping_sub(BIAS + FRACTION.cast_signed()))
    }

    /// Returns the value of `money` at this price, in 2⁻³¹ rounded up; saturating.
    #[inline(never)]
    pub(super) fn of(self, money: u64) -> u64 {
        let (mantissa, exponent) = self.parts();
        let part = |money: u64, exponent| shifted(money.wrapping_mul(mantissa.into()), exponent);
        part(money >> 32, exponent.wrapping_add(32))
            .saturating_add(part(money & 0xffff_ffff, exponent))
    }
}

impl core::fmt::Debug for Price {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "Price({:?})", self.to_f32())
    }
}

#[cfg(feature = "defmt")]
impl defmt::Format for Price {
    fn format(&self, f: defmt::Formatter<'_>) {
        defmt::write!(f, "Price({=f32})", self.to_f32());
    }
}

fn shifted(number: u64, exponent: i32) -> u64 {
    let bits = exponent.unsigned_abs();
    if exponent >= 0 {
        let fits = number.leading_zeros() >= bits || number == 0;
        if fits { number.checked_shl(bits).unwrap_or(0) } else { u64::MAX }
    } else {
        let whole = number.checked_shr(bits).unwrap_or(0);
        let exact = whole.checked_shl(bits).unwrap_or(0) == number;
        whole.saturating_add(u64::from(!exact))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn prices_round_down_and_order_as_numbers(a in 1..u64::MAX, b in 1..u64::MAX, exponent in -32_i32..0) {
            let (low, high) = (a.min(b), a.max(b));
            let price = |number| Price::rounded_down(number, exponent);
            prop_assert!(price(low) <= price(high));
            let exact = low as f64 * 2_f64.powi(exponent - 31);
            let got = price(low).to_f64();
            prop_assert!(got <= exact * (1.0 + 1e-15) && got > exact * (1.0 - 1.0 / f64::from(1 << FRACTION)));
        }

        #[test]
        fn value_of_money_rounds_up(bits in 1_u32 << 17..1 << 24, money: u64, zeros in 0..64) {
            let (price, money) = (Price::from_bits(bits), money >> zeros);
            let exact = price.to_f64() * f64::from(1_u32 << 31) * money as f64;
            let worth = price.of(money);
            // From 2^64 on, 1.84e19, it is saturated.
            if exact < 1.8e19 {
                prop_assert!(worth as f64 >= exact * (1.0 - 1e-12));
                prop_assert!((worth as f64) <= exact * (1.0 + 1e-12) + 2.0);
            } else {
                prop_assert!(worth as f64 >= 1.8e19);
            }
        }
    }

    #[test]
    fn different_prices_are_displayed_differently() {
        let prices = [Price::MIN, Price::from_bits(41 << FRACTION)];
        assert_eq!(std::format!("{prices:?}"), "[Price(0.0), Price(9.313226e-10)]");
        for price in [Price::from_bits(2), Price::MAX] {
            assert_eq!(f64::from(price.to_f32()), price.to_f64());
        }
    }

    #[test]
    fn only_results_above_64_bits_saturate() {
        assert_eq!(shifted(1, 63), 1 << 63);
        assert_eq!(shifted(3, 62), 3 << 62);
        assert_eq!([shifted(1, 64), shifted(2, 63), shifted(5, 62)], [u64::MAX; 3]);
        assert_eq!(shifted(0, 100), 0);
        // The result fits 64 bits exactly.
        let money = 6_939_713_323_998_904_320_u64 >> 3;
        let exact = (u128::from(money) * 174_204).div_ceil(1 << 14);
        assert_eq!(exact.ilog2(), 63);
        assert_eq!(u128::from(Price::from_bits(5_679_228).of(money)), exact);
    }
}
