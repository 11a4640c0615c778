//! How far the work has come, on a terminal.

use std::io;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

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
