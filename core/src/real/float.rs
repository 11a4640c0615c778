//! `f32` and `f64`.
//!
//! Frame loops select between two values, which compilers vectorize. On a board a fast path comes first: the bits of a
//! negative number or NaN exceed those of every other number, so one comparison of bits shows that a number is ordinary.

use core::hint::select_unpredictable;

use super::{Real, Square, sealed};
use crate::target::{HAS_FLOAT_UNIT, IS_BOARD, cold_path};

// The roots of libm and `lodger-cpu` are inline assembly for a single number on some processors. Compilers can vectorize
// the root of `std`; this is the only purpose of the feature `std`.
#[cfg(not(feature = "std"))]
use libm::sqrt as root_f64;
#[cfg(not(feature = "std"))]
use lodger_cpu::sqrt_f32 as root_f32;

#[cfg(feature = "std")]
use with_std::{root_f32, root_f64};

#[cfg(feature = "std")]
mod with_std {
    #[inline]
    pub(super) fn root_f32(value: f32) -> f32 {
        value.sqrt()
    }

    #[inline]
    pub(super) fn root_f64(value: f64) -> f64 {
        value.sqrt()
    }
}

/// Returns the result of a board's fast path, if any, else the general result; their bits are the same.
#[inline(always)]
#[allow(clippy::inline_always)] // a branch
fn answer<T>(plain: Option<T>, general: impl FnOnce() -> T) -> T {
    if IS_BOARD {
        if let Some(plain) = plain {
            return plain;
        }
        cold_path();
    }
    general()
}

trait Plain: Real<Square = Self> {
    fn plain_amount(self) -> Option<bool>;
    fn plain_unit_ratio(n: Self, d: Self, less: Self) -> Option<Self>;
    fn plain_unit_ratio_root(n: Self, d: Self, less: Self) -> Option<Self>;
    fn plain_unit(self) -> Option<Self>;
    fn plain_fraction(self, range_end: &Self::RangeEnd) -> Option<Self>;
    /// Clamps a number at or beyond an end of 0 to 1.
    fn unit_end_by_bits(self) -> Option<Self>;
    /// Returns the fraction at or beyond the end of the range.
    fn fraction_end(self, range_end: &Self::RangeEnd) -> Option<Self>;
    fn fraction_end_by_bits(self, range_end: &Self::RangeEnd) -> Option<Self>;
}

macro_rules! impl_square_for_float {
    ($float:ident, $sqrt:path) => {
        impl Square for $float {
            type Mantissa = Self;
            type Exponent = ();

            const ZERO_PARTS: (Self, ()) = (0.0, ());

            #[inline]
            fn to_parts(self) -> (Self, ()) {
                (self, ())
            }
            #[inline]
            fn from_parts(mantissa: Self, (): ()) -> Self {
                mantissa
            }
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
                // The bits of numbers that are not negative are ordered as the numbers.
                self.to_bits() < Self::INFINITY.to_bits()
            }
            #[inline]
            fn at_most(self, other: Self) -> Self {
                // A branch would make the write conditional, and masked vector writes are slow.
                select_unpredictable(self < other, self, other)
            }
        }
    };
}

impl_square_for_float!(f32, root_f32);
impl_square_for_float!(f64, root_f64);

/// The end of a range, and its reciprocal.
#[doc(hidden)]
#[derive(Debug, Clone, Copy, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct FloatRangeEnd<F> {
    end: F,
    reciprocal: F,
    /// Numbers from 0 to below this one have a product with the reciprocal below 1.
    plain: F,
}

pub(crate) fn round_ties_even(value: f64) -> f64 {
    libm::rint(value)
}

/// The least `f32` without fraction bits: adding it to a lesser number rounds that number.
const NO_FRACTION_F32: f32 = 8_388_608.0;
const NO_FRACTION_F64: f64 = 4_503_599_627_370_496.0;

/// Returns `value · 2^16` to the nearest integer, ties to even, within 0 ..= 2^24 − 1; 0 for NaN.
#[inline]
pub(crate) fn benefit_from_f32(value: f32) -> u32 {
    const GREATEST: f32 = 16_777_215.0;
    answer(plain_benefit(value), || {
        let value = between_0_and(GREATEST / 65_536.0, value);
        let (scaled, rounded) = (value * 65_536.0, low_benefit_from_f32(value));
        // The mantissa with its implicit first bit.
        let whole = scaled.to_bits() & ((1 << 23) - 1) | 1 << 23;
        if scaled < NO_FRACTION_F32 { rounded } else { whole }
    })
}

#[inline]
fn plain_benefit(value: f32) -> Option<u32> {
    let rounded = low_benefit_from_f32(value);
    (rounded < 1 << 23).then_some(rounded)
}

#[inline]
fn low_benefit_from_f32(value: f32) -> u32 {
    (value * 65_536.0 + NO_FRACTION_F32).to_bits().wrapping_sub(NO_FRACTION_F32.to_bits())
}

/// Equals `benefit_from_f32` for `f64`. The greatest benefit is far below 2⁵², so one conversion suffices.
#[inline]
fn benefit_from_f64(value: f64) -> u32 {
    const GREATEST: f64 = 16_777_215.0 / 65_536.0;
    low_benefit_from_f64(between_0_and(GREATEST, value))
}

#[inline]
fn low_benefit_from_f64(value: f64) -> u32 {
    let bits = (value * 65_536.0 + NO_FRACTION_F64).to_bits();
    #[allow(clippy::cast_possible_truncation)] // 24 bits
    let benefit = bits.wrapping_sub(NO_FRACTION_F64.to_bits()) as u32;
    benefit
}

#[inline(always)]
#[allow(clippy::inline_always)] // two instructions
fn between_0_and<F: Real>(end: F, value: F) -> F {
    // In this order no processor's maximum, which quiets a signalling NaN, replaces the selection.
    let capped = if value < end { value } else { end };
    if value > F::ZERO { capped } else { F::ZERO }
}

macro_rules! impl_real_for_float {
    ($float:ident, $bits:ident, $sqrt:path, $step:literal, $from_f64:expr, $to_f64:expr, $to_benefit:expr, $to_low_benefit:expr, $range_end:ident) => {
        impl sealed::Sealed for $float {}

        /// [`range_end`](Real::range_end), const.
        #[inline]
        pub(crate) const fn $range_end(value: $float) -> FloatRangeEnd<$float> {
            let reciprocal = if value > 0.0 { 1.0 / value } else { 0.0 };
            let mut plain = if value > 0.0 && reciprocal.is_finite() { value } else { 0.0 };
            while plain.next_down() * reciprocal >= 1.0 {
                plain = plain.next_down();
            }
            // For an end that is not positive, every positive number is beyond the end.
            let end = if value > 0.0 { value } else { $float::from_bits(1) };
            FloatRangeEnd { end, reciprocal, plain }
        }

        impl Real for $float {
            type Square = Self;
            type RangeEnd = FloatRangeEnd<Self>;
            type InvalidBits = $bits;
            type UnitComponent = Self;

            const NAME: &'static str = stringify!($float);
            const ZERO: Self = 0.0;
            const ONE: Self = 1.0;
            const MAX: Self = Self::MAX;
            const STEP: (Self, Self) = ($step, $step - 1.0);
            const INVALID: $bits = Self::INFINITY.to_bits();

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
                answer(self.plain_amount(), || {
                    let bits = self.to_bits();
                    (bits < Self::INFINITY.to_bits()) | (bits == Self::to_bits(-0.0))
                })
            }
            #[inline]
            fn invalid_bits(self) -> $bits {
                self.abs().to_bits()
            }
            #[inline]
            fn invalid_bits_of_amount(self) -> $bits {
                // −0 becomes 0.
                (self + 0.0).to_bits()
            }
            #[inline]
            fn invalid_bits_of_square(square: Self) -> $bits {
                square.to_bits()
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
            fn unit_component(value: f64) -> Self {
                $from_f64(if value.is_nan() { 0.0 } else { value.clamp(-1.0, 1.0) })
            }
            #[inline]
            fn along([x, y, z]: [Self; 3], [a, b, c]: [Self; 3]) -> Self {
                x * a + y * b + z * c
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
                // A branch would skip the division, and prevent vectors.
                select_unpredictable(d == 0.0, Self::MAX, n / d)
            }
            #[inline]
            fn unit_ratio(n: Self, d: Self, less: Self) -> Self {
                answer(Self::plain_unit_ratio(n, d, less), || {
                    (Self::ratio(n, d) - less).clamp_unit()
                })
            }
            #[inline]
            fn ratio_root(n: Self, d: Self) -> Self {
                Self::ratio(n, d).sqrt()
            }
            #[inline]
            fn unit_ratio_root(n: Self, d: Self, less: Self) -> Self {
                // A root in software is not computed twice.
                let plain =
                    if HAS_FLOAT_UNIT { Self::plain_unit_ratio_root(n, d, less) } else { None };
                answer(plain, || (Self::ratio_root(n, d) - less).clamp_unit())
            }
            #[inline]
            fn clamp_unit(self) -> Self {
                answer(self.plain_unit(), || {
                    let end = if HAS_FLOAT_UNIT { None } else { self.unit_end_by_bits() };
                    answer(end, || between_0_and(1.0, self))
                })
            }
            #[inline]
            fn range_end(self) -> FloatRangeEnd<Self> {
                $range_end(self)
            }
            #[inline]
            fn fraction_of(self, range_end: FloatRangeEnd<Self>) -> Self {
                answer(self.plain_fraction(&range_end), || {
                    let end = if HAS_FLOAT_UNIT {
                        self.fraction_end(&range_end)
                    } else {
                        self.fraction_end_by_bits(&range_end)
                    };
                    answer(end, || {
                        let part =
                            if self < range_end.end { self * range_end.reciprocal } else { 1.0 };
                        let part = if part < 1.0 { part } else { 1.0 };
                        if self > 0.0 { part } else { 0.0 }
                    })
                })
            }
            #[inline]
            fn is_within(self, range_end: &FloatRangeEnd<Self>) -> bool {
                self.to_bits() < range_end.plain.to_bits()
            }
            #[inline]
            fn times_unit(self, unit: Self) -> Self {
                self * unit
            }
            #[inline]
            fn to_benefit(self) -> u32 {
                $to_benefit(self)
            }
            #[inline]
            fn to_low_benefit(self) -> u32 {
                $to_low_benefit(self)
            }
        }

        impl Plain for $float {
            #[inline]
            fn plain_amount(self) -> Option<bool> {
                (self.to_bits() < Self::INFINITY.to_bits()).then_some(true)
            }
            #[inline]
            fn plain_unit_ratio(n: Self, d: Self, less: Self) -> Option<Self> {
                // A division by 0 never gives a number below 1.
                (n / d - less).plain_unit()
            }
            #[inline]
            fn plain_unit_ratio_root(n: Self, d: Self, less: Self) -> Option<Self> {
                // A division by 0 never gives a number below 1, and the root of a negative number is NaN.
                ($sqrt(n / d) - less).plain_unit()
            }
            #[inline]
            fn plain_unit(self) -> Option<Self> {
                (self.to_bits() < Self::ONE.to_bits()).then_some(self)
            }
            #[inline]
            fn unit_end_by_bits(self) -> Option<Self> {
                let bits = self.to_bits();
                let end = if bits <= Self::INFINITY.to_bits() { 1.0 } else { 0.0 };
                (bits >= Self::ONE.to_bits()).then_some(end)
            }
            #[inline]
            fn fraction_end(self, range_end: &FloatRangeEnd<Self>) -> Option<Self> {
                (self >= range_end.end).then_some(1.0)
            }
            #[inline]
            fn fraction_end_by_bits(self, range_end: &FloatRangeEnd<Self>) -> Option<Self> {
                let beyond = range_end.end.to_bits()..=Self::INFINITY.to_bits();
                beyond.contains(&self.to_bits()).then_some(1.0)
            }
            #[inline]
            fn plain_fraction(self, range_end: &FloatRangeEnd<Self>) -> Option<Self> {
                self.is_within(range_end).then_some(self * range_end.reciprocal)
            }
        }
    };
}

// 2^24 and 2^53: the first numbers whose neighbours are more than 1 apart.
impl_real_for_float!(
    f32,
    u32,
    root_f32,
    16_777_216.0,
    |value: f64| {
        #[allow(clippy::cast_possible_truncation)] // to the nearest, and checked after
        let nearest = value as f32;
        nearest
    },
    f64::from,
    benefit_from_f32,
    low_benefit_from_f32,
    range_end_of_f32
);
impl_real_for_float!(
    f64,
    u64,
    root_f64,
    9_007_199_254_740_992.0,
    |value: f64| value,
    |value: f64| value,
    benefit_from_f64,
    low_benefit_from_f64,
    range_end_of_f64
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
        fn a_step_is_1_inside_and_0_outside(value in 1e-3_f32..1e3) {
            let (gain, drop) = f32::STEP;
            let at = |x: f32| (f32::ratio(gain * value, x) - drop).clamp_unit();
            prop_assert_eq!(at(value), 1.0);
            prop_assert_eq!(at(value.next_down()), 1.0);
            prop_assert_eq!(at(value * 1.000_001), 0.0);
        }
    }

    fn boards_agree<F: Plain>([n, d, less, value, end]: [F; 5], bits: impl Fn(F) -> u64) {
        let agree = |plain: Option<F>, general: F| plain.is_none_or(|it| bits(it) == bits(general));
        assert!(value.plain_amount().is_none_or(|plain| plain == value.is_amount()), "{value:?}");
        assert!(agree(value.plain_unit(), value.clamp_unit()), "{value:?}");
        assert!(agree(value.unit_end_by_bits(), value.clamp_unit()), "{value:?}");
        let ratio = F::unit_ratio(n, d, less);
        assert!(agree(F::plain_unit_ratio(n, d, less), ratio), "{n:?} / {d:?} - {less:?}");
        let range_end = end.range_end();
        let root = F::unit_ratio_root(n, d, less);
        assert!(agree(F::plain_unit_ratio_root(n, d, less), root), "√({n:?} / {d:?}) - {less:?}");
        let fraction = value.fraction_of(range_end);
        let ends = [value.fraction_end(&range_end), value.fraction_end_by_bits(&range_end)];
        for plain in [value.plain_fraction(&range_end)].into_iter().chain(ends) {
            assert!(agree(plain, fraction), "{value:?} of {end:?}");
        }
    }

    fn numbers() -> impl Strategy<Value = f64> {
        const ENDS: [f64; 8] = [0.0, -0.0, 1.0, f64::INFINITY, f64::NAN, 1e-310, 1e-40, f64::MAX];
        prop_oneof![
            any::<u64>().prop_map(f64::from_bits),
            any::<u32>().prop_map(|bits| f32::from_bits(bits).into()),
            0.0..2.0_f64,
            -10.0..1000.0_f64,
            (0..ENDS.len()).prop_map(|end| ENDS[end]),
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4096))]
        #[test]
        fn fast_paths_of_boards_have_the_bits_of_the_general_forms(values in [numbers(), numbers(), numbers(), numbers(), numbers()]) {
            boards_agree(values, f64::to_bits);
            #[allow(clippy::cast_possible_truncation)] // whatever it becomes
            let short = values.map(|value| value as f32);
            boards_agree(short, |value| value.to_bits().into());
            for value in short {
                let benefit = plain_benefit(value);
                prop_assert!(benefit.is_none_or(|plain| plain == value.to_benefit()), "{}", value);
            }
        }

        #[test]
        fn ages_within_their_range_are_finite(value in numbers(), end in numbers()) {
            prop_assert!(!value.is_within(&end.range_end()) || value.is_finite());
        }
    }

    #[test]
    fn halfway_benefits_go_to_the_even_side() {
        for (halves, expected) in [(1.0, 0), (3.0, 2), (5.0, 2), (7.0, 4)] {
            assert_eq!((halves / 131_072.0_f32).to_benefit(), expected);
        }
    }

    proptest! {
        #[test]
        fn roots_with_and_without_std_have_the_same_bits(short: u32, long: u64) {
            let (short, long) = (f32::from_bits(short).abs(), f64::from_bits(long).abs());
            prop_assume!(!short.is_nan() && !long.is_nan());
            prop_assert_eq!(lodger_cpu::sqrt_f32(short).to_bits(), short.sqrt().to_bits());
            prop_assert_eq!(libm::sqrt(long).to_bits(), long.sqrt().to_bits());
        }
    }
}
