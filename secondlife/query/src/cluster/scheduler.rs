//! Ballista's scheduler, and detection of lost executors.
//!
//! Ballista 55.0 resumes after a loss and may count rows twice: after an executor of two was killed
//! in a query of 8 partitions, totals were 14 % too large. A wrong total is worse than a query that
//! takes twice as long. Therefore this scheduler never resumes: the loss of an executor ends every
//! query for which it has worked, and [the client](super::connect) submits the query again.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use ballista_core::JobId;
use ballista_core::config::TaskSchedulingPolicy;
use ballista_core::serde::protobuf::task_status::Status;
use ballista_core::serde::protobuf::{RunningTask, SuccessfulTask};
use ballista_scheduler::cluster::BallistaCluster;
use ballista_scheduler::config::SchedulerConfig;
use ballista_scheduler::scheduler_process::{create_scheduler, start_grpc_service_with_listener};
use ballista_scheduler::scheduler_server::SchedulerServer;
use ballista_scheduler::state::execution_graph::ExecutionGraphBox;
use ballista_scheduler::state::execution_stage::ExecutionStage;
use datafusion::prelude::SessionConfig;
use datafusion_proto::protobuf::{LogicalPlanNode, PhysicalPlanNode};
use tokio::net::TcpListener;
use tokio::time::sleep;

use super::address::{ClusterError, bracketed, listen};
use super::session;

/// Options of a scheduler.
#[derive(Clone, Debug, PartialEq, Eq, clap::Args)]
pub struct SchedulerOptions {
    /// The address to listen at: 0.0.0.0 for all of this machine. Any client that reaches it can run queries and read files.
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    pub bind: IpAddr,
    /// The port to listen at; 0 is any free port.
    #[arg(long, default_value_t = 50050)]
    pub port: u16,
    /// The name or address by which the other processes reach this machine. [default: the address of --bind]
    #[arg(long, value_name = "HOST")]
    pub external_host: Option<String>,
    /// Seconds without a request for work after which an executor is lost; a busy executor requests work every 5.
    #[arg(long, value_name = "SECONDS", default_value_t = 20, value_parser = clap::value_parser!(u64).range(8..=60))]
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
    /// Listens at the port. Must be called in a tokio runtime.
    ///
    /// # Errors
    ///
    /// The port is not available, or `external_host` is missing for all addresses.
    pub async fn bind(options: &SchedulerOptions) -> Result<Self, ClusterError> {
        let external_host = match &options.external_host {
            Some(host) => bracketed(host),
            None if options.bind.is_unspecified() => {
                let problem =
                    "the name or address by which executors reach this machine is missing";
                return Err(ClusterError::new(options.bind, problem));
            }
            None => bracketed(&options.bind.to_string()),
        };
        let (listener, address) = listen(options.bind, options.port)?;
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

    /// The address at which it listens.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Serves until the future is dropped.
    ///
    /// # Errors
    ///
    /// The server fails.
    pub async fn serve(self) -> Result<(), ClusterError> {
        let watched = self.server.clone();
        let served = tokio::select! {
            served = start_grpc_service_with_listener(self.listener, self.server) => served,
            () = end_lost(&watched, self.executor_timeout) => Ok(()),
        };
        served.map_err(|error| ClusterError::new(self.address, error.to_string()))
    }
}

/// Returns Ballista's configuration. Clients get their rows through the scheduler.
///
/// A failed task ends its query, and Ballista detects no losses, as this module explains. Executors
/// pull work: if a scheduler of Ballista 55.0 pushes it, the slots of tasks in a restarted stage
/// are never freed, until all queries wait for ever.
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
        grpc_server_max_decoding_message_size: session::MAX_MESSAGE,
        grpc_server_max_encoding_message_size: session::MAX_MESSAGE,
        grpc_client_max_message_size: session::MAX_MESSAGE,
        override_config_producer: Some(Arc::new(|| session::agreed(SessionConfig::new()))),
        override_session_builder: Some(Arc::new(|config| {
            session::finished(session::builder(config, session::runtime(None)?))
        })),
        override_create_grpc_client_endpoint: Some(session::endpoint()),
        ..SchedulerConfig::default()
    }
}

type Server = SchedulerServer<LogicalPlanNode, PhysicalPlanNode>;

/// A time in seconds that no scheduler runs, after which Ballista would detect a loss.
const NEVER: u64 = 100 * 365 * 24 * 60 * 60;

const LOSS_INTERVAL: Duration = Duration::from_secs(1);
const END_INTERVAL: Duration = Duration::from_millis(20);

/// Cancels the queries of executors without a request within `timeout`, and removes these
/// executors. Never returns.
async fn end_lost(server: &Server, timeout: Duration) {
    loop {
        sleep(LOSS_INTERVAL).await;
        for executor in lost(server, timeout).await {
            let jobs = jobs_of(server, &executor).await;
            for job in &jobs {
                // An error means that the scheduler ends with all queries.
                let _ = server.cancel_job(job.clone()).await;
            }
            while running(server, &jobs) {
                sleep(END_INTERVAL).await;
            }
            let reason = format!("it did not request work for {} s", timeout.as_secs());
            let _ = server.state.executor_manager.remove_executor(&executor, Some(reason)).await;
        }
    }
}

async fn lost(server: &Server, timeout: Duration) -> Vec<String> {
    let executors = server.state.executor_manager.get_executors_state().await.unwrap_or_default();
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    let is_lost =
        |last_seen: Option<Duration>| last_seen.is_some_and(|last_seen| last_seen + timeout < now);
    let lost = executors.into_iter().filter(|(_, last_seen, _)| is_lost(*last_seen));
    lost.map(|(executor, ..)| executor.id).collect()
}

async fn jobs_of(server: &Server, executor: &str) -> Vec<JobId> {
    let mut jobs = Vec::new();
    for (job, cached) in server.state.task_manager.get_running_job_cache().iter() {
        let graph = Arc::clone(&cached.execution_graph);
        if has_worked(executor, &*graph.read().await) {
            jobs.push(job.clone());
        }
    }
    jobs
}

fn has_worked(executor: &str, graph: &ExecutionGraphBox) -> bool {
    let mut tasks = graph.stages().values().flat_map(|stage| match stage {
        ExecutionStage::Running(stage) => stage.task_infos.as_slice(),
        ExecutionStage::Successful(stage) => stage.task_infos.as_slice(),
        _ => &[],
    });
    tasks.any(|task| match &task.task_status {
        Status::Running(RunningTask { executor_id })
        | Status::Successful(SuccessfulTask { executor_id, .. }) => executor_id == executor,
        Status::Failed(_) => false,
    })
}

fn running(server: &Server, jobs: &[JobId]) -> bool {
    let cache = server.state.task_manager.get_running_job_cache();
    jobs.iter().any(|job| cache.contains_key(job))
}
