//! Boards behind debug probes: flash, run, log, telemetry and conformance, through probe-rs.
//!
//! The crate selects boards ([`BoardSelection`]), reads programs ([`Program`]), and runs tasks on threads
//! ([`BoardTask`]), which report events as a stream and stop cleanly, for several boards at once. It neither prints
//! nor uses a terminal.
//!
//! # Important terms
//!
//! - **probe**: the device between this computer and a board
//! - **board**: a row of `boards/wire/boards.toml`; **chip**: probe-rs's name of its processor
//! - **program**: an ELF of `lodger-programs`, or any other that logs over RTT, through defmt or as text
//! - **log** and **messages**: RTT channels [`lodger_wire::LOG`] and [`lodger_wire::MESSAGES`]
//! - **end**: the end of a session: an exit code, a crash, or a stop on request
//!
//! # Examples
//!
//! ```no_run
//! use std::path::Path;
//! use std::sync::Arc;
//!
//! use lodger_board::{BoardSelection, Event, Program, RunOptions, TaskUpdate, run};
//!
//! # async fn example() -> Result<(), lodger_board::BoardError> {
//! let program = Arc::new(Program::read(Path::new("app"))?);
//! let board = BoardSelection::default().choose(Some(&program))?;
//! let mut running = run(board, Some(program), RunOptions::default())?;
//! while let Some(step) = running.next().await {
//!     match step {
//!         TaskUpdate::Event(Event::Log(line)) => println!("{}", line.text),
//!         TaskUpdate::Event(_) => {}
//!         TaskUpdate::Done(end) => println!("{:?}", end?),
//!     }
//! }
//! # Ok(())
//! # }
//! ```

mod error;
#[cfg(test)]
mod fixture;
mod log;
mod probe;
mod program;
mod selection;
mod session;
mod task;
mod telemetry;

pub use error::{BoardError, Cause};
pub use log::{LogLevel, LogLine, LogLocation};
pub use probe::{ProbeInfo, Selector, only_probe, probes};
pub use program::{LogWarning, Program};
pub use selection::{Attaching, BoardSelection, ResolvedBoard};
pub use session::{
    ConformCount, ConformEvent, Crash, Event, FlashPhase, Flashed, ProgramProgress, RunOptions,
    Session, SessionEnd, StackFrame, conform, flash, run,
};
pub use task::{BoardTask, Reporter, TaskUpdate};

/// Compiles the examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
