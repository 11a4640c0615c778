//! A dataset, opened for questions.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::execution::SendableRecordBatchStream;
use datafusion::physical_plan::common::collect;
use datafusion::prelude::SessionContext;
use tempfile::TempDir;

use super::error::QueryError;
use super::keep::Kept;
use super::location::Location;
use super::options::Options;
use super::{engine, keep, question, tables, views};
use crate::cluster::Running;
use crate::dataset::Manifest;

/// A dataset, opened for questions: the tables `assets` and `parts`, and the views `uses`, `prices` and `objects`.
pub struct Session {
    context: SessionContext,
    manifest: Manifest,
    /// What plans write to disk; it goes with the session.
    folder: TempDir,
    local_folder: Option<PathBuf>,
    kept: Kept,
    is_here: bool,
}

impl Session {
    /// Opens a dataset: a folder, or a URL of an object store such as `s3://bucket/dataset`.
    ///
    /// # Errors
    /// There is none, it cannot be read, or the scheduler cannot be reached.
    pub async fn open(dataset: &str, options: &Options) -> Result<Self, QueryError> {
        let location = Location::of(dataset)?;
        let folder = engine::folder()?;
        let context = engine::context(options, folder.path()).await?;
        let manifest = location.manifest(&context).await?;
        tables::register(&context, &location, &manifest)?;
        views::make(&context, options.rules).await?;
        Ok(Self {
            context,
            manifest,
            folder,
            local_folder: location.folder(),
            kept: Kept::default(),
            is_here: options.cluster.is_none(),
        })
    }

    /// What the dataset was made from, and of which files.
    #[must_use]
    pub const fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// The folder of this machine that the dataset is, if it is one.
    #[must_use]
    pub fn local_folder(&self) -> Option<&Path> {
        self.local_folder.as_deref()
    }

    /// The queries that a cluster works on, where there is one.
    #[must_use]
    pub fn running(&self) -> Option<Arc<Running>> {
        Running::of(&self.context)
    }

    /// The temporary folder that plans write to. It goes with the session.
    #[must_use]
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Makes the views count by other rules. What was [kept](Self::keep) stays as it is.
    ///
    /// # Errors
    /// There are no such rules.
    pub async fn price_by(&self, rules: &str) -> Result<(), QueryError> {
        views::make(&self.context, rules).await
    }

    /// The answer to a question, piece by piece.
    ///
    /// # Errors
    /// The SQL is none, names what is not there, or writes; or the plan fails.
    pub async fn stream(&self, sql: &str) -> Result<SendableRecordBatchStream, QueryError> {
        let plan = question::plan(&self.context, sql).await?;
        plan.execute_stream().await.map_err(|error| QueryError::told(&error))
    }

    /// The answer to a question.
    ///
    /// # Errors
    /// Those of [`stream`](Self::stream), and those of the work.
    pub async fn sql(&self, sql: &str) -> Result<(SchemaRef, Vec<RecordBatch>), QueryError> {
        let stream = self.stream(sql).await?;
        let schema = stream.schema();
        let batches = collect(stream).await.map_err(|error| QueryError::told(&error))?;
        Ok((schema, batches))
    }

    /// Names the answer to a question, so that several others can ask about it. Here it is worked out once and kept on
    /// disk; on a cluster it is a view. An answer that was kept under that name before is forgotten.
    ///
    /// # Errors
    /// Those of [`sql`](Self::sql), a full disk, and the name of a table or view of the dataset.
    pub async fn keep(&self, name: &str, sql: &str) -> Result<(), QueryError> {
        let answer = question::plan(&self.context, sql).await?;
        self.kept.forget(&self.context, name)?;
        if self.is_here {
            let folder = self.folder.path().join(format!("{name}-{}", self.kept.number()));
            keep::on_disk(&self.context, name, answer, &folder).await?;
        } else {
            keep::as_view(&self.context, name, answer)?;
        }
        self.kept.remember(name);
        Ok(())
    }
}
