//! `Micro`: `f32` with micromath's approximations, for microcontrollers that prefer speed.
//!
//! Sums, differences, products and all squares are those of `f32`, and so is what is made once and
//! not in a frame. The rest is approximate:
//!
//! | function | by | worst error, measured |
//! |---|---|---|
//! | `/`, [`ratio`](Real::ratio) | `F32::inv` | 12.5 % |
//! | [`sqrt`](Real::sqrt) | `F32::sqrt` | 6.1 % |
//! | [`ratio_root`](Real::ratio_root) | both | 13.1 % |
//! | [`fraction_of`](Real::fraction_of) | an exact reciprocal, made once | 2⁻²³ |

use core::fmt;
use core::ops::{Add, Div, Mul, Neg, Sub};

use micromath::F32;

use crate::real::{FloatSpan, Real, benefit_from_f32, sealed};

/// An `f32` whose quotients and roots are micromath's.
///
/// # Examples
/// ```
/// use lodger_core::{Micro, Real};
///
/// let root = Micro::from_f64(2.0).unwrap().sqrt().to_f64();
/// assert!((root / 2.0_f64.sqrt() - 1.0).abs() < 0.07);
/// ```
#[derive(Clone, Copy, Default, PartialEq, PartialOrd)]
#[repr(transparent)]
pub struct Micro(f32);

impl Micro {
    /// The same number.
    #[must_use]
    pub const fn from_f32(value: f32) -> Self {
        Self(value)
    }

    /// The same number.
    #[must_use]
    pub const fn to_f32(self) -> f32 {
        self.0
    }

    /// 1 / `self` for a positive number of at most 2^126, above which micromath's own subtraction
    /// of bit patterns would overflow and the reciprocal is 0 in all but name.
    fn reciprocal(self) -> f32 {
        const GREATEST: f32 = 8.507_059e37;
        if self.0 <= GREATEST {
            F32(self.0).inv().0
        } else {
            0.0
        }
    }
}

impl fmt::Debug for Micro {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

impl Add for Micro {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl Sub for Micro {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

impl Mul for Micro {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        Self(self.0 * other.0)
    }
}

impl Div for Micro {
    type Output = Self;
    fn div(self, other: Self) -> Self {
        if other.0 == 0.0 {
            Self(if self.0 < 0.0 { -f32::MAX } else { f32::MAX })
        } else if other.0 < 0.0 {
            Self(-self.0 * (-other).reciprocal())
        } else {
            Self(self.0 * other.reciprocal())
        }
    }
}

impl Neg for Micro {
    type Output = Self;
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl sealed::Sealed for Micro {}

impl Real for Micro {
    type Square = f32;
    type Span = FloatSpan<f32>;

    const NAME: &'static str = "Micro";
    const ZERO: Self = Self(0.0);
    const ONE: Self = Self(1.0);
    const MAX: Self = Self(f32::MAX);
    const STEP: (Self, Self) = (Self(<f32 as Real>::STEP.0), Self(<f32 as Real>::STEP.1));

    fn from_f64(value: f64) -> Option<Self> {
        <f32 as Real>::from_f64(value).map(Self)
    }
    fn to_f64(self) -> f64 {
        f64::from(self.0)
    }
    fn next_below(self) -> Self {
        Self(self.0.next_down())
    }
    fn is_finite(self) -> bool {
        self.0.is_finite()
    }
    fn sqrt(self) -> Self {
        if self.0 > 0.0 {
            Self(F32(self.0).sqrt().0)
        } else {
            Self(0.0)
        }
    }
    fn square(self) -> f32 {
        self.0.square()
    }
    fn norm_sq(vector: [Self; 3]) -> f32 {
        f32::norm_sq(vector.map(Self::to_f32))
    }
    fn cross(v: [Self; 3], w: [Self; 3]) -> [f32; 3] {
        f32::cross(v.map(Self::to_f32), w.map(Self::to_f32))
    }
    fn disc_area(self) -> f32 {
        self.0.disc_area()
    }
    fn widen(self) -> f32 {
        self.0
    }
    fn narrow(square: f32) -> Self {
        Self(square)
    }
    fn ratio(n: f32, d: f32) -> Self {
        Self(n) / Self(d)
    }
    fn ratio_root(n: f32, d: f32) -> Self {
        Self::ratio(n, d).sqrt()
    }
    fn span(self) -> FloatSpan<f32> {
        self.0.span()
    }
    fn fraction_of(self, span: FloatSpan<f32>) -> Self {
        Self(self.0.fraction_of(span))
    }
    fn times_unit(self, unit: Self) -> Self {
        self * unit
    }
    fn to_benefit(self) -> u32 {
        benefit_from_f32(self.0)
    }
}
