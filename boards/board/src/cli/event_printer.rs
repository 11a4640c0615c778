//! Prints the events of boards, line by line or as JSON.

use std::io::Write as _;
use std::path::Path;

use clap::builder::styling::AnsiColor;
use lodger_board::{BoardError, Crash, Event, Flashed, SessionEnd};
use lodger_terminal::{Diagnostic, Look, Severity, count};

use super::args::OutputArgs;
use super::json::{JsonEvent, JsonLine};
use super::log_format::LogFormat;
use super::output::{Bars, FINDINGS, INTERRUPTED, OutputWriter, USAGE_OR_INPUT};
use super::target::Target;
use super::text;

/// Prints the events of some boards.
pub(crate) struct EventPrinter<'a> {
    pub(crate) targets: &'a [Target],
    program: String,
    pub(crate) bars: Bars,
    pub(crate) out: OutputWriter,
    /// The format of log lines, if the user chose one.
    pub(crate) log_format: Option<LogFormat>,
    code: u8,
}

impl<'a> EventPrinter<'a> {
    /// A printer for boards that run a program.
    pub(crate) fn new(targets: &'a [Target], program: Option<&Path>, args: &OutputArgs) -> Self {
        let out = OutputWriter::new(args);
        let program = program.map(|path| path.display().to_string()).unwrap_or_default();
        let bars = Bars::new(targets, &out);
        Self { targets, program, bars, out, log_format: None, code: 0 }
    }

    /// The exit code: the greatest that [`raise_code`](Self::raise_code) took.
    pub(crate) fn code(&self, interrupted: bool) -> u8 {
        if interrupted { INTERRUPTED } else { self.code }
    }

    /// Makes the exit code at least this one.
    pub(crate) fn raise_code(&mut self, code: u8) {
        self.code = self.code.max(code);
    }

    /// Writes an event as JSON.
    pub(crate) fn object(&mut self, board: usize, event: JsonEvent<'_>) -> Result<(), Diagnostic> {
        let probe = self.targets.get(board).map_or("", |target| &target.probe);
        self.out.object(&JsonLine::new(probe, event))
    }

    /// Prints an event of a board; its frames only as JSON, or if `frames` are wanted.
    pub(crate) fn event(
        &mut self,
        board: usize,
        event: &Event,
        frames: bool,
    ) -> Result<(), Diagnostic> {
        if self.out.json {
            let probe = self.targets.get(board).map_or("", |target| &target.probe);
            return self.out.object(&JsonLine::new(probe, json_event(event, &self.program)));
        }
        match event {
            Event::Flashing(progress) => self.bars.flashing(board, *progress),
            Event::Flashed(flashed) => return self.flashed(board, *flashed),
            Event::Log(line) => {
                let look = self.out.look;
                let text = match &self.log_format {
                    Some(format) => format.show(line, look),
                    None => text::log(line, look),
                };
                return self.line(board, &text);
            }
            Event::Telemetry(frame) if frames => {
                return self.line(board, &text::telemetry(frame));
            }
            Event::LostLine => self.warn(board, "a line of the log could not be decoded"),
            Event::LostFrames(number) if frames => {
                let frames = count(usize::try_from(*number).unwrap_or(usize::MAX), "frame");
                self.warn(board, &format!("{frames} of telemetry missed"));
            }
            Event::Restarted => self.warn(board, "the board began anew"),
            Event::Telemetry(_) | Event::LostFrames(_) => {}
        }
        Ok(())
    }

    fn flashed(&mut self, board: usize, flashed: Flashed) -> Result<(), Diagnostic> {
        self.bars.done(board);
        let Some(target) = self.targets.get(board) else { return Ok(()) };
        let name = &target.board;
        let done = self.out.look.paint(AnsiColor::Green.on_default().bold(), "Flashed");
        let (bytes, seconds) = (flashed.bytes, flashed.took.as_secs_f64());
        let text = format!("{done} {name}: {bytes} bytes written and read back in {seconds:.1} s");
        self.line(board, &text)
    }

    /// Prints how the task on a board ended.
    pub(crate) fn end(
        &mut self,
        board: usize,
        outcome: Result<SessionEnd, BoardError>,
    ) -> Result<(), Diagnostic> {
        self.bars.done(board);
        match outcome {
            Ok(end) => {
                self.raise_code(code(&end));
                self.ended(board, &end)
            }
            Err(error) => self.fail(board, &error),
        }
    }

    /// Prints why the task on a board failed; the others go on.
    pub(crate) fn fail(&mut self, board: usize, error: &BoardError) -> Result<(), Diagnostic> {
        self.raise_code(USAGE_OR_INPUT);
        let Some(target) = self.targets.get(board) else { return Ok(()) };
        self.bars.suspend(|| target.failed(error).print());
        if self.out.json { self.object(board, error.into()) } else { Ok(()) }
    }

    /// Prints a note to stderr.
    pub(crate) fn note(&self, message: &str) {
        self.bars.suspend(|| Diagnostic::new(Severity::Note, message).print());
    }

    fn ended(&mut self, board: usize, end: &SessionEnd) -> Result<(), Diagnostic> {
        if self.out.json {
            let event = match end {
                SessionEnd::Exit(code) => JsonEvent::Exit { code: *code },
                SessionEnd::Crash(crash) => crash.into(),
                SessionEnd::Stopped => JsonEvent::Stopped,
            };
            return self.object(board, event);
        }
        match end {
            SessionEnd::Exit(0) | SessionEnd::Stopped => {}
            SessionEnd::Exit(code) => self.warn(board, &format!("the program exited with {code}")),
            SessionEnd::Crash(crash) => self.crashed(board, crash),
        }
        Ok(())
    }

    fn crashed(&self, board: usize, crash: &Crash) {
        // stderr leaves colours out where they are not wanted.
        let look = Look { colour: true, ..self.out.look };
        let text = text::crash(crash, self.prefix(board), look);
        // An error of stderr cannot be shown anywhere.
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

    /// Prints a line about a board.
    pub(crate) fn line(&mut self, board: usize, text: &str) -> Result<(), Diagnostic> {
        let line = format!("{}{text}", self.prefix(board));
        let Self { bars, out, .. } = self;
        bars.suspend(|| out.line(&line))
    }
}

/// An event as JSON.
fn json_event<'a>(event: &'a Event, program: &'a str) -> JsonEvent<'a> {
    match event {
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
    }
}

/// The exit code of an end, as far as a byte goes.
fn code(end: &SessionEnd) -> u8 {
    match end {
        SessionEnd::Exit(code) => u8::try_from(*code).unwrap_or(u8::MAX),
        SessionEnd::Crash(_) => FINDINGS,
        SessionEnd::Stopped => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_code_of_a_program_is_passed_on_and_never_becomes_a_success() {
        assert_eq!(code(&SessionEnd::Exit(0)), 0);
        assert_eq!(code(&SessionEnd::Exit(42)), 42);
        assert_eq!(code(&SessionEnd::Exit(256)), 255);
        assert_eq!(code(&SessionEnd::Stopped), 0);
        let crash = Crash { what: "a hard fault", backtrace: Vec::new() };
        assert_eq!(code(&SessionEnd::Crash(crash)), FINDINGS);
    }
}
