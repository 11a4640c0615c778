//! Numbers as decimal text, for `Debug`, `Display` and `defmt::Format`.

use core::str;

/// Ten digits, a point, ten decimals and a unit.
const MOST: usize = 24;

pub(crate) struct Decimal {
    text: [u8; MOST],
    len: usize,
}

impl Decimal {
    pub(crate) const EMPTY: Self = Self { text: [0; MOST], len: 0 };

    /// Returns the shortest decimal from `low` to below `low` + `width`, both in 2^−`bits`, where `bits` is at most 33.
    pub(crate) fn within(low: u64, mut width: u64, bits: u32) -> Self {
        let mut decimal = Self::EMPTY;
        let one = 1_u64.wrapping_shl(bits);
        let (mut digit, mut rest) = (low.wrapping_shr(bits), low & one.wrapping_sub(1));
        // Whether the number, rounded up to the digits so far, is below the upper end.
        let is_last = |rest, width| rest == 0 || one.wrapping_sub(rest) < width;
        let up = |rest| u64::from(rest > 0);
        if is_last(rest, width) {
            decimal.push_whole(digit.wrapping_add(up(rest)));
            return decimal;
        }
        decimal.push_whole(digit);
        decimal.push(b'.');
        loop {
            (rest, width) = (rest.wrapping_mul(10), width.wrapping_mul(10));
            (digit, rest) = (rest.wrapping_shr(bits), rest & one.wrapping_sub(1));
            if is_last(rest, width) {
                // Never ten: a decimal with fewer digits would have been in the range.
                decimal.push_digit(digit.wrapping_add(up(rest)));
                return decimal;
            }
            decimal.push_digit(digit);
        }
    }

    fn push_whole(&mut self, whole: u64) {
        let mut power = 1_u64;
        while whole.checked_div(power).unwrap_or(0) >= 10 {
            power = power.wrapping_mul(10);
        }
        while let Some(digits) = whole.checked_div(power) {
            self.push_digit(digits % 10);
            power /= 10;
        }
    }

    pub(crate) fn and(mut self, text: &str) -> Self {
        text.bytes().for_each(|byte| self.push(byte));
        self
    }

    pub(crate) fn as_str(&self) -> &str {
        self.text.get(..self.len).and_then(|text| str::from_utf8(text).ok()).unwrap_or_default()
    }

    fn push_digit(&mut self, digit: u64) {
        self.push(b'0'.wrapping_add(u8::try_from(digit).unwrap_or(0)));
    }

    fn push(&mut self, byte: u8) {
        if let Some(place) = self.text.get_mut(self.len) {
            *place = byte;
            self.len = self.len.wrapping_add(1);
        }
    }
}

/// Implements `Debug` and `defmt::Format`, and optionally `Display`, through a type's method `text`.
macro_rules! shown_as {
    ($type:ident, $around:tt) => {
        impl core::fmt::Debug for $type {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                write!(f, $around, self.text().as_str())
            }
        }

        #[cfg(feature = "defmt")]
        impl defmt::Format for $type {
            fn format(&self, f: defmt::Formatter<'_>) {
                defmt::write!(f, $around, self.text().as_str());
            }
        }
    };
    ($type:ident, $around:tt, Display) => {
        crate::decimal::shown_as!($type, $around);

        impl core::fmt::Display for $type {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.pad(self.text().as_str())
            }
        }
    };
}
pub(crate) use shown_as;

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::Decimal;

    proptest! {
        #[test]
        fn decimals_are_within_and_short(low: u64, zeros in 0..64, bits in 0..=33_u32, width in 1..=2_u64) {
            let low = low >> zeros;
            let decimal = Decimal::within(low, width, bits);
            let (whole, decimals) = decimal.as_str().split_once('.').unwrap_or((decimal.as_str(), ""));
            let power = 10_u128.pow(u32::try_from(decimals.len()).unwrap());
            let digits = [whole, decimals].concat().parse::<u128>().unwrap();
            // From the low end to below the high one, in units of 10^-decimals.
            let ends = |power: u128| [low, low.saturating_add(width)].map(|end| (u128::from(end) * power).div_ceil(1 << bits));
            let [first, end] = ends(power);
            prop_assert!((first..end).contains(&digits), "{} {:?}", decimal.as_str(), ends(power));
            if power > 1 {
                let [first, end] = ends(power / 10);
                prop_assert_eq!(first, end, "{}", decimal.as_str());
            }
        }
    }

    #[test]
    fn texts_fit_at_the_ends() {
        let text = |low, width, bits| {
            std::string::String::from(Decimal::within(low, width, bits).as_str())
        };
        assert_eq!(text(0, 1, 32), "0");
        assert_eq!(text(1, 1, 32), "0.0000000003");
        assert_eq!(text(u64::MAX, 1, 0), "18446744073709551615");
        assert_eq!(text(u64::MAX, 1, 32), "4294967295.9999999998");
        let all = Decimal::within(u64::MAX, 1, 32).and(" ns and more");
        assert_eq!(all.as_str(), "4294967295.9999999998 ns");
    }
}
