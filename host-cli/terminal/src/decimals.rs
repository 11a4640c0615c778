//! Decimals that follow a column.

/// The significant digits of the number in the middle of a column.
const OF_MEDIAN: i32 = 3;
/// More is noise; the ledger knows nothing finer than a nanosecond, a millionth of a millisecond.
const MOST: i32 = 6;

/// Numbers of at least 0 with the same number of decimals throughout a column.
#[derive(Clone, Copy, Debug)]
pub struct Decimals(i32);

impl Decimals {
    /// So many decimals.
    #[must_use]
    pub const fn exactly(decimals: i32) -> Self {
        Self(decimals)
    }

    /// At least so many decimals, and as many as the median of the values other than 0 needs to show
    /// three significant digits, but no more than 6.
    #[must_use]
    pub fn at_least(least: i32, column: impl IntoIterator<Item = f64>) -> Self {
        let seen = |value: &f64| value.is_finite() && *value > 0.0;
        let mut values: Vec<_> = column.into_iter().filter(seen).collect();
        let middle = values.len() / 2;
        if values.is_empty() {
            return Self(least);
        }
        let (_, median, _) = values.select_nth_unstable_by(middle, f64::total_cmp);
        Self(needed(OF_MEDIAN, *median).max(least))
    }

    /// The same, or as many as a value needs to show three significant digits.
    pub(crate) fn or_more_for(self, value: f64) -> Self {
        Self::at_least(self.0, [value])
    }

    /// One number of the column.
    #[must_use]
    pub fn show(self, value: f64) -> String {
        let decimals = usize::try_from(self.0).unwrap_or_default();
        let smallest = 0.1_f64.powi(self.0);
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

/// The decimals with which a value above 0 shows so many significant digits, from 1 to 6.
pub(crate) fn needed(significant: i32, value: f64) -> i32 {
    (significant - 1 - exponent(value)).clamp(1, MOST)
}

#[expect(clippy::cast_possible_truncation, reason = "between -324 and 308")]
fn exponent(value: f64) -> i32 {
    value.log10().floor() as i32
}

#[cfg(test)]
mod tests {
    use super::Decimals;

    #[test]
    fn the_median_shows_three_digits() {
        let shown = |column: [f64; 3]| column.map(|it| Decimals::at_least(3, column).show(it));
        assert_eq!(shown([1.0, 0.5, 0.25]), ["1.000", "0.500", "0.250"]);
        assert_eq!(shown([1.0, 0.000_5, 0.000_25]), ["1.000000", "0.000500", "0.000250"]);
        assert_eq!(shown([12.0, 0.000_1, 0.0]), ["12.000", "<0.001", "0"]);
        assert_eq!(shown([0.000_23, 0.000_4, 0.0]), ["0.000230", "0.000400", "0"]);
        assert_eq!(shown([0.0; 3]), ["0"; 3]);
        assert_eq!(shown([f64::MIN_POSITIVE, f64::INFINITY, 0.0]), ["<0.000001", "∞", "0"]);
    }
}
