//! Ballista's executor.

use std::fmt;
use std::net::{IpAddr, SocketAddr};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;

use ballista_core::config::TaskSchedulingPolicy;
use ballista_core::utils::GrpcServerConfig;
use ballista_executor::executor_process::{ExecutorProcessConfig, start_executor_process};
use ballista_executor::health::ExecutorHealth;
use datafusion::prelude::SessionConfig;
use tempfile::TempDir;

use super::address::{Address, bracketed};
use super::error::ClusterError;
use super::health::{ALIVE, ask};
use super::{links, port, session};

/// How an executor is run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExecutorOptions {
    /// The scheduler to work for.
    pub scheduler: Address,
    /// The address to listen at.
    pub bind: IpAddr,
    /// The name or address by which the others reach it; [`bind`](Self::bind) where it is `None`, and if that is all
    /// addresses, the one that the scheduler sees.
    pub external_host: Option<String>,
    /// The port where rows are fetched; any free one where it is 0.
    pub port: u16,
    /// The folder for a folder with rows on their way, that goes when the executor ends; the system's one where it is
    /// `None`.
    pub work_folder: Option<PathBuf>,
    /// How many partitions are worked on at a time; as many as there are processors where it is `None`.
    pub tasks: Option<NonZeroUsize>,
    /// Bytes that all of them together may hold; seven tenths of the machine's where it is `None`.
    pub memory: Option<u64>,
}

/// An executor that can be started.
pub struct Executor {
    address: SocketAddr,
    scheduler: Address,
    config: Arc<ExecutorProcessConfig>,
    health: ExecutorHealth,
    folder: TempDir,
}

impl fmt::Debug for Executor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Executor");
        shown.field("address", &self.address).field("folder", &self.folder).finish_non_exhaustive()
    }
}

impl Executor {
    /// Chooses a port and makes a folder to work in.
    ///
    /// # Errors
    /// The port is in use, the folder cannot be made, or the scheduler does not answer.
    pub async fn prepare(options: &ExecutorOptions) -> Result<Self, ClusterError> {
        let (_, address) = port::listen(options.bind, options.port)?;
        let folder = work_folder(options)?;
        ask(&options.scheduler, ALIVE).await.map_err(|error| {
            ClusterError::new(&options.scheduler, format!("no scheduler answers there: {error}"))
        })?;
        let health = ExecutorHealth::new();
        let config = config(options, address.port(), &folder, &health)?;
        let scheduler = options.scheduler.clone();
        Ok(Self { address, scheduler, config: Arc::new(config), health, folder })
    }

    /// Where rows are fetched.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// How many partitions are worked on at a time.
    #[must_use]
    pub fn tasks(&self) -> usize {
        self.config.vcores
    }

    /// What says whether the scheduler knows this executor.
    #[must_use]
    pub fn health(&self) -> ExecutorHealth {
        self.health.clone()
    }

    /// Works until SIGINT or SIGTERM arrive, then tells the scheduler and finishes its tasks. A scheduler that goes and
    /// comes again is asked again.
    ///
    /// # Errors
    /// The scheduler cannot be reached in the beginning.
    pub async fn run(self) -> Result<(), ClusterError> {
        let ended = start_executor_process(self.config).await;
        ended.map_err(|error| ClusterError::new(&self.scheduler, error.to_string()))
    }
}

fn work_folder(options: &ExecutorOptions) -> Result<TempDir, ClusterError> {
    let mut builder = tempfile::Builder::new();
    let builder = builder.prefix("lodger-executor-");
    let made = match &options.work_folder {
        Some(folder) => builder.tempdir_in(folder),
        None => builder.tempdir(),
    };
    made.map_err(|error| {
        let folder = options.work_folder.clone().unwrap_or_else(std::env::temp_dir);
        ClusterError::new(folder.display(), format!("no folder can be made there: {error}"))
    })
}

/// What Ballista is told.
fn config(
    options: &ExecutorOptions,
    port: u16,
    folder: &TempDir,
    health: &ExecutorHealth,
) -> Result<ExecutorProcessConfig, ClusterError> {
    let place = folder.path();
    let fail = |problem: String| ClusterError::new(place.display(), problem);
    let work_dir = place.to_str().ok_or_else(|| fail("its name is no text".to_owned()))?;
    let functions = session::functions().map_err(|error| fail(error.strip_backtrace()))?;
    let told = (!options.bind.is_unspecified()).then(|| options.bind.to_string());
    let external_host = options.external_host.clone().or(told);
    let (spill, defaults) = (place.to_owned(), ExecutorProcessConfig::default());
    Ok(ExecutorProcessConfig {
        bind_host: bracketed(&options.bind.to_string()),
        external_host: external_host.map(|host| bracketed(&host)),
        port,
        scheduler_host: bracketed(&options.scheduler.host),
        scheduler_port: options.scheduler.port,
        vcores: options.tasks.map_or(defaults.vcores, NonZeroUsize::get),
        work_dir: Some(work_dir.to_owned()),
        task_scheduling_policy: TaskSchedulingPolicy::PullStaged,
        memory_pool_size: options.memory,
        grpc_max_decoding_message_size: links::LARGEST_MESSAGE,
        grpc_max_encoding_message_size: links::LARGEST_MESSAGE,
        grpc_server_config: GrpcServerConfig {
            http2_keepalive_interval_seconds: links::PING.as_secs(),
            ..GrpcServerConfig::default()
        },
        override_function_registry: Some(Arc::new(functions)),
        override_config_producer: Some(Arc::new(|| session::agreed(SessionConfig::new()))),
        override_runtime_producer: Some(Arc::new(move |_| session::runtime(Some(&spill)))),
        override_create_grpc_client_endpoint: Some(links::endpoint()),
        health: health.clone(),
        ..defaults
    })
}
