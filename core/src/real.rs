//! The number types of the formulas.
//!
//! Operations that need care in sixteen fractional bits are primitives of [`Real`], so that a formula is one line and
//! accurate in every type. No primitive uses a fused multiply-add or returns NaN for finite input, so `f32`, `Fixed`
//! and `Micro` give the same bits on every processor.

use core::fmt::Debug;
use core::ops::{Add, Div, Mul, Neg, Sub};

use crate::error::{Quantity, ValueError, ValueProblem};

mod float;
pub use float::FloatRangeEnd;
#[cfg(feature = "micromath")]
pub(crate) use float::benefit_from_f32;
pub(crate) use float::{range_end_of_f32, round_ties_even};

pub(crate) mod sealed {
    /// Closes [`Real`](super::Real) to types outside this crate.
    pub trait Sealed {}
}

/// A square of lengths, or a number of the same range; never negative.
///
/// `Fixed` overflows from 181 m squared on, so its squares have an exponent; floating-point types are their own squares.
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
    /// The greater part of a number in memory.
    #[doc(hidden)]
    type Mantissa: Copy + Debug + Send + Sync;
    /// The byte beside it, or nothing.
    #[doc(hidden)]
    type Exponent: Copy + Debug + Send + Sync;

    /// The parts of 0.
    #[doc(hidden)]
    const ZERO_PARTS: (Self::Mantissa, Self::Exponent);

    /// Returns the parts of a number, which is 0 or from 2⁻⁹⁰ to below 2⁶⁰.
    #[doc(hidden)]
    fn to_parts(self) -> (Self::Mantissa, Self::Exponent);
    /// Returns the number of two parts.
    #[doc(hidden)]
    #[must_use]
    fn from_parts(mantissa: Self::Mantissa, exponent: Self::Exponent) -> Self;
    /// Converts a finite number that is not negative, with at least 24 bits.
    fn from_f64(value: f64) -> Self;
    /// Converts a whole number, with at least 24 bits; a negative one may give 0.
    fn from_i32(value: i32) -> Self;
    /// Converts to `f64`.
    fn to_f64(self) -> f64;
    /// Returns the square root; 0 for a negative number.
    #[must_use]
    fn root(self) -> Self;
    /// Whether the value is neither NaN nor infinite.
    fn is_finite(self) -> bool;

    /// Returns the lesser; `other` if either is NaN.
    #[inline]
    #[must_use]
    fn at_most(self, other: Self) -> Self {
        if self < other { self } else { other }
    }

    /// Returns the greater; `other` if either is NaN.
    #[inline]
    #[must_use]
    fn at_least(self, other: Self) -> Self {
        if self > other { self } else { other }
    }
}

/// A number type of the formulas: `f32`, `f64`, [`Fixed`](crate::Fixed) and, with the feature `micromath`, `Micro`. Sealed.
///
/// The hidden primitives may change in any release.
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
    /// The type of squares.
    type Square: Square;
    /// The end of a range from 0, prepared for [`fraction_of`](Self::fraction_of).
    #[doc(hidden)]
    type RangeEnd: Copy + Default + Debug + Send + Sync;
    /// Bits whose maximum over many numbers shows whether one is invalid.
    #[doc(hidden)]
    type InvalidBits: Copy + Ord + Default;
    /// A component of a unit vector.
    #[doc(hidden)]
    type UnitComponent: Copy + Default + PartialEq + Debug + Send + Sync;

    /// The name of the type in reports.
    const NAME: &'static str;
    /// The number 0.
    const ZERO: Self;
    /// The number 1.
    const ONE: Self;
    /// The greatest finite number.
    const MAX: Self;
    /// (g, d) of the steepest useful curve g/x − d through (1, 1): a step at x = 1.
    #[doc(hidden)]
    const STEP: (Self, Self);

    /// The least bits of an invalid number; above the default.
    #[doc(hidden)]
    const INVALID: Self::InvalidBits;

    /// Returns the nearest number of this type; `None` if it is not finite.
    fn from_f64(value: f64) -> Option<Self>;
    /// Converts to `f64`, exactly.
    fn to_f64(self) -> f64;
    /// Returns the greatest number below this one, if any.
    #[doc(hidden)]
    #[must_use]
    fn next_below(self) -> Self;
    /// Whether the value is neither NaN nor infinite.
    fn is_finite(self) -> bool;
    /// Whether the value is finite and not negative.
    #[doc(hidden)]
    fn is_amount(self) -> bool;
    /// Returns at least [`INVALID`](Self::INVALID) for NaN and the infinities, else less.
    #[doc(hidden)]
    fn invalid_bits(self) -> Self::InvalidBits;
    /// As [`invalid_bits`](Self::invalid_bits), also for negative numbers.
    #[doc(hidden)]
    fn invalid_bits_of_amount(self) -> Self::InvalidBits;
    /// As [`invalid_bits`](Self::invalid_bits), for a square.
    #[doc(hidden)]
    fn invalid_bits_of_square(square: Self::Square) -> Self::InvalidBits;
    /// Returns the square root; 0 for a negative number.
    #[must_use]
    fn sqrt(self) -> Self;

    /// Returns x².
    fn square(self) -> Self::Square;
    /// Returns x² + y² + z².
    #[doc(hidden)]
    fn norm_sq(vector: [Self; 3]) -> Self::Square;
    /// Returns the squared distance of two points.
    #[inline]
    fn distance_sq([a, b, c]: [Self; 3], [x, y, z]: [Self; 3]) -> Self::Square {
        Self::norm_sq([a - x, b - y, c - z])
    }
    /// Returns the nearest component of a unit vector, from −1 to 1; 0 for NaN.
    #[doc(hidden)]
    fn unit_component(value: f64) -> Self::UnitComponent;
    /// Returns the length of a vector along a unit vector: the products of x, y and z, added in this order.
    #[doc(hidden)]
    fn along(vector: [Self; 3], unit: [Self::UnitComponent; 3]) -> Self;
    /// Returns |v × w| for each component: twice the areas of a triangle's projections.
    #[doc(hidden)]
    fn cross(v: [Self; 3], w: [Self; 3]) -> [Self::Square; 3];
    /// Returns πr².
    #[doc(hidden)]
    fn disc_area(self) -> Self::Square;
    /// Converts a number that is not negative to a square.
    #[doc(hidden)]
    fn widen(self) -> Self::Square;
    /// Converts a square to the nearest number; `Fixed` saturates.
    #[doc(hidden)]
    fn narrow(square: Self::Square) -> Self;
    /// Returns n / d; [`MAX`](Self::MAX) if d is 0.
    #[doc(hidden)]
    fn ratio(n: Self::Square, d: Self::Square) -> Self;
    /// Returns n / d − `less`, clamped to \[0, 1\].
    #[doc(hidden)]
    #[inline]
    fn unit_ratio(n: Self::Square, d: Self::Square, less: Self) -> Self {
        (Self::ratio(n, d) - less).clamp_unit()
    }
    /// As [`unit_ratio`](Self::unit_ratio), for [`times_loose`](Self::times_loose), which may clamp it: one test is enough.
    #[doc(hidden)]
    #[inline]
    fn loose_ratio(n: Self::Square, d: Self::Square, less: Self) -> Self {
        Self::unit_ratio(n, d, less)
    }
    /// Returns √(n / d); [`MAX`](Self::MAX) if d is 0.
    #[doc(hidden)]
    fn ratio_root(n: Self::Square, d: Self::Square) -> Self;
    /// Returns √(n / d) − `less`, clamped to \[0, 1\].
    #[doc(hidden)]
    #[inline]
    fn unit_ratio_root(n: Self::Square, d: Self::Square, less: Self) -> Self {
        (Self::ratio_root(n, d) - less).clamp_unit()
    }

    /// Prepares `self` as the end of a range, which saves a division in each frame.
    #[doc(hidden)]
    fn range_end(self) -> Self::RangeEnd;
    /// Returns `self / end`: 0 if `self` is not positive or NaN, 1 if not below the end.
    #[doc(hidden)]
    #[must_use]
    fn fraction_of(self, range_end: Self::RangeEnd) -> Self;
    /// Whether a cheap test shows that the value is from 0 to below the end, and so finite.
    #[doc(hidden)]
    fn is_within(self, range_end: &Self::RangeEnd) -> bool;
    /// Returns the product of two numbers in \[0, 1\], within one unit of the last place.
    #[doc(hidden)]
    #[must_use]
    fn times_unit(self, unit: Self) -> Self;
    /// As [`times_unit`](Self::times_unit), of a [`loose_ratio`](Self::loose_ratio).
    #[doc(hidden)]
    #[must_use]
    #[inline]
    fn times_loose(self, unit: Self) -> Self {
        self.times_unit(unit)
    }
    /// Returns the sum of two numbers far from the limits of the type.
    #[doc(hidden)]
    #[inline]
    #[must_use]
    fn plus_small(self, other: Self) -> Self {
        self + other
    }
    /// Converts to the nearest unsigned Q16.16 number, ties to even, within 0 ..= 2²⁴ − 1.
    #[doc(hidden)]
    fn to_benefit(self) -> u32;
    /// Equals [`to_benefit`](Self::to_benefit) for a number from 0 to below 127.
    #[doc(hidden)]
    fn to_low_benefit(self) -> u32;

    /// Returns the lesser of the two.
    #[must_use]
    fn lesser(self, other: Self) -> Self {
        if other < self { other } else { self }
    }

    /// Clamps to 0 and 1; NaN gives 0.
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

    /// Checks that the value is finite.
    ///
    /// # Errors
    /// [`ValueProblem::NotFinite`] for NaN and the infinities.
    fn finite(self, quantity: Quantity) -> Result<Self, ValueError> {
        if self.is_finite() {
            Ok(self)
        } else {
            Err(ValueError::new(quantity, ValueProblem::NotFinite))
        }
    }

    /// Checks that the value is finite and not negative.
    ///
    /// # Errors
    /// [`ValueProblem::NotFinite`] or [`ValueProblem::Negative`].
    fn not_negative(self, quantity: Quantity) -> Result<Self, ValueError> {
        let value = self.finite(quantity)?;
        if value < Self::ZERO {
            Err(ValueError::new(quantity, ValueProblem::Negative))
        } else {
            Ok(value)
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::Real;
    use crate::Fixed;
    #[cfg(feature = "micromath")]
    use crate::Micro;

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
        // Benefits, and the numbers halfway between two.
        for halves in (0..127 << 17).step_by(5) {
            low_benefits_agree_in_all_types(f64::from(halves) / 131_072.0);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4096))]
        #[test]
        fn low_benefits_are_benefits(long in 0.0..127.0_f64, bits in 0..127_f32.to_bits()) {
            low_benefits_agree_in_all_types(long);
            // Numbers of every magnitude, the smallest too.
            low_benefits_agree_in_all_types(f32::from_bits(bits).into());
        }
    }
}
