//! A board behind a debug probe: flash it, run it, read its log, ask it what it decides.
//!
//! probe-rs does the talking. Here is what a program that shows boards to people needs above it: one
//! way to say which board ([`BoardSelection`]), programs that know what they were built for ([`Program`]),
//! and work that runs on a thread of its own, several boards at once, told as a stream and stopped in
//! good order ([`BoardTask`]). Nothing here prints, and nothing asks a terminal.
//!
//! # Important terms
//!
//! - **probe**: what is plugged into this computer, and into the board with two wires
//! - **board**: a row of `boards/wire/boards.toml`; **chip**: what probe-rs calls its processor
//! - **program**: an ELF of `lodger-programs`, or of anybody who logs over RTT, through defmt or as text
//! - **log** and **messages**: RTT channels [`lodger_wire::LOG`] and [`lodger_wire::MESSAGES`]
//! - **end**: how a program stopped: an exit code, a crash, or because it was asked to be left alone
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
pub use log::{Level, Location, LogLine};
pub use probe::{ProbeInfo, Selector, SelectorError, only_probe, probes};
pub use program::{LogWarning, Program};
pub use selection::{Attaching, BoardSelection, ResolvedBoard};
pub use session::{
    ConformCount, ConformEvent, Crash, Event, Flashed, Phase, Progress, RunOptions, Session,
    SessionEnd, StackFrame, conform, flash, run,
};
pub use task::{BoardTask, Reporter, TaskUpdate};

/// The examples of the README are compiled.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
