//! What a report says.

use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::compute::concat_batches;
use datafusion::arrow::datatypes::SchemaRef;

use super::bin::Bin;
use crate::dataset::SourceEntry;
use crate::query::{QueryError, Session};

/// A report: totals, lists and a distribution, with what they were made from.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Report {
    /// `top`, `waste` or `whatif`.
    pub name: &'static str,
    /// What was asked for: names of options, and their values.
    pub asked: Vec<(&'static str, String)>,
    /// What the dataset was made from: nothing else is known to the report.
    pub sources: Vec<SourceEntry>,
    /// One row.
    pub totals: Section,
    /// Lists, of which the first is the one that CSV and Parquet have.
    pub lists: Vec<Section>,
    /// What a picture shows.
    pub distribution: Vec<Bin>,
    /// What should be known about it.
    pub notes: Vec<String>,
}

/// Rows of a report. Columns that end in `_millionths` are whole millionths of a weight.
#[derive(Clone, Debug)]
pub struct Section {
    /// What JSON calls it.
    pub name: &'static str,
    /// What stands above it.
    pub heading: String,
    /// Its columns.
    pub schema: SchemaRef,
    /// Its rows.
    pub rows: RecordBatch,
}

impl Section {
    /// The answer to a question, as rows of a report.
    ///
    /// # Errors
    /// Those of [`Session::sql`].
    pub(super) async fn ask(
        session: &Session,
        name: &'static str,
        heading: impl Into<String>,
        sql: &str,
    ) -> Result<Self, QueryError> {
        let (schema, batches) = session.sql(sql).await?;
        let rows = concat_batches(&schema, &batches);
        let rows = rows.map_err(|error| QueryError::Failed(error.to_string()))?;
        Ok(Self { name, heading: heading.into(), schema, rows })
    }
}
