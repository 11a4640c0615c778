//! Running a program and hearing it out, or listening to one that runs.

use std::thread::sleep;
use std::time::{Duration, Instant};

use lodger_wire::telemetry::Frame;
use lodger_wire::{LOG, MESSAGES};
use probe_rs::{Core, CoreStatus, HaltReason};

use super::link::Link;
use super::session_end::{self, Judged, judge};
use super::{Flashed, Progress, Session, SessionEnd, catch_crashes};
use crate::error::BoardError;
use crate::log::{Log, LogLine, LogReader};
use crate::program::Program;
use crate::task::Reporter;
use crate::telemetry::{FrameDecoder, Heard};

/// How long a program may take to set up RTT before it is given up.
const PATIENCE: Duration = Duration::from_secs(20);
/// How long to wait where there was nothing to hear.
const PAUSE: Duration = Duration::from_millis(10);

/// What happens on a board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// The program is being written.
    Flashing(Progress),
    /// The program is written.
    Flashed(Flashed),
    /// A line of the log.
    Log(LogLine),
    /// A frame of the frame loop.
    Telemetry(Box<Frame>),
    /// A line of the log that cannot be decoded.
    LostLine,
    /// So many frames were not heard of.
    LostFrames(u32),
    /// The frame loop began anew: the board was reset.
    Restarted,
}

/// How to run a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RunOptions {
    /// Write it first.
    pub flash: bool,
    /// Begin at its beginning; else it runs on where it is.
    pub reset: bool,
}

impl Default for RunOptions {
    /// Writes it and begins at its beginning.
    fn default() -> Self {
        Self { flash: true, reset: true }
    }
}

impl Session {
    /// Runs a program until it ends or `reporter` is asked to stop.
    ///
    /// # Errors
    /// When it cannot be written, or is not the one on the chip although it should not be; when it
    /// has no RTT, does not set it up, or the probe is gone.
    pub fn run<T>(
        &mut self,
        program: Option<&Program>,
        options: RunOptions,
        reporter: &Reporter<Event, T>,
    ) -> Result<SessionEnd, BoardError> {
        if reporter.is_stopped() {
            return Ok(SessionEnd::Stopped);
        }
        match program {
            Some(program) if options.flash => {
                let flashed = self.write(program, |done| reporter.tell(Event::Flashing(done)))?;
                reporter.tell(Event::Flashed(flashed));
            }
            Some(program) => self.check_written(program)?,
            None => {}
        }
        let from_the_beginning = options.reset || options.flash || self.begins_anew;
        if from_the_beginning {
            self.restart(program)?;
        }
        let log = program.map(Program::log).map(Log::reader);
        let address = program.map(Program::rtt).transpose()?;
        let mut listener = Listener {
            link: Link::new(self.probe.clone(), address),
            log,
            telemetry: FrameDecoder::default(),
            joins: !from_the_beginning,
            begun: Instant::now(),
            reporter,
        };
        let mut core = self.core()?;
        listener.wake(&mut core)?;
        let end = listener.hear_out(&mut core, program);
        listener.rest();
        end
    }
}

/// Reads the log and the frames of a program until it ends.
struct Listener<'a, T> {
    link: Link,
    log: Option<LogReader<'a>>,
    telemetry: FrameDecoder,
    /// Whether the program ran already.
    joins: bool,
    begun: Instant,
    reporter: &'a Reporter<Event, T>,
}

impl<T> Listener<'_, T> {
    /// Lets a core run that a debugger has left halted.
    fn wake(&self, core: &mut Core<'_>) -> Result<(), BoardError> {
        catch_crashes(core).map_err(|error| self.failed(error))?;
        match core.status().map_err(|error| self.failed(error))? {
            CoreStatus::Halted(
                HaltReason::Request | HaltReason::External | HaltReason::Unknown,
            ) => core.run().map_err(|error| self.failed(error)),
            _ => Ok(()),
        }
    }

    fn hear_out(
        &mut self,
        core: &mut Core<'_>,
        program: Option<&Program>,
    ) -> Result<SessionEnd, BoardError> {
        let mut connected = false;
        loop {
            if self.reporter.is_stopped() {
                self.leave(core)?;
                return Ok(SessionEnd::Stopped);
            }
            // The status before the log: what a halted core has said is in its buffers.
            let status = core.status().map_err(|error| self.failed(error))?;
            let reporter = self.reporter;
            if !self.link.is_up() && self.link.connect(core, || reporter.is_stopped())? {
                if !self.joins {
                    // Who joins a program does not make it wait: it must not stand still when he is
                    // killed.
                    self.link.hold_log(core, true)?;
                } else if !connected {
                    // Frames of a past that nobody read.
                    self.link.discard(core, MESSAGES)?;
                }
                connected = true;
            }
            let heard = self.listen(core)?;
            match judge(status) {
                Judged::Runs if heard => {}
                Judged::Runs if !connected && self.begun.elapsed() > PATIENCE => {
                    return Err(self.link.silent());
                }
                Judged::Runs => sleep(PAUSE),
                Judged::GoOn => core.run().map_err(|error| self.failed(error))?,
                _ if heard => {}
                Judged::Exit(code) => return Ok(SessionEnd::Exit(code)),
                Judged::Crash(what) => {
                    return Ok(SessionEnd::Crash(session_end::crash(core, what, program)));
                }
            }
        }
    }

    /// Makes sure that the program runs on with nobody to read its log.
    fn leave(&mut self, core: &mut Core<'_>) -> Result<(), BoardError> {
        self.link.hold_log(core, false)?;
        // It may be waiting for room already.
        self.link.discard(core, LOG)
    }

    /// Tells what has come in: whether there was anything.
    fn listen(&mut self, core: &mut Core<'_>) -> Result<bool, BoardError> {
        let mut buffer = [0; 1024];
        let len = self.link.read(core, LOG, &mut buffer)?;
        let reporter = self.reporter;
        if let Some(log) = &mut self.log {
            log.feed(&buffer[..len], |line| {
                reporter.tell(line.map_or(Event::LostLine, Event::Log));
            });
        }
        let more = self.link.read(core, MESSAGES, &mut buffer)?;
        self.telemetry.feed(&buffer[..more], |heard| {
            reporter.tell(match heard {
                Heard::Frame(frame) => Event::Telemetry(frame),
                Heard::Lost(count) => Event::LostFrames(count),
                Heard::Restart => Event::Restarted,
            });
        });
        Ok(len + more > 0)
    }

    /// Tells what was begun and will have no end.
    fn rest(&mut self) {
        if let Some(line) = self.log.as_mut().and_then(LogReader::rest) {
            self.reporter.tell(Event::Log(line));
        }
    }

    fn failed(&self, error: probe_rs::Error) -> BoardError {
        BoardError::during("watch the program", self.link.probe(), error)
    }
}
