//! Ballista's scheduler.

use std::fmt;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use ballista_core::config::TaskSchedulingPolicy;
use ballista_scheduler::cluster::BallistaCluster;
use ballista_scheduler::config::SchedulerConfig;
use ballista_scheduler::scheduler_process::{create_scheduler, start_grpc_service_with_listener};
use datafusion::prelude::SessionConfig;
use tokio::net::TcpListener;

use super::address::bracketed;
use super::error::ClusterError;
use super::losses::{self, NEVER, Server};
use super::{links, port, session};

/// How a scheduler is run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SchedulerOptions {
    /// The address to listen at.
    pub bind: IpAddr,
    /// The port to listen at; any free one where it is 0.
    pub port: u16,
    /// The name or address by which executors reach it; [`bind`](Self::bind) where it is `None`.
    pub external_host: Option<String>,
    /// Seconds after which an executor counts as lost that does not ask for work. One that is busy asks every 5 seconds.
    pub executor_timeout: u64,
}

/// A scheduler that listens.
pub struct Scheduler {
    address: SocketAddr,
    listener: TcpListener,
    server: Server,
    executor_timeout: Duration,
}

impl fmt::Debug for Scheduler {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Scheduler").field("address", &self.address).finish_non_exhaustive()
    }
}

impl Scheduler {
    /// Listens. Call it within a runtime of tokio.
    ///
    /// # Errors
    /// The port cannot be listened at, or nobody could reach the scheduler by the address that it would tell.
    pub async fn bind(options: &SchedulerOptions) -> Result<Self, ClusterError> {
        let external_host = match &options.external_host {
            Some(host) => bracketed(host),
            None if options.bind.is_unspecified() => {
                let problem = "say by which name or address executors reach this machine";
                return Err(ClusterError::new(options.bind, problem));
            }
            None => bracketed(&options.bind.to_string()),
        };
        let (listener, address) = port::listen(options.bind, options.port)?;
        let fail = |error: &dyn fmt::Display| ClusterError::new(address, error.to_string());
        listener.set_nonblocking(true).map_err(|error| fail(&error))?;
        let listener = TcpListener::from_std(listener).map_err(|error| fail(&error))?;
        let config = Arc::new(config(options, external_host, address.port()));
        let cluster = BallistaCluster::new_from_config(&config).await;
        let cluster = cluster.map_err(|error| fail(&error))?;
        let server = create_scheduler(cluster, config).await.map_err(|error| fail(&error))?;
        let executor_timeout = Duration::from_secs(options.executor_timeout);
        Ok(Self { address, listener, server, executor_timeout })
    }

    /// Where it listens.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Serves until the future is dropped.
    ///
    /// # Errors
    /// It can listen no more.
    pub async fn serve(self) -> Result<(), ClusterError> {
        let watched = self.server.clone();
        let served = tokio::select! {
            served = start_grpc_service_with_listener(self.listener, self.server) => served,
            () = losses::watch(&watched, self.executor_timeout) => Ok(()),
        };
        served.map_err(|error| ClusterError::new(self.address, error.to_string()))
    }
}

/// What Ballista is told. Clients get their rows through the scheduler, so that they need to reach nobody else.
///
/// A failed task ends its query, and Ballista learns of no loss: [`losses`] says why. Executors ask for work. Where a scheduler of Ballista 55.0 gives it, it forgets that a task's place is free again
/// whose stage is begun anew after a loss, until no place is left and all queries wait for ever.
fn config(options: &SchedulerOptions, external_host: String, port: u16) -> SchedulerConfig {
    SchedulerConfig {
        external_host,
        bind_host: options.bind.to_string(),
        bind_port: port,
        scheduling_policy: TaskSchedulingPolicy::PullStaged,
        enable_embedded_flight_proxy: true,
        executor_timeout_seconds: NEVER,
        no_executors_grace_period_seconds: NEVER,
        executor_termination_grace_period: NEVER,
        task_max_failures: 1,
        stage_max_failures: 1,
        grpc_server_max_decoding_message_size: links::LARGEST_MESSAGE,
        grpc_server_max_encoding_message_size: links::LARGEST_MESSAGE,
        grpc_client_max_message_size: links::LARGEST_MESSAGE,
        override_config_producer: Some(Arc::new(|| session::agreed(SessionConfig::new()))),
        override_session_builder: Some(Arc::new(|config| {
            session::finished(session::builder(config, session::runtime(None)?))
        })),
        override_create_grpc_client_endpoint: Some(links::endpoint()),
        ..SchedulerConfig::default()
    }
}
