//! Numbers for eyes.

/// The significant digits of the greatest number of a column.
const SIGNIFICANT: i32 = 4;
/// A nanosecond in milliseconds; the ledger knows nothing finer.
const MOST_DECIMALS: i32 = 6;

/// Milliseconds with the same number of decimals throughout a column.
#[derive(Clone, Copy, Debug)]
pub struct Milliseconds {
    decimals: usize,
}

impl Milliseconds {
    /// As many decimals as the greatest of the values deserves.
    pub fn for_all(values: impl Iterator<Item = f64>) -> Self {
        let greatest = values.filter(|v| v.is_finite()).fold(0.0, f64::max);
        let decimals = if greatest > 0.0 { SIGNIFICANT - 1 - exponent(greatest) } else { 1 };
        Self { decimals: usize::try_from(decimals.clamp(1, MOST_DECIMALS)).unwrap_or(1) }
    }

    /// One value of the column.
    #[must_use]
    pub fn show(self, ms: f64) -> String {
        let decimals = self.decimals;
        let smallest = 0.1_f64.powi(i32::try_from(decimals).unwrap_or(1));
        if ms == 0.0 {
            "0".to_owned()
        } else if ms.is_infinite() {
            "∞".to_owned()
        } else if ms < smallest / 2.0 {
            format!("<{smallest:.decimals$}")
        } else {
            format!("{ms:.decimals$}")
        }
    }

    /// One value in a sentence: with its unit, without trailing zeros.
    #[must_use]
    pub fn say(self, ms: f64) -> String {
        let shown = self.show(ms);
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

#[expect(clippy::cast_possible_truncation, reason = "between -324 and 308")]
fn exponent(value: f64) -> i32 {
    value.log10().floor() as i32
}

#[cfg(test)]
mod tests {
    use super::Milliseconds;

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
    fn a_sentence_has_no_trailing_zeros() {
        let say = |ms| Milliseconds::for_all(std::iter::once(ms)).say(ms);
        assert_eq!(say(0.000_001), "0.000001 ms");
        assert_eq!(say(16.6), "16.6 ms");
        assert_eq!(say(8.0), "8 ms");
        assert_eq!(say(1200.0), "1200 ms");
        assert_eq!(say(f64::INFINITY), "∞ ms");
    }
}
