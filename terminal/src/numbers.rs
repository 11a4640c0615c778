//! Numbers for tables and sentences.

/// Significant digits of the greatest number of a column.
const OF_GREATEST: i32 = 4;

/// Milliseconds with the same number of decimals throughout a column.
#[derive(Clone, Copy, Debug)]
pub struct MillisecondFormat(DecimalFormat);

impl MillisecondFormat {
    /// Chooses the decimals: four significant digits for the greatest value, or three for the median if it needs
    /// more.
    pub fn for_all(values: impl Iterator<Item = f64>) -> Self {
        let values: Vec<_> = values.collect();
        let greatest = values.iter().copied().filter(|v| v.is_finite()).fold(0.0, f64::max);
        let least = if greatest > 0.0 { needed(OF_GREATEST, greatest) } else { 1 };
        Self(DecimalFormat::at_least(least, values))
    }

    /// Formats a value of the column.
    #[must_use]
    pub fn show(self, ms: f64) -> String {
        self.0.show(ms)
    }

    /// Formats a value in a sentence: with its unit, without trailing zeros, and with at least three significant
    /// digits.
    #[must_use]
    pub fn say(self, ms: f64) -> String {
        let shown = self.0.or_more_for(ms).show(ms);
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

/// Costs with the same number of decimals throughout a column: milliseconds, or whole units with a name.
#[derive(Clone, Copy, Debug)]
pub enum CostFormat<'u> {
    /// Costs in milliseconds.
    Time(MillisecondFormat),
    /// Costs in whole units of this name.
    Units(&'u str),
}

impl<'u> CostFormat<'u> {
    /// Creates the format for costs in a unit; `None` is milliseconds, with the decimals of
    /// [`MillisecondFormat::for_all`].
    pub fn for_all(unit: Option<&'u str>, values: impl Iterator<Item = f64>) -> Self {
        unit.map_or_else(|| Self::Time(MillisecondFormat::for_all(values)), Self::Units)
    }

    /// Formats a value of the column.
    #[must_use]
    pub fn show(self, value: f64) -> String {
        match self {
            Self::Time(ms) => ms.show(value),
            Self::Units(_) => DecimalFormat::exactly(0).show(value),
        }
    }

    /// Formats a value in a sentence, with its unit. A unit that ends in a lower-case letter has a plural.
    #[must_use]
    #[expect(clippy::float_cmp, reason = "whole numbers")]
    pub fn say(self, value: f64) -> String {
        match self {
            Self::Time(ms) => ms.say(value),
            Self::Units(unit) if value != 1.0 && unit.ends_with(char::is_lowercase) => {
                format!("{} {unit}{}", self.show(value), plural(unit))
            }
            Self::Units(unit) => format!("{} {unit}", self.show(value)),
        }
    }
}

/// Formats a length in metres without its unit, to four significant digits.
#[must_use]
pub fn length(metres: f64) -> String {
    let decimals = match metres {
        m if m >= 1000.0 || m == 0.0 => 0,
        m if m >= 100.0 => 1,
        m if m >= 10.0 => 2,
        m if m >= 0.1 => 3,
        m if m >= 0.01 => 4,
        _ => 6,
    };
    let text = format!("{metres:.decimals$}");
    match text.split_once('.') {
        Some(_) => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        None => text,
    }
}

/// Formats a share as a percentage.
#[must_use]
pub fn percent(part: f64) -> String {
    let percent = part * 100.0;
    if percent > 0.0 && percent < 0.05 { "<0.1 %".to_owned() } else { format!("{percent:.1} %") }
}

/// Formats a count with its noun.
#[must_use]
pub fn count(number: usize, noun: &str) -> String {
    let ending = if number == 1 { "" } else { plural(noun) };
    format!("{number} {noun}{ending}")
}

fn plural(noun: &str) -> &'static str {
    if noun.ends_with("sh") { "es" } else { "s" }
}

/// Significant digits of the median of a column.
const OF_MEDIAN: i32 = 3;
/// A nanosecond, the smallest cost, is a millionth of a millisecond.
const MOST: i32 = 6;

/// Numbers of at least 0 with the same number of decimals throughout a column.
#[derive(Clone, Copy, Debug)]
pub struct DecimalFormat(i32);

impl DecimalFormat {
    /// Creates a fixed number of decimals.
    #[must_use]
    pub const fn exactly(decimals: i32) -> Self {
        Self(decimals)
    }

    /// Chooses at least `least` decimals, and at most 6: as many as the median of the positive values needs for three
    /// significant digits.
    #[must_use]
    pub fn at_least(least: i32, column: impl IntoIterator<Item = f64>) -> Self {
        let is_counted = |value: &f64| value.is_finite() && *value > 0.0;
        let mut values: Vec<_> = column.into_iter().filter(is_counted).collect();
        let middle = values.len() / 2;
        if values.is_empty() {
            return Self(least);
        }
        let (_, median, _) = values.select_nth_unstable_by(middle, f64::total_cmp);
        Self(needed(OF_MEDIAN, *median).max(least))
    }

    /// Raises the decimals to show a value with three significant digits.
    pub(crate) fn or_more_for(self, value: f64) -> Self {
        Self::at_least(self.0, [value])
    }

    /// Formats a number of the column.
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

/// Number of decimals, from 1 to 6, that show a positive value with `significant` digits.
pub(crate) fn needed(significant: i32, value: f64) -> i32 {
    (significant - 1 - exponent(value)).clamp(1, MOST)
}

#[expect(clippy::cast_possible_truncation, reason = "between -324 and 308")]
fn exponent(value: f64) -> i32 {
    value.log10().floor() as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_shares_its_decimals() {
        let column = MillisecondFormat::for_all([12.345_678, 0.1, f64::INFINITY].into_iter());
        assert_eq!(column.show(12.345_678), "12.35");
        assert_eq!(column.show(0.1), "0.10");
        assert_eq!(column.show(0.001), "<0.01");
        assert_eq!(column.show(0.0), "0");
        assert_eq!(column.show(f64::INFINITY), "∞");
    }

    #[test]
    fn the_median_shows_three_digits() {
        let column = MillisecondFormat::for_all([200.0, 0.0, 0.002_856, 0.001, 0.004].into_iter());
        assert_eq!(column.show(0.002_856), "0.00286");
        assert_eq!(column.show(200.0), "200.00000");
        assert_eq!(column.show(0.000_001), "<0.00001");
        let tiny = MillisecondFormat::for_all([0.000_002, 0.000_001].into_iter());
        assert_eq!(tiny.show(0.000_002), "0.000002");
    }

    #[test]
    fn a_sentence_has_no_trailing_zeros() {
        let say = |ms| MillisecondFormat::for_all(std::iter::once(ms)).say(ms);
        assert_eq!(say(0.000_001), "0.000001 ms");
        assert_eq!(say(16.6), "16.6 ms");
        assert_eq!(say(8.0), "8 ms");
        assert_eq!(say(1200.0), "1200 ms");
        assert_eq!(say(f64::INFINITY), "∞ ms");
    }

    #[test]
    fn each_value_of_a_sentence_has_its_own_digits() {
        let ms = MillisecondFormat::for_all([16.6, 0.004].into_iter());
        assert_eq!((ms.say(16.6), ms.say(0.004)), ("16.6 ms".to_owned(), "0.004 ms".to_owned()));
        let ms = MillisecondFormat::for_all([16.6, 16.5, 0.000_011].into_iter());
        assert_eq!(
            (ms.say(16.5), ms.say(0.000_011)),
            ("16.5 ms".to_owned(), "0.000011 ms".to_owned())
        );
    }

    #[test]
    fn units_are_whole() {
        let splats = CostFormat::for_all(Some("splat"), [2e6, 0.25].into_iter());
        assert_eq!([splats.show(2e6), splats.say(1.0)], ["2000000", "1 splat"]);
        assert_eq!([splats.say(0.0), splats.say(2e6)], ["0 splats", "2000000 splats"]);
        assert_eq!(CostFormat::for_all(Some("KiB"), [3.0].into_iter()).say(3.0), "3 KiB");
        let time = CostFormat::for_all(None, [16.6].into_iter());
        assert_eq!([time.show(16.6), time.say(16.6)], ["16.60", "16.6 ms"]);
    }

    #[test]
    fn counts_have_their_plural() {
        let counts = [count(1, "mesh"), count(2, "mesh"), count(0, "row")];
        assert_eq!(counts, ["1 mesh", "2 meshes", "0 rows"]);
    }

    #[test]
    fn a_small_share_is_not_shown_as_zero() {
        let parts = [0.0, 0.000_01, 0.000_5, 1.0].map(percent);
        assert_eq!(parts, ["0.0 %", "<0.1 %", "0.1 %", "100.0 %"]);
    }

    #[test]
    fn a_length_has_four_significant_digits() {
        assert_eq!(length(1.0), "1");
        assert_eq!(length(0.5), "0.5");
        assert_eq!(length(43.4399), "43.44");
        assert_eq!(length(100.0), "100");
        assert_eq!(length(0.135_41), "0.135");
    }

    #[test]
    fn decimals_follow_the_median() {
        let shown = |column: [f64; 3]| column.map(|it| DecimalFormat::at_least(3, column).show(it));
        assert_eq!(shown([1.0, 0.5, 0.25]), ["1.000", "0.500", "0.250"]);
        assert_eq!(shown([1.0, 0.000_5, 0.000_25]), ["1.000000", "0.000500", "0.000250"]);
        assert_eq!(shown([12.0, 0.000_1, 0.0]), ["12.000", "<0.001", "0"]);
        assert_eq!(shown([0.000_23, 0.000_4, 0.0]), ["0.000230", "0.000400", "0"]);
        assert_eq!(shown([0.0; 3]), ["0"; 3]);
        assert_eq!(shown([f64::MIN_POSITIVE, f64::INFINITY, 0.0]), ["<0.000001", "∞", "0"]);
    }
}
