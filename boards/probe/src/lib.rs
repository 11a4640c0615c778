//! A board behind a debug probe: flash it, run it, read its log, ask it what it decides.
//!
//! probe-rs does the talking. Here is what a program that shows boards to people needs above it: one
//! way to say which board ([`Selection`]), programs that know what they were built for ([`Program`]),
//! and work that runs on a thread of its own, several boards at once, told as a stream and stopped in
//! good order ([`Work`]). Nothing here prints, and nothing asks a terminal.
//!
//! # Important terms
//!
//! - **probe**: what is plugged into this computer, and into the board with two wires
//! - **board**: a row of `boards/table/boards.toml`; **chip**: what probe-rs calls its processor
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
//! use lodger_probe::{Event, Program, RunOptions, Selection, Step, run};
//!
//! # async fn example() -> Result<(), lodger_probe::Error> {
//! let program = Arc::new(Program::read(Path::new("app"))?);
//! let choice = Selection::default().choose(Some(&program))?;
//! let mut running = run(choice, Some(program), RunOptions::default())?;
//! while let Some(step) = running.next().await {
//!     match step {
//!         Step::Event(Event::Log(line)) => println!("{}", line.text),
//!         Step::Event(_) => {}
//!         Step::Done(end) => println!("{:?}", end?),
//!     }
//! }
//! # Ok(())
//! # }
//! ```

mod bad_program;
mod bounded;
mod cause;
mod chips;
mod error;
#[cfg(test)]
mod fixture;
mod log;
mod log_format;
mod probe_info;
mod probes;
mod program;
mod remark;
mod selection;
mod selector;
mod session;
mod start;
mod telemetry;
mod work;

pub use bad_program::BadProgram;
pub use cause::Cause;
pub use error::Error;
pub use log::{Level, Location, LogLine, NoSuchLevel};
pub use log_format::{BadLogFormat, Colour, Effect, Ink, LogFormat, Piece};
pub use probe_info::ProbeInfo;
pub use probes::{only_probe, probes};
pub use program::Program;
pub use remark::Remark;
pub use selection::{Attaching, Choice, Selection};
pub use selector::{BadSelector, Selector};
pub use session::{
    Compared, Crash, End, Event, Flashed, Phase, Progress, RunOptions, Session, StackFrame, Tally,
};
pub use start::{conform, flash, run};
pub use work::{Reporter, Step, Work};

/// The examples of the README are compiled.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
