use std::fmt::Display;
use std::fs::File;
use std::path::{Path, PathBuf};

use arrow::array::RecordBatch;
use arrow::datatypes::SchemaRef;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::arrow::{ArrowWriter, ProjectionMask};
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::schema::types::ColumnPath;

use super::manifest::DatasetError;

/// Rows of a row group, which a query reads or skips as one, and which is in memory while it is
/// written.
const GROUP_ROWS: usize = 64 << 10;
/// Bytes of a row group of rows with large physics meshes.
const GROUP_BYTES: usize = 64 << 20;
/// Columns with few equal values, for which dictionaries are useless.
const DISTINCT: [&str; 3] = ["id", "hash", "physics_mesh"];

pub(super) struct TableFile {
    path: PathBuf,
    writer: ArrowWriter<File>,
    rows: usize,
}

impl TableFile {
    /// Creates a file, which must not exist.
    pub(super) fn create(path: PathBuf, schema: SchemaRef) -> Result<Self, DatasetError> {
        let file = File::create_new(&path);
        let file = file.map_err(|error| DatasetError::io(&path, "be made", &error))?;
        let writer = ArrowWriter::try_new(file, schema, Some(properties()));
        let writer = writer.map_err(|error| DatasetError::io(&path, "be written", &error))?;
        Ok(Self { path, writer, rows: 0 })
    }

    pub(super) const fn rows(&self) -> usize {
        self.rows
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn push(&mut self, rows: &RecordBatch) -> Result<(), DatasetError> {
        let written = self.writer.write(rows);
        written.map_err(|error| DatasetError::io(&self.path, "be written", &error))?;
        self.rows += rows.num_rows();
        Ok(())
    }

    pub(super) fn finish(self) -> Result<(), DatasetError> {
        let Self { path, writer, .. } = self;
        let fail = |error: &dyn Display| DatasetError::io(&path, "be written", error);
        let file = writer.into_inner().map_err(|error| fail(&error))?;
        file.sync_all().map_err(|error| fail(&error))
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

/// Calls `visit` with each batch of a file. `columns` selects columns; if empty, all are read.
pub(crate) fn for_each_batch(
    path: &Path,
    columns: &[&str],
    mut visit: impl FnMut(&RecordBatch) -> Result<(), DatasetError>,
) -> Result<(), DatasetError> {
    let fail = |error: &dyn Display| DatasetError::io(path, "be read", error);
    let file = File::open(path).map_err(|error| fail(&error))?;
    let builder = ParquetRecordBatchReaderBuilder::try_new(file).map_err(|error| fail(&error))?;
    let mask = match columns {
        [] => ProjectionMask::all(),
        _ => ProjectionMask::columns(builder.parquet_schema(), columns.iter().copied()),
    };
    let reader = builder.with_projection(mask).build().map_err(|error| fail(&error))?;
    for rows in reader {
        visit(&rows.map_err(|error| fail(&error))?)?;
    }
    Ok(())
}
