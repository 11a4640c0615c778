//! Following work on several boards at once, until it is over or somebody presses Ctrl-C.

use std::collections::BTreeSet;
use std::future::Future;
use std::time::Duration;

use lodger_probe::{Compared, Event, Progress, Step, Work};
#[cfg(unix)]
use lodger_terminal::signals::is_ignored;
use lodger_terminal::{Diagnostic, Severity};
use tokio::sync::mpsc;
use tokio_stream::{StreamExt as _, StreamMap};

use crate::exit::INTERRUPTED;

/// How long work may take to free its probe where the command has failed.
const GRACE: Duration = Duration::from_secs(3);

/// What work tells; some of it is that a flash is being written.
pub(crate) trait Told {
    /// Whether the flash is half written now.
    fn is_writing(&self) -> bool;
}

impl Told for Progress {
    fn is_writing(&self) -> bool {
        true
    }
}

impl Told for Event {
    fn is_writing(&self) -> bool {
        matches!(self, Self::Flashing(_))
    }
}

impl Told for Compared {
    fn is_writing(&self) -> bool {
        matches!(self, Self::Flashing(_))
    }
}

/// What comes next.
pub(crate) enum News<E, T> {
    /// A step of the work on a board, by its place in the list.
    Step(usize, Step<E, T>),
    /// Ctrl-C was pressed for the first time; the work was asked to stop, and steps follow.
    Interrupted,
    /// Ctrl-C was pressed again.
    Impatient,
}

/// Work on some boards.
pub(crate) struct Following<E, T> {
    works: StreamMap<usize, Work<E, T>>,
    signals: mpsc::Receiver<()>,
    interrupted: bool,
    /// The boards whose flash is half written.
    writing: BTreeSet<usize>,
}

impl<E: Told, T> Following<E, T> {
    /// Follows work on boards, which are counted in this order.
    pub(crate) fn new(works: impl IntoIterator<Item = Work<E, T>>) -> Result<Self, Diagnostic> {
        let works = works.into_iter().enumerate().collect();
        let (signals, writing) = (signals()?, BTreeSet::new());
        Ok(Self { works, signals, interrupted: false, writing })
    }

    /// Waits for Ctrl-C.
    pub(crate) async fn next_signal(&mut self) -> News<E, T> {
        match self.signals.recv().await {
            Some(()) => self.interrupt(),
            None => std::future::pending().await,
        }
    }

    /// Waits for what comes next; `None` when all work is over.
    pub(crate) async fn next(&mut self) -> Option<News<E, T>> {
        tokio::select! {
            step = self.works.next() => step.map(|(board, step)| {
                match &step {
                    Step::Event(told) if told.is_writing() => self.writing.insert(board),
                    _ => self.writing.remove(&board),
                };
                News::Step(board, step)
            }),
            Some(()) = self.signals.recv() => Some(self.interrupt()),
        }
    }

    /// What to say after the first Ctrl-C.
    pub(crate) fn on_stopping(&self) -> &'static str {
        if self.writing.is_empty() {
            "stopping; Ctrl-C again does not wait"
        } else {
            "finishing, so that nothing is half written; Ctrl-C again leaves the flash incomplete"
        }
    }

    /// Ends the process without waiting for the boards, as after the second Ctrl-C.
    pub(crate) fn abandon(&self, note: impl FnOnce(&str)) -> ! {
        if !self.writing.is_empty() {
            note("the flash is incomplete: flash again");
        }
        std::process::exit(INTERRUPTED.into())
    }

    /// Where a command has failed, lets the work end first, so that no flash is left half written.
    pub(crate) async fn settle(
        &mut self,
        outcome: Result<(), Diagnostic>,
    ) -> Result<(), Diagnostic> {
        if outcome.is_err() {
            self.stop();
            while let Some(news) = self.next().await {
                if matches!(news, News::Impatient) {
                    self.abandon(|note| Diagnostic::new(Severity::Note, note).print());
                }
            }
        }
        outcome
    }

    /// Whether Ctrl-C was pressed.
    pub(crate) fn is_interrupted(&self) -> bool {
        self.interrupted
    }

    /// As if Ctrl-C had been pressed.
    pub(crate) fn interrupt(&mut self) -> News<E, T> {
        let news = if self.interrupted { News::Impatient } else { News::Interrupted };
        self.interrupted = true;
        self.stop();
        news
    }

    /// Asks all work to end.
    pub(crate) fn stop(&self) {
        self.works.values().for_each(Work::stop);
    }

    /// Asks the work on one board to end.
    pub(crate) fn stop_one(&self, board: usize) {
        let mut works = self.works.iter();
        if let Some((_, work)) = works.find(|(place, _)| *place == board) {
            work.stop();
        }
    }
}

/// Runs something that follows work until the work is over. Where it fails, the work is asked to end
/// and gets a while for it.
pub(crate) fn block_on<T>(
    future: impl Future<Output = Result<T, Diagnostic>>,
) -> Result<T, Diagnostic> {
    let mut builder = tokio::runtime::Builder::new_current_thread();
    let runtime = builder.enable_all().build();
    let failed = |error| Diagnostic::error(format!("cannot start to work: {error}"));
    let runtime = runtime.map_err(failed)?;
    let outcome = runtime.block_on(future);
    // A thread that waits for a key may wait for ever.
    match outcome {
        Ok(_) => runtime.shutdown_background(),
        Err(_) => runtime.shutdown_timeout(GRACE),
    }
    outcome
}

/// A message for every Ctrl-C, and for every polite request to end, but for what is ignored.
fn signals() -> Result<mpsc::Receiver<()>, Diagnostic> {
    let (sender, signals) = mpsc::channel(4);
    #[cfg(unix)]
    for kind in [
        tokio::signal::unix::SignalKind::interrupt(),
        tokio::signal::unix::SignalKind::terminate(),
        // The terminal was closed.
        tokio::signal::unix::SignalKind::hangup(),
    ] {
        // Who started us may want it ignored.
        if is_ignored(kind.as_raw_value()) {
            continue;
        }
        let sender = sender.clone();
        let mut signal = tokio::signal::unix::signal(kind)
            .map_err(|error| Diagnostic::error(format!("cannot listen to Ctrl-C: {error}")))?;
        tokio::spawn(async move {
            while signal.recv().await.is_some() && sender.send(()).await.is_ok() {}
        });
    }
    #[cfg(not(unix))]
    tokio::spawn(async move {
        while tokio::signal::ctrl_c().await.is_ok() && sender.send(()).await.is_ok() {}
    });
    Ok(signals)
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc as threads;

    use lodger_probe::{Error, Phase};

    use super::*;

    #[test]
    fn a_thread_that_waits_for_ever_holds_nothing_up() {
        for failed in [false, true] {
            let (never, key) = threads::channel::<()>();
            let outcome = block_on(async {
                tokio::task::spawn_blocking(move || key.recv());
                if failed { Err(Diagnostic::error("failed")) } else { Ok(()) }
            });
            assert_eq!(outcome.is_err(), failed);
            drop(never);
        }
    }

    #[test]
    fn a_flash_that_is_written_is_finished_before_a_failure_is_told() {
        let (over, is_over) = threads::channel();
        let outcome = block_on(async {
            let work = Work::<_, ()>::start(move |reporter| {
                reporter.tell(Progress::new(Phase::Program, 1, 2));
                while !reporter.is_stopped() {
                    std::thread::yield_now();
                }
                over.send(()).map_err(|_| Error::Panicked)
            });
            let mut following = Following::new([work])?;
            assert!(following.on_stopping().starts_with("stopping"));
            assert!(matches!(following.next().await, Some(News::Step(0, Step::Event(_)))));
            assert!(following.on_stopping().starts_with("finishing"));
            following.settle(Err(Diagnostic::error("stdout is full"))).await?;
            Ok(())
        });
        assert_eq!(outcome.map_err(|error| error.message), Err("stdout is full".to_owned()));
        assert_eq!(is_over.try_recv(), Ok(()));
    }
}
