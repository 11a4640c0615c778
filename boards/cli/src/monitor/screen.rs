//! What runs on boards, on a screen that is drawn anew as it changes.

use std::time::Duration;

use lodger_probe::{End, Error, Step};
use lodger_terminal::Diagnostic;
use ratatui::DefaultTerminal;
use tokio::sync::mpsc;

use super::draw;
use super::keys::{self, Wish};
use super::state::Board;
use super::watch::{Watch, wait};
use crate::follow::News;
use crate::target::Target;
use crate::tell::Teller;
use crate::words;

/// How often the screen is drawn at most. Eyes are no faster.
const REFRESH: Duration = Duration::from_millis(50);

/// Draws until somebody leaves or all is over; then the terminal is as it was: the exit code.
pub(super) async fn watch(
    watch: &mut Watch,
    mut teller: Teller<'_>,
    targets: &[Target],
) -> Result<u8, Diagnostic> {
    let terminal = ratatui::try_init()
        .map_err(|error| Diagnostic::error(format!("cannot draw on this terminal: {error}")))?;
    let boards = targets.iter().map(Board::new).collect();
    let ends = Vec::new();
    let mut screen = Screen { terminal, boards, ends, changed: true, leaving: false };
    let outcome = screen.follow(watch, keys::wishes()).await;
    ratatui::restore();
    outcome?;
    for (place, board) in screen.boards.iter().enumerate() {
        if let Some(frame) = &board.frame {
            teller.line(place, &words::telemetry(frame))?;
        }
    }
    for (board, end) in screen.ends {
        teller.end(board, end)?;
    }
    Ok(teller.code(watch.following.is_interrupted()))
}

struct Screen {
    terminal: DefaultTerminal,
    boards: Vec<Board>,
    ends: Vec<(usize, Result<End, Error>)>,
    changed: bool,
    leaving: bool,
}

impl Screen {
    async fn follow(
        &mut self,
        watch: &mut Watch,
        mut wishes: mpsc::Receiver<Wish>,
    ) -> Result<(), Diagnostic> {
        let mut refresh = tokio::time::interval(REFRESH);
        let over = wait(watch.duration);
        tokio::pin!(over);
        let mut in_time = true;
        loop {
            let is_over = self.is_over();
            tokio::select! {
                _ = refresh.tick() => self.draw()?,
                () = &mut over, if in_time => {
                    in_time = false;
                    self.leave(watch);
                }
                Some(wish) = wishes.recv() => self.wish(watch, wish),
                Some(news) = next(watch, is_over) => self.take(watch, news),
            }
            // What ended by itself stays on the screen until somebody has read it.
            let is_read = self.leaving || watch.ends_by_itself() || self.has_failed();
            if self.is_over() && is_read {
                return Ok(());
            }
        }
    }

    fn wish(&mut self, watch: &mut Watch, wish: Wish) {
        match wish {
            Wish::Redraw => self.changed = true,
            // A key that is held down comes again and again: that is no second wish.
            Wish::Leave => self.leave(watch),
            // The board does not answer, and somebody wants to leave all the same.
            Wish::Interrupt if self.leaving => abandon(watch),
            Wish::Interrupt => {
                let news = watch.following.interrupt();
                self.take(watch, news);
            }
        }
    }

    fn leave(&mut self, watch: &Watch) {
        self.leaving = true;
        watch.following.stop();
    }

    fn take(&mut self, watch: &mut Watch, news: News<lodger_probe::Event, End>) {
        self.changed = true;
        let (place, step) = match news {
            News::Step(place, step) => (place, step),
            News::Interrupted => return self.leave(watch),
            News::Impatient => abandon(watch),
        };
        let Some(board) = self.boards.get_mut(place) else { return };
        match step {
            Step::Event(event) => {
                if watch.wants(place, &event) {
                    board.hear(event);
                }
            }
            Step::Done(outcome) => {
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

/// What comes next; when all work is over, that can only be Ctrl-C.
async fn next(watch: &mut Watch, is_over: bool) -> Option<News<lodger_probe::Event, End>> {
    if is_over { Some(watch.following.next_signal().await) } else { watch.following.next().await }
}

/// The second wish to leave: the terminal is restored, the board is not waited for.
fn abandon(watch: &Watch) -> ! {
    ratatui::restore();
    watch.following.abandon(|_| {})
}
