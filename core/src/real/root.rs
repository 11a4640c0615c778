//! Correctly rounded square roots of floating-point numbers.
//!
//! On some processors libm's root is inline assembly for a single number. Compilers can vectorize the
//! root of `std`; this is the only purpose of the feature `std`.

#[cfg(not(feature = "std"))]
pub(super) use libm::{sqrt as root_f64, sqrtf as root_f32};

#[cfg(feature = "std")]
pub(super) use with_std::{root_f32, root_f64};

#[cfg(feature = "std")]
mod with_std {
    #[inline]
    pub(in super::super) fn root_f32(value: f32) -> f32 {
        value.sqrt()
    }

    #[inline]
    pub(in super::super) fn root_f64(value: f64) -> f64 {
        value.sqrt()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_roots_of_std_and_of_libm_have_the_same_bits(short: u32, long: u64) {
            let (short, long) = (f32::from_bits(short).abs(), f64::from_bits(long).abs());
            prop_assume!(!short.is_nan() && !long.is_nan());
            prop_assert_eq!(libm::sqrtf(short).to_bits(), short.sqrt().to_bits());
            prop_assert_eq!(libm::sqrt(long).to_bits(), long.sqrt().to_bits());
        }
    }
}
