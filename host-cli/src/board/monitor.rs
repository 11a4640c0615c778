//! `lodger board monitor`: what runs on boards, live.

mod draw;
mod keys;
mod lines;
mod screen;
mod state;

use std::io::{IsTerminal as _, stdin, stdout};
use std::time::Duration;

use lodger_probe::{End, Event, RunOptions};

use super::args::MonitorArgs;
use super::follow::{Following, block_on};
use super::out::Out;
use super::tell::Teller;
use super::{note_emulation, program, refused, targets};
use crate::exit::Verdict;
use lodger_terminal::Diagnostic;

/// Runs the command.
pub(super) fn run(args: &MonitorArgs) -> Result<Verdict, Diagnostic> {
    let program = args.program.as_deref().map(program).transpose()?;
    let targets = targets(&args.which, program.as_deref())?;
    let options = RunOptions { flash: false, reset: args.reset };
    let out = Out::new(&args.shown);
    let on_screen = !out.json && !args.plain && stdin().is_terminal() && stdout().is_terminal();
    if !on_screen {
        note_emulation(&targets, &args.shown);
    }
    let teller = Teller::new(&targets, args.program.as_deref(), out);
    block_on(async {
        let works = targets
            .iter()
            .map(|target| lodger_probe::run(target.choice.clone(), program.clone(), options));
        let works = works.collect::<Result<Vec<_>, _>>().map_err(|error| refused(&error))?;
        let mut watch = Watch::new(Following::new(works)?, args, targets.len());
        if program.is_none() {
            teller.note("without the program there is no log, only telemetry");
        }
        let code = if on_screen {
            screen::watch(&mut watch, teller, &targets).await?
        } else {
            lines::watch(&mut watch, teller).await?
        };
        Ok(Verdict::Code(code))
    })
}

/// Boards that are watched, and for how long.
struct Watch {
    following: Following<Event, End>,
    most: Option<u64>,
    duration: Option<Duration>,
    frames: Vec<u64>,
}

impl Watch {
    fn new(following: Following<Event, End>, args: &MonitorArgs, boards: usize) -> Self {
        let (most, duration) = (args.frames, args.duration);
        Self { following, most, duration, frames: vec![0; boards] }
    }

    /// Whether an event is still wanted. The last frame that is asks the board's work to end.
    fn wants(&mut self, board: usize, event: &Event) -> bool {
        let (Event::Telemetry(_), Some(most), Some(frames)) =
            (event, self.most, self.frames.get_mut(board))
        else {
            return true;
        };
        *frames += 1;
        if *frames == most {
            self.following.stop_one(board);
        }
        *frames <= most
    }

    /// Whether the user set an end.
    fn ends_by_itself(&self) -> bool {
        self.most.is_some() || self.duration.is_some()
    }
}

/// Waits for so long; for ever where there is no duration.
async fn wait(duration: Option<Duration>) {
    match duration {
        Some(duration) => tokio::time::sleep(duration).await,
        None => std::future::pending().await,
    }
}
