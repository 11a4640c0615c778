//! Flashes, runs, watches and tests boards behind debug probes, through probe-rs.
//!
//! A task on a board runs on its own thread, reports events as a stream, and stops cleanly; several boards can run at
//! once. The library neither prints nor uses a terminal. A board and a probe are selected by name:
//!
//! ```
//! use lodger_board::BoardSelection;
//!
//! let selection = BoardSelection {
//!     board: Some("microbit-v1".into()),
//!     probe: Some("0d28:0204".parse()?), // `VID:PID`; not needed if one probe is plugged in
//!     ..BoardSelection::default()
//! };
//! let board = selection.choose(None)?;
//! assert_eq!((board.to_string(), &*board.chip), ("microbit-v1".into(), "nRF51822_xxAA"));
//!
//! // Some boards exist only in QEMU, which no probe reaches.
//! let emulated = BoardSelection { board: Some("mps2-an385".into()), ..BoardSelection::default() };
//! assert!(emulated.choose(None).is_err_and(|error| error.help().contains("cargo xtask qemu")));
//! # Ok::<(), lodger_board::BoardError>(())
//! ```
//!
//! A program is flashed and run, until it ends or the task is stopped:
//!
//! ```no_run
//! use std::path::Path;
//! use std::sync::Arc;
//!
//! use lodger_board::{BoardSelection, Event, Program, RunOptions, TaskUpdate, run};
//!
//! # async fn example() -> Result<(), lodger_board::BoardError> {
//! let program = Arc::new(Program::read(Path::new("app"))?);
//! let board = BoardSelection::default().choose(Some(&program))?; // as the program says
//! let mut running = run(board, Some(program), RunOptions::default())?;
//! while let Some(update) = running.next().await {
//!     match update {
//!         TaskUpdate::Event(Event::Log(line)) => println!("{}", line.text),
//!         TaskUpdate::Event(_) => {}
//!         TaskUpdate::Done(end) => println!("{:?}", end?),
//!     }
//! }
//! # Ok(())
//! # }
//! ```
//!
//! | task | start at |
//! |---|---|
//! | List plugged-in probes | [`probes`], [`only_probe`] |
//! | Select a board | [`BoardSelection`], [`Selector`] |
//! | Read a program | [`Program`] |
//! | Flash, run, compare results | [`flash`], [`run`], [`conform`]; each starts a [`BoardTask`] |
//! | Log and telemetry | [`Event`] |
//!
//! # Important terms
//!
//! - **probe**: the device between this computer and a board
//! - **board**: a row of `boards/wire/boards.toml`; **chip**: probe-rs's name of its processor
//! - **program**: an ELF of `lodger-programs`, or any other that logs over RTT, through defmt or as text
//! - **log** and **messages**: RTT channels [`lodger_wire::LOG`] and [`lodger_wire::MESSAGES`]
//! - **end**: the end of a task: an exit code, a crash, a stop on request, or the completion of its work
//!
//! # Errors
//!
//! A [`BoardError`] names the probe, chip or file; [`BoardError::help`] suggests a remedy.

mod error;
mod event;
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
pub use event::{
    ConformCount, Crash, Event, FlashPhase, Flashed, ProgramProgress, SessionEnd, StackFrame,
};
pub use log::{LogLevel, LogLine, LogLocation};
pub use probe::{ProbeInfo, Selector, only_probe, probes};
pub use program::{LogWarning, Program};
pub use selection::{Attaching, BoardSelection, ResolvedBoard};
pub use session::{RunOptions, conform, flash, run};
pub use task::{BoardTask, Reporter, TaskUpdate};

/// Compiles the examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
