//! Threads of the work, and its progress on a terminal.

use std::ffi::OsStr;
use std::num::NonZero;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::Duration;
use std::{env, io};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use rayon::ThreadPoolBuilder;

use crate::{Diagnostic, Severity};

/// rayon reads it, too.
const VARIABLE: &str = "RAYON_NUM_THREADS";
const MAX_THREADS: usize = 1024;

/// Runs work in a rayon pool with the number of threads in `RAYON_NUM_THREADS`, or else of the machine. If threads
/// cannot start, this thread does the work alone, with a warning.
///
/// # Errors
/// The variable is neither empty nor a whole number from 0, which means the machine's own, to 1024.
pub fn with_default_threads<T: Send>(work: impl FnOnce() -> T + Send) -> Result<T, Diagnostic> {
    let text = count(env::var_os(VARIABLE).as_deref())?;
    let threads = text.or(thread::available_parallelism().ok()).unwrap_or(NonZero::<usize>::MIN);
    with_threads(threads, work)
}

/// Runs work in a rayon pool of at most 1024 threads. If they cannot start, this thread does the work alone, with a
/// warning.
///
/// # Errors
/// The pool of this thread cannot be set up.
pub fn with_threads<T: Send>(
    threads: NonZero<usize>,
    work: impl FnOnce() -> T + Send,
) -> Result<T, Diagnostic> {
    let builder = || ThreadPoolBuilder::new().num_threads(threads.get().min(MAX_THREADS));
    match builder().build() {
        Ok(pool) => Ok(pool.install(work)),
        Err(error) => {
            let message = format!("no threads can be started, so one does all the work: {error}");
            Diagnostic::new(Severity::Warning, message).print();
            let alone = builder().num_threads(1).use_current_thread().build_global();
            alone.map_err(|error| Diagnostic::error(format!("cannot start to work: {error}")))?;
            Ok(work())
        }
    }
}

fn count(text: Option<&OsStr>) -> Result<Option<NonZero<usize>>, Diagnostic> {
    let Some(text) = text.filter(|text| !text.is_empty()) else { return Ok(None) };
    let number = text.to_str().and_then(|text| text.parse().ok());
    let Some(number) = number.filter(|number| *number <= MAX_THREADS) else {
        let message = format!("{VARIABLE} is `{}`, which is no number of threads", text.display());
        return Err(Diagnostic::error(message)
            .help("give a whole number from 1 to 1024, or 0 for as many as the machine has"));
    };
    Ok(NonZero::new(number))
}

const TICK: Duration = Duration::from_millis(100);

/// A progress bar on stderr; hidden without a terminal or for little work.
#[derive(Debug)]
pub struct ProgressReport {
    bar: ProgressBar,
    clock: Option<WorkClock>,
}

impl ProgressReport {
    /// Creates a bar for `files` files. If no thread can start, its clock moves only with the work.
    #[must_use]
    pub fn new(files: usize, has_archive: bool) -> Self {
        if files < 2 && !has_archive {
            return Self { bar: ProgressBar::hidden(), clock: None };
        }
        let bar =
            ProgressBar::with_draw_target(u64::try_from(files).ok(), ProgressDrawTarget::stderr());
        Self::styled(bar, "{elapsed} {bar:30} {pos}/{len} {wide_msg}")
    }

    /// Creates a bar for many small items with their rate, and with the remaining time if `total` is known.
    #[must_use]
    pub fn of_many(total: Option<u64>) -> Self {
        let bar = ProgressBar::with_draw_target(total, ProgressDrawTarget::stderr());
        match total {
            Some(_) => {
                Self::styled(bar, "{elapsed} {bar:30} {pos}/{len} {per_sec}, {eta} left {wide_msg}")
            }
            None => Self::styled(bar, "{elapsed} {pos} {per_sec} {wide_msg}"),
        }
    }

    fn styled(bar: ProgressBar, template: &str) -> Self {
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style.progress_chars("█▌░"));
        }
        let clock = if bar.is_hidden() { None } else { WorkClock::of(bar.clone()).ok() };
        Self { bar, clock }
    }

    /// Adds finished steps.
    pub fn advance(&self, steps: u64) {
        self.bar.inc(steps);
    }

    /// Raises the number of steps.
    pub fn more(&self, steps: usize) {
        self.bar.inc_length(steps as u64);
    }

    /// Adds a finished step.
    pub fn done(&self) {
        self.bar.inc(1);
    }

    /// Sets the message.
    pub fn say(&self, what: String) {
        self.bar.set_message(what);
    }
}

impl Drop for ProgressReport {
    fn drop(&mut self) {
        if let Some(WorkClock { running, thread }) = self.clock.take() {
            drop(running);
            // It only draws, so failures are ignored.
            let _ = thread.join();
        }
        self.bar.finish_and_clear();
    }
}

/// A thread that moves the clock of a bar.
#[derive(Debug)]
struct WorkClock {
    /// Dropping it stops the clock.
    running: Sender<()>,
    thread: JoinHandle<()>,
}

impl WorkClock {
    fn of(bar: ProgressBar) -> io::Result<Self> {
        let (running, stopped) = mpsc::channel();
        let tick = move || {
            while stopped.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
                bar.tick();
            }
        };
        let thread = thread::Builder::new().name("clock".to_owned()).spawn(tick)?;
        Ok(Self { running, thread })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_of_threads_is_a_small_integer() {
        let count = |text: &str| count(Some(OsStr::new(text))).map(|count| count.map(NonZero::get));
        for (text, threads) in [("", None), ("0", None), ("1", Some(1)), ("1024", Some(1024))] {
            assert_eq!(count(text).expect("a number"), threads, "{text:?}");
        }
        for wrong in ["1025", "-1", "1.5", "two", " 2", "99999999999999999999"] {
            let message = count(wrong).expect_err("refused").message;
            assert!(message.starts_with(&format!("RAYON_NUM_THREADS is `{wrong}`")), "{message}");
        }
        assert_eq!(super::count(None).expect("nothing"), None);
    }
}
