//! Tasks on several boards at once, until they end or the user presses Ctrl-C.

use std::collections::BTreeSet;
use std::future::Future;
use std::time::Duration;

use lodger_board::{BoardError, BoardTask, Event, ResolvedBoard, TaskUpdate};
#[cfg(unix)]
use lodger_terminal::signals::is_ignored;
use lodger_terminal::{Diagnostic, Severity};
use tokio::sync::mpsc;
use tokio_stream::{StreamExt as _, StreamMap};

use super::args::{BoardTarget, MonitorArgs, board_diagnostic};

/// 128 + SIGINT.
pub(crate) const INTERRUPTED: u8 = 130;
/// The time for tasks to free their probes after a failure.
const GRACE: Duration = Duration::from_secs(3);

pub(crate) enum TaskEvent {
    Update(usize, TaskUpdate),
    /// The first Ctrl-C, after which tasks stop and updates follow.
    Interrupted,
    /// The second Ctrl-C.
    Impatient,
}

pub(crate) trait TaskListener {
    fn update(
        &mut self,
        tasks: &BoardTasks,
        board: usize,
        update: TaskUpdate,
    ) -> Result<(), Diagnostic>;

    fn note(&self, message: &str);

    /// Whether the reader closed the output, so that the tasks may end.
    fn is_closed(&self) -> bool;
}

pub(crate) struct BoardTasks {
    tasks: StreamMap<usize, BoardTask>,
    signals: mpsc::Receiver<()>,
    interrupted: bool,
    writing: BTreeSet<usize>,
}

impl BoardTasks {
    pub(crate) fn start(
        targets: &[BoardTarget],
        start: impl Fn(ResolvedBoard) -> Result<BoardTask, BoardError>,
    ) -> Result<Self, Diagnostic> {
        let tasks = targets.iter().map(|target| start(target.board.clone()));
        let tasks: Result<Vec<_>, _> = tasks.collect();
        Self::new(tasks.map_err(|error| board_diagnostic(&error))?)
    }

    fn new(tasks: impl IntoIterator<Item = BoardTask>) -> Result<Self, Diagnostic> {
        let tasks = tasks.into_iter().enumerate().collect();
        let (signals, writing) = (signals()?, BTreeSet::new());
        Ok(Self { tasks, signals, interrupted: false, writing })
    }

    /// Passes updates to a listener until all tasks end; stops them after `duration`. If the listener fails, flashing
    /// ends first.
    pub(crate) async fn follow(
        &mut self,
        listener: &mut impl TaskListener,
        duration: Option<Duration>,
    ) -> Result<(), Diagnostic> {
        let outcome = self.hand_updates(listener, duration).await;
        if outcome.is_err() {
            self.stop();
            while let Some(event) = self.next().await {
                if matches!(event, TaskEvent::Impatient) {
                    self.abandon(|note| Diagnostic::new(Severity::Note, note).print());
                }
            }
        }
        outcome
    }

    async fn hand_updates(
        &mut self,
        listener: &mut impl TaskListener,
        duration: Option<Duration>,
    ) -> Result<(), Diagnostic> {
        let over = wait(duration);
        tokio::pin!(over);
        let mut in_time = true;
        loop {
            let event = tokio::select! {
                event = self.next() => event,
                () = &mut over, if in_time => {
                    in_time = false;
                    self.stop();
                    continue;
                }
            };
            match event {
                None => return Ok(()),
                Some(TaskEvent::Update(board, update)) => listener.update(self, board, update)?,
                Some(TaskEvent::Interrupted) => listener.note(self.on_stopping()),
                Some(TaskEvent::Impatient) => self.abandon(|note| listener.note(note)),
            }
            if listener.is_closed() {
                self.stop();
            }
        }
    }

    pub(crate) async fn next_signal(&mut self) -> TaskEvent {
        match self.signals.recv().await {
            Some(()) => self.interrupt(),
            None => std::future::pending().await,
        }
    }

    /// The next event; `None` after all tasks.
    pub(crate) async fn next(&mut self) -> Option<TaskEvent> {
        tokio::select! {
            update = self.tasks.next() => update.map(|(board, update)| {
                match &update {
                    TaskUpdate::Event(Event::Flashing(_)) => self.writing.insert(board),
                    _ => self.writing.remove(&board),
                };
                TaskEvent::Update(board, update)
            }),
            Some(()) = self.signals.recv() => Some(self.interrupt()),
        }
    }

    pub(crate) fn on_stopping(&self) -> &'static str {
        if self.writing.is_empty() {
            "stopping; Ctrl-C again does not wait"
        } else {
            "finishing the flash first; Ctrl-C again leaves it incomplete"
        }
    }

    /// Ends the process without waiting for the boards.
    pub(crate) fn abandon(&self, note: impl FnOnce(&str)) -> ! {
        if !self.writing.is_empty() {
            note("the flash is incomplete: flash again");
        }
        std::process::exit(INTERRUPTED.into())
    }

    pub(crate) fn is_interrupted(&self) -> bool {
        self.interrupted
    }

    pub(crate) fn interrupt(&mut self) -> TaskEvent {
        let event = if self.interrupted { TaskEvent::Impatient } else { TaskEvent::Interrupted };
        self.interrupted = true;
        self.stop();
        event
    }

    pub(crate) fn stop(&self) {
        self.tasks.values().for_each(BoardTask::stop);
    }

    pub(crate) fn stop_one(&self, board: usize) {
        let mut tasks = self.tasks.iter();
        if let Some((_, task)) = tasks.find(|(place, _)| *place == board) {
            task.stop();
        }
    }
}

/// The numbers of frames and the time after which `monitor` ends.
pub(crate) struct MonitorLimits {
    max_frames: Option<u64>,
    pub(crate) duration: Option<Duration>,
    frames: Vec<u64>,
}

impl MonitorLimits {
    pub(crate) fn new(args: &MonitorArgs, boards: usize) -> Self {
        Self { max_frames: args.frames, duration: args.duration, frames: vec![0; boards] }
    }

    /// Whether an event is within the limits. The last such frame stops the board's task.
    pub(crate) fn allow(&mut self, tasks: &BoardTasks, board: usize, event: &Event) -> bool {
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

    pub(crate) fn is_set(&self) -> bool {
        self.max_frames.is_some() || self.duration.is_some()
    }
}

pub(crate) async fn wait(duration: Option<Duration>) {
    match duration {
        Some(duration) => tokio::time::sleep(duration).await,
        None => std::future::pending().await,
    }
}

/// Runs a future that follows tasks; if it fails, the tasks have [`GRACE`] to stop.
pub(crate) fn block_on<T>(
    future: impl Future<Output = Result<T, Diagnostic>>,
) -> Result<T, Diagnostic> {
    let mut builder = tokio::runtime::Builder::new_current_thread();
    let runtime = builder.enable_all().build();
    let failed = |error| Diagnostic::error(format!("cannot start tasks: {error}"));
    let runtime = runtime.map_err(failed)?;
    let outcome = runtime.block_on(future);
    // The thread of keys may wait for ever.
    match outcome {
        Ok(_) => runtime.shutdown_background(),
        Err(_) => runtime.shutdown_timeout(GRACE),
    }
    outcome
}

/// Receives Ctrl-C, SIGTERM and SIGHUP, except ignored signals.
fn signals() -> Result<mpsc::Receiver<()>, Diagnostic> {
    let (sender, signals) = mpsc::channel(4);
    #[cfg(unix)]
    for kind in [
        tokio::signal::unix::SignalKind::interrupt(),
        tokio::signal::unix::SignalKind::terminate(),
        // The terminal was closed.
        tokio::signal::unix::SignalKind::hangup(),
    ] {
        // The parent process may ignore it.
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

    use lodger_board::{FlashPhase, ProgramProgress, SessionEnd};

    use super::*;

    #[test]
    fn a_thread_that_waits_for_ever_does_not_block_the_end() {
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

    struct FullOutput;

    impl TaskListener for FullOutput {
        fn update(
            &mut self,
            tasks: &BoardTasks,
            _: usize,
            update: TaskUpdate,
        ) -> Result<(), Diagnostic> {
            assert!(matches!(update, TaskUpdate::Event(_)));
            assert!(tasks.on_stopping().starts_with("finishing"));
            Err(Diagnostic::error("stdout is full"))
        }

        fn note(&self, message: &str) {
            panic!("{message}");
        }

        fn is_closed(&self) -> bool {
            false
        }
    }

    #[test]
    fn a_flash_is_finished_before_an_error_is_returned() {
        let (over, is_over) = threads::channel();
        let outcome = block_on(async {
            let task = BoardTask::start(move |reporter| {
                let begun = ProgramProgress { phase: FlashPhase::Program, done: 1, total: 2 };
                reporter.report(Event::Flashing(begun));
                while !reporter.is_stopped() {
                    std::thread::yield_now();
                }
                let gone = |_| BoardError::new("the receiver is gone", "");
                over.send(()).map_err(gone).map(|()| SessionEnd::Complete)
            });
            let mut tasks = BoardTasks::new([task])?;
            assert!(tasks.on_stopping().starts_with("stopping"));
            tasks.follow(&mut FullOutput, None).await
        });
        assert_eq!(outcome.map_err(|error| error.message), Err("stdout is full".to_owned()));
        assert_eq!(is_over.try_recv(), Ok(()));
    }
}
