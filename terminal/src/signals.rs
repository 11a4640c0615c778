//! Signals that ask a program to end: Ctrl-C, a polite request, a terminal that was closed.
//!
//! Whoever starts a program may want some of them ignored, as `nohup` and a shell's background jobs
//! do. As POSIX asks of programs, such a signal stays ignored: no handler is installed for it.

use std::io;
#[cfg(unix)]
use std::sync::mpsc;

/// Calls `act` on a thread of its own when the first signal arrives that asks this program to end and
/// is not ignored. This or [`on_every_ending`] may be called once in a program.
///
/// # Errors
/// Those of the operating system, which may refuse a handler or a thread.
pub fn on_ending(act: impl FnOnce() + Send + 'static) -> io::Result<()> {
    let mut act = Some(act);
    on_every_ending(move || {
        if let Some(act) = act.take() {
            act();
        }
    })
}

/// Calls `act` on a thread of its own for each signal that asks this program to end and is not ignored: the first
/// may be a request, and the second an order. This or [`on_ending`] may be called once in a program.
///
/// # Errors
/// Those of the operating system, which may refuse a handler or a thread.
#[cfg(unix)]
pub fn on_every_ending(mut act: impl FnMut() + Send + 'static) -> io::Result<()> {
    use signal_hook::iterator::Signals;

    let (give, given) = mpsc::sync_channel::<Signals>(1);
    let wait = move || {
        if let Ok(mut signals) = given.recv() {
            signals.forever().for_each(|_| act());
        }
    };
    // The thread comes first: without it, a signal that is caught would be lost.
    std::thread::Builder::new().name("signals".to_owned()).spawn(wait)?;
    let heeded = unix::ENDING.into_iter().filter(|&signal| !is_ignored(signal));
    give.send(Signals::new(heeded)?).map_err(io::Error::other)
}

/// Calls `act` on a thread of its own for each event that asks this program to end. This or [`on_ending`] may be
/// called once in a program.
///
/// # Errors
/// Those of the operating system, which may refuse a handler.
#[cfg(not(unix))]
pub fn on_every_ending(act: impl FnMut() + Send + 'static) -> io::Result<()> {
    ctrlc::set_handler(act).map_err(io::Error::other)
}

/// Nothing: here, no signal tells of a file that grows beyond what is allowed.
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

    /// The signals that ask a program to end.
    pub(super) const ENDING: [i32; 3] = [SIGHUP, SIGINT, SIGTERM];

    /// Whether this process ignores a signal, by its number; ask before a handler is installed for it.
    #[must_use]
    pub fn is_ignored(signal: i32) -> bool {
        let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
        is_ignored_by(&status, signal).unwrap_or_else(|| is_survived(signal))
    }

    /// Lets the programs that this one starts begin with the default actions of the signals that ask
    /// for an end, also where it ignores them itself: what is caught here is not ignored there. This
    /// program goes on as it did. It is for tests that send signals, and may be a background job.
    ///
    /// # Errors
    /// Those of the operating system, which may refuse a handler.
    pub fn reset_for_children() -> io::Result<()> {
        let mut ignored = ENDING.into_iter().filter(|&signal| is_ignored(signal));
        ignored.try_for_each(|signal| flag::register(signal, Arc::default()).map(drop))
    }

    /// Lets a write beyond the largest file that a process may make (`ulimit -f`) fail, instead of ending
    /// this program: what is half-written can then be taken away.
    ///
    /// # Errors
    /// Those of the operating system, which may refuse a handler.
    pub fn outlive_file_limit() -> io::Result<()> {
        flag::register(SIGXFSZ, Arc::default()).map(drop)
    }

    /// What Linux says of it; `None` where there is no such line.
    fn is_ignored_by(status: &str, signal: i32) -> Option<bool> {
        let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"))?;
        let mask = u64::from_str_radix(mask.trim(), 16).ok()?;
        let place = u32::try_from(signal).ok()?.checked_sub(1)?;
        Some(mask.checked_shr(place).unwrap_or(0) & 1 == 1)
    }

    /// Whether a child survives the signal: it inherits what is ignored, and nothing else.
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
        fn linux_tells_what_is_ignored_as_a_mask() {
            let status = "SigBlk:\t0000000000000000\nSigIgn:\t0000000000001002\nSigCgt:\t0\n";
            let ignored = |signal| is_ignored_by(status, signal);
            assert_eq!([SIGHUP, SIGINT, 13].map(ignored), [false, true, true].map(Some));
            assert_eq!([64, 65, i32::MAX].map(ignored), [Some(false); 3]);
            assert_eq!([0, -1].map(ignored), [None; 2]);
            assert_eq!(is_ignored_by("SigIgn:\tnonsense", SIGINT), None);
            assert_eq!(is_ignored_by("", SIGINT), None);
        }

        #[test]
        fn a_child_knows_what_is_ignored() {
            for signal in ENDING {
                assert_eq!(is_survived(signal), is_ignored(signal), "{signal}");
            }
        }
    }
}
