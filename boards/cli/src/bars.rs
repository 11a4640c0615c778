//! How far the work has come, on a terminal: a bar for each board.

use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};
use lodger_probe::Progress;

use crate::out::Out;
use crate::target::Target;

/// Bars on stderr; nothing where that is no terminal, or where nobody looks.
#[derive(Debug)]
pub(crate) struct Bars {
    all: MultiProgress,
    bars: Vec<ProgressBar>,
}

impl Bars {
    /// A bar for each board.
    pub(crate) fn new(targets: &[Target], out: &Out) -> Self {
        let (hidden, stderr) = (ProgressDrawTarget::hidden, ProgressDrawTarget::stderr);
        let all = MultiProgress::with_draw_target(if out.json { hidden() } else { stderr() });
        let bar = |target: &Target| {
            let bar = all.add(ProgressBar::no_length());
            let style = ProgressStyle::with_template(
                "{prefix}{elapsed} {bar:30} {percent:>3} % {wide_msg}",
            );
            if let Ok(style) = style {
                bar.set_style(style.progress_chars("█▌░"));
            }
            bar.set_prefix(target.prefix.clone());
            bar
        };
        Self { bars: targets.iter().map(bar).collect(), all }
    }

    /// Bytes are erased, written or compared.
    pub(crate) fn flashing(&self, board: usize, progress: Progress) {
        let doing = match progress.phase {
            lodger_probe::Phase::Erase => "erasing",
            lodger_probe::Phase::Program => "writing",
            lodger_probe::Phase::Verify => "comparing",
        };
        self.show(board, doing, progress.done, progress.total);
    }

    /// So much of something is done.
    pub(crate) fn show(&self, board: usize, doing: &'static str, done: u64, total: u64) {
        if let Some(bar) = self.bars.get(board) {
            bar.set_length(total);
            bar.set_position(done);
            bar.set_message(doing);
        }
    }

    /// The board needs no bar any more.
    pub(crate) fn done(&self, board: usize) {
        if let Some(bar) = self.bars.get(board) {
            bar.finish_and_clear();
        }
    }

    /// Writes something where the bars do not get in its way.
    pub(crate) fn suspend<T>(&self, write: impl FnOnce() -> T) -> T {
        self.all.suspend(write)
    }
}
