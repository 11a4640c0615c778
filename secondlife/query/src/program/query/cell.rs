//! One value, for eyes and for a spreadsheet.

use std::borrow::Cow;

use arrow::array::{Array, ArrayRef, RecordBatch};
use arrow::datatypes::{DataType, Field};
use arrow::error::ArrowError;
use arrow::util::display::{ArrayFormatter, FormatOptions};
use lodger_terminal::csv_text;
use lodger_terminal::layout::Column;

/// What the names of columns of millionths end in.
const MILLIONTHS: &str = "_millionths";
/// How columns are written in one line each; nulls are empty.
const OPTIONS: FormatOptions<'static> = FormatOptions::new().with_display_error(true);

/// The columns of a batch, as texts.
pub(super) struct Texts<'b>(Vec<(&'b ArrayRef, ArrayFormatter<'b>)>);

impl<'b> Texts<'b> {
    /// Of which columns there are.
    ///
    /// # Errors
    /// A type that Arrow cannot show.
    pub(super) fn of(batch: &'b RecordBatch) -> Result<Self, ArrowError> {
        let text = |column: &'b ArrayRef| {
            ArrayFormatter::try_new(column.as_ref(), &OPTIONS).map(|formatter| (column, formatter))
        };
        batch.columns().iter().map(text).collect::<Result<_, _>>().map(Self)
    }

    /// A row, for eyes.
    pub(super) fn shown(&self, row: usize) -> impl Iterator<Item = String> {
        self.0.iter().map(move |(_, formatter)| formatter.value(row).to_string())
    }

    /// A row, for a spreadsheet: numbers as they are, and no text that it would take for a formula.
    pub(super) fn for_csv(&self, row: usize) -> impl Iterator<Item = String> {
        self.0.iter().map(move |(column, formatter)| {
            let text = formatter.value(row).to_string();
            if is_number(column.data_type()) { text } else { csv_text(&text).into_owned() }
        })
    }
}

/// A column of a table under its heading.
pub(super) fn column<'h>(field: &Field, heading: &'h str) -> Column<'h> {
    if is_number(field.data_type()) { Column::Number(heading) } else { Column::Words(heading) }
}

/// Whether a column has numbers, which stand to the right.
pub(super) fn is_number(kind: &DataType) -> bool {
    match kind {
        DataType::Dictionary(_, of) => is_number(of),
        kind => kind.is_numeric(),
    }
}

/// Whether a column has millionths.
pub(super) fn is_millionths(column: &str) -> bool {
    column.ends_with(MILLIONTHS)
}

/// Millionths as a decimal number of so many digits behind the point, rounded.
pub(super) fn decimal(millionths: i64) -> String {
    const SHOWN: u64 = 1_000;
    let thousandths = (millionths.unsigned_abs() + SHOWN / 2) / SHOWN;
    let sign = if millionths < 0 && thousandths > 0 { "-" } else { "" };
    format!("{sign}{}.{:03}", thousandths / 1_000, thousandths % 1_000)
}

/// A heading of a column: words, the first with a capital.
pub(super) fn heading(column: &str) -> String {
    let words = column.strip_suffix(MILLIONTHS).unwrap_or(column).replace('_', " ");
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// The beginning of an identifier or a hash; other texts stay.
pub(super) fn short(text: &str) -> Cow<'_, str> {
    let is_identifier = text.len() == 36
        && text.char_indices().all(|(place, letter)| match place {
            8 | 13 | 18 | 23 => letter == '-',
            _ => letter.is_ascii_hexdigit(),
        });
    let is_hash = text.len() == 64 && text.chars().all(|letter| letter.is_ascii_hexdigit());
    match text.get(..if is_hash { 12 } else { 8 }) {
        Some(first) if is_identifier || is_hash => Cow::Owned(format!("{first}…")),
        _ => Cow::Borrowed(text),
    }
}

#[cfg(test)]
mod tests {
    use super::{decimal, heading, short};

    #[test]
    fn millionths_are_decimals() {
        let shown = [0, 499, 500, 1_234_500, -2_000_000, -1, i64::MIN].map(decimal);
        let expected =
            ["0.000", "0.000", "0.001", "1.235", "-2.000", "0.000", "-9223372036854.776"];
        assert_eq!(shown, expected);
    }

    #[test]
    fn headings_are_words() {
        assert_eq!(
            ["land_impact", "streaming_millionths", "x"].map(heading),
            ["Land impact", "Streaming", "X"]
        );
    }

    #[test]
    fn identifiers_have_a_short_form() {
        assert_eq!(short("0123abcd-0000-4000-8000-000000000000"), "0123abcd…");
        assert_eq!(short("Kapuzenmäntel und sechsunddreißig"), "Kapuzenmäntel und sechsunddreißig");
        assert_eq!(short(&"ä".repeat(18)), "ä".repeat(18));
        assert_eq!(short(&"0f".repeat(32)), "0f0f0f0f0f0f…");
    }
}
