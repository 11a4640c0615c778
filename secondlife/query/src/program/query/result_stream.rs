//! Results of SQL queries, written as they arrive.

use std::collections::HashSet;
use std::io::{self, Write};
use std::sync::Arc;

use arrow::array::RecordBatch;
use arrow::datatypes::{Field, SchemaRef};
use arrow::json::writer::{ArrayWriter, JsonArray, WriterBuilder};
use datafusion::execution::SendableRecordBatchStream;
use futures::StreamExt as _;
use lodger_grid::query::QueryError;
use lodger_terminal::{Diagnostic, RenderOptions, csv_text, hint, output};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::properties::WriterProperties;
use serde_json::json;

use super::args::{QueryFormat, QueryOutputArgs};
use super::runner::{QueryRunner, to_diagnostic};
use super::table::{ColumnTexts, ResultTable};

const MAX_ROWS: usize = 1_000;
const MORE: &str = "These are the first 1000 rows; --format csv, json or parquet has all.";

/// Runs a query, and writes the result as it arrives. A table contains only the first rows.
pub(super) fn write(
    runner: &QueryRunner,
    sql: &str,
    output_args: &QueryOutputArgs,
) -> Result<(), Diagnostic> {
    let stream = runner.run(runner.session.stream(sql))?;
    let needs_names = matches!(output_args.format, QueryFormat::Json | QueryFormat::Parquet);
    if let Some(name) = repeated(&stream.schema()).filter(|_| needs_names) {
        let message = format!("two columns are called `{name}`");
        return Err(Diagnostic::error(message).help("name one with AS"));
    }
    let mut result = ResultStream { runner, stream, failure: None };
    let written = match output_args.format {
        QueryFormat::Table => result.table(output_args),
        format => output::write_with(output_args.target(), |out| result.write(format, out)),
    };
    match result.failure {
        Some(error) => Err(to_diagnostic(&error)),
        None => written,
    }
}

/// Returns a repeated column name, which readers of JSON and Parquet do not support.
fn repeated(schema: &SchemaRef) -> Option<String> {
    let mut names = HashSet::new();
    let again = schema.fields().iter().find(|field| !names.insert(field.name()));
    again.map(|field| field.name().clone())
}

struct ResultStream<'a> {
    runner: &'a QueryRunner,
    stream: SendableRecordBatchStream,
    failure: Option<QueryError>,
}

impl ResultStream<'_> {
    fn next(&mut self) -> Option<RecordBatch> {
        match self.runner.wait(self.stream.next())? {
            Ok(batch) => Some(batch),
            Err(error) => {
                self.failure = Some(QueryError::from_error(&error));
                None
            }
        }
    }

    fn write(&mut self, format: QueryFormat, out: &mut dyn Write) -> io::Result<()> {
        let schema = self.stream.schema();
        match format {
            QueryFormat::Csv => self.all(Box::new(CsvWriter::new(&schema, out)?)),
            QueryFormat::Parquet => self.all(Box::new(ParquetWriter::new(&schema, out)?)),
            QueryFormat::Json | QueryFormat::Table => {
                out.write_all(b"{\"schema\":1,\"columns\":")?;
                serde_json::to_writer(&mut *out, &columns(&schema))?;
                out.write_all(b",\"rows\":")?;
                self.all(Box::new(JsonWriter::new(&mut *out)))?;
                out.write_all(b"}\n")
            }
        }
    }

    fn all(&mut self, mut rows: Box<dyn BatchWriter + '_>) -> io::Result<()> {
        while let Some(batch) = self.next() {
            rows.write(&batch)?;
        }
        match self.failure {
            Some(_) => Err(io::Error::other("the result is incomplete")),
            None => rows.finish(),
        }
    }

    fn table(&mut self, output_args: &QueryOutputArgs) -> Result<(), Diagnostic> {
        let (schema, mut batches, mut rows) = (self.stream.schema(), Vec::new(), 0);
        let mut is_all = true;
        while let Some(batch) = self.next() {
            let space = MAX_ROWS - rows;
            is_all = batch.num_rows() <= space;
            rows += batch.num_rows().min(space);
            batches.push(batch.slice(0, batch.num_rows().min(space)));
            if !is_all {
                break;
            }
        }
        if self.failure.is_some() {
            return Ok(());
        }
        let fail = |error| Diagnostic::error(format!("cannot show the result: {error}"));
        let table = ResultTable::new(&schema, &batches).map_err(fail)?;
        let style = RenderOptions::for_target(output_args.target());
        output::write_with(output_args.target(), |out| {
            table.write(style, out)?;
            if is_all { Ok(()) } else { out.write_all(hint(MORE, style).as_bytes()) }
        })
    }
}

fn columns(schema: &SchemaRef) -> serde_json::Value {
    let column =
        |field: &Arc<Field>| json!({"name": field.name(), "type": field.data_type().to_string()});
    schema.fields().iter().map(column).collect()
}

pub(super) trait BatchWriter {
    fn write(&mut self, batch: &RecordBatch) -> io::Result<()>;
    fn finish(self: Box<Self>) -> io::Result<()>;
}

pub(super) struct CsvWriter<W: Write>(csv::Writer<W>);

impl<W: Write> CsvWriter<W> {
    pub(super) fn new(schema: &SchemaRef, out: W) -> io::Result<Self> {
        let mut writer = csv::Writer::from_writer(out);
        writer.write_record(
            schema.fields().iter().map(|field| csv_text(field.name()).into_owned()),
        )?;
        Ok(Self(writer))
    }
}

impl<W: Write> BatchWriter for CsvWriter<W> {
    fn write(&mut self, batch: &RecordBatch) -> io::Result<()> {
        let texts = ColumnTexts::new(batch).map_err(io::Error::other)?;
        for row in 0..batch.num_rows() {
            self.0.write_record(texts.for_csv(row))?;
        }
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> io::Result<()> {
        self.0.flush()
    }
}

pub(super) struct JsonWriter<W: Write>(arrow::json::Writer<W, JsonArray>);

impl<W: Write> JsonWriter<W> {
    pub(super) fn new(out: W) -> Self {
        Self(WriterBuilder::new().with_explicit_nulls(true).build(out))
    }
}

impl<W: Write> BatchWriter for JsonWriter<W> {
    fn write(&mut self, batch: &RecordBatch) -> io::Result<()> {
        self.0.write(batch).map_err(io::Error::other)
    }

    fn finish(mut self: Box<Self>) -> io::Result<()> {
        self.0.finish().map_err(io::Error::other)
    }
}

pub(super) struct ParquetWriter<W: Write> {
    /// Its bytes are moved to `out` after each batch.
    writer: ArrowWriter<Vec<u8>>,
    out: W,
}

impl<W: Write> ParquetWriter<W> {
    pub(super) fn new(schema: &SchemaRef, out: W) -> io::Result<Self> {
        let level = Compression::ZSTD(ZstdLevel::default());
        let properties = WriterProperties::builder().set_compression(level).build();
        let writer = ArrowWriter::try_new(Vec::new(), schema.clone(), Some(properties));
        Ok(Self { writer: writer.map_err(io::Error::other)?, out })
    }
}

impl<W: Write> BatchWriter for ParquetWriter<W> {
    fn write(&mut self, batch: &RecordBatch) -> io::Result<()> {
        self.writer.write(batch).map_err(io::Error::other)?;
        let written = std::mem::take(self.writer.inner_mut());
        self.out.write_all(&written)
    }

    fn finish(mut self: Box<Self>) -> io::Result<()> {
        let rest = self.writer.into_inner().map_err(io::Error::other)?;
        self.out.write_all(&rest)
    }
}

pub(super) fn json_rows(batch: &RecordBatch) -> io::Result<serde_json::Value> {
    let mut out = Vec::new();
    let mut writer: ArrayWriter<_> = WriterBuilder::new().with_explicit_nulls(true).build(&mut out);
    writer.write(batch).and_then(|()| writer.finish()).map_err(io::Error::other)?;
    drop(writer);
    Ok(if out.is_empty() {
        serde_json::Value::Array(Vec::new())
    } else {
        serde_json::from_slice(&out)?
    })
}
