//! Conformance: a board is asked what it decides, and this computer decides the same.

use std::thread::sleep;
use std::time::{Duration, Instant};

use lodger_answers::Scheduler;
use lodger_wire::conform::{Backend, Mismatch, compare, end};
use lodger_wire::{Fault, Frames, MESSAGES, Transport};
use probe_rs::Core;

use super::ending::{Judged, judge};
use super::link::Link;
use super::{Flashed, Progress, Session};
use crate::error::Error;
use crate::program::Program;
use crate::work::Reporter;

/// No answer takes a twentieth of that; a program that is silent for so long will not answer.
const PATIENCE: Duration = Duration::from_secs(20);
/// How long to wait where there was no answer yet.
const PAUSE: Duration = Duration::from_millis(1);
/// So often the answer is looked for without a pause: it is mostly there at once.
const EAGER: u32 = 20;

/// What is told in the course of a comparison.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Compared {
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
    Tally(Tally),
}

/// How the answers in one number type compare.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Tally {
    /// The number type.
    pub backend: Backend,
    /// How many questions were answered; fewer than were to be asked if it was stopped.
    pub asked: u32,
    /// How many answers differ from those of this computer.
    pub differ: u32,
}

impl Tally {
    /// So many answers, and so many of them that differ.
    #[must_use]
    pub const fn new(backend: Backend, asked: u32, differ: u32) -> Self {
        Self { backend, asked, differ }
    }
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
        reporter: &Reporter<Compared, T>,
    ) -> Result<(), Error> {
        if reporter.is_stopped() {
            return Ok(());
        }
        if flash {
            let flashed = self.write(program, |done| reporter.tell(Compared::Flashing(done)))?;
            reporter.tell(Compared::Flashed(flashed));
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
            let (tally, outcome) = ask(&mut frames, backend, questions, reporter);
            // Where nothing was answered there is nothing to tally, only why.
            if tally.asked > 0 || outcome.is_ok() {
                reporter.tell(Compared::Tally(tally));
            }
            match outcome {
                Ok(()) if !reporter.is_stopped() => {}
                Ok(()) | Err(Fault::Gone) => return Ok(()),
                Err(Fault::Transport(error)) => return Err(error),
                Err(_) => {
                    return Err(Error::NoAnswer { probe, why: "answers with something else" });
                }
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
    reporter: &Reporter<Compared, T>,
) -> (Tally, Result<(), Fault<Error>>) {
    let mut tally = Tally { backend, asked: 0, differ: 0 };
    let outcome = compare(frames, backend, questions, &mut Scheduler, |mismatch| {
        tally.asked += 1;
        tally.differ += u32::from(mismatch.is_some());
        reporter.tell(match mismatch {
            None => Compared::Same(backend),
            Some(mismatch) => Compared::Differs(Box::new(mismatch)),
        });
    });
    (tally, outcome)
}

/// The line to a program. A stop is told as its end.
struct Line<'c, S> {
    link: Link,
    core: Core<'c>,
    stopped: S,
}

impl<S: Fn() -> bool> Line<'_, S> {
    fn connect(&mut self) -> Result<(), Error> {
        let begun = Instant::now();
        while !self.link.connect(&mut self.core, &self.stopped)? {
            self.still_running()?;
            if begun.elapsed() > PATIENCE {
                let (probe, address) = (self.link.probe().clone(), self.link.address());
                return Err(Error::SilentRtt { probe, address });
            }
            if (self.stopped)() {
                return Ok(());
            }
            sleep(PAUSE);
        }
        if self.link.goes_both_ways(MESSAGES) {
            return Ok(());
        }
        let why = "has no channel for questions and answers";
        Err(Error::NoAnswer { probe: self.link.probe().clone(), why })
    }

    fn still_running(&mut self) -> Result<(), Error> {
        let probe = self.link.probe().clone();
        let failed = |error| Error::during("watch the program", &probe, error);
        let how = match judge(self.core.status().map_err(failed)?) {
            Judged::Runs => return Ok(()),
            Judged::GoOn => return self.core.run().map_err(failed),
            Judged::Exit(code) => format!("it exited with {code}"),
            Judged::Crash(what) => what.to_owned(),
        };
        Err(Error::EndedEarly { probe, how })
    }

    /// Waits for something, a while eagerly and then less so; false when it is asked to stop.
    fn wait(
        &mut self,
        mut done: impl FnMut(&mut Self) -> Result<bool, Error>,
    ) -> Result<bool, Error> {
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
        Err(Error::NoAnswer { probe: self.link.probe().clone(), why: "does not answer" })
    }
}

impl<S: Fn() -> bool> Transport for Line<'_, S> {
    type Error = Error;

    fn receive(&mut self, buffer: &mut [u8]) -> Result<usize, Error> {
        let mut len = 0;
        self.wait(|line| {
            len = line.link.read(&mut line.core, MESSAGES, buffer)?;
            Ok(len > 0)
        })?;
        Ok(len)
    }

    fn send(&mut self, bytes: &[u8]) -> Result<(), Error> {
        let mut sent = 0;
        self.wait(|line| {
            sent += line.link.write(&mut line.core, MESSAGES, &bytes[sent..])?;
            Ok(sent == bytes.len())
        })?;
        Ok(())
    }
}
