//! The output of a command: exit codes, lines on stdout, and progress bars on stderr.

use std::io::{self, ErrorKind, Write as _};

use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};
use lodger_board::{Phase, Progress};
use lodger_terminal::{Diagnostic, Look, Target as Stream, signals};
use serde::Serialize;

use super::args::OutputArgs;
use super::target::Target;

/// Exit code of success. `lodger board --help` promises all of these; a program on a board has its own.
pub(crate) const FINE: u8 = 0;
/// Exit code where some answers differ, or the program crashed.
pub(crate) const FINDINGS: u8 = 1;
/// Exit code where usage, probe, board or program is wrong; clap uses the same.
pub(crate) const USAGE_OR_INPUT: u8 = 2;
/// 128 + SIGINT: the command was ended by Ctrl-C or with its terminal.
pub(crate) const INTERRUPTED: u8 = 130;

/// Writes lines to stdout, for people or for scripts, until its reader closes it.
#[derive(Debug)]
pub(crate) struct OutputWriter {
    /// Whether the lines are JSON.
    pub(crate) json: bool,
    /// The width and colours of other lines.
    pub(crate) look: Look,
    closed: bool,
}

impl OutputWriter {
    /// A writer to stdout.
    pub(crate) fn new(args: &OutputArgs) -> Self {
        // Without a handler a limit of the size of files ends the program, as it always did.
        let _ = signals::outlive_file_limit();
        Self { json: args.as_json(), look: Look::of(Stream::Stdout), closed: false }
    }

    /// Whether the reader has closed it.
    pub(crate) fn is_closed(&self) -> bool {
        self.closed
    }

    /// Writes a line.
    pub(crate) fn line(&mut self, line: &str) -> Result<(), Diagnostic> {
        if self.closed {
            return Ok(());
        }
        let mut stdout = io::stdout().lock();
        let written = stdout.write_all(format!("{line}\n").as_bytes());
        match written.and_then(|()| stdout.flush()) {
            Err(error) if error.kind() == ErrorKind::BrokenPipe => self.closed = true,
            Err(error) => {
                return Err(Diagnostic::error(format!("cannot write to stdout: {error}")));
            }
            Ok(()) => {}
        }
        Ok(())
    }

    /// Writes an object as a line of JSON.
    pub(crate) fn object(&mut self, object: &impl Serialize) -> Result<(), Diagnostic> {
        let line = serde_json::to_string(object)
            .map_err(|error| Diagnostic::error(format!("cannot show it as JSON: {error}")))?;
        self.line(&line)
    }
}

/// A progress bar for each board; hidden where stderr is no terminal, and with JSON.
#[derive(Debug)]
pub(crate) struct Bars {
    all: MultiProgress,
    bars: Vec<ProgressBar>,
}

impl Bars {
    pub(crate) fn new(targets: &[Target], out: &OutputWriter) -> Self {
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

    /// Shows the progress of a flash.
    pub(crate) fn flashing(&self, board: usize, progress: Progress) {
        let action = match progress.phase {
            Phase::Erase => "erasing",
            Phase::Program => "writing",
            Phase::Verify => "comparing",
        };
        self.show(board, action, progress.done, progress.total);
    }

    /// Shows that `done` of `total` is done.
    pub(crate) fn show(&self, board: usize, action: &'static str, done: u64, total: u64) {
        if let Some(bar) = self.bars.get(board) {
            bar.set_length(total);
            bar.set_position(done);
            bar.set_message(action);
        }
    }

    /// Removes the bar of a board.
    pub(crate) fn done(&self, board: usize) {
        if let Some(bar) = self.bars.get(board) {
            bar.finish_and_clear();
        }
    }

    /// Hides the bars while `write` writes.
    pub(crate) fn suspend<T>(&self, write: impl FnOnce() -> T) -> T {
        self.all.suspend(write)
    }
}
