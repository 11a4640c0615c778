//! What client, scheduler and executors agree on.

use std::path::Path;
use std::sync::Arc;

use ballista::prelude::SessionConfigExt;
use ballista_core::optimizer::ballista_default_optimizer_rules;
use ballista_core::registry::BallistaFunctionRegistry;
use datafusion::error::Result;
use datafusion::execution::FunctionRegistry;
use datafusion::execution::runtime_env::{RuntimeEnv, RuntimeEnvBuilder};
use datafusion::execution::session_state::{SessionState, SessionStateBuilder};
use datafusion::prelude::SessionConfig;

use super::links;
use super::stores::Stores;

/// A configuration by which a cluster works. What it says of partitions and batches stays.
///
/// Stages are planned before they run: where Ballista adapts a plan while it runs, it cannot go on after the loss of an
/// executor (<https://github.com/apache/datafusion-ballista/issues/1986>). A task is of one partition, because an
/// executor that asks for work counts its tasks and not their partitions.
pub(super) fn agreed(config: SessionConfig) -> SessionConfig {
    let ping = usize::try_from(links::PING.as_secs()).unwrap_or(usize::MAX);
    let largest = usize::try_from(links::LARGEST_MESSAGE).unwrap_or(usize::MAX);
    config
        .upgrade_for_ballista()
        .with_ballista_adaptive_query_planner(false)
        .with_ballista_grpc_client_max_message_size(largest)
        .with_ballista_override_create_grpc_client_endpoint(links::endpoint())
        .set_usize("ballista.client.grpc_http2_keepalive_interval_seconds", ping)
        .set_usize("ballista.scheduler.max_partitions_per_task", 1)
        .set_usize("ballista.client.io_retry_wait_time_ms", 1_000)
}

/// A runtime that knows the [`Stores`], and writes what does not fit into memory to that folder, or to the system's.
pub(super) fn runtime(folder: Option<&Path>) -> Result<Arc<RuntimeEnv>> {
    let builder = RuntimeEnvBuilder::new().with_object_store_registry(Arc::new(Stores::default()));
    let builder = match folder {
        Some(folder) => builder.with_temp_file_path(folder),
        None => builder,
    };
    builder.build_arc()
}

/// The beginning of a session: all functions but lodger's.
pub(super) fn builder(config: SessionConfig, runtime: Arc<RuntimeEnv>) -> SessionStateBuilder {
    SessionStateBuilder::new()
        .with_default_features()
        .with_config(config)
        .with_runtime_env(runtime)
        .with_optimizer_rules(ballista_default_optimizer_rules())
}

/// The session, with lodger's functions too.
pub(super) fn finished(builder: SessionStateBuilder) -> Result<SessionState> {
    let mut state = builder.build();
    for function in lodger_functions::all() {
        state.register_udf(function)?;
    }
    Ok(state)
}

/// All functions by their names, for those who run parts of plans.
pub(super) fn functions() -> Result<BallistaFunctionRegistry> {
    let config = agreed(SessionConfig::new());
    let state = finished(builder(config, Arc::new(RuntimeEnv::default())))?;
    Ok(BallistaFunctionRegistry::from(&state))
}
