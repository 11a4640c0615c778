//! The primitives of `Square` and `Real` that costs brought, in `Fixed`.

#![allow(clippy::cast_precision_loss)] // powers of two, and 53 of 63 bits

use lodger_core::fixed::Wide;
use lodger_core::real::Square;
use lodger_core::{Fixed, Real};
use proptest::prelude::*;

/// 32 bits, of which the last may be lost twice.
const CLOSE: f64 = 1.0 / (1_u64 << 30) as f64;

fn near(got: Wide, exact: f64) -> bool {
    (got.to_f64() - exact).abs() <= exact * CLOSE
}

proptest! {
    #[test]
    fn wide_numbers_hold_32_bits(exponent in -60.0..60_f64, whole: i32) {
        let value = exponent.exp2();
        prop_assert!(near(Wide::from_f64(value), value));
        prop_assert!(near(Wide::from_f64(value).root(), value.sqrt()));
        let whole = whole.saturating_abs();
        prop_assert_eq!(Wide::from_i32(whole).to_f64().to_bits(), f64::from(whole).to_bits());
        prop_assert_eq!(Wide::from_i32(-whole), Wide::default());
    }

    #[test]
    fn cross_products_are_exact_to_32_bits(v: [i32; 3], w: [i32; 3]) {
        let got = Fixed::cross(v.map(Fixed::from_bits), w.map(Fixed::from_bits));
        for ((i, j), got) in [(1, 2), (2, 0), (0, 1)].into_iter().zip(got) {
            let exact = i128::from(v[i]) * i128::from(w[j]) - i128::from(v[j]) * i128::from(w[i]);
            // Below 2^63, of which 53 bits are enough.
            let exact = i64::try_from(exact.abs()).unwrap() as f64 / (1_u64 << 32) as f64;
            prop_assert!(near(got, exact), "{} {exact}", got.to_f64());
        }
    }

    #[test]
    fn the_next_number_below_is_the_next(bits in (i32::MIN + 1)..=i32::MAX) {
        prop_assert_eq!(Fixed::from_bits(bits).next_below().to_bits(), bits - 1);
    }
}

#[test]
fn squares_are_not_negative() {
    for not_positive in [0.0, -1.0, f64::NAN] {
        assert_eq!(Wide::from_f64(not_positive), Wide::default());
        assert_eq!(Square::root(not_positive).to_bits(), 0);
    }
    assert_eq!(Wide::default().root(), Wide::default());
    assert_eq!(Fixed::from_bits(i32::MIN).next_below().to_bits(), i32::MIN);
}
