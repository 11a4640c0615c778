//! Rows in the forms that are asked for.

use std::io::{self, Write};

use arrow::array::RecordBatch;
use arrow::datatypes::SchemaRef;
use arrow::json::writer::{ArrayWriter, JsonArray, WriterBuilder};
use lodger_terminal::csv_text;
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::properties::WriterProperties;

use super::cell::Texts;

/// Somewhere rows go, batch by batch.
pub(super) trait Rows {
    /// Writes some.
    fn write(&mut self, batch: &RecordBatch) -> io::Result<()>;
    /// Writes what stands behind the last.
    fn finish(self: Box<Self>) -> io::Result<()>;
}

/// Rows as CSV, with a header.
pub(super) struct Csv<W: Write>(csv::Writer<W>);

impl<W: Write> Csv<W> {
    pub(super) fn new(schema: &SchemaRef, out: W) -> io::Result<Self> {
        let mut writer = csv::Writer::from_writer(out);
        writer.write_record(
            schema.fields().iter().map(|field| csv_text(field.name()).into_owned()),
        )?;
        Ok(Self(writer))
    }
}

impl<W: Write> Rows for Csv<W> {
    fn write(&mut self, batch: &RecordBatch) -> io::Result<()> {
        let texts = Texts::of(batch).map_err(io::Error::other)?;
        for row in 0..batch.num_rows() {
            self.0.write_record(texts.for_csv(row))?;
        }
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> io::Result<()> {
        self.0.flush()
    }
}

/// Rows as a JSON array; what is not known is `null`.
pub(super) struct Json<W: Write>(arrow::json::Writer<W, JsonArray>);

impl<W: Write> Json<W> {
    pub(super) fn new(out: W) -> Self {
        Self(WriterBuilder::new().with_explicit_nulls(true).build(out))
    }
}

impl<W: Write> Rows for Json<W> {
    fn write(&mut self, batch: &RecordBatch) -> io::Result<()> {
        self.0.write(batch).map_err(io::Error::other)
    }

    fn finish(mut self: Box<Self>) -> io::Result<()> {
        self.0.finish().map_err(io::Error::other)
    }
}

/// Rows as Parquet.
pub(super) struct Parquet<W: Write> {
    /// What it has written is passed on after each batch.
    writer: ArrowWriter<Vec<u8>>,
    out: W,
}

impl<W: Write> Parquet<W> {
    pub(super) fn new(schema: &SchemaRef, out: W) -> io::Result<Self> {
        let level = Compression::ZSTD(ZstdLevel::default());
        let properties = WriterProperties::builder().set_compression(level).build();
        let writer = ArrowWriter::try_new(Vec::new(), schema.clone(), Some(properties));
        Ok(Self { writer: writer.map_err(io::Error::other)?, out })
    }
}

impl<W: Write> Rows for Parquet<W> {
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

/// Rows as values of JSON, of which there are few.
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
