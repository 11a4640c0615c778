//! The numbers that the formulas are written over.
//!
//! [`Real`] is sealed: `f32`, `f64`, [`Fixed`](crate::Fixed) and, with the feature
//! `micromath`, `Micro`. What is hard to do well in sixteen fractional bits is a primitive of the
//! trait, so that a formula stays one line and is still good on every type.
//!
//! No primitive uses a fused multiply-add and none returns NaN for finite input, so `f32`, `Fixed`
//! and `Micro` give the same bits on every processor.

use core::fmt::Debug;
use core::ops::{Add, Div, Mul, Neg, Sub};

use crate::error::{Error, Problem, Quantity};

mod float;
mod root;
pub use float::FloatSpan;
#[cfg(feature = "micromath")]
pub(crate) use float::benefit_from_f32;
pub(crate) use float::round_ties_even;

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
    /// Whether the value is neither NaN nor infinite.
    fn is_finite(self) -> bool;

    /// The lesser of the two; `other` if either is NaN.
    #[inline]
    #[must_use]
    fn at_most(self, other: Self) -> Self {
        if self < other { self } else { other }
    }

    /// The greater of the two; `other` if either is NaN.
    #[inline]
    #[must_use]
    fn at_least(self, other: Self) -> Self {
        if self > other { self } else { other }
    }
}

/// A number type that the formulas can run on: `f32`, `f64`, [`Fixed`](crate::Fixed) and, with the
/// feature `micromath`, `Micro`. No other crate can implement it.
///
/// What is shown here is what users of the formulas need. The primitives that formulas are written
/// with, such as norms, ratios and prepared ranges, are hidden and may change in any release.
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
    #[doc(hidden)]
    type Span: Copy + Default + Debug + Send + Sync;
    /// Bits of which the greatest tells whether one of many numbers is not sound.
    #[doc(hidden)]
    type Doubt: Copy + Ord + Default;

    /// The name of the type, for tables and test reports.
    const NAME: &'static str;
    /// 0.
    const ZERO: Self;
    /// 1.
    const ONE: Self;
    /// The greatest finite number.
    const MAX: Self;
    /// The steepest useful curve g/x − d through (1, 1), as the pair (g, d): a step down at x = 1.
    #[doc(hidden)]
    const STEP: (Self, Self);

    /// The least doubt that there is of a number that is not sound; it is above the default.
    #[doc(hidden)]
    const DOUBT: Self::Doubt;

    /// The nearest number of this type, or `None` if there is no finite one.
    fn from_f64(value: f64) -> Option<Self>;
    /// The value, exactly.
    fn to_f64(self) -> f64;
    /// The greatest number below this one, if there is one.
    #[doc(hidden)]
    #[must_use]
    fn next_below(self) -> Self;
    /// Whether the value is neither NaN nor infinite.
    fn is_finite(self) -> bool;
    /// Whether the value is finite and not below 0, as a speed or a radius should be.
    #[doc(hidden)]
    fn is_amount(self) -> bool;
    /// At least [`DOUBT`](Self::DOUBT) if the number is not finite, else less.
    #[doc(hidden)]
    fn doubt(self) -> Self::Doubt;
    /// At least [`DOUBT`](Self::DOUBT) if the number is not finite or below 0, else less.
    #[doc(hidden)]
    fn doubt_of_amount(self) -> Self::Doubt;
    /// At least [`DOUBT`](Self::DOUBT) if the square is not finite, else less.
    #[doc(hidden)]
    fn doubt_of_square(square: Self::Square) -> Self::Doubt;
    /// The square root; 0 for a negative number.
    #[must_use]
    fn sqrt(self) -> Self;

    /// x².
    fn square(self) -> Self::Square;
    /// x² + y² + z².
    #[doc(hidden)]
    fn norm_sq(vector: [Self; 3]) -> Self::Square;
    /// The square of the distance between two points.
    #[inline]
    fn distance_sq([a, b, c]: [Self; 3], [x, y, z]: [Self; 3]) -> Self::Square {
        Self::norm_sq([a - x, b - y, c - z])
    }
    /// |v × w|, component by component: twice the areas of a triangle's three projections.
    #[doc(hidden)]
    fn cross(v: [Self; 3], w: [Self; 3]) -> [Self::Square; 3];
    /// πr², the area of a disc of radius `self`.
    #[doc(hidden)]
    fn disc_area(self) -> Self::Square;
    /// The number itself with the range of a square; it is not negative.
    #[doc(hidden)]
    fn widen(self) -> Self::Square;
    /// The nearest plain number; `Fixed` saturates, and what is infinite stays so.
    #[doc(hidden)]
    fn narrow(square: Self::Square) -> Self;
    /// n / d by the quickest means; [`MAX`](Self::MAX) when d is 0.
    #[doc(hidden)]
    fn ratio(n: Self::Square, d: Self::Square) -> Self;
    /// n / d − `less`, clamped to \[0, 1\]; what there is of it in a frame.
    #[doc(hidden)]
    #[inline]
    fn unit_ratio(n: Self::Square, d: Self::Square, less: Self) -> Self {
        (Self::ratio(n, d) - less).clamp_unit()
    }
    /// √(n / d); [`MAX`](Self::MAX) when d is 0.
    #[doc(hidden)]
    fn ratio_root(n: Self::Square, d: Self::Square) -> Self;

    /// Prepares `self` as the end of a range, so that no frame divides by it.
    #[doc(hidden)]
    fn span(self) -> Self::Span;
    /// `self / end` for the `end` that `span` was made from: 0 for what is not above 0, else 1 for
    /// what is not below the end; 0 for NaN.
    #[doc(hidden)]
    #[must_use]
    fn fraction_of(self, span: Self::Span) -> Self;
    /// Whether the value lies from 0 to so far below the end that it is plain to see; it is finite then.
    #[doc(hidden)]
    fn is_within(self, span: &Self::Span) -> bool;
    /// The product of two numbers that both lie in \[0, 1\], within one unit of the last place.
    #[doc(hidden)]
    #[must_use]
    fn times_unit(self, unit: Self) -> Self;
    /// The sum of two numbers that are both far from the ends of the type.
    #[doc(hidden)]
    #[inline]
    #[must_use]
    fn plus_small(self, other: Self) -> Self {
        self + other
    }
    /// The nearest unsigned Q16.16 number, ties to even, within 0 ..= 2^24 − 1.
    #[doc(hidden)]
    fn to_benefit(self) -> u32;
    /// The same for a number from 0 to below 127.
    #[doc(hidden)]
    fn to_low_benefit(self) -> u32;

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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::Real;
    use crate::Fixed;
    #[cfg(feature = "micromath")]
    use crate::Micro;

    /// Whether the short form has the bits of the other one: on a number and on its neighbours, as far as
    /// they are in its range.
    fn low_benefits_agree<N: Real>(value: f64) {
        let Some(value) = N::from_f64(value) else { return };
        let end = N::from_f64(127.0).unwrap_or(N::ZERO);
        for value in [value, value.next_below()] {
            if value >= N::ZERO && value < end {
                assert_eq!(value.to_low_benefit(), value.to_benefit(), "{} {value:?}", N::NAME);
            }
        }
    }

    fn low_benefits_agree_in_all_types(value: f64) {
        low_benefits_agree::<f32>(value);
        low_benefits_agree::<f64>(value);
        low_benefits_agree::<Fixed>(value);
        #[cfg(feature = "micromath")]
        low_benefits_agree::<Micro>(value);
    }

    #[test]
    fn low_benefits_are_benefits_at_the_ends_and_halfway() {
        for end in
            [0.0, -0.0, f64::from_bits(1), f32::from_bits(1).into(), f64::MIN_POSITIVE, 127.0]
        {
            low_benefits_agree_in_all_types(end);
        }
        // Benefits, and what is halfway between two.
        for halves in (0..127 << 17).step_by(5) {
            low_benefits_agree_in_all_types(f64::from(halves) / 131_072.0);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4096))]
        #[test]
        fn low_benefits_are_benefits(long in 0.0..127.0_f64, bits in 0..127_f32.to_bits()) {
            low_benefits_agree_in_all_types(long);
            // Of every size, the smallest too.
            low_benefits_agree_in_all_types(f32::from_bits(bits).into());
        }
    }
}
