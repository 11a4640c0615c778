//! Termination signals: Ctrl-C, SIGTERM and SIGHUP.
//!
//! A signal that the parent ignores, as `nohup` and a shell's background jobs do, stays ignored as POSIX asks: no
//! handler is installed for it.

use std::io;
#[cfg(unix)]
use std::sync::mpsc;

/// Calls `act` on another thread for the first termination signal that is not ignored. Call this or
/// [`on_each_termination`] once in a program.
///
/// # Errors
/// The operating system rejects a handler or a thread.
pub fn on_termination(act: impl FnOnce() + Send + 'static) -> io::Result<()> {
    let mut act = Some(act);
    on_each_termination(move || {
        if let Some(act) = act.take() {
            act();
        }
    })
}

/// Calls `act` on another thread for each termination signal that is not ignored. Call this or [`on_termination`] once
/// in a program.
///
/// # Errors
/// The operating system rejects a handler or a thread.
#[cfg(unix)]
pub fn on_each_termination(mut act: impl FnMut() + Send + 'static) -> io::Result<()> {
    use signal_hook::iterator::Signals;

    let (give, given) = mpsc::sync_channel::<Signals>(1);
    let wait = move || {
        if let Ok(mut signals) = given.recv() {
            signals.forever().for_each(|_| act());
        }
    };
    // The thread comes first: without it, a caught signal would be lost.
    std::thread::Builder::new().name("signals".to_owned()).spawn(wait)?;
    let heeded = unix::TERMINATION_SIGNALS.into_iter().filter(|&signal| !is_ignored(signal));
    give.send(Signals::new(heeded)?).map_err(io::Error::other)
}

/// Calls `act` on another thread for each event that ends a program. Call this or [`on_termination`] once in a program.
///
/// # Errors
/// The operating system rejects a handler.
#[cfg(not(unix))]
pub fn on_each_termination(act: impl FnMut() + Send + 'static) -> io::Result<()> {
    ctrlc::set_handler(act).map_err(io::Error::other)
}

/// Does nothing: on this system no signal reports a file that exceeds its limit.
///
/// # Errors
/// None.
#[cfg(not(unix))]
pub fn outlive_file_limit() -> io::Result<()> {
    Ok(())
}

#[cfg(unix)]
pub use unix::{is_ignored, outlive_file_limit, reset_for_children};

#[cfg(unix)]
mod unix {
    use std::process::{Command, Stdio};
    use std::sync::Arc;
    use std::{fs, io};

    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
    use signal_hook::flag;

    pub(super) const TERMINATION_SIGNALS: [i32; 3] = [SIGHUP, SIGINT, SIGTERM];

    /// Whether this process ignores a signal. Call it before installing a handler.
    #[must_use]
    pub fn is_ignored(signal: i32) -> bool {
        let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
        is_ignored_by(&status, signal).unwrap_or_else(|| is_survived(signal))
    }

    /// Gives child processes the default actions of termination signals, even if this process ignores them: caught
    /// signals are not ignored in a child. It is for tests that send signals and may be background jobs.
    ///
    /// # Errors
    /// The operating system rejects a handler.
    pub fn reset_for_children() -> io::Result<()> {
        let mut ignored = TERMINATION_SIGNALS.into_iter().filter(|&signal| is_ignored(signal));
        ignored.try_for_each(|signal| flag::register(signal, Arc::default()).map(drop))
    }

    /// Makes a write beyond the process's file limit (`ulimit -f`) fail instead of ending the program, so that
    /// incomplete files can be removed.
    ///
    /// # Errors
    /// The operating system rejects a handler.
    pub fn outlive_file_limit() -> io::Result<()> {
        flag::register(SIGXFSZ, Arc::default()).map(drop)
    }

    /// Reads Linux's mask of ignored signals; `None` without that line.
    fn is_ignored_by(status: &str, signal: i32) -> Option<bool> {
        let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"))?;
        let mask = u64::from_str_radix(mask.trim(), 16).ok()?;
        let place = u32::try_from(signal).ok()?.checked_sub(1)?;
        Some(mask.checked_shr(place).unwrap_or(0) & 1 == 1)
    }

    /// Whether a child survives the signal: children inherit ignored signals only.
    fn is_survived(signal: i32) -> bool {
        let script = format!("kill -{signal} $$");
        let mut shell = Command::new("sh");
        shell.args(["-c", &script]).stdin(Stdio::null()).stdout(Stdio::null());
        shell.stderr(Stdio::null()).status().is_ok_and(|status| status.success())
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn linux_reports_ignored_signals_as_a_mask() {
            let status = "SigBlk:\t0000000000000000\nSigIgn:\t0000000000001002\nSigCgt:\t0\n";
            let ignored = |signal| is_ignored_by(status, signal);
            assert_eq!([SIGHUP, SIGINT, 13].map(ignored), [false, true, true].map(Some));
            assert_eq!([64, 65, i32::MAX].map(ignored), [Some(false); 3]);
            assert_eq!([0, -1].map(ignored), [None; 2]);
            assert_eq!(is_ignored_by("SigIgn:\tnonsense", SIGINT), None);
            assert_eq!(is_ignored_by("", SIGINT), None);
        }

        #[test]
        fn a_child_inherits_ignored_signals() {
            for signal in TERMINATION_SIGNALS {
                assert_eq!(is_survived(signal), is_ignored(signal), "{signal}");
            }
        }
    }
}
