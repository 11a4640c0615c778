//! Work on a board, on a thread of its own: told as a stream, stopped in good order.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};

use tokio::runtime::Handle;
use tokio::sync::mpsc;
use tokio_stream::Stream;

use crate::error::Error;

/// How many events wait for a slow reader before the work waits too.
const AHEAD: usize = 256;

/// What a stream of work yields.
#[derive(Debug)]
pub enum Step<E, T> {
    /// Something happened.
    Event(E),
    /// The work is over, and the probe is free again. Nothing comes after it.
    Done(Result<T, Error>),
}

/// Work on a board: a stream of [`Step`]s.
///
/// probe-rs blocks, so the work has one of tokio's blocking threads, and the runtime waits for it.
/// [`Work::stop`], or dropping this, asks it to end; it then lets the board run on without
/// breakpoints and frees the probe.
#[derive(Debug)]
pub struct Work<E, T> {
    steps: mpsc::Receiver<Step<E, T>>,
    stopped: Arc<AtomicBool>,
}

/// The other end: where the work tells what happens, and sees that it is asked to end.
#[derive(Debug)]
pub struct Reporter<E, T = ()> {
    steps: mpsc::Sender<Step<E, T>>,
    stopped: Arc<AtomicBool>,
}

impl<E: Send + 'static, T: Send + 'static> Work<E, T> {
    /// Starts work.
    ///
    /// # Panics
    /// Outside of a tokio runtime.
    pub fn start(work: impl FnOnce(&Reporter<E, T>) -> Result<T, Error> + Send + 'static) -> Self {
        let (sender, steps) = mpsc::channel(AHEAD);
        let stopped = Arc::new(AtomicBool::new(false));
        let reporter = Reporter { steps: sender.clone(), stopped: Arc::clone(&stopped) };
        let thread = Handle::current().spawn_blocking(move || work(&reporter));
        Handle::current().spawn(async move {
            let outcome = thread.await.unwrap_or(Err(Error::Panicked));
            // Nobody may be left to hear of it.
            let _ = sender.send(Step::Done(outcome)).await;
        });
        Self { steps, stopped }
    }

    /// The next step; `None` after the last.
    pub async fn next(&mut self) -> Option<Step<E, T>> {
        self.steps.recv().await
    }
}

impl<E, T> Work<E, T> {
    /// Asks the work to end soon; it still reports how.
    pub fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
    }
}

impl<E, T> Stream for Work<E, T> {
    type Item = Step<E, T>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.steps.poll_recv(context)
    }
}

impl<E, T> Drop for Work<E, T> {
    fn drop(&mut self) {
        self.stop();
    }
}

impl<E, T> Reporter<E, T> {
    /// Tells what happened, and waits while the reader is far behind. Where nobody reads, the work
    /// is asked to end.
    pub fn tell(&self, event: E) {
        if self.steps.blocking_send(Step::Event(event)).is_err() {
            self.stopped.store(true, Ordering::Relaxed);
        }
    }

    /// Whether the work is asked to end.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }
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
            let mut work = Work::start(|reporter| {
                (0..1_000).for_each(|number| reporter.tell(number));
                Ok("end")
            });
            for expected in 0..1_000 {
                assert!(
                    matches!(work.next().await, Some(Step::Event(number)) if number == expected)
                );
            }
            assert!(matches!(work.next().await, Some(Step::Done(Ok("end")))));
            assert!(work.next().await.is_none());
        });
    }

    #[test]
    fn a_stop_is_heard_and_answered() {
        runtime().block_on(async {
            let mut work = Work::start(|reporter| {
                while !reporter.is_stopped() {
                    reporter.tell(());
                }
                Ok(7)
            });
            assert!(matches!(work.next().await, Some(Step::Event(()))));
            work.stop();
            while let Some(step) = work.next().await {
                if let Step::Done(outcome) = step {
                    assert_eq!(outcome.expect("an end"), 7);
                }
            }
        });
    }

    #[test]
    fn work_that_nobody_follows_ends() {
        let (over, is_over) = std::sync::mpsc::channel();
        runtime().block_on(async {
            drop(Work::start(move |reporter: &Reporter<u8>| {
                while !reporter.is_stopped() {
                    reporter.tell(1);
                }
                over.send(()).map_err(|_| Error::Panicked)
            }));
        });
        assert_eq!(is_over.recv(), Ok(()));
    }

    #[test]
    fn a_panic_of_the_work_is_an_error() {
        runtime().block_on(async {
            let mut work = Work::<(), ()>::start(|_| panic!("as it should"));
            assert!(matches!(work.next().await, Some(Step::Done(Err(Error::Panicked)))));
        });
    }
}
