//! Events of a task on a board, and its end.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use lodger_wire::conform::{Mismatch, NumberType};
use lodger_wire::telemetry::TelemetryFrame;

use crate::log::LogLine;

/// An event of a board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// The program is being written.
    Flashing(ProgramProgress),
    /// The program is written.
    Flashed(Flashed),
    /// A line of the log.
    Log(LogLine),
    /// A frame of the frame loop.
    Telemetry(Box<TelemetryFrame>),
    /// An undecodable line of the log.
    LostLine,
    /// A number of lost or invalid frames before the next one.
    LostFrames(u32),
    /// The frame loop restarted, because the board was reset.
    Restarted,
    /// A result of a test vector, with the difference if it is not this computer's.
    Compared(Option<Box<Mismatch>>),
    /// The counts of a number type, at its end, or when the task is stopped or fails after a response.
    Count(ConformCount),
}

/// A phase of flashing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FlashPhase {
    /// Sectors are erased.
    Erase,
    /// Bytes are written.
    Program,
    /// Bytes are read back and compared.
    Verify,
}

impl fmt::Display for FlashPhase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Erase => "erase",
            Self::Program => "program",
            Self::Verify => "verify",
        })
    }
}

/// The progress of a phase, from 0 to its total; for RAM only the end is reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProgramProgress {
    /// The phase.
    pub phase: FlashPhase,
    /// The completed bytes.
    pub done: u64,
    /// All bytes, including whole sectors and pages.
    pub total: u64,
}

/// The result of flashing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Flashed {
    /// The size of the program in bytes.
    pub bytes: u64,
    /// The duration; meaningless through an emulated probe.
    pub took: Duration,
}

/// The counts of a number type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ConformCount {
    /// The number type.
    pub backend: NumberType,
    /// The number of responses; fewer than vectors if the task was stopped.
    pub responses: u32,
    /// The number of different results.
    pub differ: u32,
}

/// The end of a task on a board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SessionEnd {
    /// The program is written and started, or its results are compared.
    Complete,
    /// The program exited with this code; 0 is success.
    Exit(u32),
    /// The program crashed.
    Crash(Crash),
    /// The task was stopped. The program continues to run; a program that was to be flashed is not written.
    Stopped,
}

/// A crash of a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Crash {
    /// A short description.
    pub what: &'static str,
    /// The backtrace, the innermost call first; empty without debug information.
    pub backtrace: Vec<StackFrame>,
}

/// A call in a backtrace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StackFrame {
    /// The function's name.
    pub function: String,
    /// The path of the file, as the compiler recorded it, and the line from 1.
    pub place: Option<(PathBuf, u64)>,
    /// Whether the function was inlined into the next one.
    pub inlined: bool,
}
