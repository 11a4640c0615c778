//! Square roots of quotients; digit by digit on boards, where 64-bit divisions are library calls.

use super::primitive::scaled;
use crate::target::IS_BOARD;

/// Binary digits of the root that are significant.
const DIGITS: u32 = 25;
/// The digits that the square's 32 bits determine; the zeros that follow determine the others.
const FIRST: u32 = 16;

/// Returns √(square · 2^18) · 2^exponent to the nearest integer, halves up, saturating; the root itself
/// is rounded down to 25 bits.
#[inline]
#[allow(clippy::cast_possible_truncation)] // the root of 50 bits has 25
pub(super) fn scaled_root(square: u32, exponent: i32) -> u32 {
    if IS_BOARD {
        scaled_root_by_digits(square, exponent)
    } else {
        scaled((u64::from(square) << 18).isqrt() as u32, exponent)
    }
}

/// `scaled_root` with only as many digits as the result has, and one for rounding.
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

/// Returns the first `wanted` of 25 digits of √(square · 2^18); at least one.
#[inline]
fn digits(square: u32, wanted: u32) -> u32 {
    let first = wanted.min(FIRST);
    let mut rest = square.wrapping_shr(2 * FIRST.wrapping_sub(first));
    let mut place = 1_u32.wrapping_shl(2 * first.wrapping_sub(1));
    let mut root = 0_u32;
    while place > 0 {
        let trial = root.wrapping_add(place);
        root >>= 1;
        if rest >= trial {
            rest = rest.wrapping_sub(trial);
            root = root.wrapping_add(place);
        }
        place >>= 2;
    }
    for _ in FIRST..wanted {
        // Two more zeros of the square.
        rest <<= 2;
        let trial = root << 2 | 1;
        root <<= 1;
        if rest >= trial {
            rest = rest.wrapping_sub(trial);
            root = root.wrapping_add(1);
        }
    }
    root
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tests all squares that a quotient can produce, each with all shifts.
    #[test]
    fn digit_by_digit_it_is_the_same_root() {
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
