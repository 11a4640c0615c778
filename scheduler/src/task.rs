//! A scene as a tokio task: commands in, plans out.
//!
//! [`drive`] takes a scene. It returns a [`TaskHandle`], which can be cloned, and a future that owns the
//! scene, ticks it and returns it at the end.
//!
//! - **Commands** are functions of the scene. They wait in a queue of fixed length; a sender waits while
//!   it is full. An accepted command always runs before the next tick, and before the task ends.
//! - **Plans** borrow the scene, so the caller chooses the part that is published through a [`watch`]
//!   channel, which holds the latest.
//! - **Ticks** come at a fixed rate ([`TickSchedule::Every`]) or on request ([`TickSchedule::OnDemand`],
//!   [`TaskHandle::tick`]).
//! - **The end** comes with [`TaskHandle::stop`], or when the last handle is dropped. Waiting commands and a
//!   last tick run before the future returns the scene.

use std::fmt;
use std::future::Future;
use std::num::NonZeroUsize;
use std::time::Duration;

use lodger_core::Real;
use tokio::sync::{mpsc, oneshot, watch};
use tokio::time::{Interval, MissedTickBehavior, interval};

use crate::plan::Plan;
use crate::scene::Scene;

const LONGEST: Duration = Duration::from_secs(60 * 60 * 24 * 365 * 100);

/// The schedule of a task's ticks; see [`drive`].
///
/// # Examples
/// ```
/// # use lodger_scheduler::{*, task::*};
/// # #[tokio::main(flavor = "current_thread", start_paused = true)]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let (handle, task, ..) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/task.rs"));
/// use std::num::NonZeroUsize;
/// use std::time::Duration;
///
/// let scene = Scene::<f32>::new(Budget::from_ns(7));
/// let period = TickSchedule::Every(Duration::from_millis(16));
/// let (handle, task) = drive(scene, period, NonZeroUsize::MIN, |plan| plan.budget().ns());
/// tokio::spawn(task);
/// handle.command(|scene| scene.set_budget(Budget::from_ns(8))).await?;
/// handle.plans().wait_for(|&budget| budget == Some(8)).await?; // within 16 ms
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TickSchedule {
    /// Once in each period. A late tick does not delay the others.
    Every(Duration),
    /// When a [`TaskHandle`] requests a tick.
    OnDemand,
}

/// The error of a command to a task that has ended or is ending: the command does not run.
///
/// # Examples
/// ```
/// # use lodger_scheduler::{*, task::*};
/// # #[tokio::main(flavor = "current_thread", start_paused = true)]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let (handle, task, ..) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/task.rs"));
/// handle.stop().await?;
/// task.await?;
/// assert_eq!(handle.tick().await, Err(TaskEnded));
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TaskEnded;

impl fmt::Display for TaskEnded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the task of the scene has ended")
    }
}

impl std::error::Error for TaskEnded {}

type SceneCommand<N> = Box<dyn FnOnce(&mut Scene<N>) + Send>;

/// A message in the queue.
enum TaskMessage<N: Real> {
    Command(SceneCommand<N>),
    /// Ticks, and confirms it.
    Tick(oneshot::Sender<()>),
    Stop,
}

/// A handle of a scene's task: sends commands and receives published plans.
///
/// # Examples
/// ```
/// # use lodger_scheduler::{*, task::*};
/// # #[tokio::main(flavor = "current_thread", start_paused = true)]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let (handle, task, ..) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/task.rs"));
/// handle.command(|scene| scene.set_budget(Budget::UNLIMITED)).await?;
/// handle.tick().await?;
/// assert_eq!(*handle.plans().borrow(), 2_400_000);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct TaskHandle<N: Real, T> {
    queue: mpsc::Sender<TaskMessage<N>>,
    plans: watch::Receiver<T>,
}

impl<N: Real, T> Clone for TaskHandle<N, T> {
    fn clone(&self) -> Self {
        Self { queue: self.queue.clone(), plans: self.plans.clone() }
    }
}

impl<N: Real, T> TaskHandle<N, T> {
    /// Runs a function on the scene. Waits while the queue is full.
    ///
    /// A command that panics ends the task.
    ///
    /// # Errors
    /// [`TaskEnded`].
    ///
    /// # Examples
    /// ```
    /// # use lodger_scheduler::{*, task::*};
    /// # #[tokio::main(flavor = "current_thread", start_paused = true)]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let (handle, task, near, ..) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/task.rs"));
    /// handle.command(move |scene| drop(scene.despawn(near))).await?;
    /// handle.tick().await?;
    /// assert_eq!(*handle.plans().borrow(), 200_000);
    /// # Ok(())
    /// # }
    /// ```
    pub async fn command(
        &self,
        command: impl FnOnce(&mut Scene<N>) + Send + 'static,
    ) -> Result<(), TaskEnded> {
        self.send(TaskMessage::Command(Box::new(command))).await
    }

    /// Runs a function on the scene, and waits for its result.
    ///
    /// # Errors
    /// [`TaskEnded`].
    ///
    /// # Examples
    /// ```
    /// # use lodger_scheduler::{*, task::*};
    /// # #[tokio::main(flavor = "current_thread", start_paused = true)]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let (handle, task, _, far, ..) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/task.rs"));
    /// let key = handle.ask(move |scene| scene.key(far)).await?;
    /// assert_eq!(key, Some(2));
    /// # Ok(())
    /// # }
    /// ```
    pub async fn ask<A: Send + 'static>(
        &self,
        function: impl FnOnce(&mut Scene<N>) -> A + Send + 'static,
    ) -> Result<A, TaskEnded> {
        let (answer, answered) = oneshot::channel();
        self.command(move |scene| {
            // The function runs even if the caller no longer waits.
            let _ = answer.send(function(scene));
        })
        .await?;
        answered.await.map_err(|_| TaskEnded)
    }

    /// Ticks after all commands that were sent before, and waits for the tick.
    ///
    /// # Errors
    /// [`TaskEnded`].
    ///
    /// # Examples
    /// ```
    /// # use lodger_scheduler::{*, task::*};
    /// # #[tokio::main(flavor = "current_thread", start_paused = true)]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let (handle, task, ..) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/task.rs"));
    /// handle.tick().await?;
    /// assert_eq!(*handle.plans().borrow(), 1_400_000);
    /// # Ok(())
    /// # }
    /// ```
    pub async fn tick(&self) -> Result<(), TaskEnded> {
        let (done, ticked) = oneshot::channel();
        self.send(TaskMessage::Tick(done)).await?;
        ticked.await.map_err(|_| TaskEnded)
    }

    /// Ends the task after all commands that were sent before, also by other handles.
    ///
    /// # Errors
    /// [`TaskEnded`].
    ///
    /// # Examples
    /// ```
    /// # use lodger_scheduler::{*, task::*};
    /// # #[tokio::main(flavor = "current_thread", start_paused = true)]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let (handle, task, ..) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/task.rs"));
    /// handle.stop().await?;
    /// let scene = task.await?;
    /// assert_eq!(scene.plan().assigned_ns(), 1_400_000); // of a last tick
    /// # Ok(())
    /// # }
    /// ```
    pub async fn stop(&self) -> Result<(), TaskEnded> {
        self.send(TaskMessage::Stop).await
    }

    /// Returns a receiver of the published plans.
    ///
    /// # Examples
    /// ```
    /// # use lodger_scheduler::{*, task::*};
    /// # #[tokio::main(flavor = "current_thread", start_paused = true)]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let (handle, task, ..) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/task.rs"));
    /// let mut plans = handle.plans();
    /// handle.tick().await?;
    /// plans.changed().await?;
    /// assert_eq!(*plans.borrow_and_update(), 1_400_000);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn plans(&self) -> watch::Receiver<T> {
        self.plans.clone()
    }

    async fn send(&self, message: TaskMessage<N>) -> Result<(), TaskEnded> {
        self.queue.send(message).await.map_err(|_| TaskEnded)
    }
}

/// Makes a task from a scene; see [`task`](crate::task). At most `queue` commands wait at a time.
///
/// `publish` converts each plan, also the current one, to the value that [`TaskHandle::plans`] shows.
///
/// # Examples
/// ```
/// # use lodger_scheduler::SceneError;
/// # #[tokio::main(flavor = "current_thread", start_paused = true)]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use std::num::NonZeroUsize;
/// use std::time::Duration;
/// use lodger_scheduler::task::{TickSchedule, drive};
///
/// # let (mut scene, _, far, ..) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
/// // Sixty ticks a second, and at most 64 waiting commands.
/// let schedule = TickSchedule::Every(Duration::from_micros(16_667));
/// let queue = NonZeroUsize::new(64).unwrap_or(NonZeroUsize::MIN);
/// let (handle, task) = drive(scene, schedule, queue, |plan| plan.assigned_ns());
/// let task = tokio::spawn(task);
///
/// handle.command(move |scene| scene.set_position(far, [0.0, 1.0, 0.0]).unwrap_or(())).await?;
/// handle.plans().wait_for(|&assigned_ns| assigned_ns > 0).await?;
/// handle.stop().await?;
/// let scene = task.await?;
/// assert_eq!(scene.plan().lod(far).map(|lod| lod.level()), Some(2));
/// # Ok(())
/// # }
/// ```
pub fn drive<N, T, F>(
    scene: Scene<N>,
    schedule: TickSchedule,
    queue: NonZeroUsize,
    publish: F,
) -> (TaskHandle<N, T>, impl Future<Output = Scene<N>> + use<N, T, F>)
where
    N: Real,
    F: FnMut(&Plan<'_, N>) -> T,
{
    let (sender, messages) = mpsc::channel(queue.get());
    let mut publish = publish;
    let (latest, plans) = watch::channel(publish(&scene.plan()));
    let task = SceneTask { scene, messages, latest, publish };
    (TaskHandle { queue: sender, plans }, task.run(schedule))
}

struct SceneTask<N: Real, T, F> {
    scene: Scene<N>,
    messages: mpsc::Receiver<TaskMessage<N>>,
    latest: watch::Sender<T>,
    publish: F,
}

impl<N: Real, T, F: FnMut(&Plan<'_, N>) -> T> SceneTask<N, T, F> {
    async fn run(mut self, schedule: TickSchedule) -> Scene<N> {
        let mut clock = match schedule {
            TickSchedule::Every(time) => Some(clock(time)),
            TickSchedule::OnDemand => None,
        };
        loop {
            let due = async {
                match &mut clock {
                    Some(clock) => drop(clock.tick().await),
                    None => std::future::pending().await,
                }
            };
            // A due tick comes before the queue, which could otherwise delay it; it includes the commands
            // that wait by then.
            tokio::select! {
                biased;
                () = due => {
                    if self.run_waiting() || self.is_alone() {
                        break;
                    }
                    self.tick();
                }
                message = self.messages.recv() => match message {
                    Some(TaskMessage::Stop) | None => break,
                    Some(message) => self.run_message(message),
                },
            }
        }
        self.end().await
    }

    /// Runs the commands that wait now; returns whether the end was requested.
    fn run_waiting(&mut self) -> bool {
        for _ in 0..self.messages.len() {
            match self.messages.try_recv() {
                Ok(TaskMessage::Stop) => return true,
                Ok(message) => self.run_message(message),
                Err(_) => break,
            }
        }
        false
    }

    fn is_alone(&self) -> bool {
        self.messages.sender_strong_count() == 0 && self.messages.is_empty()
    }

    fn run_message(&mut self, message: TaskMessage<N>) {
        match message {
            TaskMessage::Command(command) => command(&mut self.scene),
            TaskMessage::Tick(done) => {
                self.tick();
                // The tick happens even if the caller no longer waits.
                let _ = done.send(());
            }
            TaskMessage::Stop => {}
        }
    }

    fn tick(&mut self) {
        let plan = self.scene.tick();
        self.latest.send_replace((self.publish)(&plan));
    }

    async fn end(mut self) -> Scene<N> {
        self.messages.close();
        while let Some(message) = self.messages.recv().await {
            self.run_message(message);
        }
        self.tick();
        self.scene
    }
}

/// Makes the clock; the first tick is one period away.
fn clock(time: Duration) -> Interval {
    // tokio supports neither a period of 0 nor an unlimited one.
    let mut clock = interval(time.clamp(Duration::from_nanos(1), LONGEST));
    clock.reset();
    clock.set_missed_tick_behavior(MissedTickBehavior::Skip);
    clock
}
