use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::dataframe::{DataFrame, DataFrameWriteOptions};
use datafusion::execution::memory_pool::{FairSpillPool, TrackConsumersPool};
use datafusion::execution::runtime_env::RuntimeEnvBuilder;
use datafusion::execution::{SendableRecordBatchStream, SessionStateBuilder};
use datafusion::physical_plan::common::collect;
use datafusion::prelude::{ParquetReadOptions, SQLOptions, SessionConfig, SessionContext};
use datafusion::sql::parser::{DFParser, Statement};
use datafusion::sql::sqlparser::ast::Statement as Sql;
use tempfile::TempDir;

use super::error::QueryError;
use super::location::{DatasetLocation, create_views, register_tables};
use crate::cluster::{self, RunningQueries, Stores};
use crate::dataset::DatasetManifest;

/// A dataset, opened for queries on the tables `assets` and `parts` and the views `uses`, `prices`
/// and `objects`.
pub struct QuerySession {
    context: SessionContext,
    manifest: DatasetManifest,
    folder: TempDir,
    local_folder: Option<PathBuf>,
    materialized: MaterializedResults,
    is_local: bool,
}

impl QuerySession {
    /// Opens a dataset: a folder, or a URL of an object store such as `s3://bucket/dataset`.
    ///
    /// # Errors
    ///
    /// The dataset does not exist or cannot be read, or the scheduler cannot be reached.
    pub async fn open(dataset: &str, options: &QueryOptions) -> Result<Self, QueryError> {
        let location = DatasetLocation::parse(dataset)?;
        let folder = temporary_folder()?;
        let context = new_context(options, folder.path()).await?;
        let manifest = location.manifest(&context).await?;
        register_tables(&context, &location, &manifest)?;
        create_views(&context, options.rules).await?;
        Ok(Self {
            context,
            manifest,
            folder,
            local_folder: location.folder(),
            materialized: MaterializedResults::default(),
            is_local: options.cluster.is_none(),
        })
    }

    /// The sources and files of the dataset.
    #[must_use]
    pub const fn manifest(&self) -> &DatasetManifest {
        &self.manifest
    }

    /// The folder of a local dataset.
    #[must_use]
    pub fn local_folder(&self) -> Option<&Path> {
        self.local_folder.as_deref()
    }

    /// The running queries on a cluster.
    #[must_use]
    pub fn running(&self) -> Option<Arc<RunningQueries>> {
        RunningQueries::from_context(&self.context)
    }

    /// The temporary folder, which is removed with the session.
    #[must_use]
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Sets the rules of the views. [Materialized](Self::materialize) results do not change.
    ///
    /// # Errors
    ///
    /// The rules do not exist.
    pub async fn set_rules(&self, rules: &str) -> Result<(), QueryError> {
        create_views(&self.context, rules).await
    }

    /// Runs a query, and returns a stream of its results.
    ///
    /// # Errors
    ///
    /// The SQL is invalid, contains unknown names or writes; or the plan fails.
    pub async fn stream(&self, sql: &str) -> Result<SendableRecordBatchStream, QueryError> {
        let plan = plan(&self.context, sql).await?;
        plan.execute_stream().await.map_err(|error| QueryError::from_error(&error))
    }

    /// Runs a query, and returns its results.
    ///
    /// # Errors
    ///
    /// Errors of [`stream`](Self::stream) and of the execution.
    pub async fn sql(&self, sql: &str) -> Result<(SchemaRef, Vec<RecordBatch>), QueryError> {
        let stream = self.stream(sql).await?;
        let schema = stream.schema();
        let batches = collect(stream).await.map_err(|error| QueryError::from_error(&error))?;
        Ok((schema, batches))
    }

    /// Makes the result of a query a table for other queries, and replaces an earlier result of
    /// that name. Locally the result is computed once and stored on disk; on a cluster it is a
    /// view.
    ///
    /// # Errors
    ///
    /// Errors of [`sql`](Self::sql), a full disk, and the name of a table or view of the dataset.
    pub async fn materialize(&self, name: &str, sql: &str) -> Result<(), QueryError> {
        let result = plan(&self.context, sql).await?;
        self.materialized.remove(&self.context, name)?;
        if self.is_local {
            let folder =
                self.folder.path().join(format!("{name}-{}", self.materialized.next_number()));
            write_table(&self.context, name, result, &folder).await?;
        } else {
            self.context
                .register_table(name, result.into_view())
                .map_err(|error| QueryError::from_error(&error))?;
        }
        self.materialized.insert(name);
        Ok(())
    }
}

/// Options of queries.
#[derive(Clone, Debug)]
pub struct QueryOptions {
    /// The rules of the views `prices` and `objects`: `wiki`, `viewer` or `grid`.
    pub rules: &'static str,
    /// The number of partitions of a plan; by default the number of processors.
    pub partitions: Option<NonZeroUsize>,
    /// The memory of a plan in bytes; larger plans spill to disk.
    pub memory: usize,
    /// The scheduler of a cluster, `HOST:PORT`; `None` runs queries in this process.
    pub cluster: Option<String>,
}

const NAMED_CONSUMERS: NonZeroUsize = NonZeroUsize::MIN;

fn temporary_folder() -> Result<TempDir, QueryError> {
    tempfile::Builder::new()
        .prefix("lodger-grid-")
        .tempdir()
        .map_err(|error| QueryError::disk(&error))
}

async fn new_context(options: &QueryOptions, folder: &Path) -> Result<SessionContext, QueryError> {
    let config = config(options);
    if let Some(address) = &options.cluster {
        return cluster::connect(address, config)
            .await
            .map_err(|error| QueryError::new(format!("no cluster at {error}")));
    }
    let fail = |error| QueryError::from_error(&error);
    let pool = TrackConsumersPool::new(FairSpillPool::new(options.memory), NAMED_CONSUMERS);
    let runtime = RuntimeEnvBuilder::new()
        .with_object_store_registry(Arc::new(Stores::default()))
        .with_memory_pool(Arc::new(pool))
        .with_temp_file_path(folder);
    let state = SessionStateBuilder::new()
        .with_config(config)
        .with_runtime_env(runtime.build_arc().map_err(fail)?)
        .with_default_features()
        .build();
    let mut context = SessionContext::new_with_state(state);
    lodger_functions::register(&mut context).map_err(fail)?;
    Ok(context)
}

fn config(options: &QueryOptions) -> SessionConfig {
    let mut config = SessionConfig::new().with_information_schema(true);
    if let Some(partitions) = options.partitions {
        config = config.with_target_partitions(partitions.get());
    }
    // The order of the tables in the views decides which side of a join is held in memory.
    config.options_mut().optimizer.join_reordering = false;
    config
}

/// Plans a query, which must be one statement that only reads.
async fn plan(context: &SessionContext, sql: &str) -> Result<DataFrame, QueryError> {
    let fail = |error| QueryError::with_names(&error, context);
    let mut statements = DFParser::parse_sql(sql).map_err(fail)?;
    let (Some(statement), None) = (statements.pop_front(), statements.pop_front()) else {
        return Err(QueryError::new("a query is one statement of SQL"));
    };
    if !is_read_only(&statement) {
        return Err(QueryError::not_read_only(&statement.to_string()));
    }
    let plan = context.state().statement_to_plan(statement).await.map_err(fail)?;
    let only_reading =
        SQLOptions::new().with_allow_ddl(false).with_allow_dml(false).with_allow_statements(false);
    only_reading.verify_plan(&plan).map_err(|_| QueryError::not_read_only(sql))?;
    context.execute_logical_plan(plan).await.map_err(fail)
}

fn is_read_only(statement: &Statement) -> bool {
    match statement {
        Statement::Statement(sql) => matches!(
            **sql,
            Sql::Query(_)
                | Sql::Explain { .. }
                | Sql::ExplainTable { .. }
                | Sql::ShowTables { .. }
                | Sql::ShowColumns { .. }
                | Sql::ShowFunctions { .. }
        ),
        Statement::Explain(explain) => is_read_only(&explain.statement),
        _ => false,
    }
}

#[derive(Debug, Default)]
struct MaterializedResults {
    names: Mutex<BTreeSet<String>>,
    folders: AtomicUsize,
}

impl MaterializedResults {
    /// Removes a materialized result; another table of that name stays.
    fn remove(&self, context: &SessionContext, name: &str) -> Result<(), QueryError> {
        if self.names().remove(name) {
            context.deregister_table(name).map_err(|error| QueryError::from_error(&error))?;
        }
        Ok(())
    }

    fn insert(&self, name: &str) {
        self.names().insert(name.to_owned());
    }

    /// Returns an unused number for a folder; failed results may leave files in theirs.
    fn next_number(&self) -> usize {
        self.folders.fetch_add(1, Ordering::Relaxed)
    }

    fn names(&self) -> MutexGuard<'_, BTreeSet<String>> {
        self.names.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

async fn write_table(
    context: &SessionContext,
    name: &str,
    result: DataFrame,
    folder: &Path,
) -> Result<(), QueryError> {
    let fail = |error| QueryError::from_error(&error);
    // The slash denotes a folder.
    let path = format!("{}/", folder.display());
    let schema = std::sync::Arc::new(result.schema().as_arrow().clone());
    std::fs::create_dir_all(folder).map_err(|error| QueryError::disk(&error))?;
    let (options, mut parquet) =
        (DataFrameWriteOptions::new(), context.state().table_options().parquet.clone());
    parquet.global.compression = Some("uncompressed".to_owned());
    result.write_parquet(&path, options, Some(parquet)).await.map_err(fail)?;
    let read = ParquetReadOptions::default().schema(&schema);
    context.register_parquet(name, &path, read).await.map_err(fail)
}
