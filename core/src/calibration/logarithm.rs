//! Logarithms and powers of 2, in integers: the same bits on every target, in few instructions on the smallest Cortex-M.

use crate::fixed::leading_zeros;
use crate::target::{IS_SMALLEST, cold_path};

/// The fractional bits of a logarithm.
pub(super) const FRACTION: u32 = 16;
/// The greatest logarithm of 64 bits.
pub(super) const MAX_LOG_Q16: u32 = (64 << FRACTION) - 1;

/// Rounds log₂ down to a multiple of 2⁻¹⁶; in rare cases one unit less, see [`fraction_by_squaring`]. 0 for 0.
#[inline(never)] // alone it needs few registers
pub(super) fn log2_q16(value: u64) -> u32 {
    if value == 0 {
        return 0;
    }
    let (exponent, mantissa_q31) = normalised(value);
    let fraction_q16 = fraction_by_table(mantissa_q31).unwrap_or_else(|| {
        cold_path();
        fraction_by_squaring(mantissa_q31)
    });
    exponent << FRACTION | fraction_q16
}

/// Returns the exponent of the highest bit of a number above 0, and the mantissa from 1 to below 2.
#[inline]
#[allow(clippy::cast_possible_truncation)] // the halves of 64 bits
fn normalised(value: u64) -> (u32, u32) {
    let (high, low) = ((value >> 32) as u32, value as u32);
    if high == 0 {
        let zeros = leading_zeros(low);
        return (31_u32.wrapping_sub(zeros), low.wrapping_shl(zeros));
    }
    let zeros = leading_zeros(high);
    let from_low = low.checked_shr(32_u32.wrapping_sub(zeros)).unwrap_or(0);
    (63_u32.wrapping_sub(zeros), high.wrapping_shl(zeros) | from_low)
}

/// Returns log₂ of a mantissa, by squaring. The result is rounded down; the roundings of the squares cost less than
/// 2⁻³⁰, so that a logarithm which is by less above a multiple of 2⁻¹⁶ counts as the multiple below.
#[allow(clippy::cast_possible_truncation)] // below 2, with 31 fractional bits
fn fraction_by_squaring(mut mantissa_q31: u32) -> u32 {
    let mut fraction = 0;
    for _ in 0..FRACTION {
        let square_q62 = u64::from(mantissa_q31).wrapping_mul(mantissa_q31.into());
        let is_halved = (square_q62 >> 63) as u32;
        mantissa_q31 = (square_q62 >> 31_u32.wrapping_add(is_halved)) as u32;
        fraction = fraction << 1 | is_halved;
    }
    fraction
}

/// log₂(e).
const LOG2_E_Q30: u32 = 1_549_082_005;

/// An upper bound of the error of [`estimate_q30`]: 2⁻²⁴.
const ESTIMATE_ERROR_Q30: u32 = 1 << 6;

/// Returns [`fraction_by_squaring`] from an estimate; `None` if its error and the squares' may decide the last bit.
#[inline]
fn fraction_by_table(mantissa_q31: u32) -> Option<u32> {
    const SQUARES_ERROR_Q30: u32 = 1;
    let estimate_q30 = estimate_q30(mantissa_q31);
    let low = estimate_q30.wrapping_sub(ESTIMATE_ERROR_Q30 + SQUARES_ERROR_Q30) >> 14;
    let high = estimate_q30.wrapping_add(ESTIMATE_ERROR_Q30) >> 14;
    (low == high).then_some(low)
}

/// Estimates log₂ of a mantissa m. For a number c near m it is log₂(c) + log₂(1 + z) with z = m/c − 1, and
/// log₂(1 + z) = u − u²·ln(2)/2 + u³·ln(2)²/3 − … with u = z·log₂(e).
#[inline]
#[allow(clippy::cast_possible_truncation)] // sixteen bits
fn estimate_q30(mantissa_q31: u32) -> u32 {
    let interval = (mantissa_q31 >> 26) as usize & (INTERVALS - 1);
    let factor_q15 = u32::from(FACTORS_Q15.get(interval).copied().unwrap_or(0));
    let log_q30 = LOGS_Q30.get(interval).copied().unwrap_or(0);
    let (high, low) = (mantissa_q31 >> 16, mantissa_q31 & 0xffff);
    let product_q30 =
        high.wrapping_mul(factor_q15).wrapping_add(low.wrapping_mul(factor_q15) >> 16);
    let u_q30 = product_q30.wrapping_sub(LOG2_E_Q30).cast_signed();
    let u_q21 = u_q30 >> 9;
    let square_q26 = u_q21.wrapping_mul(u_q21).cast_unsigned() >> 16;
    let cube_q31 = square_q26.cast_signed().wrapping_mul(u_q21) >> 16;
    // ln(2)/2 and ln(2)²/3 in 2⁻¹⁶.
    let second_q30 = square_q26.wrapping_mul(22_713) >> 12;
    let third_q30 = cube_q31.wrapping_mul(10_496) >> 17;
    log_q30.wrapping_add_signed(u_q30).wrapping_sub(second_q30).wrapping_add_signed(third_q30)
}

const INTERVALS: usize = 32;

/// log₂(e)/c, where c is near the middle of each interval of mantissas.
const FACTORS_Q15: [u16; INTERVALS] = {
    let mut table = [0; INTERVALS];
    let mut rest: &mut [u16] = &mut table;
    let mut middle_q6 = 65;
    while let Some((first, later)) = rest.split_first_mut() {
        #[allow(clippy::cast_possible_truncation)] // log₂(e) and a middle above 1
        let factor_q15 = ((LOG2_E_Q30 >> 9) / middle_q6) as u16;
        *first = factor_q15;
        rest = later;
        middle_q6 += 2;
    }
    table
};

/// log₂(c).
const LOGS_Q30: [u32; INTERVALS] = {
    let mut table = [0; INTERVALS];
    let mut factors: &[u16] = &FACTORS_Q15;
    let mut rest: &mut [u32] = &mut table;
    while let (Some((first, later)), Some((&factor_q15, others))) =
        (rest.split_first_mut(), factors.split_first())
    {
        let mut c_q62 = ((LOG2_E_Q30 as u128) << 47) / factor_q15 as u128;
        let mut bit = 30;
        while bit > 0 {
            bit -= 1;
            c_q62 = (c_q62 * c_q62) >> 62;
            if c_q62 >> 63 == 1 {
                c_q62 >>= 1;
                *first |= 1 << bit;
            }
        }
        (rest, factors) = (later, others);
    }
    table
};

/// Returns 2^log to about 29 bits, rounded down, for a log below 64.
#[inline(never)] // alone it needs few registers
pub(super) fn exp2(log_q16: u32) -> u64 {
    // In \[1, 2), from the greatest root to the least.
    let place = (log_q16 >> (FRACTION - TABLED)) as usize & (POWERS_Q31.len() - 1);
    let mut mantissa_q31 = POWERS_Q31.get(place).copied().unwrap_or(0);
    let mut bits = log_q16 << (32 - FRACTION + TABLED);
    for root_q31 in &OTHER_ROOTS_Q31 {
        if bits.cast_signed() < 0 {
            mantissa_q31 = product_q31(mantissa_q31, *root_q31);
        }
        bits <<= 1;
    }
    let exponent = (log_q16 >> FRACTION).min(63);
    u64::from(mantissa_q31) << 32 >> 63_u32.wrapping_sub(exponent)
}

/// The number of roots whose products are in a table.
const TABLED: u32 = 5;

/// The products of the greatest roots, a bit of the place for each.
const POWERS_Q31: [u32; 1 << TABLED] = {
    let mut powers = [1 << 31; 1 << TABLED];
    let mut rest: &mut [u32] = &mut powers;
    let mut place = 0_u32;
    while let Some((first, later)) = rest.split_first_mut() {
        let mut roots: &[u32] = &ROOTS_Q31;
        let mut bit = TABLED;
        while let (Some(next), Some((&root_q31, others))) =
            (bit.checked_sub(1), roots.split_first())
        {
            if place >> next & 1 == 1 {
                *first = wide_product_q31(*first, root_q31);
            }
            (bit, roots) = (next, others);
        }
        rest = later;
        place += 1;
    }
    powers
};

/// Returns a·b, rounded down, for a `b` from 1 to below 1 + 2⁻⁶.
#[inline]
fn product_q31(a_q31: u32, b_q31: u32) -> u32 {
    if IS_SMALLEST { narrow_product_q31(a_q31, b_q31) } else { wide_product_q31(a_q31, b_q31) }
}

#[inline]
#[allow(clippy::cast_possible_truncation)] // below 2
const fn wide_product_q31(a_q31: u32, b_q31: u32) -> u32 {
    ((a_q31 as u64).wrapping_mul(b_q31 as u64) >> 31) as u32
}

/// For targets whose 64-bit product is a call: sixteen by thirteen and twelve bits at a time, and no sum has a carry.
#[inline]
fn narrow_product_q31(a_q31: u32, b_q31: u32) -> u32 {
    let (a_high, a_low) = (a_q31 >> 16, a_q31 & 0xffff);
    let (b_high, b_low) = (b_q31 << 1 >> 13, b_q31 & 0xfff);
    let lower = a_low.wrapping_mul(b_high).wrapping_add(a_low.wrapping_mul(b_low) >> 12);
    let middle = a_high.wrapping_mul(b_low).wrapping_add(lower >> 4);
    a_q31.wrapping_add(a_high.wrapping_mul(b_high).wrapping_add(middle >> 12) >> 3)
}

/// The roots 2^(1/2), 2^(1/4) and so on to 2^(2⁻¹⁶).
const ROOTS_Q31: [u32; FRACTION as usize] = {
    let mut roots = [0; FRACTION as usize];
    let mut rest: &mut [u32] = &mut roots;
    let mut root_q31 = 2_u64 << 31;
    while let Some((first, later)) = rest.split_first_mut() {
        // The square root of a number with 62 fractional bits has 31; 2 itself still fits.
        root_q31 = (root_q31 << 31).isqrt();
        #[allow(clippy::cast_possible_truncation)] // below 2
        let bits = root_q31 as u32;
        *first = bits;
        rest = later;
    }
    roots
};

/// The roots whose products are not in the table.
const OTHER_ROOTS_Q31: [u32; (FRACTION - TABLED) as usize] = {
    let [_, _, _, _, _, others @ ..] = ROOTS_Q31;
    others
};

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The first form, by squares of 64 bits.
    #[allow(clippy::cast_possible_truncation)] // the upper half of 64 bits
    fn first_log2_q16(value: u64) -> u32 {
        let zeros = value.leading_zeros();
        let normalised = value.checked_shl(zeros).unwrap_or(0);
        let mut mantissa_q31 = (normalised >> 32) as u32;
        let mut log = 63_u32.saturating_sub(zeros);
        for _ in 0..FRACTION {
            let square_q62 = u64::from(mantissa_q31).wrapping_mul(mantissa_q31.into());
            let carry = (square_q62 >> 63) as u32;
            mantissa_q31 = (square_q62 >> 31_u32.wrapping_add(carry)) as u32;
            log = log << 1 | carry;
        }
        log
    }

    /// The first form, by products of 64 bits.
    fn first_exp2(log_q16: u32) -> u64 {
        let mut mantissa_q31 = 1_u64 << 31;
        for (root_q31, bit) in ROOTS_Q31.iter().zip((0..FRACTION).rev()) {
            if log_q16 >> bit & 1 == 1 {
                mantissa_q31 = mantissa_q31.wrapping_mul(u64::from(*root_q31)) >> 31;
            }
        }
        let exponent = (log_q16 >> FRACTION).min(63);
        (mantissa_q31 << 32) >> 63_u32.wrapping_sub(exponent)
    }

    fn edges() -> impl Iterator<Item = u64> {
        let powers = (0..64).map(|bit| 1_u64 << bit);
        powers.flat_map(|power| [power - 1, power, power + 1]).chain([u64::MAX - 1, u64::MAX])
    }

    /// The estimate is monotone in each interval but for its roundings, so its ends and middle have the greatest errors.
    #[test]
    fn estimates_keep_their_bound_at_the_ends_of_all_intervals() {
        let width = 1_u32 << 26;
        let offsets = (0..64_u32).flat_map(|near| [near, (width >> 1) + near, width - 1 - near]);
        for (interval, offset) in (32..64).flat_map(|i| offsets.clone().map(move |o| (i, o))) {
            let mantissa_q31 = interval * width + offset;
            let exact = (f64::from(mantissa_q31) / 2_147_483_648.0).log2() * 1_073_741_824.0;
            let error = (f64::from(estimate_q30(mantissa_q31).cast_signed()) - exact).abs();
            assert!(error < f64::from(ESTIMATE_ERROR_Q30), "{mantissa_q31}: {error}");
        }
    }

    #[test]
    fn logarithms_of_edges_have_the_bits_of_the_first_form() {
        for value in edges() {
            assert_eq!(log2_q16(value), first_log2_q16(value), "{value}");
        }
        // Mantissas at and beside every multiple of 2⁻¹⁶, to which squares may round down.
        for log_q16 in 0..1 << FRACTION {
            let power = exp2(63 << FRACTION | log_q16) >> 32;
            for value in power.saturating_sub(9)..=power + 9 {
                assert_eq!(log2_q16(value), first_log2_q16(value), "{value}");
            }
        }
    }

    #[test]
    fn all_powers_have_the_bits_of_the_first_form() {
        for log_q16 in 0..=MAX_LOG_Q16 {
            assert_eq!(exp2(log_q16), first_exp2(log_q16), "{log_q16}");
        }
    }

    proptest! {
        #[test]
        fn random_numbers_have_the_bits_of_the_first_form(value: u64, zeros in 0..64, a: u32, b: u32) {
            prop_assert_eq!(log2_q16(value >> zeros), first_log2_q16(value >> zeros));
            let (a, b) = (a >> (zeros & 31), b >> 7 | 1 << 31);
            let product = u64::from(a) * u64::from(b);
            prop_assert_eq!(u64::from(narrow_product_q31(a, b)), (product >> 31) & 0xffff_ffff);
            prop_assert_eq!(narrow_product_q31(a, b), wide_product_q31(a, b));
        }

        #[test]
        fn logarithms_and_powers_are_good_to_the_last_bits(value in 1_u64.., log_q16 in 0..=MAX_LOG_Q16) {
            #[allow(clippy::cast_precision_loss)] // 53 bits for a comparison of 20
            let exact = (value as f64).log2() * 65_536.0;
            prop_assert!((f64::from(log2_q16(value)) - exact).abs() < 2.0, "{} {exact}", log2_q16(value));
            let exact = (f64::from(log_q16) / 65_536.0).exp2();
            #[allow(clippy::cast_precision_loss)] // 53 bits for a comparison of 29
            let power = exp2(log_q16) as f64;
            prop_assert!(power <= exact * 1.000_001 && exact - power < 1.0 + exact * 1e-7);
        }
    }
}
