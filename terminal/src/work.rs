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

/// How many threads work, if somebody said it. rayon reads the same variable.
const VARIABLE: &str = "RAYON_NUM_THREADS";
/// More threads are a mistake.
const MOST: usize = 1024;

/// Does work whose parts rayon shares out, on as many threads as `RAYON_NUM_THREADS` says, or else the
/// machine has. Where they cannot be started, this thread works alone, and that is told as a warning.
///
/// # Errors
/// The variable is neither empty nor a whole number from 0, which stands for the machine's own, to 1 024.
pub fn on_threads<T: Send>(work: impl FnOnce() -> T + Send) -> Result<T, Diagnostic> {
    let said = count(env::var_os(VARIABLE).as_deref())?;
    let threads = said.or(thread::available_parallelism().ok()).unwrap_or(NonZero::<usize>::MIN);
    on_so_many_threads(threads, work)
}

/// Does work whose parts rayon shares out on so many threads, but on no more than 1 024. Where they cannot be
/// started, this thread works alone, and that is told as a warning.
///
/// # Errors
/// Not even this thread can work so.
pub fn on_so_many_threads<T: Send>(
    threads: NonZero<usize>,
    work: impl FnOnce() -> T + Send,
) -> Result<T, Diagnostic> {
    let builder = || ThreadPoolBuilder::new().num_threads(threads.get().min(MOST));
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

/// The number of threads that was asked for, if one was.
fn count(said: Option<&OsStr>) -> Result<Option<NonZero<usize>>, Diagnostic> {
    let Some(said) = said.filter(|said| !said.is_empty()) else { return Ok(None) };
    let number = said.to_str().and_then(|said| said.parse().ok());
    let Some(number) = number.filter(|number| *number <= MOST) else {
        let message = format!("{VARIABLE} is `{}`, which is no number of threads", said.display());
        return Err(Diagnostic::error(message)
            .help("give a whole number from 1 to 1024, or 0 for as many as the machine has"));
    };
    Ok(NonZero::new(number))
}

/// How often the clock moves while one thing takes its time.
const TICK: Duration = Duration::from_millis(100);

/// A bar on stderr; nothing where that is no terminal, or where there is little to do.
#[derive(Debug)]
pub struct Progress {
    bar: ProgressBar,
    clock: Option<Clock>,
}

impl Progress {
    /// A bar for so many files. Where no thread can start, its clock moves only with the work.
    #[must_use]
    pub fn new(files: usize, has_archive: bool) -> Self {
        if files < 2 && !has_archive {
            return Self { bar: ProgressBar::hidden(), clock: None };
        }
        let bar =
            ProgressBar::with_draw_target(u64::try_from(files).ok(), ProgressDrawTarget::stderr());
        Self::styled(bar, "{elapsed} {bar:30} {pos}/{len} {wide_msg}")
    }

    /// A bar for things that are many and small, with their rate, and with the time that is left where it is known how
    /// many they are. [`advance`](Self::advance) moves it.
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
        let clock = if bar.is_hidden() { None } else { Clock::of(bar.clone()).ok() };
        Self { bar, clock }
    }

    /// So many more are done.
    pub fn advance(&self, steps: u64) {
        self.bar.inc(steps);
    }

    /// There is more to do than was known.
    pub fn more(&self, steps: usize) {
        self.bar.inc_length(steps as u64);
    }

    /// One thing is done.
    pub fn done(&self) {
        self.bar.inc(1);
    }

    /// What is being done.
    pub fn say(&self, what: String) {
        self.bar.set_message(what);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(Clock { running, thread }) = self.clock.take() {
            drop(running);
            // It only draws, and its failure would be nobody's concern.
            let _ = thread.join();
        }
        self.bar.finish_and_clear();
    }
}

/// A thread that moves the clock of a bar.
#[derive(Debug)]
struct Clock {
    /// The clock stands still when this is dropped.
    running: Sender<()>,
    thread: JoinHandle<()>,
}

impl Clock {
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
    fn a_number_of_threads_is_a_small_whole_number() {
        let count = |said: &str| count(Some(OsStr::new(said))).map(|count| count.map(NonZero::get));
        for (said, threads) in [("", None), ("0", None), ("1", Some(1)), ("1024", Some(1024))] {
            assert_eq!(count(said).expect("a number"), threads, "{said:?}");
        }
        for wrong in ["1025", "-1", "1.5", "two", " 2", "99999999999999999999"] {
            let message = count(wrong).expect_err("refused").message;
            assert!(message.starts_with(&format!("RAYON_NUM_THREADS is `{wrong}`")), "{message}");
        }
        assert_eq!(super::count(None).expect("nothing"), None);
    }
}
