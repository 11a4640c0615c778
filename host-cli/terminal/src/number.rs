//! Numbers for eyes.

/// The significant digits of the greatest number of a column.
const OF_GREATEST: i32 = 4;
/// The significant digits of the number in the middle of a column.
const OF_MEDIAN: i32 = 3;
/// A nanosecond in milliseconds; the ledger knows nothing finer.
const MOST_DECIMALS: i32 = 6;

/// Numbers with the same number of decimals throughout a column.
#[derive(Clone, Copy, Debug)]
pub struct Decimals(usize);

impl Decimals {
    /// At least so many decimals, and as many as the median of the values other than 0 needs to show
    /// three significant digits, but no more than 6.
    pub fn at_least(least: usize, values: impl Iterator<Item = f64>) -> Self {
        let mut values: Vec<_> = values.filter(|v| v.is_finite() && *v > 0.0).collect();
        let middle = values.len() / 2;
        let needed = if values.is_empty() {
            0
        } else {
            let (_, median, _) = values.select_nth_unstable_by(middle, f64::total_cmp);
            clamped(OF_MEDIAN - 1 - exponent(*median))
        };
        Self(needed.max(least))
    }

    /// One number of the column.
    #[must_use]
    pub fn show(self, value: f64) -> String {
        let decimals = self.0;
        let smallest = 0.1_f64.powi(i32::try_from(decimals).unwrap_or(1));
        if value == 0.0 {
            "0".to_owned()
        } else if value.is_infinite() {
            "∞".to_owned()
        } else if value < smallest / 2.0 {
            format!("<{smallest:.decimals$}")
        } else {
            format!("{value:.decimals$}")
        }
    }
}

/// Milliseconds with the same number of decimals throughout a column.
#[derive(Clone, Copy, Debug)]
pub struct Milliseconds(Decimals);

impl Milliseconds {
    /// As many decimals as the greatest of the values deserves, which has four significant digits, or
    /// as the median needs to have three.
    pub fn for_all(values: impl Iterator<Item = f64>) -> Self {
        let values: Vec<_> = values.collect();
        let greatest = values.iter().copied().filter(|v| v.is_finite()).fold(0.0, f64::max);
        let least = if greatest > 0.0 { OF_GREATEST - 1 - exponent(greatest) } else { 1 };
        Self(Decimals::at_least(clamped(least), values.into_iter()))
    }

    /// One value of the column.
    #[must_use]
    pub fn show(self, ms: f64) -> String {
        self.0.show(ms)
    }

    /// One value in a sentence: with its unit, without trailing zeros, and with three significant digits
    /// where the others need fewer decimals.
    #[must_use]
    pub fn say(self, ms: f64) -> String {
        let shown = Decimals::at_least(self.0.0, std::iter::once(ms)).show(ms);
        match shown.split_once('.') {
            Some((whole, decimals)) => {
                let decimals = decimals.trim_end_matches('0');
                let point = if decimals.is_empty() { "" } else { "." };
                format!("{whole}{point}{decimals} ms")
            }
            None => format!("{shown} ms"),
        }
    }
}

/// A part of a whole.
#[must_use]
pub fn percent(part: f64) -> String {
    format!("{:.1} %", part * 100.0)
}

/// A count with its noun.
#[must_use]
pub fn count(number: usize, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}

fn clamped(decimals: i32) -> usize {
    usize::try_from(decimals.clamp(1, MOST_DECIMALS)).unwrap_or(1)
}

#[expect(clippy::cast_possible_truncation, reason = "between -324 and 308")]
fn exponent(value: f64) -> i32 {
    value.log10().floor() as i32
}

#[cfg(test)]
mod tests {
    use super::{Decimals, Milliseconds};

    #[test]
    fn a_column_shares_its_decimals() {
        let column = Milliseconds::for_all([12.345_678, 0.1, f64::INFINITY].into_iter());
        assert_eq!(column.show(12.345_678), "12.35");
        assert_eq!(column.show(0.1), "0.10");
        assert_eq!(column.show(0.001), "<0.01");
        assert_eq!(column.show(0.0), "0");
        assert_eq!(column.show(f64::INFINITY), "∞");
    }

    #[test]
    fn the_median_shows_three_digits() {
        let column = Milliseconds::for_all([200.0, 0.0, 0.002_856, 0.001, 0.004].into_iter());
        assert_eq!(column.show(0.002_856), "0.00286");
        assert_eq!(column.show(200.0), "200.00000");
        assert_eq!(column.show(0.000_001), "<0.00001");
        let tiny = Milliseconds::for_all([0.000_002, 0.000_001].into_iter());
        assert_eq!(tiny.show(0.000_002), "0.000002");
        let benefits = |values: [f64; 3]| Decimals::at_least(3, values.into_iter());
        assert_eq!(benefits([1.0, 0.5, 0.25]).show(0.5), "0.500");
        assert_eq!(benefits([1.0, 0.000_5, 0.000_25]).show(0.000_5), "0.000500");
    }

    #[test]
    fn a_sentence_has_no_trailing_zeros() {
        let say = |ms| Milliseconds::for_all(std::iter::once(ms)).say(ms);
        assert_eq!(say(0.000_001), "0.000001 ms");
        assert_eq!(say(16.6), "16.6 ms");
        assert_eq!(say(8.0), "8 ms");
        assert_eq!(say(1200.0), "1200 ms");
        assert_eq!(say(f64::INFINITY), "∞ ms");
    }

    #[test]
    fn each_value_of_a_sentence_has_its_own_digits() {
        let ms = Milliseconds::for_all([16.6, 0.004].into_iter());
        assert_eq!((ms.say(16.6), ms.say(0.004)), ("16.6 ms".to_owned(), "0.004 ms".to_owned()));
        let ms = Milliseconds::for_all([16.6, 16.5, 0.000_011].into_iter());
        assert_eq!(
            (ms.say(16.5), ms.say(0.000_011)),
            ("16.5 ms".to_owned(), "0.000011 ms".to_owned())
        );
    }
}
