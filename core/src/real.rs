//! The numbers that the formulas are written over.
//!
//! [`Real`] is small and sealed: `f32`, `f64`, [`Fixed`](crate::Fixed) and, with the feature
//! `micromath`, `Micro`. What is hard to do well in sixteen fractional bits is a primitive of the
//! trait, so that a formula stays one line and is still good on every type.
//!
//! No primitive uses a fused multiply-add and none returns NaN for finite input, so `f32`, `Fixed`
//! and `Micro` give the same bits on every processor.

use core::fmt::Debug;
use core::ops::{Add, Div, Mul, Neg, Sub};

use crate::error::{Error, Problem, Quantity};

pub(crate) mod sealed {
    /// Closes [`Real`](super::Real) to types outside this crate.
    pub trait Sealed {}
}

/// A square of lengths, or what is as wide as one. It is never negative, and only the lesser is
/// ever subtracted from the greater.
///
/// Sixteen integer bits end at 181 m when squared, so `Fixed` brings a type with an exponent; the
/// floating-point types are their own squares.
pub trait Square:
    Copy
    + Default
    + PartialOrd
    + Debug
    + Send
    + Sync
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
{
    /// The number with at least 24 bits kept; `value` is finite and not negative.
    fn from_f64(value: f64) -> Self;
    /// The whole number with at least 24 bits kept; 0 for a negative one where the type has none.
    fn from_i32(value: i32) -> Self;
    /// The value, for reports.
    fn to_f64(self) -> f64;
    /// The square root, as precise as the type; 0 for a negative number.
    #[must_use]
    fn root(self) -> Self;

    /// The lesser of the two; `other` for NaN.
    #[inline]
    #[must_use]
    fn at_most(self, other: Self) -> Self {
        if self < other { self } else { other }
    }

    /// The greater of the two; `other` for NaN.
    #[inline]
    #[must_use]
    fn at_least(self, other: Self) -> Self {
        if self > other { self } else { other }
    }
}

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
        }
    };
}

impl_square_for_float!(f32, libm::sqrtf);
impl_square_for_float!(f64, libm::sqrt);

/// A number type that the formulas can run on.
pub trait Real:
    sealed::Sealed
    + Copy
    + Default
    + PartialOrd
    + Debug
    + Send
    + Sync
    + 'static
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    /// Squares of this type.
    type Square: Square;
    /// The end of a range that starts at 0, prepared for [`fraction_of`](Self::fraction_of).
    type Span: Copy + Default + Debug + Send + Sync;

    /// The name of the type, for tables and test reports.
    const NAME: &'static str;
    /// 0.
    const ZERO: Self;
    /// 1.
    const ONE: Self;
    /// The greatest finite number.
    const MAX: Self;
    /// The steepest useful curve g/x − d through (1, 1), as the pair (g, d): a step down at x = 1.
    const STEP: (Self, Self);

    /// The nearest number of this type, or `None` if there is no finite one.
    fn from_f64(value: f64) -> Option<Self>;
    /// The value, exactly.
    fn to_f64(self) -> f64;
    /// The greatest number below this one, if there is one.
    #[must_use]
    fn next_below(self) -> Self;
    /// Whether the value is neither NaN nor infinite.
    fn is_finite(self) -> bool;
    /// Whether all of the values are finite.
    #[inline]
    fn are_finite(values: [Self; 5]) -> bool {
        values.iter().all(|value| value.is_finite())
    }
    /// The square root; 0 for a negative number.
    #[must_use]
    fn sqrt(self) -> Self;

    /// x².
    fn square(self) -> Self::Square;
    /// x² + y² + z².
    fn norm_sq(vector: [Self; 3]) -> Self::Square;
    /// |v × w|, component by component: twice the areas of a triangle's three projections.
    fn cross(v: [Self; 3], w: [Self; 3]) -> [Self::Square; 3];
    /// πr², the area of a disc of radius `self`.
    fn disc_area(self) -> Self::Square;
    /// The number itself with the range of a square; it is not negative.
    fn widen(self) -> Self::Square;
    /// The nearest plain number; `Fixed` saturates, and what is infinite stays so.
    fn narrow(square: Self::Square) -> Self;
    /// n / d by the quickest means; [`MAX`](Self::MAX) when d is 0.
    fn ratio(n: Self::Square, d: Self::Square) -> Self;
    /// √(n / d); [`MAX`](Self::MAX) when d is 0.
    fn ratio_root(n: Self::Square, d: Self::Square) -> Self;

    /// Prepares `self` as the end of a range, so that no frame divides by it.
    fn span(self) -> Self::Span;
    /// `self / end` for the `end` that `span` was made from: 0 for what is not above 0, else 1 for
    /// what is not below the end; 0 for NaN.
    #[must_use]
    fn fraction_of(self, span: Self::Span) -> Self;
    /// The product of two numbers that both lie in \[0, 1\], within one unit of the last place.
    #[must_use]
    fn times_unit(self, unit: Self) -> Self;
    /// The nearest unsigned Q16.16 number, ties to even, within 0 ..= 2^24 − 1.
    fn to_benefit(self) -> u32;

    /// The lesser of the two.
    #[must_use]
    fn lesser(self, other: Self) -> Self {
        if other < self { other } else { self }
    }

    /// The value between 0 and 1; 0 for NaN.
    #[must_use]
    fn clamp_unit(self) -> Self {
        if self >= Self::ONE {
            Self::ONE
        } else if self > Self::ZERO {
            self
        } else {
            Self::ZERO
        }
    }

    /// The value, if it is finite.
    ///
    /// # Errors
    /// [`Problem::NotFinite`] for NaN and the infinities.
    fn finite(self, quantity: Quantity) -> Result<Self, Error> {
        if self.is_finite() { Ok(self) } else { Err(Error::new(quantity, Problem::NotFinite)) }
    }

    /// The value, if it is finite and not negative.
    ///
    /// # Errors
    /// [`Problem::NotFinite`] or [`Problem::Negative`].
    fn not_negative(self, quantity: Quantity) -> Result<Self, Error> {
        let value = self.finite(quantity)?;
        if value < Self::ZERO { Err(Error::new(quantity, Problem::Negative)) } else { Ok(value) }
    }
}

/// The end of a range of a floating-point type, and its reciprocal.
#[derive(Debug, Clone, Copy, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct FloatSpan<F> {
    end: F,
    reciprocal: F,
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
            fn are_finite(values: [Self; 5]) -> bool {
                // One more in the exponent carries into the sign where the exponent is all ones.
                let carry =
                    values.map(|value| value.abs().to_bits() + Self::MIN_POSITIVE.to_bits());
                let [a, b, c, d, e] = carry;
                (a | b | c | d | e).leading_zeros() > 0
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
            fn ratio_root(n: Self, d: Self) -> Self {
                Self::ratio(n, d).sqrt()
            }
            #[inline]
            fn span(self) -> FloatSpan<Self> {
                FloatSpan { end: self, reciprocal: if self > 0.0 { 1.0 / self } else { 0.0 } }
            }
            #[inline]
            fn fraction_of(self, span: FloatSpan<Self>) -> Self {
                if self <= 0.0 {
                    0.0
                } else if self >= span.end {
                    1.0
                } else {
                    (self * span.reciprocal).clamp_unit()
                }
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
