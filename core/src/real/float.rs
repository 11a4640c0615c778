//! `f32` and `f64`.
//!
//! The bits of numbers from 0 on are in the order of the numbers, and those of negative ones and NaN
//! are beyond all of them. So one comparison of bits tells that nothing is out of the ordinary.

use core::hint::cold_path;

use super::{Real, Square, sealed};

macro_rules! impl_square_for_float {
    ($float:ident, $sqrt:path) => {
        impl Square for $float {
            #[inline]
            #[allow(clippy::cast_possible_truncation)] // to the nearest
            fn from_f64(value: f64) -> Self {
                value as Self
            }
            #[inline]
            #[allow(clippy::cast_precision_loss, clippy::cast_lossless)] // to the nearest
            fn from_i32(value: i32) -> Self {
                value as Self
            }
            #[inline]
            fn to_f64(self) -> f64 {
                self.into()
            }
            #[inline]
            fn root(self) -> Self {
                if self > 0.0 { $sqrt(self) } else { 0.0 }
            }
            #[inline]
            fn is_finite(self) -> bool {
                // The bits of what is not negative are in the order of the numbers.
                self.to_bits() < Self::INFINITY.to_bits()
            }
        }
    };
}

impl_square_for_float!(f32, libm::sqrtf);
impl_square_for_float!(f64, libm::sqrt);

/// The end of a range of a floating-point type, and its reciprocal.
#[doc(hidden)]
#[derive(Debug, Clone, Copy, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct FloatSpan<F> {
    end: F,
    reciprocal: F,
    /// From 0 to below this the product with the reciprocal is below 1.
    plain: F,
}

/// The nearest integer, ties to even.
pub(crate) fn round_ties_even(value: f64) -> f64 {
    libm::rint(value)
}

/// `value · 2^16` to the nearest integer, ties to even, within 0 ..= 2^24 − 1; 0 for NaN.
///
/// Below 2^23 the sum with 2^23 has no fraction bits left, so the addition itself does the rounding.
#[inline]
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // clamped just before
pub(crate) fn benefit_from_f32(value: f32) -> u32 {
    const NO_FRACTION: f32 = 8_388_608.0;
    const GREATEST: f32 = 16_777_215.0;
    let scaled = value * 65_536.0;
    let plain = (scaled + NO_FRACTION).to_bits().wrapping_sub(NO_FRACTION.to_bits());
    if plain < NO_FRACTION as u32 {
        return plain;
    }
    cold_path();
    if scaled >= GREATEST {
        GREATEST as u32
    } else if scaled >= NO_FRACTION {
        scaled as u32
    } else if scaled > 0.0 {
        ((scaled + NO_FRACTION) - NO_FRACTION) as u32
    } else {
        0
    }
}

macro_rules! impl_real_for_float {
    ($float:ident, $sqrt:path, $step:literal, $from_f64:expr, $to_f64:expr, $to_benefit:expr) => {
        impl sealed::Sealed for $float {}

        impl Real for $float {
            type Square = Self;
            type Span = FloatSpan<Self>;

            const NAME: &'static str = stringify!($float);
            const ZERO: Self = 0.0;
            const ONE: Self = 1.0;
            const MAX: Self = Self::MAX;
            const STEP: (Self, Self) = ($step, $step - 1.0);

            #[inline]
            fn from_f64(value: f64) -> Option<Self> {
                let value: Self = $from_f64(value);
                value.is_finite().then_some(value)
            }
            #[inline]
            fn to_f64(self) -> f64 {
                $to_f64(self)
            }
            #[inline]
            fn next_below(self) -> Self {
                self.next_down()
            }
            #[inline]
            fn is_finite(self) -> bool {
                self.is_finite()
            }
            #[inline]
            fn is_amount(self) -> bool {
                if self.to_bits() < Self::INFINITY.to_bits() {
                    return true;
                }
                cold_path();
                self.to_bits() == Self::to_bits(-0.0)
            }
            #[inline]
            fn sqrt(self) -> Self {
                if self > 0.0 { $sqrt(self) } else { 0.0 }
            }
            #[inline]
            fn square(self) -> Self {
                self * self
            }
            #[inline]
            fn norm_sq([x, y, z]: [Self; 3]) -> Self {
                x * x + y * y + z * z
            }
            #[inline]
            fn cross([a, b, c]: [Self; 3], [x, y, z]: [Self; 3]) -> [Self; 3] {
                [(b * z - c * y).abs(), (c * x - a * z).abs(), (a * y - b * x).abs()]
            }
            #[inline]
            fn disc_area(self) -> Self {
                core::$float::consts::PI * (self * self)
            }
            #[inline]
            fn widen(self) -> Self {
                self
            }
            #[inline]
            fn narrow(square: Self) -> Self {
                square
            }
            #[inline]
            fn ratio(n: Self, d: Self) -> Self {
                if d == 0.0 { Self::MAX } else { n / d }
            }
            #[inline]
            fn unit_ratio(n: Self, d: Self, less: Self) -> Self {
                // Nothing of that size comes of a division by 0.
                let plain = n / d - less;
                if plain.to_bits() < Self::ONE.to_bits() {
                    return plain;
                }
                cold_path();
                (Self::ratio(n, d) - less).clamp_unit()
            }
            #[inline]
            fn ratio_root(n: Self, d: Self) -> Self {
                Self::ratio(n, d).sqrt()
            }
            #[inline]
            fn clamp_unit(self) -> Self {
                if self.to_bits() < Self::ONE.to_bits() {
                    return self;
                }
                cold_path();
                if self >= 1.0 { 1.0 } else { 0.0 }
            }
            #[inline]
            fn span(self) -> FloatSpan<Self> {
                let reciprocal = if self > 0.0 { 1.0 / self } else { 0.0 };
                let mut plain = if self > 0.0 && reciprocal.is_finite() { self } else { 0.0 };
                while plain.next_down() * reciprocal >= 1.0 {
                    plain = plain.next_down();
                }
                FloatSpan { end: self, reciprocal, plain }
            }
            #[inline]
            fn fraction_of(self, span: FloatSpan<Self>) -> Self {
                if self.is_within(&span) {
                    return self * span.reciprocal;
                }
                cold_path();
                if self <= 0.0 {
                    0.0
                } else if self >= span.end {
                    1.0
                } else {
                    (self * span.reciprocal).clamp_unit()
                }
            }
            #[inline]
            fn is_within(self, span: &FloatSpan<Self>) -> bool {
                self.to_bits() < span.plain.to_bits()
            }
            #[inline]
            fn times_unit(self, unit: Self) -> Self {
                self * unit
            }
            #[inline]
            fn to_benefit(self) -> u32 {
                $to_benefit(self)
            }
        }
    };
}

// 2^24 and 2^53: the first numbers whose neighbours are more than 1 apart.
impl_real_for_float!(
    f32,
    libm::sqrtf,
    16_777_216.0,
    |value: f64| {
        #[allow(clippy::cast_possible_truncation)] // to the nearest, and checked after
        let nearest = value as f32;
        nearest
    },
    f64::from,
    benefit_from_f32
);
impl_real_for_float!(
    f64,
    libm::sqrt,
    9_007_199_254_740_992.0,
    |value: f64| value,
    |value: f64| value,
    |value: f64| {
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // clamped just before
        let benefit = round_ties_even(value * 65_536.0).clamp(0.0, 16_777_215.0) as u32;
        benefit
    }
);

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn benefits_round_to_nearest_even(bits: u32) {
            let value = f32::from_bits(bits);
            let exact = round_ties_even(f64::from(value) * 65_536.0).clamp(0.0, 16_777_215.0);
            let expected = if value.is_nan() { 0.0 } else { exact };
            prop_assert_eq!(f64::from(value.to_benefit()), expected);
            prop_assert_eq!(f64::from(f64::from(value).to_benefit()), expected);
        }

        #[test]
        fn a_step_is_one_inside_and_zero_outside(value in 1e-3_f32..1e3) {
            let (gain, drop) = f32::STEP;
            let at = |x: f32| (f32::ratio(gain * value, x) - drop).clamp_unit();
            prop_assert_eq!(at(value), 1.0);
            prop_assert_eq!(at(value.next_down()), 1.0);
            prop_assert_eq!(at(value * 1.000_001), 0.0);
        }
    }

    #[test]
    fn halfway_benefits_go_to_the_even_side() {
        for (halves, expected) in [(1.0, 0), (3.0, 2), (5.0, 2), (7.0, 4)] {
            assert_eq!((halves / 131_072.0_f32).to_benefit(), expected);
        }
    }
}
