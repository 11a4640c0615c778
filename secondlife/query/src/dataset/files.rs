//! Parquet files of a dataset: writing, reading, and deleting rows.

use std::fmt::Display;
use std::fs::File;
use std::path::{Path, PathBuf};

use arrow::array::{BooleanArray, RecordBatch};
use arrow::compute::{filter_record_batch, not};
use arrow::datatypes::SchemaRef;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::arrow::{ArrowWriter, ProjectionMask};
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::schema::types::ColumnPath;

use super::manifest::{DataFile, DatasetError, DatasetTable};
use super::rows::AssetColumns;
use super::writer::DatasetWriter;

/// Rows of a row group, which a query reads or skips as one, and which is in memory while it is written.
const GROUP_ROWS: usize = 64 << 10;
/// Bytes of a row group of rows with large physics meshes.
const GROUP_BYTES: usize = 64 << 20;
/// Columns with few equal values, for which dictionaries are useless.
const DISTINCT: [&str; 3] = ["id", "hash", "physics_mesh"];

/// A Parquet file that is being written.
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

    /// Completes the file and syncs it to disk.
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

/// Selects rows of `assets` to delete.
pub(crate) trait RowFilter {
    /// The columns that [`matches`](Self::matches) needs.
    fn columns(&self) -> &'static [&'static str];
    /// Returns true for each row to delete; no value is null.
    fn matches(&self, rows: &RecordBatch) -> BooleanArray;
}

impl DatasetWriter {
    /// Deletes rows of `assets`. Files that contain such rows are written anew without them, and one replacement of
    /// the manifest makes them valid; their sources count as incomplete. The old files stay until the dataset is
    /// opened again, because queries may be reading them.
    pub(crate) fn delete_rows(&mut self, filter: &dyn RowFilter) -> Result<(), DatasetError> {
        self.commit()?;
        let mut manifest = self.manifest().clone();
        let mut files = Vec::with_capacity(manifest.files.len());
        for file in manifest.files {
            let path = self.dataset().join(&file.path);
            if file.table != DatasetTable::Assets || !contains_match(&path, filter)? {
                files.push(file);
                continue;
            }
            if let Some(source) = manifest.sources.get_mut(file.source) {
                source.whole = false;
            }
            files.extend(self.copy_without(&path, file.source, filter)?);
        }
        manifest.files = files;
        self.replace(manifest)
    }

    /// Copies a file without the selected rows; `None` if no row is left.
    fn copy_without(
        &mut self,
        path: &Path,
        source: usize,
        filter: &dyn RowFilter,
    ) -> Result<Option<DataFile>, DatasetError> {
        let name = self.next_path(DatasetTable::Assets);
        let mut copy = TableFile::create(self.dataset().join(&name), AssetColumns::schema())?;
        for_each_batch(path, &[], |rows| {
            let kept = not(&filter.matches(rows)).and_then(|keep| filter_record_batch(rows, &keep));
            let kept = kept.and_then(|rows| {
                RecordBatch::try_new(AssetColumns::schema(), rows.columns().to_vec())
            });
            let kept = kept.map_err(|error| DatasetError::io(path, "be written anew", &error))?;
            copy.push(&kept)
        })?;
        let rows = copy.rows() as u64;
        copy.finish()?;
        let file = DataFile { table: DatasetTable::Assets, path: name, rows, source };
        Ok((rows > 0).then_some(file))
    }
}

fn contains_match(path: &Path, filter: &dyn RowFilter) -> Result<bool, DatasetError> {
    let mut found = false;
    for_each_batch(path, filter.columns(), |rows| {
        found |= filter.matches(rows).true_count() > 0;
        Ok(())
    })?;
    Ok(found)
}
