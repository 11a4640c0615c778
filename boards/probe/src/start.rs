//! What work there is: to flash a board, to run a program on it, to question it.

use std::sync::Arc;

use crate::error::Error;
use crate::program::Program;
use crate::selection::Choice;
use crate::session::{Compared, End, Event, Flashed, Progress, RunOptions, Session};
use crate::work::Work;

/// Writes a program to a board, checks it, and starts it.
///
/// A stop is heard before the writing, and then nothing was written (`None`); not in its middle.
#[must_use]
pub fn flash(choice: Choice, program: Arc<Program>) -> Work<Progress, Option<Flashed>> {
    Work::start(move |reporter| {
        let mut session = Session::open(&choice)?;
        if reporter.is_stopped() {
            return Ok(None);
        }
        session.flash(&program, |progress| reporter.tell(progress)).map(Some)
    })
}

/// Runs a program, or listens to the one that runs: with no program, there is telemetry and no log.
///
/// # Errors
/// When the program has no RTT, which is known before the board is touched.
pub fn run(
    choice: Choice,
    program: Option<Arc<Program>>,
    options: RunOptions,
) -> Result<Work<Event, End>, Error> {
    if let Some(program) = &program {
        program.rtt()?;
    }
    Ok(Work::start(move |reporter| {
        Session::open(&choice)?.run(program.as_deref(), options, reporter)
    }))
}

/// Asks a program `questions` questions in each number type, and compares with this computer.
///
/// # Errors
/// When the program has no RTT.
pub fn conform(
    choice: Choice,
    program: Arc<Program>,
    questions: u32,
    flash: bool,
) -> Result<Work<Compared, ()>, Error> {
    program.rtt()?;
    Ok(Work::start(move |reporter| {
        Session::open(&choice)?.conform(&program, questions, flash, reporter)
    }))
}
