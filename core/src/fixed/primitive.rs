//! Processor operations of `Fixed`, with substitutes for the smallest Cortex-M.
//!
//! A suffix such as `_q16` counts a name's fractional bits.

use crate::target::{IS_BOARD, IS_SMALLEST, cold_path};

/// Returns a·b, rounded down, for numbers up to 1.
#[inline]
#[allow(clippy::cast_possible_truncation)] // at most 2^16
pub(super) fn product_of_units_q16(a_q16: u32, b_q16: u32) -> u32 {
    // A 64-bit product is one instruction, or a call on the smallest Cortex-M.
    if IS_SMALLEST {
        narrow_product_of_units_q16(a_q16, b_q16)
    } else {
        // Shifted first, so that the high half is the result.
        (u64::from(a_q16 << 1).wrapping_mul(u64::from(b_q16 << 15)) >> 32) as u32
    }
}

#[inline]
fn narrow_product_of_units_q16(a_q16: u32, b_q16: u32) -> u32 {
    // Below 1, sixteen bits; 2^16 · (2^16 − 1) still fits.
    if b_q16 >> 16 == 0 { a_q16.wrapping_mul(b_q16) >> 16 } else { a_q16 }
}

/// Counts the leading zeros of a number.
#[inline]
pub(crate) fn leading_zeros(value: u32) -> u32 {
    if IS_SMALLEST && value > 0 { zeros_by_table(value) } else { value.leading_zeros() }
}

/// Shifts numbers of which at least one is above 0 so far that the highest bit of one of them is set; also returns the shift.
#[inline]
pub(super) fn shifted_up([x, y, z]: [u32; 3]) -> ([u32; 3], u32) {
    let all = x | y | z;
    let zeros = if IS_SMALLEST { zeros_by_table(all) } else { all.leading_zeros() & 31 };
    ([x, y, z].map(|value| value.wrapping_shl(zeros)), zeros)
}

/// Shifts a number of at least 2²⁴ until its highest bit is set; also returns the shift.
#[inline]
pub(super) fn normalised(value: u32) -> (u32, u32) {
    let zeros = if IS_SMALLEST { zeros_of(value >> 24) } else { value.leading_zeros() };
    (value.wrapping_shl(zeros), zeros)
}

/// A number of which compilers know that it is below 8, so that a shift needs no mask.
#[derive(Clone, Copy)]
enum Zeros {
    Zero,
    One,
    Two,
    Three,
    Four,
    Five,
    Six,
    Seven,
}

/// The leading zeros of each byte; 7 for 0.
const ZEROS: [Zeros; 256] = {
    let mut table = [Zeros::Seven; 256];
    let mut rest: &mut [Zeros] = &mut table;
    let mut byte = 0_u8;
    while let Some((zeros, later)) = rest.split_first_mut() {
        *zeros = match byte.leading_zeros() {
            0 => Zeros::Zero,
            1 => Zeros::One,
            2 => Zeros::Two,
            3 => Zeros::Three,
            4 => Zeros::Four,
            5 => Zeros::Five,
            6 => Zeros::Six,
            _ => Zeros::Seven,
        };
        rest = later;
        byte = byte.wrapping_add(1);
    }
    table
};

/// Counts the leading zeros of eight bits that are not 0.
#[inline]
fn zeros_of(byte: u32) -> u32 {
    ZEROS.get(byte as usize & 0xff).copied().unwrap_or(Zeros::Seven) as u32
}

/// Counts the leading zeros of a number above 0.
#[inline]
fn zeros_by_table(value: u32) -> u32 {
    if value >= 1 << 24 {
        zeros_of(value >> 24)
    } else if value >= 1 << 16 {
        zeros_of(value >> 16).wrapping_add(8)
    } else if value >= 1 << 8 {
        zeros_of(value >> 8).wrapping_add(16)
    } else {
        zeros_of(value).wrapping_add(24)
    }
}

/// Divides 32 or 0 bits by the higher 16 bits of a divisor of 32 bits, which are rounded: 2¹⁵ ..= 2¹⁶.
#[inline]
pub(super) fn divided(dividend: u32, divisor: u32) -> u32 {
    // A library's division takes three times as long as the table.
    if IS_SMALLEST {
        divided_by_table(dividend, divisor)
    } else {
        dividend.checked_div(rounded(divisor)).unwrap_or_else(|| {
            cold_path();
            0
        })
    }
}

#[inline]
const fn rounded(divisor: u32) -> u32 {
    (divisor >> 15).wrapping_add(1) >> 1
}

/// 2³¹ over the middle of each range of 256 divisors from 2¹⁵ on.
const RECIPROCALS_Q31: [u16; 128] = {
    let mut table = [u16::MAX; 128];
    let mut rest: &mut [u16] = &mut table;
    let mut middle = (1_u32 << 15) + (1 << 7);
    while let Some((first, later)) = rest.split_first_mut() {
        let reciprocal_q31 = (1_u32 << 31) / middle;
        #[allow(clippy::cast_possible_truncation)] // the first is below 2^16, the others decrease
        let reciprocal_q31 = reciprocal_q31 as u16;
        *first = reciprocal_q31;
        rest = later;
        middle += 1 << 8;
    }
    table
};

/// Estimates by table, then corrects from the remainder twice.
#[inline]
fn divided_by_table(dividend: u32, divisor: u32) -> u32 {
    // Without the highest bit, which is set.
    let index = (divisor << 1 >> 25) as usize;
    let reciprocal_q31 = u32::from(RECIPROCALS_Q31.get(index).copied().unwrap_or(0));
    let divisor = rounded(divisor);
    let rough = (dividend >> 16).wrapping_mul(reciprocal_q31) >> 15;
    let rest = dividend.wrapping_sub(rough.wrapping_mul(divisor)).cast_signed();
    let more = (rest >> 9).wrapping_mul(reciprocal_q31.cast_signed()) >> 22;
    let mut quotient = rough.wrapping_add_signed(more);
    let divisor = divisor.cast_signed();
    let mut rest = rest.wrapping_sub(more.wrapping_mul(divisor));
    while rest < 0 {
        quotient = quotient.wrapping_sub(1);
        rest = rest.wrapping_add(divisor);
    }
    while rest >= divisor {
        quotient = quotient.wrapping_add(1);
        rest = rest.wrapping_sub(divisor);
    }
    quotient
}

/// Returns `value · 2^exponent` to the nearest integer, halves up, saturating.
#[inline]
pub(super) fn scaled(value: u32, exponent: i32) -> u32 {
    if exponent >= 0 {
        let shift = exponent.unsigned_abs();
        if shift > value.leading_zeros() {
            if value == 0 { 0 } else { u32::MAX }
        } else {
            value.wrapping_shl(shift)
        }
    } else {
        let shift = exponent.unsigned_abs();
        let half = value.checked_shr(shift.wrapping_sub(1)).unwrap_or(0);
        (half >> 1).wrapping_add(half & 1)
    }
}

const DIGITS: u32 = 25;
/// The digits that the square's 32 bits determine.
const FIRST: u32 = 16;

/// Returns √(square · 2¹⁸) · 2^exponent to the nearest integer, halves up, saturating; the root is rounded down to 25 bits.
#[inline]
#[allow(clippy::cast_possible_truncation)] // the root of 50 bits has 25
pub(super) fn scaled_root(square: u32, exponent: i32) -> u32 {
    if IS_BOARD {
        scaled_root_by_digits(square, exponent)
    } else {
        scaled((u64::from(square) << 18).isqrt() as u32, exponent)
    }
}

/// Computes only as many digits as the result has, and one for rounding.
#[inline]
fn scaled_root_by_digits(square: u32, exponent: i32) -> u32 {
    if exponent >= 0 {
        return scaled(digits(square, DIGITS), exponent);
    }
    match (DIGITS + 1).checked_sub(exponent.unsigned_abs()) {
        None | Some(0) => 0,
        Some(wanted) => digits(square, wanted).wrapping_add(1) >> 1,
    }
}

/// Returns the first `wanted` (at least 1) of 25 digits of √(square · 2¹⁸).
#[inline]
fn digits(square: u32, wanted: u32) -> u32 {
    let first = wanted.min(FIRST);
    let mut rest = square.wrapping_shr(2 * FIRST.wrapping_sub(first));
    let mut place = 1_u32.wrapping_shl(2 * first.wrapping_sub(1));
    let mut root = 0_u32;
    while place > 0 {
        let candidate = root.wrapping_add(place);
        root >>= 1;
        if rest >= candidate {
            rest = rest.wrapping_sub(candidate);
            root = root.wrapping_add(place);
        }
        place >>= 2;
    }
    for _ in FIRST..wanted {
        // Two more zeros of the square.
        rest <<= 2;
        let candidate = root << 2 | 1;
        root <<= 1;
        if rest >= candidate {
            rest = rest.wrapping_sub(candidate);
            root = root.wrapping_add(1);
        }
    }
    root
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn the_table_divides_as_the_processor_does(
            dividend in 1_u32 << 31..,
            divisor in 1_u32 << 31..,
        ) {
            prop_assert_eq!(divided_by_table(dividend, divisor), dividend / rounded(divisor));
        }

        #[test]
        fn substitutes_of_the_smallest_processors_give_the_same_products(value: u32, shift in 0..32, a in 0..=65_536_u32) {
            let value = value >> shift;
            prop_assert_eq!(zeros_by_table(value | 1), u32::leading_zeros(value | 1));
            prop_assert_eq!(leading_zeros(value), value.leading_zeros());
            let top = value >> 4 | 1 << 28;
            for top in [top, top << 1, top << 2, top << 3] {
                prop_assert_eq!(zeros_of(top >> 24), top.leading_zeros());
            }
            for b in [0, value & 0xffff, 65_535, 65_536] {
                let exact = (u64::from(a) * u64::from(b)) >> 16;
                prop_assert_eq!(u64::from(narrow_product_of_units_q16(a, b)), exact);
                prop_assert_eq!(u64::from(product_of_units_q16(a, b)), exact);
            }
        }
    }

    #[test]
    fn the_table_divides_at_the_ends_of_every_range() {
        for high in 1_u32 << 15..1 << 16 {
            // The ends of what is rounded down and up.
            for low in [0, 0x7fff, 0x8000, 0xffff] {
                let divisor = high << 16 | low;
                let rounded = high + low / 0x8000;
                // Just below, at and just above a multiple.
                let multiple = (u32::MAX / rounded).wrapping_mul(rounded);
                let [below, above] = [multiple - 1, multiple.saturating_add(1)];
                let ends = [1 << 31, (1 << 31) + 1, u32::MAX - 1, u32::MAX, 0];
                for dividend in ends.into_iter().chain([below, multiple, above]) {
                    let expected = dividend / rounded;
                    assert_eq!(
                        divided_by_table(dividend, divisor),
                        expected,
                        "{dividend} {divisor}"
                    );
                }
            }
        }
    }

    #[test]
    fn roots_by_digits_equal_roots_by_division() {
        for quotient in 1_u32 << 15..1 << 17 {
            for odd in 0..2 {
                let square = (quotient << 1 | 1) << 13 << odd;
                let root = u32::try_from((u64::from(square) << 18).isqrt()).unwrap();
                for exponent in -34..9 {
                    let got = scaled_root_by_digits(square, exponent);
                    assert_eq!(got, scaled(root, exponent), "{square} {exponent}");
                }
            }
        }
    }

    #[test]
    fn what_is_far_off_saturates() {
        let square = 1 << 31;
        for exponent in [i32::MIN / 4, -1_000, 9, 1_000] {
            let expected = if exponent < 0 { 0 } else { u32::MAX };
            assert_eq!(scaled_root_by_digits(square, exponent), expected);
            assert_eq!(scaled_root(square, exponent), expected);
        }
    }
}
