//! A scene as a tokio task: commands in, plans out.
//!
//! [`drive`] takes a scene and returns a [`TaskHandle`], which can be cloned, and a future that owns the
//! scene, ticks it and returns it at the end.
//!
//! - **Commands** are functions of the scene. They wait in a queue of fixed length; if it is full, the
//!   sender waits too. An accepted command is never lost: it runs before the next tick, and before the
//!   task ends.
//! - **Plans** are published through a [`watch`] channel, which holds the latest one. The caller chooses
//!   the published part, as a plan borrows the scene.
//! - **Ticks** come at a fixed rate ([`TickSchedule::Every`]) or on request ([`TickSchedule::OnDemand`],
//!   [`TaskHandle::tick`]).
//! - **The end** comes with [`TaskHandle::stop`], or when the last handle is dropped. Waiting commands run, a
//!   last tick shows their effect, and the future returns the scene.

use std::fmt;
use std::future::Future;
use std::num::NonZeroUsize;
use std::time::Duration;

use lodger_core::Real;
use tokio::sync::{mpsc, oneshot, watch};
use tokio::time::{Interval, MissedTickBehavior, interval};

use crate::plan::Plan;
use crate::scene::Scene;

/// The longest period: a century.
const LONGEST: Duration = Duration::from_secs(60 * 60 * 24 * 365 * 100);

/// The schedule of a task's ticks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TickSchedule {
    /// Once in each period. A late tick does not delay the others.
    Every(Duration),
    /// When a [`TaskHandle`] requests a tick.
    OnDemand,
}

/// The error of a command to a task that has ended or is ending: the command does not run.
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
    pub async fn ask<A: Send + 'static>(
        &self,
        kernel: impl FnOnce(&mut Scene<N>) -> A + Send + 'static,
    ) -> Result<A, TaskEnded> {
        let (answer, answered) = oneshot::channel();
        self.command(move |scene| {
            // The function runs even if the caller no longer waits.
            let _ = answer.send(kernel(scene));
        })
        .await?;
        answered.await.map_err(|_| TaskEnded)
    }

    /// Ticks after all commands that were sent before, and waits for the tick.
    ///
    /// # Errors
    /// [`TaskEnded`].
    pub async fn tick(&self) -> Result<(), TaskEnded> {
        let (done, ticked) = oneshot::channel();
        self.send(TaskMessage::Tick(done)).await?;
        ticked.await.map_err(|_| TaskEnded)
    }

    /// Ends the task after all commands that were sent before, also from other handles.
    ///
    /// # Errors
    /// [`TaskEnded`], if the task has ended already.
    pub async fn stop(&self) -> Result<(), TaskEnded> {
        self.send(TaskMessage::Stop).await
    }

    /// Returns a receiver of the published plans: the latest, and whether there is a newer one.
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
/// use std::num::NonZeroUsize;
/// use std::time::Duration;
/// use lodger_scheduler::task::{TickSchedule, drive};
/// use lodger_scheduler::{Actor, BenefitValue, Budget, Module, Scene, UnitCost, View};
///
/// # tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build()?.block_on(async {
/// let mut scene = Scene::<f32>::new(Budget::from_ms(2.0)?);
/// scene.add_view(View::from_position([0.0; 3])?)?;
/// let cloth = Module::new("cloth", UnitCost::from_ns(500.0)?, BenefitValue::from_ms(3.0)?);
/// let cloth = scene.add_module(cloth)?;
/// let queue = NonZeroUsize::new(64).ok_or("no queue")?;
///
/// let pace = TickSchedule::Every(Duration::from_millis(16));
/// let (handle, task) = drive(scene, pace, queue, |plan| plan.assigned_ns());
/// let task = tokio::spawn(task);
/// let cape = handle.ask(move |scene| {
///     scene.spawn(cloth, Actor::at([2.0, 0.0, 0.0], 1.0, &[0, 400, 2_000]))
/// });
/// let cape = cape.await??;
///
/// let mut plans = handle.plans();
/// plans.wait_for(|&assigned| assigned > 0).await?;
/// handle.stop().await?;
/// let scene = task.await?;
/// assert_eq!(scene.plan().lod(cape).map(|lod| lod.level()), Some(2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// # })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn drive<N, T, F>(
    scene: Scene<N>,
    pace: TickSchedule,
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
    (TaskHandle { queue: sender, plans }, task.run(pace))
}

/// The scene, and its ends of the channels.
struct SceneTask<N: Real, T, F> {
    scene: Scene<N>,
    messages: mpsc::Receiver<TaskMessage<N>>,
    latest: watch::Sender<T>,
    publish: F,
}

impl<N: Real, T, F: FnMut(&Plan<'_, N>) -> T> SceneTask<N, T, F> {
    async fn run(mut self, pace: TickSchedule) -> Scene<N> {
        let mut clock = match pace {
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
                    if self.carry_out_waiting() || self.is_alone() {
                        break;
                    }
                    self.tick();
                }
                message = self.messages.recv() => match message {
                    Some(TaskMessage::Stop) | None => break,
                    Some(message) => self.carry_out(message),
                },
            }
        }
        self.end().await
    }

    /// Runs the commands that wait now, and no later ones; returns whether the end was requested.
    fn carry_out_waiting(&mut self) -> bool {
        for _ in 0..self.messages.len() {
            match self.messages.try_recv() {
                Ok(TaskMessage::Stop) => return true,
                Ok(message) => self.carry_out(message),
                Err(_) => break,
            }
        }
        false
    }

    /// Whether there is no handle left, and no waiting command.
    fn is_alone(&self) -> bool {
        self.messages.sender_strong_count() == 0 && self.messages.is_empty()
    }

    fn carry_out(&mut self, message: TaskMessage<N>) {
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

    /// Closes the queue, and runs the accepted commands.
    async fn end(mut self) -> Scene<N> {
        self.messages.close();
        while let Some(message) = self.messages.recv().await {
            self.carry_out(message);
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
