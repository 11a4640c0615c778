//! A dataset, opened for questions.

use std::fmt;
use std::num::NonZeroUsize;

use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::prelude::SessionContext;

/// How questions are answered.
#[derive(Clone, Debug)]
pub struct Options {
    /// The rules by which the views `prices` and `objects` count: `wiki`, `viewer` or `grid`.
    pub rules: &'static str,
    /// Into how many partitions a plan is cut; as many as there are processors where it is `None`.
    pub partitions: Option<NonZeroUsize>,
    /// Bytes that a plan may hold in memory; beyond them it writes to disk.
    pub memory: usize,
    /// The scheduler that plans are sent to, `HOST:PORT`; here, where it is `None`.
    pub cluster: Option<String>,
}

/// Why there is no answer.
#[derive(Debug)]
#[non_exhaustive]
pub enum QueryError {}

impl fmt::Display for QueryError {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {}
    }
}

impl std::error::Error for QueryError {}

/// A dataset, opened for questions: the tables `assets` and `parts`, and views of them.
pub struct Session {
    #[allow(dead_code)]
    context: SessionContext,
}

impl Session {
    /// Opens a dataset: a folder, or a URL of an object store such as `s3://bucket/dataset`.
    ///
    /// # Errors
    /// There is none, it cannot be read, or the scheduler cannot be reached.
    pub async fn open(_dataset: &str, _options: &Options) -> Result<Self, QueryError> {
        todo!()
    }

    /// The answer to a question.
    ///
    /// # Errors
    /// The SQL is none, names what is not there, or writes; or the plan fails.
    pub async fn sql(&self, _sql: &str) -> Result<(SchemaRef, Vec<RecordBatch>), QueryError> {
        todo!()
    }
}
