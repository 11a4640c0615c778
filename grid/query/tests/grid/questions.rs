//! Questions to datasets.

#[path = "../../../opensim/tests/archive/archive_files.rs"]
mod archive_files;
mod findings;
mod forms;
mod mistakes;
mod prices;
mod sample;

use arrow::array::{Array, AsArray, RecordBatch};
use arrow::datatypes::{Float64Type, Int64Type};
use lodger_grid::query::{Options, QueryError, Session};

/// The usual way to ask.
fn options() -> Options {
    Options { rules: "viewer", partitions: None, memory: 512 << 20, cluster: None }
}

/// Waits for something.
fn wait<T>(work: impl Future<Output = T>) -> T {
    let runtime =
        tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("threads");
    runtime.block_on(work)
}

async fn asked(session: &Session, sql: &str) -> Result<RecordBatch, QueryError> {
    let (schema, batches) = session.sql(sql).await?;
    Ok(arrow::compute::concat_batches(&schema, &batches).expect("one schema"))
}

fn whole(batch: &RecordBatch, column: &str) -> Vec<Option<i64>> {
    let column = batch.column_by_name(column).unwrap_or_else(|| panic!("no {column}"));
    let column = arrow::compute::cast(column, &arrow::datatypes::DataType::Int64).expect("numbers");
    column.as_primitive::<Int64Type>().iter().collect()
}

fn real(batch: &RecordBatch, column: &str) -> Vec<Option<f64>> {
    let column = batch.column_by_name(column).unwrap_or_else(|| panic!("no {column}"));
    column.as_primitive::<Float64Type>().iter().collect()
}

fn texts(batch: &RecordBatch, column: &str) -> Vec<Option<String>> {
    let column = batch.column_by_name(column).unwrap_or_else(|| panic!("no {column}"));
    let column = arrow::compute::cast(column, &arrow::datatypes::DataType::Utf8).expect("texts");
    let column = column.as_string::<i32>();
    (0..column.len())
        .map(|row| column.is_valid(row).then(|| column.value(row).to_owned()))
        .collect()
}
