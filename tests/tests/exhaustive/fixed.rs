//! `Fixed`, against whole numbers that are wide enough.

use lodger_core::{Fixed, Real};

/// All signed bytes, shifted by 0, 4, 8 and so on to the top of 32 bits.
fn bytes() -> Vec<i32> {
    let shifted = |byte: i8| (0..=24).step_by(4).map(move |shift| i32::from(byte) << shift);
    let ends = [i32::MIN, i32::MIN + 1, i32::MAX - 1, i32::MAX];
    let mut all: Vec<i32> = (i8::MIN..=i8::MAX).flat_map(shifted).chain(ends).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// All numbers of 16 bits, in the lower half and in the upper, with the lower half empty and full.
fn halves() -> impl Iterator<Item = i32> {
    (0..=u16::MAX).flat_map(|half| {
        let low = i32::from(half);
        let high = (u32::from(half) << 16).cast_signed();
        [low, -low, high, high | 0xffff]
    })
}

fn clamped(exact: i64) -> i32 {
    i32::try_from(exact).unwrap_or(if exact < 0 { i32::MIN } else { i32::MAX })
}

#[test]
fn sums_products_and_quotients_of_all_bytes_everywhere() {
    let all = bytes();
    for &a in &all {
        let (x, p) = (Fixed::from_bits(a), i64::from(a));
        assert_eq!((-x).to_bits(), clamped(-p));
        for &b in &all {
            let (y, q) = (Fixed::from_bits(b), i64::from(b));
            let quotient = match q {
                0 if p < 0 => i32::MIN,
                0 => i32::MAX,
                _ => clamped((p << 16) / q),
            };
            let got = [x + y, x - y, x * y, x / y].map(Fixed::to_bits);
            let exact = [clamped(p + q), clamped(p - q), clamped((p * q) >> 16), quotient];
            assert_eq!(got, exact, "{a} and {b}");
        }
    }
}

#[test]
fn roots_of_all_halves() {
    for bits in halves() {
        let root = i64::from(Fixed::from_bits(bits).sqrt().to_bits());
        let square = i64::from(bits.max(0)) << 16;
        assert!(root * root <= square && square < (root + 1) * (root + 1), "{bits}");
    }
}

#[test]
fn conversions_of_all_halves() {
    for bits in halves() {
        let number = Fixed::from_bits(bits);
        assert_eq!(Fixed::from_f64(number.to_f64()), Some(number));
        let benefit = u32::try_from(bits).unwrap_or(0).min((1 << 24) - 1);
        assert_eq!(number.to_benefit(), benefit, "{bits}");
        assert_eq!(number.clamp_unit().to_bits(), bits.clamp(0, 1 << 16));
        assert_eq!(number.is_amount(), bits >= 0);
    }
}

/// All pairs of 8 bits at four places of [0, 1].
#[test]
fn products_of_units_round_down() {
    let units: Vec<i32> = (0..=256)
        .flat_map(|byte| [byte, byte << 4, byte << 8, (1 << 16) - byte])
        .filter(|bits| *bits <= 1 << 16)
        .collect();
    for &a in &units {
        for &b in &units {
            let got = Fixed::from_bits(a).times_unit(Fixed::from_bits(b)).to_bits();
            assert_eq!(i64::from(got), (i64::from(a) * i64::from(b)) >> 16, "{a} · {b}");
        }
    }
}

/// All divisors of 16 bits, in the lower half and in the upper, under a few dividends.
#[test]
fn quotients_of_squares_are_close() {
    const DIVIDENDS: [i32; 9] =
        [0, 1, 2, 0x7fff, 0x8000, 0x1_0000, 0x1_ffff, 0x4000_0001, i32::MAX];
    for divisor in halves().filter(|bits| *bits > 0) {
        for dividend in DIVIDENDS {
            let [n, d] = [dividend, divisor].map(|bits| Fixed::from_bits(bits).widen());
            let exact = f64::from(dividend) / f64::from(divisor) * 65_536.0;
            let got = f64::from(Fixed::ratio(n, d).to_bits());
            let allowed = exact / 65_536.0 * 1.51 + 0.5;
            let most = exact.min(i32::MAX.into());
            assert!((got - most).abs() <= allowed, "{dividend} / {divisor}: {got}, not {exact}");
        }
    }
}

/// All ends of 16 bits, in the lower half and in the upper, and numbers around them.
#[test]
fn parts_of_a_range_are_close() {
    for end in halves().filter(|bits| *bits > 0) {
        let span = Fixed::from_bits(end).span();
        for value in [i32::MIN, -1, 0, 1, end / 3, end / 2, end - 1, end, end.saturating_add(1)] {
            let got = Fixed::from_bits(value).fraction_of(span).to_f64();
            let exact = match value {
                ..=0 => 0.0,
                _ if value >= end => 1.0,
                _ => f64::from(value) / f64::from(end),
            };
            assert!((got - exact).abs() <= 1.0 / 16_384.0, "{value} of {end}: {got}, not {exact}");
        }
    }
}
