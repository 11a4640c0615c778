//! `lodger grid scheduler` and `lodger grid executor`.

mod endings;
mod size;

use std::io::{self, Write as _};
use std::net::{IpAddr, Ipv4Addr};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use lodger_grid::cluster::{
    Address, ClusterError, Executor, ExecutorOptions, Scheduler, SchedulerOptions,
};
use lodger_terminal::Diagnostic;
use tokio::runtime::{Builder, Runtime};
use tracing_subscriber::EnvFilter;

use endings::Endings;

/// Plans are walked from node to node, and some are deep: Ballista's own processes have as much.
const STACK: usize = 32 << 20;
/// How often it is looked whether the scheduler knows an executor.
const LOOK: Duration = Duration::from_millis(50);
/// How long an executor that is asked to end may take to tell the scheduler. Its tasks are given to others.
const FAREWELL: Duration = Duration::from_secs(3);

/// What all processes of a cluster are told.
#[derive(Debug, clap::Args)]
struct Common {
    /// The address to listen at: 0.0.0.0 for all of this machine. Whoever reaches it may run queries and read files.
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    bind: IpAddr,
    /// The name or address by which the other processes reach this machine. [default: the address of --bind]
    #[arg(long, value_name = "HOST")]
    external_host: Option<String>,
    /// What is logged to stderr: error, warn, info, debug, or as of `RUST_LOG`, which comes first.
    #[arg(long, value_name = "FILTER", default_value = "error")]
    log: String,
}

/// Where a scheduler listens.
#[derive(Debug, clap::Args)]
pub(crate) struct SchedulerArgs {
    #[command(flatten)]
    common: Common,
    /// The port to listen at; any free one with 0.
    #[arg(long, default_value_t = 50050)]
    port: u16,
    /// Seconds after which an executor counts as lost that does not ask for work; a busy one asks every 5.
    #[arg(long, value_name = "SECONDS", default_value_t = 20, value_parser = clap::value_parser!(u64).range(8..=60))]
    executor_timeout: u64,
}

/// Where an executor works, and for whom.
#[derive(Debug, clap::Args)]
pub(crate) struct ExecutorArgs {
    #[command(flatten)]
    common: Common,
    /// The scheduler to work for.
    #[arg(long, value_name = "HOST:PORT", default_value = "localhost:50050")]
    scheduler: Address,
    /// The port where rows are fetched; any free one with 0.
    #[arg(long, default_value_t = 50051)]
    port: u16,
    /// The folder for rows on their way and for what does not fit into memory. [default: the system's for temporary files]
    #[arg(long, value_name = "FOLDER")]
    work_dir: Option<PathBuf>,
    /// How many partitions are worked on at a time. [default: the processors of this machine]
    #[arg(long, value_name = "NUMBER")]
    tasks: Option<NonZeroUsize>,
    /// What they may hold together: 512MiB, 8GiB. [default: seven tenths of this machine's memory]
    #[arg(long, value_name = "SIZE", value_parser = size::bytes)]
    memory: Option<u64>,
}

/// Runs a scheduler until it is ended.
pub(crate) fn scheduler(args: &SchedulerArgs) -> Result<ExitCode, Diagnostic> {
    log_to_stderr(&args.common.log)?;
    let options = SchedulerOptions {
        bind: args.common.bind,
        port: args.port,
        external_host: args.common.external_host.clone(),
        executor_timeout: args.executor_timeout,
    };
    runtime()?.block_on(async {
        let mut endings = Endings::new().map_err(|error| no_signals(&error))?;
        let scheduler = Scheduler::bind(&options).await.map_err(|error| unbound(&error, &options))?;
        say(&format!("scheduler at {}", scheduler.address()))?;
        tokio::select! {
            code = endings.next() => Ok(code),
            served = scheduler.serve() => served.map(|()| ExitCode::SUCCESS).map_err(|error| told(&error)),
        }
    })
}

/// Runs an executor until it is ended.
pub(crate) fn executor(args: &ExecutorArgs) -> Result<ExitCode, Diagnostic> {
    log_to_stderr(&args.common.log)?;
    let options = ExecutorOptions {
        scheduler: args.scheduler.clone(),
        bind: args.common.bind,
        external_host: args.common.external_host.clone(),
        port: args.port,
        work_folder: args.work_dir.clone(),
        tasks: args.tasks,
        memory: args.memory,
    };
    runtime()?.block_on(work(&options))
}

async fn work(options: &ExecutorOptions) -> Result<ExitCode, Diagnostic> {
    let mut endings = Endings::new().map_err(|error| no_signals(&error))?;
    let executor = Executor::prepare(options).await.map_err(|error| told(&error))?;
    let told_of = format!("executor at {} with {} tasks", executor.address(), executor.tasks());
    let health = executor.health();
    let ready = async {
        while !health.is_ready() {
            tokio::time::sleep(LOOK).await;
        }
        say(&format!("{told_of} for {}", options.scheduler))
    };
    let mut run = std::pin::pin!(executor.run());
    tokio::select! {
        ready = ready => ready?,
        code = endings.next() => return Ok(code),
        ended = &mut run => return Err(unasked(ended, options)),
    }
    let code = tokio::select! {
        code = endings.next() => code,
        ended = &mut run => return Err(unasked(ended, options)),
    };
    tokio::select! {
        _ = endings.next() => Ok(code),
        () = tokio::time::sleep(FAREWELL) => Ok(code),
        ended = run => ended.map(|()| code).map_err(|error| told(&error)),
    }
}

/// What is told of an end that no signal asked for.
fn unasked(ended: Result<(), ClusterError>, options: &ExecutorOptions) -> Diagnostic {
    let Err(error) = ended else {
        let message = format!("the executor for {} stopped by itself", options.scheduler);
        return Diagnostic::error(message).help("--log info shows what went before");
    };
    told(&error)
}

fn unbound(error: &ClusterError, options: &SchedulerOptions) -> Diagnostic {
    let is_nameless = options.bind.is_unspecified() && options.external_host.is_none();
    if is_nameless { told(error).help("--external-host HOST says it") } else { told(error) }
}

fn told(error: &ClusterError) -> Diagnostic {
    Diagnostic::error(error.to_string())
}

fn no_signals(error: &io::Error) -> Diagnostic {
    Diagnostic::error(format!("cannot wait for signals: {error}"))
}

/// What a script waits for, and where it finds the port.
fn say(line: &str) -> Result<(), Diagnostic> {
    let mut out = io::stdout().lock();
    let told = writeln!(out, "{line}").and_then(|()| out.flush());
    told.map_err(|error| Diagnostic::error(format!("cannot write to stdout: {error}")))
}

fn runtime() -> Result<Runtime, Diagnostic> {
    let built = Builder::new_multi_thread().enable_all().thread_stack_size(STACK).build();
    built.map_err(|error| Diagnostic::error(format!("cannot start: {error}")))
}

fn log_to_stderr(filter: &str) -> Result<(), Diagnostic> {
    let filter = std::env::var(EnvFilter::DEFAULT_ENV).unwrap_or_else(|_| filter.to_owned());
    let wrong = |error: &dyn std::fmt::Display| {
        Diagnostic::error(format!("`{filter}` is no filter for the log: {error}"))
            .help("error, warn, info, debug, or for instance ballista_scheduler=info")
    };
    let parsed = EnvFilter::try_new(&filter).map_err(|error| wrong(&error))?;
    let log = tracing_subscriber::fmt().with_writer(io::stderr).with_ansi(false);
    log.with_env_filter(parsed).try_init().map_err(|error| wrong(&error))
}
