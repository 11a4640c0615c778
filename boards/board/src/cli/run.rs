//! `lodger board flash` and `lodger board run`: a program onto boards, its log and its exit code.

use lodger_board::{Event, Flashed, Progress, RunOptions, SessionEnd, TaskUpdate};
use lodger_terminal::Diagnostic;

use super::args::{ProgramArgs, RunArgs};
use super::event_printer::EventPrinter;
use super::target::{note_log, open, refused};
use super::tasks::{BoardTasks, TaskListener, block_on};

/// Runs `lodger board run`.
pub(crate) fn run(args: &RunArgs) -> Result<u8, Diagnostic> {
    let format = args.log.format(&args.on.output)?;
    let (program, targets) = open(&args.on)?;
    note_log(&program, true);
    let options = RunOptions { flash: !args.no_flash, reset: true };
    let mut printer = EventPrinter::new(&targets, Some(&args.on.program), &args.on.output);
    printer.log_format = format;
    block_on(async {
        let tasks = targets
            .iter()
            .map(|target| lodger_board::run(target.board.clone(), Some(program.clone()), options));
        let tasks = tasks.collect::<Result<Vec<_>, _>>().map_err(|error| refused(&error))?;
        let mut tasks = BoardTasks::new(tasks)?;
        tasks.follow(&mut printer, None).await?;
        Ok(printer.code(tasks.is_interrupted()))
    })
}

impl TaskListener<Event, SessionEnd> for EventPrinter<'_> {
    fn update(
        &mut self,
        _: &BoardTasks<Event, SessionEnd>,
        board: usize,
        update: TaskUpdate<Event, SessionEnd>,
    ) -> Result<(), Diagnostic> {
        match update {
            TaskUpdate::Event(event) => self.event(board, &event, false),
            TaskUpdate::Done(outcome) => self.end(board, outcome),
        }
    }

    fn note(&self, message: &str) {
        self.note(message);
    }

    fn is_closed(&self) -> bool {
        self.out.is_closed()
    }
}

/// Runs `lodger board flash`.
pub(crate) fn flash(args: &ProgramArgs) -> Result<u8, Diagnostic> {
    let (program, targets) = open(args)?;
    note_log(&program, false);
    let mut printer = EventPrinter::new(&targets, Some(&args.program), &args.output);
    block_on(async {
        let flash = |board| lodger_board::flash(board, program.clone());
        let mut tasks = BoardTasks::new(targets.iter().map(|target| flash(target.board.clone())))?;
        tasks.follow(&mut printer, None).await?;
        Ok(printer.code(tasks.is_interrupted()))
    })
}

impl TaskListener<Progress, Option<Flashed>> for EventPrinter<'_> {
    fn update(
        &mut self,
        _: &BoardTasks<Progress, Option<Flashed>>,
        board: usize,
        update: TaskUpdate<Progress, Option<Flashed>>,
    ) -> Result<(), Diagnostic> {
        match update {
            TaskUpdate::Event(progress) => self.event(board, &Event::Flashing(progress), false),
            TaskUpdate::Done(Ok(Some(flashed))) => {
                self.event(board, &Event::Flashed(flashed), false)
            }
            TaskUpdate::Done(Ok(None)) => {
                self.note("stopped before anything was written");
                self.end(board, Ok(SessionEnd::Stopped))
            }
            TaskUpdate::Done(Err(error)) => self.end(board, Err(error)),
        }
    }

    fn note(&self, message: &str) {
        self.note(message);
    }

    /// Flashing continues to its end even if its progress is no longer read.
    fn is_closed(&self) -> bool {
        false
    }
}
