//! What asks a process of a cluster to end.

use std::io;
use std::process::ExitCode;

/// The exit code after Ctrl-C, as shells say it.
const INTERRUPTED: u8 = 130;

/// Signals that ask for an end. One that whoever started this process wants ignored stays ignored.
#[cfg(unix)]
pub(super) struct Endings {
    interrupt: Option<tokio::signal::unix::Signal>,
    terminate: Option<tokio::signal::unix::Signal>,
}

#[cfg(unix)]
impl Endings {
    /// Catches them from now on.
    ///
    /// # Errors
    /// Those of the operating system, which may refuse a handler.
    pub(super) fn new() -> io::Result<Self> {
        use lodger_terminal::signals::is_ignored;
        use tokio::signal::unix::{SignalKind, signal};

        let caught =
            |kind: SignalKind| (!is_ignored(kind.as_raw_value())).then(|| signal(kind)).transpose();
        let interrupt = caught(SignalKind::interrupt())?;
        Ok(Self { interrupt, terminate: caught(SignalKind::terminate())? })
    }

    /// The exit code that the next one asks for: 130 for Ctrl-C, 0 for a polite request.
    pub(super) async fn next(&mut self) -> ExitCode {
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

/// Ctrl-C, which asks for an end.
#[cfg(not(unix))]
pub(super) struct Endings;

#[cfg(not(unix))]
impl Endings {
    /// Catches it.
    ///
    /// # Errors
    /// None here.
    pub(super) fn new() -> io::Result<Self> {
        Ok(Self)
    }

    /// The exit code that the next one asks for.
    pub(super) async fn next(&mut self) -> ExitCode {
        match tokio::signal::ctrl_c().await {
            Ok(()) => ExitCode::from(INTERRUPTED),
            Err(_) => std::future::pending().await,
        }
    }
}
