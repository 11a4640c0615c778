//! The answer to a question in SQL.

use std::io::{self, Write};
use std::sync::Arc;

use arrow::array::RecordBatch;
use arrow::datatypes::{DataType, Field, SchemaRef};
use comfy_table::Cell;
use datafusion::execution::SendableRecordBatchStream;
use futures::StreamExt as _;
use lodger_grid::query::QueryError;
use lodger_terminal::layout::{Column, name, number};
use lodger_terminal::{Diagnostic, Look, clipped, hint, output, write_table};
use serde_json::json;

use super::args::{FormatArg, Places};
use super::asking::{Asking, told};
use super::cell::{Texts, is_number};
use super::formats::{Csv, Json, Parquet, Rows};

/// The rows that a table shows.
const SHOWN: usize = 1_000;

/// Asks, and writes the answer as it comes. A table has only the first rows of a long one.
pub(super) fn write(asking: &Asking, sql: &str, places: &Places) -> Result<(), Diagnostic> {
    let stream = asking.wait(asking.session.stream(sql)).map_err(|error| told(&error))?;
    let mut answer = Answer { asking, stream, failure: None };
    let written = match places.format {
        FormatArg::Table => answer.table(places),
        format => output::write_with(places.target(), |out| answer.write(format, out)),
    };
    match answer.failure {
        Some(error) => Err(told(&error)),
        None => written,
    }
}

/// An answer that comes piece by piece.
struct Answer<'a> {
    asking: &'a Asking,
    stream: SendableRecordBatchStream,
    /// Why no more comes.
    failure: Option<QueryError>,
}

impl Answer<'_> {
    fn next(&mut self) -> Option<RecordBatch> {
        match self.asking.wait(self.stream.next())? {
            Ok(batch) => Some(batch),
            Err(error) => {
                self.failure = Some(QueryError::told(&error));
                None
            }
        }
    }

    fn write(&mut self, format: FormatArg, out: &mut dyn Write) -> io::Result<()> {
        let schema = self.stream.schema();
        match format {
            FormatArg::Csv => self.all(Box::new(Csv::new(&schema, out)?)),
            FormatArg::Parquet => self.all(Box::new(Parquet::new(&schema, out)?)),
            FormatArg::Json | FormatArg::Table => {
                out.write_all(b"{\"schema\":1,\"columns\":")?;
                serde_json::to_writer(&mut *out, &columns(&schema))?;
                out.write_all(b",\"rows\":")?;
                self.all(Box::new(Json::new(&mut *out)))?;
                out.write_all(b"}\n")
            }
        }
    }

    fn all(&mut self, mut rows: Box<dyn Rows + '_>) -> io::Result<()> {
        while let Some(batch) = self.next() {
            rows.write(&batch)?;
        }
        match self.failure {
            Some(_) => Err(io::Error::other("the answer breaks off")),
            None => rows.finish(),
        }
    }

    fn table(&mut self, places: &Places) -> Result<(), Diagnostic> {
        let (schema, mut batches, mut rows) = (self.stream.schema(), Vec::new(), 0);
        let mut is_all = true;
        while let Some(batch) = self.next() {
            let room = SHOWN - rows;
            is_all = batch.num_rows() <= room;
            rows += batch.num_rows().min(room);
            batches.push(batch.slice(0, batch.num_rows().min(room)));
            if !is_all {
                break;
            }
        }
        if self.failure.is_some() {
            return Ok(());
        }
        let look = Look::of(places.target());
        let cannot = |error| Diagnostic::error(format!("cannot show the answer: {error}"));
        let texts = batches.iter().map(Texts::of).collect::<Result<Vec<_>, _>>().map_err(cannot)?;
        let all = || {
            batches
                .iter()
                .zip(&texts)
                .flat_map(|(batch, texts)| (0..batch.num_rows()).map(move |row| texts.shown(row)))
        };
        output::write_with(places.target(), |out| {
            if schema.fields().len() * NARROWEST > look.width {
                records(&schema, all(), out)?;
            } else {
                let row = |texts: Vec<String>| cells(&schema, &texts).into();
                write_table(
                    look,
                    &headings(&schema),
                    || all().map(Iterator::collect).map(row),
                    out,
                )?;
            }
            match is_all {
                true => Ok(()),
                false => out.write_all(hint(MORE, look).as_bytes()),
            }
        })
    }
}

/// What a table says of rows that it does not show.
const MORE: &str = "These are the first 1000 rows; --format csv, json or parquet has all.";
/// The least that a column asks for, with the space beside it.
const NARROWEST: usize = 9;

fn headings(schema: &SchemaRef) -> Vec<Column<'_>> {
    let column = |field| {
        let (heading, kind) = heading(field);
        if is_number(kind) { Column::Number(heading) } else { Column::Words(heading) }
    };
    schema.fields().iter().map(column).collect()
}

fn heading(field: &Arc<Field>) -> (&str, &DataType) {
    (field.name(), field.data_type())
}

fn cells(schema: &SchemaRef, texts: &[String]) -> Vec<Cell> {
    let cell = |(field, text): (&Arc<Field>, &String)| {
        if is_number(field.data_type()) { number(text.clone()) } else { name(text) }
    };
    schema.fields().iter().zip(texts).map(cell).collect()
}

/// Rows of more columns than a line has room for: a line for each value.
fn records<T: Iterator<Item = String>>(
    schema: &SchemaRef,
    rows: impl Iterator<Item = T>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let names: Vec<_> =
        schema.fields().iter().map(|field| clipped(field.name(), LONGEST)).collect();
    let widest = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    for (number, row) in (1..).zip(rows) {
        writeln!(out, "Row {number}")?;
        for (name, text) in names.iter().zip(row) {
            writeln!(out, "  {name:widest$}  {}", clipped(&text, LONGEST))?;
        }
    }
    Ok(())
}

/// The most characters of a value, or of its name, in a line of its own.
const LONGEST: usize = 60;

/// The columns, for JSON.
fn columns(schema: &SchemaRef) -> serde_json::Value {
    let column =
        |field: &Arc<Field>| json!({"name": field.name(), "type": field.data_type().to_string()});
    schema.fields().iter().map(column).collect()
}
