//! Answers that others ask about.

use std::path::Path;

use datafusion::dataframe::{DataFrame, DataFrameWriteOptions};
use datafusion::prelude::{ParquetReadOptions, SessionContext};

use super::error::QueryError;

/// Works out an answer into Parquet files in a folder, and makes them a table.
pub(super) async fn on_disk(
    context: &SessionContext,
    name: &str,
    answer: DataFrame,
    folder: &Path,
) -> Result<(), QueryError> {
    let told = |error| QueryError::told(&error);
    // A folder is meant, which a slash says.
    let place = format!("{}/", folder.display());
    let schema = std::sync::Arc::new(answer.schema().as_arrow().clone());
    std::fs::create_dir_all(folder).map_err(|error| QueryError::disk(&error))?;
    let (options, mut parquet) =
        (DataFrameWriteOptions::new(), context.state().table_options().parquet.clone());
    parquet.global.compression = Some("uncompressed".to_owned());
    answer.write_parquet(&place, options, Some(parquet)).await.map_err(told)?;
    let read = ParquetReadOptions::default().schema(&schema);
    context.register_parquet(name, &place, read).await.map_err(told)
}

/// Makes an answer a view.
pub(super) fn as_view(
    context: &SessionContext,
    name: &str,
    answer: DataFrame,
) -> Result<(), QueryError> {
    let view = answer.into_view();
    context.register_table(name, view).map(drop).map_err(|error| QueryError::told(&error))
}
