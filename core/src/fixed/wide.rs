//! The squares of `Fixed`: a mantissa of 32 bits and an exponent.
//!
//! A suffix such as `_q16` counts a name's fractional bits.

use core::ops::{Add, Div, Mul, Sub};

use super::primitive::{divided, normalised, scaled, scaled_root, shifted_up};
use crate::real::Square;

/// mantissa · 2^exponent; the highest bit of the mantissa is set unless the value is 0. The order of the fields makes
/// the derived comparison numeric.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Wide {
    exponent: i32,
    mantissa: u32,
}

impl Default for Wide {
    fn default() -> Self {
        // Below every exponent that a chain of products and quotients reaches.
        Self { exponent: i32::MIN / 4, mantissa: 0 }
    }
}

impl Wide {
    pub(super) const PI: Self = Self { exponent: -30, mantissa: 0xC90F_DAA2 };

    /// Makes `value · 2^exponent`, truncated to 32 bits.
    #[allow(clippy::cast_possible_truncation)] // shifted into 32 bits just before
    pub(super) fn from_u64(value: u64, exponent: i32) -> Self {
        if value == 0 {
            return Self::default();
        }
        let zeros = value.leading_zeros();
        Self {
            exponent: exponent.wrapping_add(32).wrapping_sub(zeros.cast_signed()),
            mantissa: ((value << zeros) >> 32) as u32,
        }
    }

    #[inline]
    pub(super) fn from_u32(value: u32, exponent: i32) -> Self {
        if value == 0 {
            return Self::default();
        }
        let zeros = value.leading_zeros();
        Self { exponent: exponent.wrapping_sub(zeros.cast_signed()), mantissa: value << zeros }
    }

    /// Returns x² + y² + z², accurate to about 20 bits.
    #[inline]
    pub(super) fn norm_sq(x_q16: u32, y_q16: u32, z_q16: u32) -> Self {
        // Twenty-three bits of each component: (256·high + low)²/2^16 truncated, so that the sum of
        // the three fits 32 bits.
        let ([x, y, z], zeros) = shifted_up([x_q16, y_q16, z_q16]);
        let square = |bits: u32| {
            let (high, low) = (bits >> 17, (bits >> 9) & 0xff);
            high * high + ((high * low) >> 7)
        };
        let sum = square(x) + square(y) + square(z);
        if sum == 0 {
            return nothing();
        }
        let (mantissa, more) = normalised(sum);
        Self { exponent: 2_i32.wrapping_sub_unsigned(2 * zeros + more), mantissa }
    }

    /// Rounds to the nearest 2⁻¹⁶, saturating.
    pub(super) fn to_q16(self) -> u32 {
        scaled(self.mantissa, self.exponent.wrapping_add(16))
    }

    /// Divides, saturating; relative error at most 2⁻¹⁵.
    #[inline]
    pub(super) fn over_q16(self, divisor: Self) -> u32 {
        let down = divisor.exponent.wrapping_sub(self.exponent).wrapping_sub(1).cast_unsigned();
        if down < 32 {
            // The exponent of 0 is out of range here, so the divisor is not 0, and the quotient has at
            // most 18 bits.
            (self.quotient_q16(divisor) >> down).wrapping_add(1) >> 1
        } else {
            self.far_over_q16(divisor)
        }
    }

    /// Handles very large and very small quotients, and zero.
    #[cold]
    fn far_over_q16(self, divisor: Self) -> u32 {
        if divisor.mantissa == 0 {
            return u32::MAX;
        }
        // The remainder counts as a half.
        let exponent = self.exponent.wrapping_sub(divisor.exponent).wrapping_sub(1);
        scaled(self.quotient_q16(divisor) << 1 | 1, exponent)
    }

    /// Returns √(self / divisor), saturating.
    pub(super) fn root_over_q16(self, divisor: Self) -> u32 {
        if divisor.mantissa == 0 {
            return u32::MAX;
        }
        // √(q·2^e): e is made even and halved, and q is widened to a root of 24 bits.
        let exponent = self.exponent.wrapping_sub(divisor.exponent).wrapping_sub(16);
        let odd = (exponent & 1).unsigned_abs();
        let square = (self.quotient_q16(divisor) << 1 | 1) << 13 << odd;
        scaled_root(square, exponent.wrapping_sub(odd.cast_signed()) / 2)
    }

    /// Returns 2¹⁶ times the quotient of the mantissas, in 2¹⁵ ..= 2¹⁷, rounded down: one 32-bit division by at most 17 bits.
    #[inline]
    fn quotient_q16(self, divisor: Self) -> u32 {
        divided(self.mantissa, divisor.mantissa)
    }
}

/// Returns 0, out of line because loops rarely need it.
#[cold]
#[inline(never)]
fn nothing() -> Wide {
    Wide::default()
}

impl Add for Wide {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        let (greater, lesser) = if self < other { (other, self) } else { (self, other) };
        let shift = greater.exponent.wrapping_sub(lesser.exponent).unsigned_abs();
        let aligned_q31 = (u64::from(lesser.mantissa) << 31).checked_shr(shift).unwrap_or(0);
        let sum_q31 = (u64::from(greater.mantissa) << 31).wrapping_add(aligned_q31);
        Self::from_u64(sum_q31, greater.exponent.wrapping_sub(31))
    }
}

impl Sub for Wide {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        if self <= other {
            return Self::default();
        }
        let shift = self.exponent.wrapping_sub(other.exponent).unsigned_abs();
        let aligned_q31 = (u64::from(other.mantissa) << 31).checked_shr(shift).unwrap_or(0);
        let difference_q31 = (u64::from(self.mantissa) << 31).wrapping_sub(aligned_q31);
        Self::from_u64(difference_q31, self.exponent.wrapping_sub(31))
    }
}

impl Mul for Wide {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        let product = u64::from(self.mantissa).wrapping_mul(u64::from(other.mantissa));
        Self::from_u64(product, self.exponent.wrapping_add(other.exponent))
    }
}

impl Div for Wide {
    type Output = Self;
    /// Divides; a division by 0, which no formula needs, gives 0.
    #[allow(clippy::suspicious_arithmetic_impl)] // a long division shifts
    fn div(self, other: Self) -> Self {
        let dividend_q32 = u64::from(self.mantissa) << 32;
        let quotient_q32 = dividend_q32.checked_div(u64::from(other.mantissa)).unwrap_or(0);
        Self::from_u64(quotient_q32, self.exponent.wrapping_sub(other.exponent).wrapping_sub(32))
    }
}

impl Square for Wide {
    type Mantissa = u32;
    type Exponent = i8;

    const ZERO_PARTS: (u32, i8) = (0, i8::MIN);

    fn to_parts(self) -> (u32, i8) {
        (self.mantissa, i8::try_from(self.exponent).unwrap_or(i8::MIN))
    }

    #[inline]
    fn from_parts(mantissa: u32, exponent: i8) -> Self {
        Self { exponent: exponent.into(), mantissa }
    }

    #[inline]
    fn is_finite(self) -> bool {
        true
    }

    #[allow(clippy::cast_possible_truncation, clippy::cast_possible_wrap)] // eleven bits
    fn from_f64(value: f64) -> Self {
        const FRACTION: u64 = (1 << 52) - 1;
        if value >= f64::MIN_POSITIVE {
            let bits = value.to_bits();
            let exponent = (bits >> 52) as i32;
            Self::from_u64(bits & FRACTION | (FRACTION + 1), exponent.wrapping_sub(1075))
        } else {
            Self::default()
        }
    }

    fn from_i32(value: i32) -> Self {
        Self::from_u32(u32::try_from(value).unwrap_or(0), 0)
    }

    fn to_f64(self) -> f64 {
        match u64::try_from(self.exponent.wrapping_add(1023)) {
            Ok(exponent @ 1..=2046) => f64::from(self.mantissa) * f64::from_bits(exponent << 52),
            Ok(1..) => f64::MAX,
            _ => 0.0,
        }
    }

    #[allow(clippy::cast_possible_truncation)] // the root of 64 bits has 32
    fn root(self) -> Self {
        // The exponent is made even, then halved.
        let odd = (self.exponent & 1).unsigned_abs();
        let widened = u64::from(self.mantissa) << 32_u32.wrapping_sub(odd);
        let exponent = self.exponent.wrapping_sub(32).wrapping_add_unsigned(odd);
        Self::from_u32(widened.isqrt() as u32, exponent / 2)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn number(wide: Wide) -> f64 {
        f64::from(wide.mantissa) * 2_f64.powi(wide.exponent.max(-2_000))
    }

    fn wide() -> impl Strategy<Value = Wide> {
        (any::<u32>(), -60_i32..40).prop_map(|(value, exponent)| Wide::from_u32(value, exponent))
    }

    const CLOSE: f64 = 1.0 / (1_u64 << 30) as f64;

    #[test]
    fn a_stored_zero_is_0_at_every_distance() {
        let (mantissa, exponent) = Wide::ZERO_PARTS;
        let zero = Wide::from_parts(mantissa, exponent);
        // The square of 2⁻¹⁶ at the least zoom has 2⁻⁴⁴, and that of the greatest distance at the greatest zoom 2⁴⁴.
        for exponent in -44..=44 {
            let square = Wide::from_u32(1, exponent);
            assert_eq!((zero.over_q16(square), zero.root_over_q16(square)), (0, 0), "{exponent}");
        }
    }

    proptest! {
        #[test]
        fn arithmetic_is_accurate_to_32_bits(a in wide(), b in wide()) {
            let (x, y) = (number(a), number(b));
            let near = |wide: Wide, exact: f64| (number(wide) - exact).abs() <= exact.abs() * CLOSE;
            prop_assert!(near(a + b, x + y));
            prop_assert!(near(a * b, x * y));
            if y > 0.0 {
                prop_assert!(near(a / b, x / y));
            }
            // A difference is as accurate as the greater operand, and stops at 0.
            prop_assert!((number(a - b) - (x - y).max(0.0)).abs() <= x.max(y) * CLOSE);
            prop_assert_eq!(a < b, x < y);
        }

        #[test]
        fn quotients_are_within_3_halves_of_2_to_the_minus_16_or_half_a_unit(a in wide(), b in wide()) {
            prop_assume!(number(b) > 0.0);
            let exact = number(a) / number(b) * 65_536.0;
            let allowed = exact / 65_536.0 * 1.51 + 0.5;
            let got = f64::from(a.over_q16(b));
            prop_assert!((got - exact.min(u32::MAX.into())).abs() <= allowed, "{got} {exact}");
            let exact = (number(a) / number(b)).sqrt() * 65_536.0;
            let got = f64::from(a.root_over_q16(b));
            let allowed = exact / 131_072.0 * 1.51 + 0.5;
            prop_assert!((got - exact.min(u32::MAX.into())).abs() <= allowed, "{got} {exact}");
        }
    }

    #[test]
    fn nothing_divides_by_zero() {
        let (zero, one) = (Wide::default(), Wide::from_u32(1, 0));
        assert_eq!(one.over_q16(zero), u32::MAX);
        assert_eq!(zero.over_q16(zero), u32::MAX);
        assert_eq!(zero.over_q16(one), 0);
        assert_eq!(one.root_over_q16(zero), u32::MAX);
        assert_eq!(zero.root_over_q16(one), 0);
        assert_eq!(one / zero, zero);
        assert_eq!(one.over_q16(one), 65_537, "the remainder counts as a half");
    }
}
