//! Arithmetic at the ends of the type, and against wider numbers.

use proptest::prelude::*;

use super::*;

fn clamped(exact: i128) -> i32 {
    i32::try_from(exact.clamp(i32::MIN.into(), i32::MAX.into())).unwrap()
}

proptest! {
    #[test]
    fn every_operation_saturates_and_rounds_as_it_says(a: i32, b: i32) {
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
        let got = Fixed(value).fraction_of(Fixed(end).span()).to_f64();
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
