//! `Micro`: `f32` with micromath's square root, for microcontrollers that prefer speed.
//!
//! | function | method | worst error, measured |
//! |---|---|---|
//! | [`sqrt`](Real::sqrt) | `F32::sqrt` | relative 6.1 %, never too small |
//! | √(n/d) of two squares | the same, of an exact quotient | relative 6.1 %, never too small |
//! | angular importance | √(n/d) | absolute 0.13 · max(1, ½·D/(D−R)); useless below D = 1.2 R |
//! | all others | as `f32` | as `f32` |
//!
//! Quotients are exact: micromath's reciprocal errs by up to 12.5 %, and saves only 61 instructions (177 − 116) on a
//! Cortex-M0.

use core::fmt;
use core::ops::{Add, Div, Mul, Neg, Sub};

use micromath::F32;

use crate::real::{FloatRangeEnd, Real, benefit_from_f32, sealed};

/// An `f32` whose square root is micromath's.
///
/// # Examples
/// ```
/// use lodger_core::{Micro, Real};
///
/// let root = Micro::from_f64(2.0).unwrap().sqrt().to_f64();
/// assert!((root / 2.0_f64.sqrt() - 1.0).abs() < 0.07);
/// ```
#[derive(Clone, Copy, Default, PartialEq, PartialOrd)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(transparent)]
pub struct Micro(f32);

impl Micro {
    /// Converts from `f32`, exactly.
    #[must_use]
    pub const fn from_f32(value: f32) -> Self {
        Self(value)
    }

    /// Converts to `f32`, exactly.
    #[must_use]
    pub const fn to_f32(self) -> f32 {
        self.0
    }
}

impl fmt::Debug for Micro {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

impl Add for Micro {
    type Output = Self;
    #[inline]
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl Sub for Micro {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

impl Mul for Micro {
    type Output = Self;
    #[inline]
    fn mul(self, other: Self) -> Self {
        Self(self.0 * other.0)
    }
}

impl Div for Micro {
    type Output = Self;
    #[inline]
    fn div(self, other: Self) -> Self {
        Self(self.0 / other.0)
    }
}

impl Neg for Micro {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl sealed::Sealed for Micro {}

impl Real for Micro {
    type Square = f32;
    type RangeEnd = FloatRangeEnd<f32>;
    type InvalidBits = u32;
    type UnitComponent = f32;

    const NAME: &'static str = "Micro";
    const ZERO: Self = Self(0.0);
    const ONE: Self = Self(1.0);
    const MAX: Self = Self(f32::MAX);
    const STEP: (Self, Self) = (Self(<f32 as Real>::STEP.0), Self(<f32 as Real>::STEP.1));
    const INVALID: u32 = <f32 as Real>::INVALID;

    #[inline]
    fn from_f64(value: f64) -> Option<Self> {
        <f32 as Real>::from_f64(value).map(Self)
    }
    #[inline]
    fn to_f64(self) -> f64 {
        f64::from(self.0)
    }
    #[inline]
    fn next_below(self) -> Self {
        Self(self.0.next_down())
    }
    #[inline]
    fn is_finite(self) -> bool {
        self.0.is_finite()
    }
    #[inline]
    fn is_amount(self) -> bool {
        self.0.is_amount()
    }
    #[inline]
    fn invalid_bits(self) -> u32 {
        self.0.invalid_bits()
    }
    #[inline]
    fn invalid_bits_of_amount(self) -> u32 {
        self.0.invalid_bits_of_amount()
    }
    #[inline]
    fn invalid_bits_of_square(square: f32) -> u32 {
        f32::invalid_bits_of_square(square)
    }
    #[inline]
    fn sqrt(self) -> Self {
        if self.0 > 0.0 { Self(F32(self.0).sqrt().0) } else { Self(0.0) }
    }
    #[inline]
    fn square(self) -> f32 {
        self.0.square()
    }
    #[inline]
    fn norm_sq(vector: [Self; 3]) -> f32 {
        f32::norm_sq(vector.map(Self::to_f32))
    }
    #[inline]
    fn unit_component(value: f64) -> f32 {
        f32::unit_component(value)
    }
    #[inline]
    fn along(vector: [Self; 3], unit: [f32; 3]) -> Self {
        Self(f32::along(vector.map(Self::to_f32), unit))
    }
    #[inline]
    fn cross(v: [Self; 3], w: [Self; 3]) -> [f32; 3] {
        f32::cross(v.map(Self::to_f32), w.map(Self::to_f32))
    }
    #[inline]
    fn disc_area(self) -> f32 {
        self.0.disc_area()
    }
    #[inline]
    fn widen(self) -> f32 {
        self.0
    }
    #[inline]
    fn narrow(square: f32) -> Self {
        Self(square)
    }
    #[inline]
    fn ratio(n: f32, d: f32) -> Self {
        Self(f32::ratio(n, d))
    }
    #[inline]
    fn unit_ratio(n: f32, d: f32, less: Self) -> Self {
        Self(f32::unit_ratio(n, d, less.0))
    }
    #[inline]
    fn clamp_unit(self) -> Self {
        Self(self.0.clamp_unit())
    }
    #[inline]
    fn ratio_root(n: f32, d: f32) -> Self {
        Self::ratio(n, d).sqrt()
    }
    #[inline]
    fn range_end(self) -> FloatRangeEnd<f32> {
        self.0.range_end()
    }
    #[inline]
    fn fraction_of(self, range_end: FloatRangeEnd<f32>) -> Self {
        Self(self.0.fraction_of(range_end))
    }
    #[inline]
    fn is_within(self, range_end: &FloatRangeEnd<f32>) -> bool {
        self.0.is_within(range_end)
    }
    #[inline]
    fn times_unit(self, unit: Self) -> Self {
        self * unit
    }
    #[inline]
    fn to_benefit(self) -> u32 {
        benefit_from_f32(self.0)
    }
    #[inline]
    fn to_low_benefit(self) -> u32 {
        self.0.to_low_benefit()
    }
}
