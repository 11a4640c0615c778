//! `lodger board monitor`: the programs that run on boards, live.

mod draw;
mod screen;

use std::io::{IsTerminal as _, stdin, stdout};
use std::time::Duration;

use lodger_board::{Event, RunOptions, SessionEnd, TaskUpdate};
use lodger_terminal::Diagnostic;

use super::args::MonitorArgs;
use super::event_printer::EventPrinter;
use super::target::{note_emulation, note_log, program, refused, targets};
use super::tasks::{BoardTasks, TaskListener, block_on};

/// Runs the command.
pub(crate) fn run(args: &MonitorArgs) -> Result<u8, Diagnostic> {
    let format = args.log.format(&args.output)?;
    let program = args.program.as_deref().map(program).transpose()?;
    let targets = targets(&args.board, program.as_deref())?;
    let options = RunOptions { flash: false, reset: args.reset };
    let is_terminal = stdin().is_terminal() && stdout().is_terminal();
    let on_screen = is_terminal && !args.output.as_json() && !args.plain;
    if !on_screen {
        note_emulation(&targets, &args.output);
    }
    if let Some(program) = &program {
        note_log(program, true);
    }
    let mut printer = EventPrinter::new(&targets, args.program.as_deref(), &args.output);
    printer.log_format = format;
    block_on(async {
        let tasks = targets
            .iter()
            .map(|target| lodger_board::run(target.board.clone(), program.clone(), options));
        let tasks = tasks.collect::<Result<Vec<_>, _>>().map_err(|error| refused(&error))?;
        let mut tasks = BoardTasks::new(tasks)?;
        if program.is_none() {
            printer.note("without the program there is no log, only telemetry");
        }
        let limits = Limits::new(args, targets.len());
        if on_screen {
            return screen::watch(&mut tasks, limits, printer, &targets).await;
        }
        let duration = limits.duration;
        let mut lines = Lines { printer, limits };
        tasks.follow(&mut lines, duration).await?;
        Ok(lines.printer.code(tasks.is_interrupted()))
    })
}

/// Prints events as lines.
struct Lines<'a> {
    printer: EventPrinter<'a>,
    limits: Limits,
}

impl TaskListener<Event, SessionEnd> for Lines<'_> {
    fn update(
        &mut self,
        tasks: &BoardTasks<Event, SessionEnd>,
        board: usize,
        update: TaskUpdate<Event, SessionEnd>,
    ) -> Result<(), Diagnostic> {
        match update {
            TaskUpdate::Event(event) if self.limits.allow(tasks, board, &event) => {
                self.printer.event(board, &event, true)
            }
            TaskUpdate::Event(_) => Ok(()),
            TaskUpdate::Done(outcome) => self.printer.end(board, outcome),
        }
    }

    fn note(&self, message: &str) {
        self.printer.note(message);
    }

    fn is_closed(&self) -> bool {
        self.printer.out.is_closed()
    }
}

/// How long boards are watched.
struct Limits {
    max_frames: Option<u64>,
    duration: Option<Duration>,
    /// The frames of each board so far.
    frames: Vec<u64>,
}

impl Limits {
    fn new(args: &MonitorArgs, boards: usize) -> Self {
        Self { max_frames: args.frames, duration: args.duration, frames: vec![0; boards] }
    }

    /// Whether an event is within the limits. The last frame that is ends the task on the board.
    fn allow(
        &mut self,
        tasks: &BoardTasks<Event, SessionEnd>,
        board: usize,
        event: &Event,
    ) -> bool {
        let (Event::Telemetry(_), Some(max), Some(frames)) =
            (event, self.max_frames, self.frames.get_mut(board))
        else {
            return true;
        };
        *frames += 1;
        if *frames == max {
            tasks.stop_one(board);
        }
        *frames <= max
    }

    /// Whether the user set a limit.
    fn is_set(&self) -> bool {
        self.max_frames.is_some() || self.duration.is_some()
    }
}
