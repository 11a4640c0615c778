//! The rows of an answer, for eyes.

use std::io::{self, Write};

use arrow::array::RecordBatch;
use arrow::datatypes::{Field, Schema};
use arrow::error::ArrowError;
use comfy_table::Cell;
use lodger_terminal::layout::{Column, number, sentence};
use lodger_terminal::{LONGEST_SENTENCE, Look, clipped, hint, plain, write_table};

use super::cell::{Texts, column, is_number};

/// The least that a column asks for, with the space beside it.
const NARROWEST: usize = 9;
/// The most characters of a column's name in a line of its own.
const LONGEST_NAME: usize = 60;
/// What a table says of texts that it does not show to their ends.
const CUT: &str = "Texts end here after 400 characters; --format csv or json has all of them.";
/// The columns of an answer to EXPLAIN.
const PLANS: [&str; 2] = ["plan_type", "plan"];

/// Rows with the names of their columns.
pub(super) struct Table<'b> {
    schema: &'b Schema,
    batches: &'b [RecordBatch],
    texts: Vec<Texts<'b>>,
}

impl<'b> Table<'b> {
    /// Of batches of one schema.
    ///
    /// # Errors
    /// A type that Arrow cannot show.
    pub(super) fn of(schema: &'b Schema, batches: &'b [RecordBatch]) -> Result<Self, ArrowError> {
        let texts = batches.iter().map(Texts::of).collect::<Result<_, _>>()?;
        Ok(Self { schema, batches, texts })
    }

    /// Writes them as a table; where it would be too wide, row by row.
    pub(super) fn write(&self, look: Look, out: &mut dyn Write) -> io::Result<()> {
        if self.schema.fields().iter().map(|field| field.name()).eq(PLANS) {
            return self.plans(out);
        }
        if self.schema.fields().len() * NARROWEST > look.width {
            self.records(out)?;
        } else {
            write_table(look, &self.headings(), || self.rows().map(|row| self.cells(row)), out)?;
        }
        let is_cut = |text: String| text.chars().nth(LONGEST_SENTENCE).is_some();
        if self.rows().any(|mut row| row.any(is_cut)) {
            out.write_all(hint(CUT, look).as_bytes())?;
        }
        Ok(())
    }

    fn rows(&self) -> impl Iterator<Item = impl Iterator<Item = String>> {
        let batches = self.batches.iter().zip(&self.texts);
        batches.flat_map(|(batch, texts)| (0..batch.num_rows()).map(move |row| texts.shown(row)))
    }

    fn headings(&self) -> Vec<Column<'_>> {
        self.schema.fields().iter().map(|field| column(field, field.name())).collect()
    }

    fn cells(&self, row: impl Iterator<Item = String>) -> comfy_table::Row {
        let cell = |(field, text): (_, String)| -> Cell {
            if is_number(Field::data_type(field)) { number(text) } else { sentence(&text) }
        };
        self.schema.fields().iter().map(AsRef::as_ref).zip(row).map(cell).collect::<Vec<_>>().into()
    }

    /// A line for each value.
    fn records(&self, out: &mut dyn Write) -> io::Result<()> {
        let names = self.schema.fields().iter().map(|field| clipped(field.name(), LONGEST_NAME));
        let names: Vec<_> = names.collect();
        let widest = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
        for (number, row) in (1..).zip(self.rows()) {
            writeln!(out, "Row {number}")?;
            for (name, text) in names.iter().zip(row) {
                writeln!(out, "  {name:widest$}  {}", clipped(&text, LONGEST_SENTENCE))?;
            }
        }
        Ok(())
    }

    /// Plans, whose lines are theirs.
    fn plans(&self, out: &mut dyn Write) -> io::Result<()> {
        for row in self.rows() {
            for (indent, text) in ["", "  "].into_iter().zip(row) {
                text.trim_end()
                    .lines()
                    .try_for_each(|line| writeln!(out, "{indent}{}", plain(line)))?;
            }
        }
        Ok(())
    }
}
