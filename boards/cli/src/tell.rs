//! Telling, line by line, what happens on boards.

use std::io::Write as _;
use std::path::Path;

use clap::builder::styling::AnsiColor;
use lodger_probe::{Crash, End, Error, Event, Flashed, LogFormat};
use lodger_terminal::{Diagnostic, Look, Severity, count};

use crate::bars::Bars;
use crate::exit::{FINDINGS, INTERRUPTED, USAGE_OR_INPUT};
use crate::json::{Line, Said};
use crate::out::Out;
use crate::target::Target;
use crate::{formatted, words};

/// Tells what happens on some boards.
pub(crate) struct Teller<'a> {
    targets: &'a [Target],
    program: String,
    bars: Bars,
    out: Out,
    /// How a line of the log looks, if somebody wants it so.
    pub(crate) log_format: Option<LogFormat>,
    code: u8,
}

impl<'a> Teller<'a> {
    /// Tells of boards that run a program.
    pub(crate) fn new(targets: &'a [Target], program: Option<&Path>, out: Out) -> Self {
        let program = program.map(|path| path.display().to_string()).unwrap_or_default();
        let bars = Bars::new(targets, &out);
        Self { targets, program, bars, out, log_format: None, code: 0 }
    }

    /// Whether nobody reads any more.
    pub(crate) fn is_closed(&self) -> bool {
        self.out.is_closed()
    }

    /// The exit code for all that was told: the greatest of them.
    pub(crate) fn code(&self, interrupted: bool) -> u8 {
        if interrupted { INTERRUPTED } else { self.code }
    }

    /// What happened on a board. Frames are for scripts, unless `frames` are wanted.
    pub(crate) fn event(
        &mut self,
        board: usize,
        event: &Event,
        frames: bool,
    ) -> Result<(), Diagnostic> {
        if self.out.json {
            let said = said(event, &self.program);
            return self.out.object(&Line::new(probe(self.targets, board), said));
        }
        match event {
            Event::Flashing(progress) => self.bars.flashing(board, *progress),
            Event::Flashed(flashed) => return self.flashed(board, *flashed),
            Event::Log(line) => {
                let look = self.out.look;
                let text = match &self.log_format {
                    Some(format) => formatted::log(format, line, look),
                    None => words::log(line, look),
                };
                return self.line(board, &text);
            }
            Event::Telemetry(frame) if frames => {
                return self.line(board, &words::telemetry(frame));
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
        let name = &target.choice;
        let done = self.out.look.paint(AnsiColor::Green.on_default().bold(), "Flashed");
        let (bytes, seconds) = (flashed.bytes, flashed.took.as_secs_f64());
        let text = format!("{done} {name}: {bytes} bytes written and read back in {seconds:.1} s");
        self.line(board, &text)
    }

    /// How the work on a board ended.
    pub(crate) fn end(
        &mut self,
        board: usize,
        outcome: Result<End, Error>,
    ) -> Result<(), Diagnostic> {
        self.bars.done(board);
        match outcome {
            Ok(end) => {
                self.code = self.code.max(code(&end));
                self.ended(board, &end)
            }
            Err(error) => self.fail(board, &error),
        }
    }

    /// Something went wrong on a board; the others go on.
    fn fail(&mut self, board: usize, error: &Error) -> Result<(), Diagnostic> {
        self.code = self.code.max(USAGE_OR_INPUT);
        let Some(target) = self.targets.get(board) else { return Ok(()) };
        self.bars.suspend(|| target.failed(error).print());
        if self.out.json {
            self.out.object(&Line::new(&target.probe, error.into()))?;
        }
        Ok(())
    }

    /// A remark on stderr.
    pub(crate) fn note(&self, message: &str) {
        self.bars.suspend(|| Diagnostic::new(Severity::Note, message).print());
    }

    fn ended(&mut self, board: usize, end: &End) -> Result<(), Diagnostic> {
        if self.out.json {
            let said = match end {
                End::Exit(code) => Said::Exit { code: *code },
                End::Crash(crash) => crash.into(),
                End::Stopped => Said::Stopped,
            };
            return self.out.object(&Line::new(probe(self.targets, board), said));
        }
        match end {
            End::Exit(0) | End::Stopped => {}
            End::Exit(code) => self.warn(board, &format!("the program exited with {code}")),
            End::Crash(crash) => self.crashed(board, crash),
        }
        Ok(())
    }

    fn crashed(&self, board: usize, crash: &Crash) {
        // stderr leaves colours out where they are not wanted.
        let look = Look { colour: true, ..self.out.look };
        let text = words::crash(crash, self.prefix(board), look);
        // A stderr that cannot be written to is nobody's concern.
        self.bars.suspend(|| {
            let _ = anstream::stderr().write_all(text.as_bytes());
        });
    }

    fn warn(&self, board: usize, message: &str) {
        let message = format!("{}{message}", self.prefix(board));
        self.bars.suspend(|| Diagnostic::new(Severity::Warning, message).print());
    }

    fn prefix(&self, board: usize) -> &'a str {
        self.targets.get(board).map_or("", |target| &target.prefix)
    }

    /// A line for eyes.
    pub(crate) fn line(&mut self, board: usize, text: &str) -> Result<(), Diagnostic> {
        let line = format!("{}{text}", self.prefix(board));
        let Self { bars, out, .. } = self;
        bars.suspend(|| out.line(&line))
    }
}

fn probe(targets: &[Target], board: usize) -> &str {
    targets.get(board).map_or("", |target| &target.probe)
}

/// An event for scripts.
fn said<'a>(event: &'a Event, program: &'a str) -> Said<'a> {
    match event {
        Event::Flashing(progress) => (*progress).into(),
        Event::Flashed(flashed) => {
            Said::Flashed { program, bytes: flashed.bytes, seconds: flashed.took.as_secs_f64() }
        }
        Event::Log(line) => line.into(),
        Event::Telemetry(frame) => (&**frame).into(),
        Event::LostLine => Said::Lost { what: "log", count: 1 },
        Event::LostFrames(count) => Said::Lost { what: "telemetry", count: *count },
        Event::Restarted => Said::Restarted,
    }
}

/// The exit code of an end, as far as a byte goes.
fn code(end: &End) -> u8 {
    match end {
        End::Exit(code) => u8::try_from(*code).unwrap_or(u8::MAX),
        End::Crash(_) => FINDINGS,
        End::Stopped => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_code_of_a_program_is_passed_on_and_never_becomes_a_success() {
        assert_eq!(code(&End::Exit(0)), 0);
        assert_eq!(code(&End::Exit(42)), 42);
        assert_eq!(code(&End::Exit(256)), 255);
        assert_eq!(code(&End::Stopped), 0);
        assert_eq!(code(&End::Crash(Crash::new("a hard fault", Vec::new()))), 1);
    }
}
