//! Runs a program and reads its output, or listens to a running one.

use std::thread::sleep;
use std::time::{Duration, Instant};

use lodger_wire::{LOG, MESSAGES};
use probe_rs::{Core, CoreStatus, HaltReason};

use super::link::Link;
use super::session_end::{self, ProgramState, program_state};
use super::{Session, catch_crashes};
use crate::error::BoardError;
use crate::event::{Event, SessionEnd};
use crate::log::{LogKind, LogReader};
use crate::program::Program;
use crate::task::Reporter;
use crate::telemetry::FrameDecoder;

/// The longest time for a program to set up RTT.
const PATIENCE: Duration = Duration::from_secs(20);
const PAUSE: Duration = Duration::from_millis(10);

/// Options of running a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RunOptions {
    /// Whether to write the program first.
    pub flash: bool,
    /// Whether to restart the program.
    pub reset: bool,
}

impl Default for RunOptions {
    /// Writes and restarts the program.
    fn default() -> Self {
        Self { flash: true, reset: true }
    }
}

impl Session {
    /// Runs a program until it ends or the task is stopped.
    pub(super) fn run(
        &mut self,
        program: Option<&Program>,
        options: RunOptions,
        reporter: &Reporter,
    ) -> Result<SessionEnd, BoardError> {
        if reporter.is_stopped() {
            return Ok(SessionEnd::Stopped);
        }
        if let Some(program) = program {
            self.prepare(program, options.flash, reporter)?;
        }
        let is_restarted = options.reset || options.flash || self.is_restarted;
        if is_restarted {
            self.restart(program)?;
        }
        let log = program.map(Program::log).map(LogKind::reader);
        let address = program.map(Program::rtt).transpose()?;
        let mut listener = Listener {
            link: Link::new(self.probe.clone(), address),
            log,
            telemetry: FrameDecoder::default(),
            joins: !is_restarted,
            begun: Instant::now(),
            reporter,
        };
        let mut core = self.core()?;
        listener.wake(&mut core)?;
        let end = listener.listen(&mut core, program);
        listener.rest();
        end
    }
}

struct Listener<'a> {
    link: Link,
    log: Option<LogReader<'a>>,
    telemetry: FrameDecoder,
    joins: bool,
    begun: Instant,
    reporter: &'a Reporter,
}

impl Listener<'_> {
    /// Runs a core that a debugger left halted.
    fn wake(&self, core: &mut Core<'_>) -> Result<(), BoardError> {
        catch_crashes(core).map_err(|error| self.failed(error))?;
        match core.status().map_err(|error| self.failed(error))? {
            CoreStatus::Halted(
                HaltReason::Request | HaltReason::External | HaltReason::Unknown,
            ) => core.run().map_err(|error| self.failed(error)),
            _ => Ok(()),
        }
    }

    fn listen(
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
            // The status is read before the log, because the buffers of a halted core are complete.
            let status = core.status().map_err(|error| self.failed(error))?;
            let reporter = self.reporter;
            if !self.link.is_up() && self.link.connect(core, || reporter.is_stopped())? {
                if !self.joins {
                    // A program that already ran must not wait for its log, because this process may be killed.
                    self.link.hold_log(core, true)?;
                } else if !connected {
                    // Old frames.
                    self.link.discard(core, MESSAGES)?;
                }
                connected = true;
            }
            let heard = self.poll(core)?;
            match program_state(status) {
                ProgramState::Runs if heard => {}
                ProgramState::Runs if !connected && self.begun.elapsed() > PATIENCE => {
                    return Err(self.link.silent());
                }
                ProgramState::Runs => sleep(PAUSE),
                ProgramState::Resumable => core.run().map_err(|error| self.failed(error))?,
                _ if heard => {}
                ProgramState::Exit(code) => return Ok(SessionEnd::Exit(code)),
                ProgramState::Crash(what) => {
                    return Ok(SessionEnd::Crash(session_end::crash(core, what, program)));
                }
            }
        }
    }

    /// Lets the program run without a reader of its log.
    fn leave(&mut self, core: &mut Core<'_>) -> Result<(), BoardError> {
        self.link.hold_log(core, false)?;
        // It may already wait for space.
        self.link.discard(core, LOG)
    }

    /// Reports lines and frames; returns whether there were any.
    fn poll(&mut self, core: &mut Core<'_>) -> Result<bool, BoardError> {
        let mut buffer = [0; 1024];
        let len = self.link.read(core, LOG, &mut buffer)?;
        let reporter = self.reporter;
        if let Some(log) = &mut self.log {
            log.feed(&buffer[..len], |line| {
                reporter.report(line.map_or(Event::LostLine, Event::Log));
            });
        }
        let more = self.link.read(core, MESSAGES, &mut buffer)?;
        self.telemetry.feed(&buffer[..more], |heard| reporter.report(heard));
        Ok(len + more > 0)
    }

    fn rest(&mut self) {
        if let Some(line) = self.log.as_mut().and_then(LogReader::rest) {
            self.reporter.report(Event::Log(line));
        }
    }

    fn failed(&self, error: probe_rs::Error) -> BoardError {
        BoardError::during("watch the program", self.link.probe(), error)
    }
}
