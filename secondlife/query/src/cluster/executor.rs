use std::fmt;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;

use ballista_core::config::TaskSchedulingPolicy;
use ballista_core::utils::GrpcServerConfig;
use ballista_executor::executor_process::{ExecutorProcessConfig, start_executor_process};
use ballista_executor::health::ExecutorHealth;
use datafusion::prelude::SessionConfig;
use tempfile::TempDir;

use super::address::{ALIVE, Address, ClusterError, bracketed, health as request, listen};
use super::session;

/// Options of an executor.
#[derive(Clone, Debug, PartialEq, Eq, clap::Args)]
pub struct ExecutorOptions {
    /// The scheduler.
    #[arg(long, value_name = "HOST:PORT", default_value = "localhost:50050")]
    pub scheduler: Address,
    /// The address to listen at: 0.0.0.0 for all of this machine. Any client that reaches it can run queries and read files.
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    pub bind: IpAddr,
    /// The name or address by which the other processes reach this machine. [default: the address of --bind, or for
    /// all addresses the one that the scheduler sees]
    #[arg(long, value_name = "HOST")]
    pub external_host: Option<String>,
    /// The port from which rows are fetched; 0 is any free port.
    #[arg(long, default_value_t = 50051)]
    pub port: u16,
    /// The parent of a temporary folder for intermediate rows and for data that exceeds the memory. [default: the
    /// system's for temporary files]
    #[arg(long = "work-dir", value_name = "FOLDER")]
    pub work_folder: Option<PathBuf>,
    /// Number of partitions that run in parallel. [default: the processors of this machine]
    #[arg(long, value_name = "NUMBER")]
    pub tasks: Option<NonZeroUsize>,
    /// Memory of all tasks: 512MiB, 8GiB. [default: seven tenths of this machine's memory]
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes)]
    pub memory: Option<u64>,
}

/// An executor that is ready to run.
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
    /// Chooses a port and creates a work folder.
    ///
    /// # Errors
    ///
    /// The port is in use, the folder cannot be created, or the scheduler does not answer.
    pub async fn prepare(options: &ExecutorOptions) -> Result<Self, ClusterError> {
        let (_, address) = listen(options.bind, options.port)?;
        let folder = work_folder(options)?;
        request(&options.scheduler, ALIVE).await.map_err(|error| {
            ClusterError::new(&options.scheduler, format!("no scheduler answers there: {error}"))
        })?;
        let health = ExecutorHealth::new();
        let config = config(options, address.port(), &folder, &health)?;
        let scheduler = options.scheduler.clone();
        Ok(Self { address, scheduler, config: Arc::new(config), health, folder })
    }

    /// The address from which rows are fetched.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The number of partitions that run in parallel.
    #[must_use]
    pub fn tasks(&self) -> usize {
        self.config.vcores
    }

    /// The state that tells whether the scheduler knows this executor.
    #[must_use]
    pub fn health(&self) -> ExecutorHealth {
        self.health.clone()
    }

    /// Runs until SIGINT or SIGTERM, then notifies the scheduler and finishes its tasks. Reconnects
    /// to a scheduler that restarts.
    ///
    /// # Errors
    ///
    /// The scheduler cannot be reached at the start.
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

fn config(
    options: &ExecutorOptions,
    port: u16,
    folder: &TempDir,
    health: &ExecutorHealth,
) -> Result<ExecutorProcessConfig, ClusterError> {
    let path = folder.path();
    let fail = |problem: String| ClusterError::new(path.display(), problem);
    let work_dir = path.to_str().ok_or_else(|| fail("its name is not UTF-8".to_owned()))?;
    let functions = session::functions().map_err(|error| fail(error.strip_backtrace()))?;
    let bind = (!options.bind.is_unspecified()).then(|| options.bind.to_string());
    let external_host = options.external_host.clone().or(bind);
    let (spill, defaults) = (path.to_owned(), ExecutorProcessConfig::default());
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
        grpc_max_decoding_message_size: session::MAX_MESSAGE,
        grpc_max_encoding_message_size: session::MAX_MESSAGE,
        grpc_server_config: GrpcServerConfig {
            http2_keepalive_interval_seconds: session::PING.as_secs(),
            ..GrpcServerConfig::default()
        },
        override_function_registry: Some(Arc::new(functions)),
        override_config_producer: Some(Arc::new(|| session::agreed(SessionConfig::new()))),
        override_runtime_producer: Some(Arc::new(move |_| session::runtime(Some(&spill)))),
        override_create_grpc_client_endpoint: Some(session::endpoint()),
        health: health.clone(),
        ..defaults
    })
}

const UNITS: [(&str, u64); 7] = [
    ("KiB", 1 << 10),
    ("MiB", 1 << 20),
    ("GiB", 1 << 30),
    ("kB", 1_000),
    ("MB", 1_000_000),
    ("GB", 1_000_000_000),
    ("B", 1),
];

/// Parses a size: `1073741824`, `512MiB`, `8 GB`.
fn parse_bytes(text: &str) -> Result<u64, String> {
    let unit = UNITS.iter().find(|(unit, _)| text.ends_with(unit));
    let (unit, factor) = unit.copied().unwrap_or(("", 1));
    let number = text.strip_suffix(unit).unwrap_or(text).trim_end();
    let number: Option<u64> = number.parse().ok();
    let size = number.and_then(|number| number.checked_mul(factor)).filter(|&size| size > 0);
    size.ok_or_else(|| {
        "a size is an integer number of bytes, kB, MB, GB, KiB, MiB or GiB".to_owned()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_units() {
        for (text, size) in [("1", 1), ("512MiB", 512 << 20), ("8 GB", 8_000_000_000), ("3B", 3)] {
            assert_eq!(parse_bytes(text), Ok(size), "{text}");
        }
        for text in ["", "0", "GiB", "1.5GiB", "-1", "1TB", "18446744073709551615kB", "1 mib"] {
            assert!(parse_bytes(text).is_err(), "{text}");
        }
    }
}
