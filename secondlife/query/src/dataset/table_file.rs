//! A Parquet file while it is written.

use std::fs::File;
use std::path::{Path, PathBuf};

use arrow::array::RecordBatch;
use arrow::datatypes::SchemaRef;
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::schema::types::ColumnPath;

use super::write_error::WriteError;

/// Rows of a row group: what a query looks at or skips as one, and what is held while it is written.
const GROUP_ROWS: usize = 64 << 10;
/// Bytes of a row group, of rows with large physics meshes.
const GROUP_BYTES: usize = 64 << 20;
/// Columns of which hardly two rows are equal.
const DISTINCT: [&str; 3] = ["id", "hash", "physics_mesh"];

/// A Parquet file while it is written.
pub(super) struct TableFile {
    path: PathBuf,
    writer: ArrowWriter<File>,
    rows: usize,
}

impl TableFile {
    /// Begins a file, which must not be there.
    pub(super) fn create(path: PathBuf, schema: SchemaRef) -> Result<Self, WriteError> {
        let file = File::create_new(&path);
        let file = file.map_err(|error| WriteError::io(&path, "be made", &error))?;
        let writer = ArrowWriter::try_new(file, schema, Some(properties()));
        let writer = writer.map_err(|error| WriteError::io(&path, "be written", &error))?;
        Ok(Self { path, writer, rows: 0 })
    }

    /// Its rows so far.
    pub(super) const fn rows(&self) -> usize {
        self.rows
    }

    /// Where it is.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Adds rows.
    pub(super) fn push(&mut self, rows: &RecordBatch) -> Result<(), WriteError> {
        let written = self.writer.write(rows);
        written.map_err(|error| WriteError::io(&self.path, "be written", &error))?;
        self.rows += rows.num_rows();
        Ok(())
    }

    /// Ends the file, which is on disk then.
    pub(super) fn finish(self) -> Result<(), WriteError> {
        let Self { path, writer, .. } = self;
        let told = |error: &dyn std::fmt::Display| WriteError::io(&path, "be written", error);
        let file = writer.into_inner().map_err(|error| told(&error))?;
        file.sync_all().map_err(|error| told(&error))
    }
}

fn properties() -> WriterProperties {
    let mut properties = WriterProperties::builder()
        .set_compression(Compression::ZSTD(ZstdLevel::default()))
        .set_max_row_group_row_count(Some(GROUP_ROWS))
        .set_max_row_group_bytes(Some(GROUP_BYTES));
    for column in DISTINCT {
        properties = properties.set_column_dictionary_enabled(ColumnPath::from(column), false);
    }
    let physics = ColumnPath::from("physics_mesh");
    properties.set_column_statistics_enabled(physics, EnabledStatistics::None).build()
}
