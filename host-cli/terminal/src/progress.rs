//! How far the work has come, on a terminal.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// How often the clock moves while one thing takes its time.
const TICK: Duration = Duration::from_millis(100);

/// A bar on stderr; nothing where that is no terminal, or where there is little to do.
#[derive(Debug)]
pub struct Progress(ProgressBar);

impl Progress {
    /// A bar for so many files.
    #[must_use]
    pub fn new(files: usize, has_archive: bool) -> Self {
        if files < 2 && !has_archive {
            return Self(ProgressBar::hidden());
        }
        let bar =
            ProgressBar::with_draw_target(u64::try_from(files).ok(), ProgressDrawTarget::stderr());
        if let Ok(style) = ProgressStyle::with_template("{elapsed} {bar:30} {pos}/{len} {wide_msg}")
        {
            bar.set_style(style.progress_chars("█▌░"));
        }
        if !bar.is_hidden() {
            bar.enable_steady_tick(TICK);
        }
        Self(bar)
    }

    /// There is more to do than was known.
    pub fn more(&self, steps: usize) {
        self.0.inc_length(steps as u64);
    }

    /// One thing is done.
    pub fn done(&self) {
        self.0.inc(1);
    }

    /// What is being done.
    pub fn say(&self, what: String) {
        self.0.set_message(what);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
