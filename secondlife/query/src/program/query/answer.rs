//! The answer to a question in SQL.

use std::collections::HashSet;
use std::io::{self, Write};
use std::sync::Arc;

use arrow::array::RecordBatch;
use arrow::datatypes::{Field, SchemaRef};
use datafusion::execution::SendableRecordBatchStream;
use futures::StreamExt as _;
use lodger_grid::query::QueryError;
use lodger_terminal::{Diagnostic, Look, hint, output};
use serde_json::json;

use super::args::{FormatArg, Places};
use super::asking::{Asking, told};
use super::formats::{Csv, Json, Parquet, Rows};
use super::table::Table;

/// The rows that a table shows.
const SHOWN: usize = 1_000;
/// What it says of those that it does not show.
const MORE: &str = "These are the first 1000 rows; --format csv, json or parquet has all.";

/// Asks, and writes the answer as it comes. A table has only the first rows of a long one.
pub(super) fn write(asking: &Asking, sql: &str, places: &Places) -> Result<(), Diagnostic> {
    let stream = asking.wait(asking.session.stream(sql)).map_err(|error| told(&error))?;
    let by_name = matches!(places.format, FormatArg::Json | FormatArg::Parquet);
    if let Some(name) = repeated(&stream.schema()).filter(|_| by_name) {
        let message = format!("two columns are called `{name}`");
        return Err(Diagnostic::error(message).help("name one with AS"));
    }
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

/// The first name that several columns have. Readers of JSON find one of them, and those of Parquet refuse it.
fn repeated(schema: &SchemaRef) -> Option<String> {
    let mut names = HashSet::new();
    let again = schema.fields().iter().find(|field| !names.insert(field.name()));
    again.map(|field| field.name().clone())
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
        let cannot = |error| Diagnostic::error(format!("cannot show the answer: {error}"));
        let table = Table::of(&schema, &batches).map_err(cannot)?;
        let look = Look::of(places.target());
        output::write_with(places.target(), |out| {
            table.write(look, out)?;
            if is_all { Ok(()) } else { out.write_all(hint(MORE, look).as_bytes()) }
        })
    }
}

/// The columns, for JSON.
fn columns(schema: &SchemaRef) -> serde_json::Value {
    let column =
        |field: &Arc<Field>| json!({"name": field.name(), "type": field.data_type().to_string()});
    schema.fields().iter().map(column).collect()
}
