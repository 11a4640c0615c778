//! `lodger board monitor`: shows running programs as lines or on a live screen.

mod draw;
mod modules;

use std::io::{IsTerminal as _, stdin, stdout};
use std::time::Duration;

use lodger_board::{BoardError, RunOptions, SessionEnd, TaskUpdate};
use lodger_terminal::Diagnostic;
use ratatui::DefaultTerminal;
use ratatui::crossterm::event::{
    self, Event as TerminalEvent, KeyCode, KeyEvent, KeyEventKind, KeyModifiers,
};
use tokio::sync::mpsc;

use super::args::{BoardTarget, MonitorArgs, note_emulation, note_log, program, targets};
use super::output::EventPrinter;
use super::tasks::{BoardTasks, MonitorLimits, TaskEvent, block_on, wait};
use super::text;
use draw::BoardPanel;

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
        let mut tasks = BoardTasks::start(&targets, |board| {
            lodger_board::run(board, program.clone(), options)
        })?;
        if program.is_none() {
            printer.note("without the program there is no log, only telemetry");
        }
        let limits = MonitorLimits::new(args, targets.len());
        if on_screen {
            return watch(&mut tasks, limits, printer, &targets).await;
        }
        let duration = limits.duration;
        printer.limits = Some(limits);
        tasks.follow(&mut printer, duration).await?;
        Ok(printer.code(tasks.is_interrupted()))
    })
}

const REFRESH: Duration = Duration::from_millis(50);
const KEY_POLL: Duration = Duration::from_millis(100);

/// Draws until the user leaves or all tasks end; returns the exit code.
async fn watch(
    tasks: &mut BoardTasks,
    limits: MonitorLimits,
    mut printer: EventPrinter<'_>,
    targets: &[BoardTarget],
) -> Result<u8, Diagnostic> {
    let terminal = ratatui::try_init()
        .map_err(|error| Diagnostic::error(format!("cannot draw on this terminal: {error}")))?;
    let boards = targets.iter().map(BoardPanel::new).collect();
    let mut screen =
        Screen { terminal, boards, limits, ends: Vec::new(), changed: true, leaving: false };
    let outcome = screen.follow(tasks, key_commands()).await;
    ratatui::restore();
    outcome?;
    for (place, board) in screen.boards.iter().enumerate() {
        if let Some(frame) = &board.frame {
            printer.line(place, &text::telemetry(frame))?;
        }
    }
    for (board, end) in screen.ends {
        printer.end(board, end)?;
    }
    Ok(printer.code(tasks.is_interrupted()))
}

struct Screen {
    terminal: DefaultTerminal,
    boards: Vec<BoardPanel>,
    limits: MonitorLimits,
    ends: Vec<(usize, Result<SessionEnd, BoardError>)>,
    changed: bool,
    leaving: bool,
}

impl Screen {
    async fn follow(
        &mut self,
        tasks: &mut BoardTasks,
        mut commands: mpsc::Receiver<KeyCommand>,
    ) -> Result<(), Diagnostic> {
        let mut refresh = tokio::time::interval(REFRESH);
        let over = wait(self.limits.duration);
        tokio::pin!(over);
        let mut in_time = true;
        loop {
            let is_over = self.is_over();
            tokio::select! {
                _ = refresh.tick() => self.draw()?,
                () = &mut over, if in_time => {
                    in_time = false;
                    self.leave(tasks);
                }
                Some(command) = commands.recv() => self.obey(tasks, command),
                Some(event) = next(tasks, is_over) => self.take(tasks, event),
            }
            // The end of a program stays visible until the user leaves.
            let is_read = self.leaving || self.limits.is_set() || self.has_failed();
            if self.is_over() && is_read {
                return Ok(());
            }
        }
    }

    fn obey(&mut self, tasks: &mut BoardTasks, command: KeyCommand) {
        match command {
            KeyCommand::Redraw => self.changed = true,
            // A key that is held down is one command.
            KeyCommand::Leave => self.leave(tasks),
            // The board does not respond, and the user does not wait.
            KeyCommand::Interrupt if self.leaving => abandon(tasks),
            KeyCommand::Interrupt => {
                let event = tasks.interrupt();
                self.take(tasks, event);
            }
        }
    }

    fn leave(&mut self, tasks: &BoardTasks) {
        self.leaving = true;
        tasks.stop();
    }

    fn take(&mut self, tasks: &mut BoardTasks, event: TaskEvent) {
        self.changed = true;
        let (place, update) = match event {
            TaskEvent::Update(place, update) => (place, update),
            TaskEvent::Interrupted => return self.leave(tasks),
            TaskEvent::Impatient => abandon(tasks),
        };
        let Some(board) = self.boards.get_mut(place) else { return };
        match update {
            TaskUpdate::Event(event) => {
                if self.limits.allow(tasks, place, &event) {
                    board.take(event);
                }
            }
            TaskUpdate::Done(outcome) => {
                board.finish(&outcome);
                self.ends.push((place, outcome));
            }
        }
    }

    fn is_over(&self) -> bool {
        self.ends.len() == self.boards.len()
    }

    fn has_failed(&self) -> bool {
        self.ends.iter().any(|(_, end)| end.is_err())
    }

    fn draw(&mut self) -> Result<(), Diagnostic> {
        if !std::mem::take(&mut self.changed) {
            return Ok(());
        }
        let Self { terminal, boards, .. } = self;
        let drawn = terminal.draw(|frame| draw::screen(frame, boards)).map(drop);
        drawn.map_err(|error| Diagnostic::error(format!("cannot draw on this terminal: {error}")))
    }
}

/// Waits for the next event; after all tasks only for Ctrl-C.
async fn next(tasks: &mut BoardTasks, is_over: bool) -> Option<TaskEvent> {
    if is_over { Some(tasks.next_signal().await) } else { tasks.next().await }
}

/// Ends the process without waiting for the board.
fn abandon(tasks: &BoardTasks) -> ! {
    ratatui::restore();
    tasks.abandon(|_| {})
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum KeyCommand {
    Leave,
    Interrupt,
    Redraw,
}

fn key_commands() -> mpsc::Receiver<KeyCommand> {
    let (sender, commands) = mpsc::channel(8);
    tokio::task::spawn_blocking(move || {
        while !sender.is_closed() {
            // Without keys, signals still work.
            let Ok(is_pressed) = event::poll(KEY_POLL) else { return };
            if !is_pressed {
                continue;
            }
            let Ok(event) = event::read() else { return };
            if let Some(command) = key_command(&event)
                && sender.blocking_send(command).is_err()
            {
                return;
            }
        }
    });
    commands
}

fn key_command(event: &TerminalEvent) -> Option<KeyCommand> {
    match event {
        TerminalEvent::Resize(..) => Some(KeyCommand::Redraw),
        TerminalEvent::Key(KeyEvent { kind: KeyEventKind::Press, code, modifiers, .. }) => {
            match (code, modifiers.contains(KeyModifiers::CONTROL)) {
                (KeyCode::Char('c'), true) => Some(KeyCommand::Interrupt),
                (KeyCode::Char('l'), true) => Some(KeyCommand::Redraw),
                (KeyCode::Char('q' | 'Q') | KeyCode::Esc, _) => Some(KeyCommand::Leave),
                _ => None,
            }
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_commands() {
        let key =
            |code, modifiers| key_command(&TerminalEvent::Key(KeyEvent::new(code, modifiers)));
        assert_eq!(key(KeyCode::Char('q'), KeyModifiers::NONE), Some(KeyCommand::Leave));
        assert_eq!(key(KeyCode::Esc, KeyModifiers::NONE), Some(KeyCommand::Leave));
        assert_eq!(key(KeyCode::Char('c'), KeyModifiers::CONTROL), Some(KeyCommand::Interrupt));
        assert_eq!(key(KeyCode::Char('c'), KeyModifiers::NONE), None);
        assert_eq!(key_command(&TerminalEvent::Resize(80, 24)), Some(KeyCommand::Redraw));
    }
}
