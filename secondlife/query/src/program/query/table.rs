use std::borrow::Cow;
use std::io::{self, Write};

use arrow::array::{Array, ArrayRef, RecordBatch};
use arrow::datatypes::{DataType, Field, Schema};
use arrow::error::ArrowError;
use arrow::util::display::{ArrayFormatter, FormatOptions};
use comfy_table::Cell;
use lodger_terminal::layout::{TableColumn, number, sentence};
use lodger_terminal::{
    MAX_SENTENCE, RenderOptions, csv_text, hint, sanitize, sanitize_to, write_table,
};

const MILLIONTHS: &str = "_millionths";
/// Formats values in one line; nulls are empty.
const OPTIONS: FormatOptions<'static> = FormatOptions::new().with_display_error(true);

pub(super) struct ColumnTexts<'b>(Vec<(&'b ArrayRef, ArrayFormatter<'b>)>);

impl<'b> ColumnTexts<'b> {
    /// Creates the formatters.
    ///
    /// # Errors
    ///
    /// A column has a type that Arrow cannot format.
    pub(super) fn new(batch: &'b RecordBatch) -> Result<Self, ArrowError> {
        let text = |column: &'b ArrayRef| {
            ArrayFormatter::try_new(column.as_ref(), &OPTIONS).map(|formatter| (column, formatter))
        };
        batch.columns().iter().map(text).collect::<Result<_, _>>().map(Self)
    }

    pub(super) fn texts(&self, row: usize) -> impl Iterator<Item = String> {
        self.0.iter().map(move |(_, formatter)| formatter.value(row).to_string())
    }

    /// The texts of a row for a spreadsheet, which must not interpret a text as a formula.
    pub(super) fn for_csv(&self, row: usize) -> impl Iterator<Item = String> {
        self.0.iter().map(move |(column, formatter)| {
            let text = formatter.value(row).to_string();
            if is_number(column.data_type()) { text } else { csv_text(&text).into_owned() }
        })
    }
}

pub(super) fn column<'h>(field: &Field, heading: &'h str) -> TableColumn<'h> {
    if is_number(field.data_type()) {
        TableColumn::Number(heading)
    } else {
        TableColumn::Words(heading)
    }
}

pub(super) fn is_number(kind: &DataType) -> bool {
    match kind {
        DataType::Dictionary(_, of) => is_number(of),
        kind => kind.is_numeric(),
    }
}

pub(super) fn is_millionths(column: &str) -> bool {
    column.ends_with(MILLIONTHS)
}

pub(super) fn decimal(millionths: i64) -> String {
    const PER_THOUSANDTH: u64 = 1_000;
    let thousandths = (millionths.unsigned_abs() + PER_THOUSANDTH / 2) / PER_THOUSANDTH;
    let sign = if millionths < 0 && thousandths > 0 { "-" } else { "" };
    format!("{sign}{}.{:03}", thousandths / 1_000, thousandths % 1_000)
}

pub(super) fn heading(column: &str) -> String {
    let words = column.strip_suffix(MILLIONTHS).unwrap_or(column).replace('_', " ");
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

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

const MIN_WIDTH: usize = 9;
const MAX_NAME: usize = 60;
const CUT: &str = "Texts end here after 400 characters; --format csv or json has all of them.";
const PLANS: [&str; 2] = ["plan_type", "plan"];

pub(super) struct ResultTable<'b> {
    schema: &'b Schema,
    batches: &'b [RecordBatch],
    texts: Vec<ColumnTexts<'b>>,
}

impl<'b> ResultTable<'b> {
    /// Formats all values.
    ///
    /// # Errors
    ///
    /// A column has a type that Arrow cannot format.
    pub(super) fn new(schema: &'b Schema, batches: &'b [RecordBatch]) -> Result<Self, ArrowError> {
        let texts = batches.iter().map(ColumnTexts::new).collect::<Result<_, _>>()?;
        Ok(Self { schema, batches, texts })
    }

    /// Writes a table, or records if it would be too wide.
    pub(super) fn write(&self, style: RenderOptions, out: &mut dyn Write) -> io::Result<()> {
        if self.schema.fields().iter().map(|field| field.name()).eq(PLANS) {
            return self.plans(out);
        }
        if self.schema.fields().len() * MIN_WIDTH > style.width {
            self.records(out)?;
        } else {
            write_table(style, &self.headings(), || self.rows().map(|row| self.cells(row)), out)?;
        }
        let is_cut = |text: String| text.chars().nth(MAX_SENTENCE).is_some();
        if self.rows().any(|mut row| row.any(is_cut)) {
            out.write_all(hint(CUT, style).as_bytes())?;
        }
        Ok(())
    }

    fn rows(&self) -> impl Iterator<Item = impl Iterator<Item = String>> {
        let batches = self.batches.iter().zip(&self.texts);
        batches.flat_map(|(batch, texts)| (0..batch.num_rows()).map(move |row| texts.texts(row)))
    }

    fn headings(&self) -> Vec<TableColumn<'_>> {
        self.schema.fields().iter().map(|field| column(field, field.name())).collect()
    }

    fn cells(&self, row: impl Iterator<Item = String>) -> comfy_table::Row {
        let cell = |(field, text): (_, String)| -> Cell {
            if is_number(Field::data_type(field)) { number(text) } else { sentence(&text) }
        };
        self.schema.fields().iter().map(AsRef::as_ref).zip(row).map(cell).collect::<Vec<_>>().into()
    }

    fn records(&self, out: &mut dyn Write) -> io::Result<()> {
        let names = self.schema.fields().iter().map(|field| sanitize_to(field.name(), MAX_NAME));
        let names: Vec<_> = names.collect();
        let widest = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
        for (number, row) in (1..).zip(self.rows()) {
            writeln!(out, "Row {number}")?;
            for (name, text) in names.iter().zip(row) {
                writeln!(out, "  {name:widest$}  {}", sanitize_to(&text, MAX_SENTENCE))?;
            }
        }
        Ok(())
    }

    fn plans(&self, out: &mut dyn Write) -> io::Result<()> {
        for row in self.rows() {
            for (indent, text) in ["", "  "].into_iter().zip(row) {
                text.trim_end()
                    .lines()
                    .try_for_each(|line| writeln!(out, "{indent}{}", sanitize(line)))?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
