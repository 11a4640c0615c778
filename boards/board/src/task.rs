//! Tasks on a board, each on a thread.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};

use tokio::runtime::Handle;
use tokio::sync::mpsc;
use tokio_stream::Stream;

use crate::error::BoardError;
use crate::event::{Event, SessionEnd};

/// The number of queued updates at which the task waits for a slow reader.
const MAX_AHEAD: usize = 256;

/// An update of a task.
#[derive(Debug)]
pub enum TaskUpdate {
    /// An event.
    Event(Event),
    /// The result of the task, as the last update; the probe is free again.
    Done(Result<SessionEnd, BoardError>),
}

/// A task on a board: a stream of [`TaskUpdate`]s.
///
/// probe-rs blocks, so the task has one of tokio's blocking threads, and the runtime waits for it.
/// [`BoardTask::stop`], or dropping this, tells it to stop; it then lets the board run without breakpoints and frees
/// the probe.
#[derive(Debug)]
pub struct BoardTask {
    updates: mpsc::Receiver<TaskUpdate>,
    stopped: Arc<AtomicBool>,
}

/// The interface of a task: reports events, and checks whether to stop.
#[derive(Debug)]
pub struct Reporter {
    updates: mpsc::Sender<TaskUpdate>,
    stopped: Arc<AtomicBool>,
}

impl BoardTask {
    /// Starts a task.
    ///
    /// # Panics
    /// Outside of a tokio runtime.
    pub fn start(
        task: impl FnOnce(&Reporter) -> Result<SessionEnd, BoardError> + Send + 'static,
    ) -> Self {
        let (sender, updates) = mpsc::channel(MAX_AHEAD);
        let stopped = Arc::new(AtomicBool::new(false));
        let reporter = Reporter { updates: sender.clone(), stopped: Arc::clone(&stopped) };
        let thread = Handle::current().spawn_blocking(move || task(&reporter));
        Handle::current().spawn(async move {
            let outcome = thread.await.unwrap_or(Err(panicked()));
            // An error says that the task was dropped.
            let _ = sender.send(TaskUpdate::Done(outcome)).await;
        });
        Self { updates, stopped }
    }

    /// Waits for the next update; `None` after the last.
    pub async fn next(&mut self) -> Option<TaskUpdate> {
        self.updates.recv().await
    }

    /// Tells the task to stop soon; it still reports its result.
    pub fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
    }
}

impl Stream for BoardTask {
    type Item = TaskUpdate;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.updates.poll_recv(context)
    }
}

impl Drop for BoardTask {
    fn drop(&mut self) {
        self.stop();
    }
}

impl Reporter {
    /// Reports an event, and waits for a slow reader. Stops the task if there is no reader.
    pub fn report(&self, event: Event) {
        if self.updates.blocking_send(TaskUpdate::Event(event)).is_err() {
            self.stopped.store(true, Ordering::Relaxed);
        }
    }

    /// Whether the task is told to stop.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }
}

fn panicked() -> BoardError {
    BoardError::new(
        "the task on the board panicked, which is a bug in lodger",
        "replug the probe and start again; please report the message above",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn runtime() -> tokio::runtime::Runtime {
        tokio::runtime::Builder::new_current_thread().build().expect("a runtime")
    }

    #[test]
    fn events_come_in_order_and_the_end_comes_last() {
        runtime().block_on(async {
            let mut task = BoardTask::start(|reporter| {
                (0..1_000).for_each(|number| reporter.report(Event::LostFrames(number)));
                Ok(SessionEnd::Exit(7))
            });
            for expected in 0..1_000 {
                let Some(TaskUpdate::Event(event)) = task.next().await else { panic!("no event") };
                assert_eq!(event, Event::LostFrames(expected));
            }
            assert!(matches!(task.next().await, Some(TaskUpdate::Done(Ok(SessionEnd::Exit(7))))));
            assert!(task.next().await.is_none());
        });
    }

    #[test]
    fn a_stop_ends_a_task() {
        runtime().block_on(async {
            let mut task = BoardTask::start(|reporter| {
                while !reporter.is_stopped() {
                    reporter.report(Event::LostLine);
                }
                Ok(SessionEnd::Stopped)
            });
            assert!(matches!(task.next().await, Some(TaskUpdate::Event(Event::LostLine))));
            task.stop();
            while let Some(update) = task.next().await {
                if let TaskUpdate::Done(outcome) = update {
                    assert_eq!(outcome.expect("an end"), SessionEnd::Stopped);
                }
            }
        });
    }

    #[test]
    fn a_task_without_a_reader_ends() {
        let (over, is_over) = std::sync::mpsc::channel();
        runtime().block_on(async {
            drop(BoardTask::start(move |reporter| {
                while !reporter.is_stopped() {
                    reporter.report(Event::LostLine);
                }
                over.send(()).map_err(|_| panicked()).map(|()| SessionEnd::Stopped)
            }));
        });
        assert_eq!(is_over.recv(), Ok(()));
    }

    #[test]
    fn a_panic_of_a_task_is_an_error() {
        runtime().block_on(async {
            let mut task = BoardTask::start(|_| panic!("as it should"));
            let Some(TaskUpdate::Done(Err(error))) = task.next().await else { panic!("no end") };
            assert!(error.to_string().contains("panicked"), "{error}");
        });
    }
}
