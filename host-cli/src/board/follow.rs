//! Following work on several boards at once, until it is over or somebody presses Ctrl-C.

use std::future::Future;

use lodger_board::{Step, Work};
use tokio::sync::mpsc;
use tokio_stream::{StreamExt as _, StreamMap};

use crate::diagnostic::Diagnostic;

/// What a shell reports of a program that was ended by Ctrl-C.
pub(super) const INTERRUPTED: u8 = 130;

/// What comes next.
pub(super) enum News<E, T> {
    /// A step of the work on a board, by its place in the list.
    Step(usize, Step<E, T>),
    /// Ctrl-C was pressed for the first time; the work was asked to stop, and steps follow.
    Interrupted,
    /// Ctrl-C was pressed again.
    Impatient,
}

/// Work on some boards.
pub(super) struct Following<E, T> {
    works: StreamMap<usize, Work<E, T>>,
    signals: mpsc::Receiver<()>,
    interrupted: bool,
}

impl<E, T> Following<E, T> {
    /// Follows work on boards, which are counted in this order.
    pub(super) fn new(works: impl IntoIterator<Item = Work<E, T>>) -> Result<Self, Diagnostic> {
        let works = works.into_iter().enumerate().collect();
        Ok(Self { works, signals: signals()?, interrupted: false })
    }

    /// Waits for Ctrl-C.
    pub(super) async fn next_signal(&mut self) -> News<E, T> {
        match self.signals.recv().await {
            Some(()) => self.interrupt(),
            None => std::future::pending().await,
        }
    }

    /// Waits for what comes next; `None` when all work is over.
    pub(super) async fn next(&mut self) -> Option<News<E, T>> {
        tokio::select! {
            step = self.works.next() => step.map(|(board, step)| News::Step(board, step)),
            Some(()) = self.signals.recv() => Some(self.interrupt()),
        }
    }

    /// Whether Ctrl-C was pressed.
    pub(super) fn is_interrupted(&self) -> bool {
        self.interrupted
    }

    /// As if Ctrl-C had been pressed.
    pub(super) fn interrupt(&mut self) -> News<E, T> {
        let news = if self.interrupted { News::Impatient } else { News::Interrupted };
        self.interrupted = true;
        self.stop();
        news
    }

    /// Asks all work to end.
    pub(super) fn stop(&self) {
        self.works.values().for_each(Work::stop);
    }

    /// Asks the work on one board to end.
    pub(super) fn stop_one(&self, board: usize) {
        let mut works = self.works.iter();
        if let Some((_, work)) = works.find(|(place, _)| *place == board) {
            work.stop();
        }
    }
}

/// Runs something that follows work; it returns when the work is over.
pub(super) fn block_on<T>(
    future: impl Future<Output = Result<T, Diagnostic>>,
) -> Result<T, Diagnostic> {
    let mut builder = tokio::runtime::Builder::new_current_thread();
    let runtime = builder.enable_all().build();
    let failed = |error| Diagnostic::error(format!("cannot start to work: {error}"));
    runtime.map_err(failed)?.block_on(future)
}

/// A message for every Ctrl-C, and for every polite request to end.
fn signals() -> Result<mpsc::Receiver<()>, Diagnostic> {
    let (sender, signals) = mpsc::channel(4);
    #[cfg(unix)]
    for kind in
        [tokio::signal::unix::SignalKind::interrupt(), tokio::signal::unix::SignalKind::terminate()]
    {
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
