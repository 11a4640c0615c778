//! Who works plans out: this process, or a cluster.

use std::path::Path;
use std::sync::Arc;

use datafusion::execution::SessionStateBuilder;
use datafusion::execution::memory_pool::{FairSpillPool, TrackConsumersPool};
use datafusion::execution::runtime_env::RuntimeEnvBuilder;
use datafusion::prelude::{SessionConfig, SessionContext};
use std::num::NonZeroUsize;
use tempfile::TempDir;

use super::error::QueryError;
use super::options::Options;
use crate::cluster::{self, Stores};

/// So many holders of memory are named where there is not enough of it.
const NAMED: NonZeroUsize = NonZeroUsize::MIN;

/// A temporary folder for what plans write to disk.
pub(super) fn folder() -> Result<TempDir, QueryError> {
    tempfile::Builder::new()
        .prefix("lodger-grid-")
        .tempdir()
        .map_err(|error| QueryError::disk(&error))
}

/// A context with lodger's functions.
pub(super) async fn context(
    options: &Options,
    folder: &Path,
) -> Result<SessionContext, QueryError> {
    let config = config(options);
    if let Some(address) = &options.cluster {
        return cluster::connect(address, config).await.map_err(QueryError::Cluster);
    }
    let told = |error| QueryError::told(&error);
    let pool = TrackConsumersPool::new(FairSpillPool::new(options.memory), NAMED);
    let runtime = RuntimeEnvBuilder::new()
        .with_object_store_registry(Arc::new(Stores::default()))
        .with_memory_pool(Arc::new(pool))
        .with_temp_file_path(folder);
    let state = SessionStateBuilder::new()
        .with_config(config)
        .with_runtime_env(runtime.build_arc().map_err(told)?)
        .with_default_features()
        .build();
    let context = SessionContext::new_with_state(state);
    for function in lodger_functions::all() {
        context.register_udf(function.as_ref().clone());
    }
    Ok(context)
}

fn config(options: &Options) -> SessionConfig {
    let mut config = SessionConfig::new().with_information_schema(true);
    if let Some(partitions) = options.partitions {
        config = config.with_target_partitions(partitions.get());
    }
    // The views say which side of a join is held in memory.
    config.options_mut().optimizer.join_reordering = false;
    config
}
