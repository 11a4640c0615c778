//! Settings that client, scheduler and executors share.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use ballista::prelude::SessionConfigExt;
use ballista_core::extension::EndpointOverrideFn;
use ballista_core::optimizer::ballista_default_optimizer_rules;
use ballista_core::registry::BallistaFunctionRegistry;
use datafusion::error::Result;
use datafusion::execution::runtime_env::{RuntimeEnv, RuntimeEnvBuilder};
use datafusion::execution::session_state::{SessionState, SessionStateBuilder};
use datafusion::prelude::SessionConfig;

use super::stores::Stores;

/// Adds the settings of a cluster; partitions and batch size stay.
///
/// Adaptive planning is off, because Ballista cannot recover an adapted plan after the loss of an
/// executor (<https://github.com/apache/datafusion-ballista/issues/1986>). A task has one
/// partition, because executors count tasks and not partitions.
pub(super) fn agreed(config: SessionConfig) -> SessionConfig {
    let ping = usize::try_from(PING.as_secs()).unwrap_or(usize::MAX);
    let max_message = usize::try_from(MAX_MESSAGE).unwrap_or(usize::MAX);
    config
        .upgrade_for_ballista()
        .with_ballista_adaptive_query_planner(false)
        .with_ballista_grpc_client_max_message_size(max_message)
        .with_ballista_override_create_grpc_client_endpoint(endpoint())
        .set_usize("ballista.client.grpc_http2_keepalive_interval_seconds", ping)
        .set_usize("ballista.scheduler.max_partitions_per_task", 1)
        .set_usize("ballista.client.io_retry_wait_time_ms", 1_000)
}

/// Creates a runtime with the [`Stores`], which spills to a folder, by default the system's.
pub(super) fn runtime(folder: Option<&Path>) -> Result<Arc<RuntimeEnv>> {
    let builder = RuntimeEnvBuilder::new().with_object_store_registry(Arc::new(Stores::default()));
    let builder = match folder {
        Some(folder) => builder.with_temp_file_path(folder),
        None => builder,
    };
    builder.build_arc()
}

pub(super) fn builder(config: SessionConfig, runtime: Arc<RuntimeEnv>) -> SessionStateBuilder {
    SessionStateBuilder::new()
        .with_default_features()
        .with_config(config)
        .with_runtime_env(runtime)
        .with_optimizer_rules(ballista_default_optimizer_rules())
}

pub(super) fn finished(builder: SessionStateBuilder) -> Result<SessionState> {
    let mut state = builder.build();
    lodger_functions::register(&mut state)?;
    Ok(state)
}

pub(super) fn functions() -> Result<BallistaFunctionRegistry> {
    let config = agreed(SessionConfig::new());
    let state = finished(builder(config, Arc::new(RuntimeEnv::default())))?;
    Ok(BallistaFunctionRegistry::from(&state))
}

const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// The interval of pings. A lost machine does not close its connections; Ballista's default is 3 to
/// 5 minutes.
pub(super) const PING: Duration = Duration::from_secs(10);
const PONG_TIMEOUT: Duration = Duration::from_secs(10);
/// The limit of bytes of a message: a plan with all file names, or a batch of rows.
pub(super) const MAX_MESSAGE: u32 = 64 << 20;

pub(super) fn endpoint() -> EndpointOverrideFn {
    Arc::new(|endpoint| {
        Ok(endpoint
            .connect_timeout(CONNECT_TIMEOUT)
            .http2_keep_alive_interval(PING)
            .keep_alive_timeout(PONG_TIMEOUT)
            .keep_alive_while_idle(true))
    })
}
