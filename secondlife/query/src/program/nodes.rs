//! `lodger grid scheduler` and `lodger grid executor`.

use std::io::{self, Write as _};
use std::process::ExitCode;
use std::time::Duration;

use lodger_grid::cluster::{ClusterError, Executor, ExecutorOptions, Scheduler, SchedulerOptions};
use lodger_terminal::Diagnostic;
use tokio::runtime::{Builder, Runtime};
use tracing_subscriber::EnvFilter;

/// The stack size, as in Ballista's processes: deep plans are traversed recursively.
const STACK: usize = 32 << 20;
const READY_INTERVAL: Duration = Duration::from_millis(50);
/// The time limit of an executor's shutdown, in which it notifies the scheduler.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(3);

/// Options of a scheduler and its log.
#[derive(Debug, clap::Args)]
pub(crate) struct SchedulerArgs {
    #[command(flatten)]
    options: SchedulerOptions,
    #[command(flatten)]
    log: NodeLogArgs,
}

/// Options of an executor and its log.
#[derive(Debug, clap::Args)]
pub(crate) struct ExecutorArgs {
    #[command(flatten)]
    options: ExecutorOptions,
    #[command(flatten)]
    log: NodeLogArgs,
}

#[derive(Debug, clap::Args)]
struct NodeLogArgs {
    /// Log filter for stderr: error, warn, info, debug, or as of `RUST_LOG`, which takes precedence.
    #[arg(long, value_name = "FILTER", default_value = "error")]
    log: String,
}

pub(crate) fn scheduler(args: &SchedulerArgs) -> Result<ExitCode, Diagnostic> {
    let options = &args.options;
    log_to_stderr(&args.log.log)?;
    runtime()?.block_on(async {
        let mut signals = ShutdownSignals::new().map_err(|error| no_signals(&error))?;
        let scheduler = Scheduler::bind(options).await.map_err(|error| unbound(&error, options))?;
        print_line(&format!("scheduler at {}", scheduler.address()))?;
        tokio::select! {
            code = signals.next() => Ok(code),
            served = scheduler.serve() => served.map(|()| ExitCode::SUCCESS).map_err(|error| to_diagnostic(&error)),
        }
    })
}

pub(crate) fn executor(args: &ExecutorArgs) -> Result<ExitCode, Diagnostic> {
    log_to_stderr(&args.log.log)?;
    runtime()?.block_on(run_executor(&args.options))
}

async fn run_executor(options: &ExecutorOptions) -> Result<ExitCode, Diagnostic> {
    let mut signals = ShutdownSignals::new().map_err(|error| no_signals(&error))?;
    let executor = Executor::prepare(options).await.map_err(|error| to_diagnostic(&error))?;
    let description = format!("executor at {} with {} tasks", executor.address(), executor.tasks());
    let health = executor.health();
    let ready = async {
        while !health.is_ready() {
            tokio::time::sleep(READY_INTERVAL).await;
        }
        print_line(&format!("{description} for {}", options.scheduler))
    };
    let mut run = std::pin::pin!(executor.run());
    tokio::select! {
        ready = ready => ready?,
        code = signals.next() => return Ok(code),
        ended = &mut run => return Err(unexpected_end(ended, options)),
    }
    let code = tokio::select! {
        code = signals.next() => code,
        ended = &mut run => return Err(unexpected_end(ended, options)),
    };
    tokio::select! {
        _ = signals.next() => Ok(code),
        () = tokio::time::sleep(SHUTDOWN_TIMEOUT) => Ok(code),
        ended = run => ended.map(|()| code).map_err(|error| to_diagnostic(&error)),
    }
}

/// Describes an end without a signal.
fn unexpected_end(ended: Result<(), ClusterError>, options: &ExecutorOptions) -> Diagnostic {
    let Err(error) = ended else {
        let message = format!("the executor for {} stopped by itself", options.scheduler);
        return Diagnostic::error(message).help("--log info shows the events before it");
    };
    to_diagnostic(&error)
}

fn unbound(error: &ClusterError, options: &SchedulerOptions) -> Diagnostic {
    let is_nameless = options.bind.is_unspecified() && options.external_host.is_none();
    if is_nameless {
        to_diagnostic(error).help("set it with --external-host HOST")
    } else {
        to_diagnostic(error)
    }
}

fn to_diagnostic(error: &ClusterError) -> Diagnostic {
    Diagnostic::error(error.to_string())
}

fn no_signals(error: &io::Error) -> Diagnostic {
    Diagnostic::error(format!("cannot wait for signals: {error}"))
}

fn print_line(line: &str) -> Result<(), Diagnostic> {
    let mut out = io::stdout().lock();
    let written = writeln!(out, "{line}").and_then(|()| out.flush());
    written.map_err(|error| Diagnostic::error(format!("cannot write to stdout: {error}")))
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

/// The exit code after Ctrl-C: 128 + SIGINT.
const INTERRUPTED: u8 = 130;

/// Signals that end the process. Signals that the parent process ignores stay ignored.
#[cfg(unix)]
struct ShutdownSignals {
    interrupt: Option<tokio::signal::unix::Signal>,
    terminate: Option<tokio::signal::unix::Signal>,
}

#[cfg(unix)]
impl ShutdownSignals {
    fn new() -> io::Result<Self> {
        use lodger_terminal::signals::is_ignored;
        use tokio::signal::unix::{SignalKind, signal};

        let caught =
            |kind: SignalKind| (!is_ignored(kind.as_raw_value())).then(|| signal(kind)).transpose();
        let interrupt = caught(SignalKind::interrupt())?;
        Ok(Self { interrupt, terminate: caught(SignalKind::terminate())? })
    }

    /// Waits for the next signal. Returns its exit code: 130 for SIGINT, 0 for SIGTERM.
    async fn next(&mut self) -> ExitCode {
        tokio::select! {
            () = next_of(self.interrupt.as_mut()) => ExitCode::from(INTERRUPTED),
            () = next_of(self.terminate.as_mut()) => ExitCode::SUCCESS,
        }
    }
}

#[cfg(unix)]
async fn next_of(signal: Option<&mut tokio::signal::unix::Signal>) {
    let arrived = match signal {
        Some(signal) => signal.recv().await,
        None => None,
    };
    if arrived.is_none() {
        std::future::pending::<()>().await;
    }
}

/// Ctrl-C, which ends the process.
#[cfg(not(unix))]
struct ShutdownSignals;

#[cfg(not(unix))]
impl ShutdownSignals {
    fn new() -> io::Result<Self> {
        Ok(Self)
    }

    async fn next(&mut self) -> ExitCode {
        match tokio::signal::ctrl_c().await {
            Ok(()) => ExitCode::from(INTERRUPTED),
            Err(_) => std::future::pending().await,
        }
    }
}
