//! Command output: lines and JSON on stdout, progress bars and messages on stderr, exit codes.

use std::io::{self, ErrorKind, Write as _};
use std::path::Path;

use clap::builder::styling::AnsiColor;
use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};
use lodger_board::{
    BoardError, Crash, Event, FlashPhase, Flashed, ProgramProgress, SessionEnd, TaskUpdate,
};
use lodger_terminal::{
    Diagnostic, OutputTarget as Stream, RenderOptions, Severity, count, signals,
};
use serde::Serialize;

use super::args::{BoardOutputArgs, BoardTarget};
use super::json::{JsonEvent, JsonLine};
use super::log_format::LogFormat;
use super::tasks::{BoardTasks, INTERRUPTED, MonitorLimits, TaskListener};
use super::text;

pub(crate) const FINE: u8 = 0;
/// Exit code if some results differ, or the program crashed.
pub(crate) const FINDINGS: u8 = 1;
/// Exit code if usage, probe, board or program is wrong, as clap's.
pub(crate) const USAGE_OR_INPUT: u8 = 2;

/// Writes text or JSON lines to stdout, until its reader closes it.
#[derive(Debug)]
pub(crate) struct OutputWriter {
    pub(crate) json: bool,
    pub(crate) render: RenderOptions,
    closed: bool,
}

impl OutputWriter {
    pub(crate) fn new(args: &BoardOutputArgs) -> Self {
        // If this fails, a limit on file sizes ends the program by a signal.
        let _ = signals::outlive_file_limit();
        Self {
            json: args.as_json(),
            render: RenderOptions::for_target(Stream::Stdout),
            closed: false,
        }
    }

    /// Whether the reader has closed stdout.
    pub(crate) fn is_closed(&self) -> bool {
        self.closed
    }

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

    pub(crate) fn object(&mut self, object: &impl Serialize) -> Result<(), Diagnostic> {
        let line = serde_json::to_string(object)
            .map_err(|error| Diagnostic::error(format!("cannot convert to JSON: {error}")))?;
        self.line(&line)
    }
}

/// A progress bar for each board; hidden with JSON, or if stderr is no terminal.
#[derive(Debug)]
pub(crate) struct ProgressBars {
    all: MultiProgress,
    bars: Vec<ProgressBar>,
}

impl ProgressBars {
    pub(crate) fn new(targets: &[BoardTarget], out: &OutputWriter) -> Self {
        let (hidden, stderr) = (ProgressDrawTarget::hidden, ProgressDrawTarget::stderr);
        let all = MultiProgress::with_draw_target(if out.json { hidden() } else { stderr() });
        let bar = |target: &BoardTarget| {
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

    pub(crate) fn flashing(&self, board: usize, progress: ProgramProgress) {
        let action = match progress.phase {
            FlashPhase::Erase => "erasing",
            FlashPhase::Program => "writing",
            FlashPhase::Verify => "comparing",
        };
        self.show(board, action, progress.done, progress.total);
    }

    pub(crate) fn show(&self, board: usize, action: &'static str, done: u64, total: u64) {
        if let Some(bar) = self.bars.get(board) {
            bar.set_length(total);
            bar.set_position(done);
            bar.set_message(action);
        }
    }

    pub(crate) fn done(&self, board: usize) {
        if let Some(bar) = self.bars.get(board) {
            bar.finish_and_clear();
        }
    }

    pub(crate) fn suspend<T>(&self, write: impl FnOnce() -> T) -> T {
        self.all.suspend(write)
    }
}

pub(crate) struct EventPrinter<'a> {
    pub(crate) targets: &'a [BoardTarget],
    program: String,
    pub(crate) bars: ProgressBars,
    pub(crate) out: OutputWriter,
    pub(crate) log_format: Option<LogFormat>,
    /// The limits of `monitor`; `None` for the other commands.
    pub(crate) limits: Option<MonitorLimits>,
    /// Whether the tasks write programs and do not run them.
    pub(crate) only_flashes: bool,
    code: u8,
}

impl<'a> EventPrinter<'a> {
    pub(crate) fn new(
        targets: &'a [BoardTarget],
        program: Option<&Path>,
        args: &BoardOutputArgs,
    ) -> Self {
        let out = OutputWriter::new(args);
        let program = program.map(|path| path.display().to_string()).unwrap_or_default();
        let bars = ProgressBars::new(targets, &out);
        Self {
            targets,
            program,
            bars,
            out,
            log_format: None,
            limits: None,
            only_flashes: false,
            code: 0,
        }
    }

    pub(crate) fn code(&self, interrupted: bool) -> u8 {
        if interrupted { INTERRUPTED } else { self.code }
    }

    pub(crate) fn raise_code(&mut self, code: u8) {
        self.code = self.code.max(code);
    }

    pub(crate) fn object(&mut self, board: usize, event: JsonEvent<'_>) -> Result<(), Diagnostic> {
        let probe = self.targets.get(board).map_or("", |target| &target.probe);
        self.out.object(&JsonLine::new(probe, event))
    }

    /// Prints an event of a board; telemetry only as JSON, or by `monitor`.
    pub(crate) fn event(&mut self, board: usize, event: &Event) -> Result<(), Diagnostic> {
        if self.out.json {
            let Some(event) = json_event(event, &self.program) else { return Ok(()) };
            let probe = self.targets.get(board).map_or("", |target| &target.probe);
            return self.out.object(&JsonLine::new(probe, event));
        }
        let shows_frames = self.limits.is_some();
        match event {
            Event::Flashing(progress) => self.bars.flashing(board, *progress),
            Event::Flashed(flashed) => return self.flashed(board, *flashed),
            Event::Log(line) => {
                let render = self.out.render;
                let text = match &self.log_format {
                    Some(format) => format.show(line, render),
                    None => text::log(line, render),
                };
                return self.line(board, &text);
            }
            Event::Telemetry(frame) if shows_frames => {
                return self.line(board, &text::telemetry(frame));
            }
            Event::LostLine => self.warn(board, "a line of the log could not be decoded"),
            Event::LostFrames(number) if shows_frames => {
                let frames = count(usize::try_from(*number).unwrap_or(usize::MAX), "frame");
                self.warn(board, &format!("{frames} of telemetry missed"));
            }
            Event::Restarted => self.warn(board, "the board was reset"),
            Event::Telemetry(_) | Event::LostFrames(_) | Event::Compared(_) | Event::Count(_) => {}
        }
        Ok(())
    }

    fn flashed(&mut self, board: usize, flashed: Flashed) -> Result<(), Diagnostic> {
        self.bars.done(board);
        let Some(target) = self.targets.get(board) else { return Ok(()) };
        let name = &target.board;
        let done = self.out.render.paint(AnsiColor::Green.on_default().bold(), "Flashed");
        let (bytes, seconds) = (flashed.bytes, flashed.took.as_secs_f64());
        let text = format!("{done} {name}: {bytes} bytes written and read back in {seconds:.1} s");
        self.line(board, &text)
    }

    pub(crate) fn end(
        &mut self,
        board: usize,
        outcome: Result<SessionEnd, BoardError>,
    ) -> Result<(), Diagnostic> {
        self.bars.done(board);
        match outcome {
            Ok(end) => {
                self.raise_code(exit_code(&end));
                self.ended(board, &end)
            }
            Err(error) => self.fail(board, &error),
        }
    }

    /// Prints the error of a board; the other boards go on.
    pub(crate) fn fail(&mut self, board: usize, error: &BoardError) -> Result<(), Diagnostic> {
        self.raise_code(USAGE_OR_INPUT);
        let Some(target) = self.targets.get(board) else { return Ok(()) };
        self.bars.suspend(|| target.failed(error).print());
        if self.out.json { self.object(board, error.into()) } else { Ok(()) }
    }

    pub(crate) fn note(&self, message: &str) {
        self.bars.suspend(|| Diagnostic::new(Severity::Note, message).print());
    }

    fn ended(&mut self, board: usize, end: &SessionEnd) -> Result<(), Diagnostic> {
        if self.out.json {
            let event = match end {
                SessionEnd::Complete => return Ok(()),
                SessionEnd::Exit(code) => JsonEvent::Exit { code: *code },
                SessionEnd::Crash(crash) => crash.into(),
                SessionEnd::Stopped => JsonEvent::Stopped,
            };
            return self.object(board, event);
        }
        match end {
            SessionEnd::Complete | SessionEnd::Exit(0) | SessionEnd::Stopped => {}
            SessionEnd::Exit(code) => self.warn(board, &format!("the program exited with {code}")),
            SessionEnd::Crash(crash) => self.crashed(board, crash),
        }
        Ok(())
    }

    fn crashed(&self, board: usize, crash: &Crash) {
        // anstream removes colours if stderr does not support them.
        let render = RenderOptions { colour: true, ..self.out.render };
        let text = text::crash(crash, self.prefix(board), render);
        // An error of stderr cannot be shown.
        self.bars.suspend(|| {
            let _ = anstream::stderr().write_all(text.as_bytes());
        });
    }

    fn warn(&self, board: usize, message: &str) {
        let message = format!("{}{message}", self.prefix(board));
        self.bars.suspend(|| Diagnostic::new(Severity::Warning, message).print());
    }

    pub(crate) fn prefix(&self, board: usize) -> &'a str {
        self.targets.get(board).map_or("", |target| &target.prefix)
    }

    pub(crate) fn line(&mut self, board: usize, text: &str) -> Result<(), Diagnostic> {
        let line = format!("{}{text}", self.prefix(board));
        let Self { bars, out, .. } = self;
        bars.suspend(|| out.line(&line))
    }
}

impl TaskListener for EventPrinter<'_> {
    fn update(
        &mut self,
        tasks: &BoardTasks,
        board: usize,
        update: TaskUpdate,
    ) -> Result<(), Diagnostic> {
        match update {
            TaskUpdate::Event(event) => {
                let limits = self.limits.as_mut();
                let is_allowed = limits.is_none_or(|limits| limits.allow(tasks, board, &event));
                if is_allowed { self.event(board, &event) } else { Ok(()) }
            }
            TaskUpdate::Done(outcome) => {
                if self.only_flashes && matches!(outcome, Ok(SessionEnd::Stopped)) {
                    self.note("stopped before anything was written");
                }
                self.end(board, outcome)
            }
        }
    }

    fn note(&self, message: &str) {
        self.note(message);
    }

    /// Flashing continues even if the reader closes stdout.
    fn is_closed(&self) -> bool {
        self.out.is_closed() && !self.only_flashes
    }
}

/// The object of an event; `None` for a result, which only `conform` counts and prints.
fn json_event<'a>(event: &'a Event, program: &'a str) -> Option<JsonEvent<'a>> {
    Some(match event {
        Event::Flashing(progress) => (*progress).into(),
        Event::Flashed(flashed) => JsonEvent::Flashed {
            program,
            bytes: flashed.bytes,
            seconds: flashed.took.as_secs_f64(),
        },
        Event::Log(line) => line.into(),
        Event::Telemetry(frame) => (&**frame).into(),
        Event::LostLine => JsonEvent::Lost { what: "log", count: 1 },
        Event::LostFrames(count) => JsonEvent::Lost { what: "telemetry", count: *count },
        Event::Restarted => JsonEvent::Restarted,
        Event::Compared(_) | Event::Count(_) => return None,
    })
}

fn exit_code(end: &SessionEnd) -> u8 {
    match end {
        SessionEnd::Exit(code) => u8::try_from(*code).unwrap_or(u8::MAX),
        SessionEnd::Crash(_) => FINDINGS,
        SessionEnd::Complete | SessionEnd::Stopped => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_code_of_a_program_is_passed_on_and_never_becomes_a_success() {
        assert_eq!(exit_code(&SessionEnd::Exit(0)), 0);
        assert_eq!(exit_code(&SessionEnd::Exit(42)), 42);
        assert_eq!(exit_code(&SessionEnd::Exit(256)), 255);
        assert_eq!(exit_code(&SessionEnd::Stopped), 0);
        let crash = Crash { what: "a hard fault", backtrace: Vec::new() };
        assert_eq!(exit_code(&SessionEnd::Crash(crash)), FINDINGS);
    }
}
