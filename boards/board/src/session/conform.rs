//! Conformance: compares the results of a board with this computer's.

use std::thread::sleep;
use std::time::{Duration, Instant};

use lodger_wire::conform::{NumberType, SchedulerBackend, compare, end};
use lodger_wire::{FramedTransport, MESSAGES, Transport, WireError};
use probe_rs::Core;

use super::Session;
use super::link::Link;
use super::session_end::{ProgramState, program_state};
use crate::error::BoardError;
use crate::event::{ConformCount, Event, SessionEnd};
use crate::probe::Selector;
use crate::program::Program;
use crate::task::Reporter;

/// The longest time for a response; usual ones take less than a twentieth.
const PATIENCE: Duration = Duration::from_secs(20);
const PAUSE: Duration = Duration::from_millis(1);
/// The number of polls without a pause, because most responses arrive at once.
const EAGER_POLLS: u32 = 20;

impl Session {
    /// Sends a program [`TestVectors`](lodger_wire::conform::TestVectors) in every number type, and compares the results
    /// with this computer's. Reports events at once, so that none is lost if the session fails later.
    pub(super) fn conform(
        &mut self,
        program: &Program,
        vectors: u32,
        flash: bool,
        reporter: &Reporter,
    ) -> Result<SessionEnd, BoardError> {
        if reporter.is_stopped() {
            return Ok(SessionEnd::Stopped);
        }
        self.prepare(program, flash, reporter)?;
        self.restart(Some(program))?;
        let probe = self.probe.clone();
        let link = Link::new(probe.clone(), Some(program.rtt()?));
        let mut line = ProbeLine { link, core: self.core()?, stopped: || reporter.is_stopped() };
        line.connect()?;
        let mut frames = FramedTransport::new(line);
        for backend in NumberType::ALL {
            let (count, outcome) = compare_in(&mut frames, backend, vectors, reporter);
            // Without a response there is only an error.
            if count.responses > 0 || outcome.is_ok() {
                reporter.report(Event::Count(count));
            }
            match outcome {
                Ok(()) if !reporter.is_stopped() => {}
                Ok(()) | Err(WireError::Gone) => return Ok(SessionEnd::Stopped),
                Err(WireError::Transport(error)) => return Err(error),
                Err(_) => return Err(no_response(&probe, "sends something else than responses")),
            }
        }
        // All responses have been received; an error now has no effect.
        let _ = end(&mut frames);
        Ok(SessionEnd::Complete)
    }
}

fn compare_in<S: Fn() -> bool>(
    frames: &mut FramedTransport<ProbeLine<'_, S>>,
    backend: NumberType,
    vectors: u32,
    reporter: &Reporter,
) -> (ConformCount, Result<(), WireError<BoardError>>) {
    let mut count = ConformCount { backend, responses: 0, differ: 0 };
    let outcome = compare(frames, backend, vectors, &mut SchedulerBackend, |mismatch| {
        count.responses += 1;
        count.differ += u32::from(mismatch.is_some());
        reporter.report(Event::Compared(mismatch.map(Box::new)));
    });
    (count, outcome)
}

fn no_response(probe: &Selector, problem: &str) -> BoardError {
    let help = "run the program `conform`, built with RTT; `lodger board run` shows what it logs";
    BoardError::new(format!("the program at {probe} {problem}"), help)
}

/// The connection to a program. A stop is reported as its end.
struct ProbeLine<'c, S> {
    link: Link,
    core: Core<'c>,
    stopped: S,
}

impl<S: Fn() -> bool> ProbeLine<'_, S> {
    fn connect(&mut self) -> Result<(), BoardError> {
        let begun = Instant::now();
        while !self.link.connect(&mut self.core, &self.stopped)? {
            self.still_running()?;
            if begun.elapsed() > PATIENCE {
                return Err(self.link.silent());
            }
            if (self.stopped)() {
                return Ok(());
            }
            sleep(PAUSE);
        }
        if self.link.goes_both_ways(MESSAGES) {
            return Ok(());
        }
        Err(no_response(self.link.probe(), "has no channel for messages"))
    }

    fn still_running(&mut self) -> Result<(), BoardError> {
        let probe = self.link.probe().clone();
        let failed = |error| BoardError::during("watch the program", &probe, error);
        let how = match program_state(self.core.status().map_err(failed)?) {
            ProgramState::Runs => return Ok(()),
            ProgramState::Resumable => return self.core.run().map_err(failed),
            ProgramState::Exit(code) => format!("it exited with {code}"),
            ProgramState::Crash(what) => what.to_owned(),
        };
        let message = format!("the program at {probe} ended within the conversation: {how}");
        Err(BoardError::new(message, "`lodger board run` shows what it logs"))
    }

    /// Polls `done`, at first without pauses; false if the task is stopped.
    fn wait(
        &mut self,
        mut done: impl FnMut(&mut Self) -> Result<bool, BoardError>,
    ) -> Result<bool, BoardError> {
        let begun = Instant::now();
        for attempt in 0_u32.. {
            if done(self)? {
                return Ok(true);
            }
            if (self.stopped)() {
                return Ok(false);
            }
            if attempt >= EAGER_POLLS {
                self.still_running()?;
                sleep(PAUSE);
            }
            if begun.elapsed() > PATIENCE {
                break;
            }
        }
        Err(no_response(self.link.probe(), "does not respond"))
    }
}

impl<S: Fn() -> bool> Transport for ProbeLine<'_, S> {
    type Error = BoardError;

    fn receive(&mut self, buffer: &mut [u8]) -> Result<usize, BoardError> {
        let mut len = 0;
        self.wait(|line| {
            len = line.link.read(&mut line.core, MESSAGES, buffer)?;
            Ok(len > 0)
        })?;
        Ok(len)
    }

    fn send(&mut self, bytes: &[u8]) -> Result<(), BoardError> {
        let mut sent = 0;
        self.wait(|line| {
            sent += line.link.write(&mut line.core, MESSAGES, &bytes[sent..])?;
            Ok(sent == bytes.len())
        })?;
        Ok(())
    }
}
