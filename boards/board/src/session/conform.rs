//! Conformance: a board is asked what it decides, and this computer decides the same.

use std::thread::sleep;
use std::time::{Duration, Instant};

use lodger_wire::conform::{Backend, Mismatch, SchedulerBackend, compare, end};
use lodger_wire::{Fault, Frames, MESSAGES, Transport};
use probe_rs::Core;

use super::link::Link;
use super::session_end::{Judged, judge};
use super::{Flashed, Progress, Session};
use crate::error::BoardError;
use crate::probe::Selector;
use crate::program::Program;
use crate::task::Reporter;

/// No answer takes a twentieth of that; a program that is silent for so long will not answer.
const PATIENCE: Duration = Duration::from_secs(20);
/// How long to wait where there was no answer yet.
const PAUSE: Duration = Duration::from_millis(1);
/// So often the answer is looked for without a pause: it is mostly there at once.
const EAGER: u32 = 20;

/// What is told in the course of a comparison.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ConformEvent {
    /// The program is being written.
    Flashing(Progress),
    /// The program is written.
    Flashed(Flashed),
    /// An answer is that of this computer.
    Same(Backend),
    /// An answer is another.
    Differs(Box<Mismatch>),
    /// That was all in a number type, or all before it was stopped or failed; where it failed before
    /// there was an answer, it is not told.
    Count(ConformCount),
}

/// How the answers in one number type compare.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ConformCount {
    /// The number type.
    pub backend: Backend,
    /// How many questions were answered; fewer than were to be asked if it was stopped.
    pub asked: u32,
    /// How many answers differ from those of this computer.
    pub differ: u32,
}

impl Session {
    /// Asks a program the questions of [`lodger_wire::conform::Vectors`] in every number type, and
    /// compares its answers with those of this computer. What was compared is told as
    /// it is known, so that it is not lost if something fails later.
    ///
    /// # Errors
    /// When the program cannot be written, or is not on the chip; when it has no channel for
    /// messages, ends or stays silent.
    pub fn conform<T>(
        &mut self,
        program: &Program,
        questions: u32,
        flash: bool,
        reporter: &Reporter<ConformEvent, T>,
    ) -> Result<(), BoardError> {
        if reporter.is_stopped() {
            return Ok(());
        }
        if flash {
            let flashed =
                self.write(program, |done| reporter.tell(ConformEvent::Flashing(done)))?;
            reporter.tell(ConformEvent::Flashed(flashed));
        } else {
            self.check_written(program)?;
        }
        self.restart(Some(program))?;
        let probe = self.probe.clone();
        let link = Link::new(probe.clone(), Some(program.rtt()?));
        let mut line = Line { link, core: self.core()?, stopped: || reporter.is_stopped() };
        line.connect()?;
        let mut frames = Frames::new(line);
        for backend in Backend::ALL {
            let (count, outcome) = ask(&mut frames, backend, questions, reporter);
            // Where nothing was answered there is nothing to count, only why.
            if count.asked > 0 || outcome.is_ok() {
                reporter.tell(ConformEvent::Count(count));
            }
            match outcome {
                Ok(()) if !reporter.is_stopped() => {}
                Ok(()) | Err(Fault::Gone) => return Ok(()),
                Err(Fault::Transport(error)) => return Err(error),
                Err(_) => return Err(no_answer(&probe, "answers with something else")),
            }
        }
        // All answers are in; how the program takes its leave changes nothing.
        let _ = end(&mut frames);
        Ok(())
    }
}

/// Asks the questions of one number type, and tells how the answers compare.
fn ask<S: Fn() -> bool, T>(
    frames: &mut Frames<Line<'_, S>>,
    backend: Backend,
    questions: u32,
    reporter: &Reporter<ConformEvent, T>,
) -> (ConformCount, Result<(), Fault<BoardError>>) {
    let mut count = ConformCount { backend, asked: 0, differ: 0 };
    let outcome = compare(frames, backend, questions, &mut SchedulerBackend, |mismatch| {
        count.asked += 1;
        count.differ += u32::from(mismatch.is_some());
        reporter.tell(match mismatch {
            None => ConformEvent::Same(backend),
            Some(mismatch) => ConformEvent::Differs(Box::new(mismatch)),
        });
    });
    (count, outcome)
}

/// The program has no channel for messages, or does not answer on it.
fn no_answer(probe: &Selector, problem: &str) -> BoardError {
    let help = "run the program `conform`, built with RTT; `lodger board run` shows what it logs";
    BoardError::new(format!("the program at {probe} {problem}"), help)
}

/// The line to a program. A stop is told as its end.
struct Line<'c, S> {
    link: Link,
    core: Core<'c>,
    stopped: S,
}

impl<S: Fn() -> bool> Line<'_, S> {
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
        Err(no_answer(self.link.probe(), "has no channel for questions and answers"))
    }

    fn still_running(&mut self) -> Result<(), BoardError> {
        let probe = self.link.probe().clone();
        let failed = |error| BoardError::during("watch the program", &probe, error);
        let how = match judge(self.core.status().map_err(failed)?) {
            Judged::Runs => return Ok(()),
            Judged::GoOn => return self.core.run().map_err(failed),
            Judged::Exit(code) => format!("it exited with {code}"),
            Judged::Crash(what) => what.to_owned(),
        };
        let message =
            format!("the program at {probe} ended in the middle of the conversation: {how}");
        Err(BoardError::new(message, "`lodger board run` shows what it logs"))
    }

    /// Waits for something, a while eagerly and then less so; false when it is asked to stop.
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
            if attempt >= EAGER {
                self.still_running()?;
                sleep(PAUSE);
            }
            if begun.elapsed() > PATIENCE {
                break;
            }
        }
        Err(no_answer(self.link.probe(), "does not answer"))
    }
}

impl<S: Fn() -> bool> Transport for Line<'_, S> {
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
