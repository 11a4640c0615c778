//! `Fixed`, a signed Q16.16 number that saturates.

use core::fmt;
use core::ops::{Add, Div, Mul, Neg, Sub};

use crate::real::{Real, round_ties_even, sealed};
use crate::target::cold_path;

mod primitive;
mod wide;
pub(crate) use primitive::leading_zeros;
use primitive::product_of_units_q16;
pub use wide::Wide;

/// A signed number with 16 integer and 16 fractional bits, from −32 768 to just below 32 768.
///
/// Operations saturate. Multiplication and square root round down, division towards 0, conversion from floating point
/// to the nearest with ties to even. `x / 0` is [`MAX`](Real::MAX) for x >= 0, else the least number.
///
/// # Examples
/// ```
/// use lodger_core::{Fixed, Real};
///
/// let third = Fixed::ONE / Fixed::from_int(3);
/// assert_eq!(third.to_bits(), 21_845);
/// assert_eq!(Fixed::MAX + Fixed::ONE, Fixed::MAX);
/// assert_eq!(Fixed::from_f64(40_000.0), None);
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(transparent)]
pub struct Fixed(i32);

impl Fixed {
    /// Makes a number from its value times 2¹⁶.
    #[must_use]
    pub const fn from_bits(bits: i32) -> Self {
        Self(bits)
    }

    /// Returns the value times 2¹⁶.
    #[must_use]
    pub const fn to_bits(self) -> i32 {
        self.0
    }

    /// Makes a whole number.
    #[must_use]
    pub const fn from_int(value: i16) -> Self {
        Self((value as i32) << 16)
    }

    /// [`range_end`](Real::range_end), const.
    #[inline]
    pub(crate) const fn const_range_end(self) -> FixedRangeEnd {
        let shift = 16_u32.saturating_sub(self.magnitude().leading_zeros());
        let end = self.magnitude() >> shift;
        let reciprocal = match ((1_u32 << 31) + end / 2).checked_div(end) {
            Some(reciprocal) => reciprocal,
            None => 0,
        };
        let one = (1_u32 << 31).div_ceil(if reciprocal == 0 { 1 } else { reciprocal });
        let (plain, beyond) = (self.magnitude(), one.saturating_mul(1 << shift));
        let plain = if plain < beyond { plain } else { beyond };
        FixedRangeEnd { plain, reciprocal, shift }
    }

    const fn magnitude(self) -> u32 {
        if self.0 > 0 { self.0.unsigned_abs() } else { 0 }
    }

    const fn from_magnitude(bits: u32) -> Self {
        Self(if bits > i32::MAX.unsigned_abs() { i32::MAX } else { bits.cast_signed() })
    }

    fn saturate(bits: i64) -> Self {
        Self(i32::try_from(bits).unwrap_or(if bits < 0 { i32::MIN } else { i32::MAX }))
    }
}

impl fmt::Debug for Fixed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.to_f64(), f)
    }
}

impl fmt::Display for Fixed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.to_f64(), f)
    }
}

impl Add for Fixed {
    type Output = Self;
    #[inline]
    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl Sub for Fixed {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }
}

impl Mul for Fixed {
    type Output = Self;
    #[inline]
    fn mul(self, other: Self) -> Self {
        Self::saturate((i64::from(self.0) * i64::from(other.0)) >> 16)
    }
}

impl Div for Fixed {
    type Output = Self;
    #[inline]
    fn div(self, other: Self) -> Self {
        match (i64::from(self.0) << 16).checked_div(i64::from(other.0)) {
            Some(quotient) => Self::saturate(quotient),
            None if self.0 < 0 => Self(i32::MIN),
            None => Self::MAX,
        }
    }
}

impl Neg for Fixed {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        Self(self.0.saturating_neg())
    }
}

/// The end of a range, shifted into 16 bits, and 2³¹ divided by it.
#[doc(hidden)]
#[derive(Debug, Clone, Copy, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct FixedRangeEnd {
    /// Numbers from 0 to below this one have a fraction below 1.
    plain: u32,
    reciprocal: u32,
    shift: u32,
}

impl sealed::Sealed for Fixed {}

impl Real for Fixed {
    type Square = Wide;
    type RangeEnd = FixedRangeEnd;
    type InvalidBits = u32;
    /// In 2⁻³⁰.
    type UnitComponent = i32;

    const NAME: &'static str = "Fixed";
    const ZERO: Self = Self(0);
    const ONE: Self = Self(1 << 16);
    const MAX: Self = Self(i32::MAX);
    // The quotient of two equal squares may fall short by 2^-15. The gain compensates, so that the
    // importance is 1 up to the edge; outside it falls to 0 within 2^-12 of the edge's distance.
    const STEP: (Self, Self) = (Self((1 << 30) + (1 << 16)), Self((1 << 30) - (1 << 16)));
    const INVALID: u32 = 1 << 31;

    #[inline]
    #[allow(clippy::cast_possible_truncation)] // the range is checked just before
    fn from_f64(value: f64) -> Option<Self> {
        let scaled = round_ties_even(value * 65_536.0);
        let range = f64::from(i32::MIN)..=f64::from(i32::MAX);
        range.contains(&scaled).then_some(Self(scaled as i32))
    }

    #[inline]
    fn to_f64(self) -> f64 {
        f64::from(self.0) / 65_536.0
    }

    #[inline]
    fn next_below(self) -> Self {
        Self(self.0.saturating_sub(1))
    }

    #[inline]
    fn is_finite(self) -> bool {
        true
    }

    #[inline]
    fn is_amount(self) -> bool {
        self.0 >= 0
    }

    #[inline]
    fn invalid_bits(self) -> u32 {
        0
    }

    #[inline]
    fn invalid_bits_of_amount(self) -> u32 {
        self.0.cast_unsigned()
    }

    #[inline]
    fn invalid_bits_of_square(_: Wide) -> u32 {
        0
    }

    #[inline]
    fn sqrt(self) -> Self {
        Self::saturate((u64::from(self.magnitude()) << 16).isqrt().cast_signed())
    }

    #[inline]
    fn square(self) -> Wide {
        let magnitude = u64::from(self.0.unsigned_abs());
        Wide::from_u64(magnitude.wrapping_mul(magnitude), -32)
    }

    #[inline]
    fn norm_sq(vector: [Self; 3]) -> Wide {
        let [x, y, z] = vector.map(|component| component.0.unsigned_abs());
        Wide::norm_sq(x, y, z)
    }

    // A call would spill the few registers of the smallest Cortex-M.
    #[cfg_attr(all(target_arch = "arm", not(target_has_atomic = "32")), inline(always))]
    #[cfg_attr(not(all(target_arch = "arm", not(target_has_atomic = "32"))), inline)]
    #[allow(clippy::inline_always)] // see above
    fn distance_sq([a, b, c]: [Self; 3], [x, y, z]: [Self; 3]) -> Wide {
        let (dx, dy, dz) = (a.0.abs_diff(x.0), b.0.abs_diff(y.0), c.0.abs_diff(z.0));
        if dx | dy | dz > i32::MAX.unsigned_abs() {
            // So far above another number is only one that is above a negative number.
            return saturated(dx, dy, dz, [x, y, z].map(|other| other.0 < 0));
        }
        Wide::norm_sq(dx, dy, dz)
    }

    #[inline]
    #[allow(clippy::cast_possible_truncation)] // at most 2^30
    fn unit_component(value: f64) -> i32 {
        round_ties_even(value.clamp(-1.0, 1.0) * f64::from(1 << 30)) as i32
    }

    #[inline]
    fn along(vector: [Self; 3], unit: [i32; 3]) -> Self {
        // Each product is at most 2^61.
        let products = vector.iter().zip(unit).map(|(v, unit)| i64::from(v.0) * i64::from(unit));
        Self::saturate(products.fold(0, i64::wrapping_add) >> 30)
    }

    #[inline]
    fn cross([a, b, c]: [Self; 3], [x, y, z]: [Self; 3]) -> [Wide; 3] {
        // The difference of two products of 32 bits is always below 2^63.
        let product = |p: Self, q: Self| i64::from(p.0).wrapping_mul(i64::from(q.0));
        let difference = |p: i64, q: i64| Wide::from_u64(p.wrapping_sub(q).unsigned_abs(), -32);
        [
            difference(product(b, z), product(c, y)),
            difference(product(c, x), product(a, z)),
            difference(product(a, y), product(b, x)),
        ]
    }

    #[inline]
    fn disc_area(self) -> Wide {
        Wide::PI * self.square()
    }

    #[inline]
    fn widen(self) -> Wide {
        Wide::from_u32(self.magnitude(), -16)
    }

    #[inline]
    fn narrow(square: Wide) -> Self {
        Self::from_magnitude(square.to_q16())
    }

    #[inline]
    fn ratio(n: Wide, d: Wide) -> Self {
        Self::from_magnitude(n.over_q16(d))
    }

    #[inline]
    fn ratio_root(n: Wide, d: Wide) -> Self {
        Self::from_magnitude(n.root_over_q16(d))
    }

    #[inline]
    fn range_end(self) -> FixedRangeEnd {
        self.const_range_end()
    }

    #[inline]
    fn fraction_of(self, range_end: FixedRangeEnd) -> Self {
        if self.is_within(&range_end) {
            let fraction = (self.0.cast_unsigned() >> range_end.shift)
                .wrapping_mul(range_end.reciprocal)
                >> 15;
            return Self(fraction.cast_signed());
        }
        cold_path();
        if self.0 <= 0 { Self::ZERO } else { Self::ONE }
    }

    #[inline]
    fn is_within(self, range_end: &FixedRangeEnd) -> bool {
        // Cast to unsigned, negative numbers exceed all others.
        self.0.cast_unsigned() < range_end.plain
    }

    #[inline]
    fn times_unit(self, unit: Self) -> Self {
        Self(product_of_units_q16(self.0.cast_unsigned(), unit.0.cast_unsigned()).cast_signed())
    }

    #[inline]
    fn times_loose(self, unit: Self) -> Self {
        if unit.0.cast_unsigned() >> 16 == 0 {
            return self.times_unit(unit);
        }
        cold_path();
        if unit.0 > 0 { self } else { Self::ZERO }
    }

    #[inline]
    fn plus_small(self, other: Self) -> Self {
        Self(self.0.wrapping_add(other.0))
    }

    #[inline]
    fn clamp_unit(self) -> Self {
        if self.0.cast_unsigned() < 1 << 16 {
            return self;
        }
        cold_path();
        if self.0 > 0 { Self::ONE } else { Self::ZERO }
    }

    #[inline]
    fn unit_ratio(n: Wide, d: Wide, less: Self) -> Self {
        Self::loose_ratio(n, d, less).clamp_unit()
    }

    #[inline]
    fn loose_ratio(n: Wide, d: Wide, less: Self) -> Self {
        Self(Self::from_magnitude(n.over_q16(d)).0.wrapping_sub(less.0))
    }

    #[inline]
    fn to_benefit(self) -> u32 {
        let bits = self.0.cast_unsigned();
        if bits >> 24 == 0 {
            return bits;
        }
        cold_path();
        if self.0 < 0 { 0 } else { (1 << 24) - 1 }
    }

    #[inline]
    fn to_low_benefit(self) -> u32 {
        self.0.cast_unsigned()
    }
}

/// Returns the square of a distance whose components saturate; the positive limit is one less than the negative.
#[cold]
#[inline(never)]
fn saturated(x: u32, y: u32, z: u32, positive: [bool; 3]) -> Wide {
    let [px, py, pz] = positive.map(|positive| i32::MIN.unsigned_abs() - u32::from(positive));
    Wide::norm_sq(x.min(px), y.min(py), z.min(pz))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn clamped(exact: i128) -> i32 {
        i32::try_from(exact.clamp(i32::MIN.into(), i32::MAX.into())).unwrap()
    }

    proptest! {
        #[test]
        fn every_operation_saturates_and_rounds_as_documented(a: i32, b: i32) {
            let (x, y) = (Fixed(a), Fixed(b));
            let (p, q) = (i128::from(a), i128::from(b));
            prop_assert_eq!((x + y).0, clamped(p + q));
            prop_assert_eq!((x - y).0, clamped(p - q));
            prop_assert_eq!((-x).0, clamped(-p));
            prop_assert_eq!((x * y).0, clamped((p * q).div_euclid(65_536)));
            if b != 0 {
                prop_assert_eq!((x / y).0, clamped((p << 16) / q));
            }
            let root = i128::from(x.sqrt().0);
            let square = p.max(0) << 16;
            prop_assert!(root * root <= square && square < (root + 1) * (root + 1));
            prop_assert_eq!(Fixed::from_f64(x.to_f64()), Some(x));
        }

        #[test]
        fn a_fraction_of_a_range_is_within_2_to_the_minus_14(value: i32, end in 0..i32::MAX) {
            let got = Fixed(value).fraction_of(Fixed(end).range_end()).to_f64();
            let exact = match value {
                ..=0 => 0.0,
                _ if value >= end => 1.0,
                _ => f64::from(value) / f64::from(end),
            };
            prop_assert!((got - exact).abs() <= 1.0 / 16_384.0, "{got} {exact}");
        }

        #[test]
        fn products_of_unit_numbers_round_down(a in 0..=65_536, b in 0..=65_536) {
            let exact = (i64::from(a) * i64::from(b)) >> 16;
            prop_assert_eq!(i64::from(Fixed(a).times_unit(Fixed(b)).0), exact);
        }

        #[test]
        fn squares_of_vectors_are_good_to_20_bits(x: i32, y: i32, z: i32) {
            let exact: f64 = [x, y, z].iter().map(|&c| (f64::from(c) / 65_536.0).powi(2)).sum();
            let got = Fixed::ratio(Fixed::norm_sq([x, y, z].map(Fixed)), Fixed::ONE.square());
            let near = |a: Wide, b: Wide| a.over_q16(b).abs_diff(65_536) <= 2;
            prop_assert!(exact >= 32_768.0 || (got.to_f64() - exact).abs() <= exact / 16_384.0);
            if x != 0 {
                prop_assert!(near(Fixed::norm_sq([Fixed(x), Fixed(0), Fixed(0)]), Fixed(x).square()));
            }
        }
    }

    #[test]
    fn division_by_zero_saturates_and_floats_round_to_even() {
        assert_eq!((Fixed(5) / Fixed(0)).0, i32::MAX);
        assert_eq!((Fixed(0) / Fixed(0)).0, i32::MAX);
        assert_eq!((Fixed(-5) / Fixed(0)).0, i32::MIN);
        assert_eq!(Fixed::from_f64(2.5 / 65_536.0), Some(Fixed(2)));
        assert_eq!(Fixed::from_f64(3.5 / 65_536.0), Some(Fixed(4)));
        assert_eq!(Fixed::from_f64(-32_768.0), Some(Fixed(i32::MIN)));
        for refused in [f64::NAN, f64::INFINITY, 32_768.0, -32_768.1] {
            assert_eq!(Fixed::from_f64(refused), None, "{refused}");
        }
    }
}
