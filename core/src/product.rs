//! Products of more than 32 bits, in two forms with the same bits: the smallest Cortex-M multiply only to 32 bits, and their
//! product of 64 bits is a call.

use crate::target::{IS_SMALLEST, cold_path};

/// Multiplies exactly.
#[inline]
pub(crate) const fn product(a: u32, b: u32) -> u64 {
    if IS_SMALLEST { narrow_product(a, b) } else { (a as u64).wrapping_mul(b as u64) }
}

const fn narrow_product(a: u32, b: u32) -> u64 {
    let (a_high, a_low, b_high, b_low) = (a >> 16, a & 0xffff, b >> 16, b & 0xffff);
    let (middle, carry) = a_high.wrapping_mul(b_low).overflowing_add(a_low.wrapping_mul(b_high));
    let high = a_high.wrapping_mul(b_high).wrapping_add((carry as u32) << 16);
    let outer = (high as u64) << 32 | a_low.wrapping_mul(b_low) as u64;
    outer.wrapping_add((middle as u64) << 16)
}

/// Returns the high half of a product.
#[inline]
#[allow(clippy::cast_possible_truncation)] // keeps the high half
pub(crate) fn high_product(a: u32, b: u32) -> u32 {
    (product(a, b) >> 32) as u32
}

/// Multiplies by 16 bits, exactly.
#[inline]
pub(crate) const fn short_product(a: u32, short: u32) -> u64 {
    if IS_SMALLEST { narrow_short_product(a, short) } else { (a as u64).wrapping_mul(short as u64) }
}

const fn narrow_short_product(a: u32, short: u32) -> u64 {
    let low = (a & 0xffff).wrapping_mul(short) as u64;
    low.wrapping_add(((a >> 16).wrapping_mul(short) as u64) << 16)
}

/// Returns the product of 24 and 32 bits without its lowest 24 bits.
#[inline]
#[allow(clippy::cast_possible_truncation)] // 32 bits remain
pub(crate) fn product_of_24(a: u32, b: u32) -> u32 {
    if IS_SMALLEST {
        narrow_product_of_24(a, b)
    } else {
        (u64::from(a).wrapping_mul(b.into()) >> 24) as u32
    }
}

/// 12 by 16 bits at a time.
fn narrow_product_of_24(a: u32, b: u32) -> u32 {
    let ((a_low, a_high), (b_low, b_high)) = ((a & 0xfff, a >> 12), (b & 0xffff, b >> 16));
    let low = a_low.wrapping_mul(b_low) >> 12;
    let middle = a_high.wrapping_mul(b_low).wrapping_add(low) >> 4;
    let middle = a_low.wrapping_mul(b_high).wrapping_add(middle) >> 8;
    (a_high.wrapping_mul(b_high) << 4).wrapping_add(middle)
}

/// Returns the product of 24 and 40 bits without its lowest 32 bits.
#[inline]
pub(crate) fn product_of_40(a: u32, b: u64) -> u32 {
    if IS_SMALLEST { narrow_product_of_40(a, b) } else { wide_product_of_40(a, b) }
}

#[inline]
#[allow(clippy::cast_possible_truncation)] // keeps the high half
fn wide_product_of_40(a: u32, b: u64) -> u32 {
    (u64::from(a).wrapping_mul(b) >> 32) as u32
}

/// Sixteen bits at a time, for numbers up to 2^16.
#[inline]
#[allow(clippy::cast_possible_truncation)] // keeps the parts
fn narrow_product_of_40(a: u32, b: u64) -> u32 {
    if a > 1 << 16 {
        cold_path();
        return wide_product_of_40(a, b);
    }
    let (low, middle, high) = (b as u32 & 0xffff, b as u32 >> 16, (b >> 32) as u32);
    // At most 2^16 · (2^16 − 1) and 2^16 − 1.
    let lower = a.wrapping_mul(middle).wrapping_add(a.wrapping_mul(low) >> 16);
    a.wrapping_mul(high).wrapping_add(lower >> 16)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn narrow_products_equal_wide_ones(a: u32, b: u32, zeros in 0..32) {
            for (a, b) in [(a, b), (a >> zeros, b), (u32::MAX, b | 1 << 31), (a, u32::MAX)] {
                let (short, of_24) = (b & 0xffff, a >> 8);
                prop_assert_eq!(narrow_product(a, b), u64::from(a) * u64::from(b));
                prop_assert_eq!(narrow_short_product(a, short), u64::from(a) * u64::from(short));
                let exact = (u64::from(of_24) * u64::from(b)) >> 24;
                prop_assert_eq!(u64::from(narrow_product_of_24(of_24, b)), exact);
                for of_24 in [of_24, of_24 >> zeros, 1 << 16] {
                    for of_40 in [u64::from(b) << 8 | u64::from(a & 0xff), (1 << 40) - 1] {
                        let narrow = narrow_product_of_40(of_24, of_40);
                        prop_assert_eq!(narrow, wide_product_of_40(of_24, of_40));
                    }
                }
            }
        }
    }
}
