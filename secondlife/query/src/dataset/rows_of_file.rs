//! The rows of a file of a dataset.

use std::fs::File;
use std::path::Path;

use arrow::array::RecordBatch;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

use super::manifest::ManifestError;

/// Shows some columns of a file piece by piece, or all where none is named.
pub(crate) fn each_rows<E: From<ManifestError>>(
    path: &Path,
    columns: &[&str],
    mut take: impl FnMut(&RecordBatch) -> Result<(), E>,
) -> Result<(), E> {
    let told = |error: &dyn std::fmt::Display| {
        ManifestError::new(path, format!("it cannot be read: {error}"))
    };
    let file = File::open(path).map_err(|error| told(&error))?;
    let builder = ParquetRecordBatchReaderBuilder::try_new(file).map_err(|error| told(&error))?;
    let mask = match columns {
        [] => ProjectionMask::all(),
        _ => ProjectionMask::columns(builder.parquet_schema(), columns.iter().copied()),
    };
    let reader = builder.with_projection(mask).build().map_err(|error| told(&error))?;
    for rows in reader {
        take(&rows.map_err(|error| told(&error))?)?;
    }
    Ok(())
}
