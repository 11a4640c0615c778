//! A scene as a task of tokio's: commands in, plans out.
//!
//! [`drive`] takes a scene and gives two things: a [`Handle`], of which there may be as many clones as
//! wanted, and a future that owns the scene, ticks it and ends with it.
//!
//! - **Commands** are functions of the scene. They wait in a queue of fixed length; when it is full,
//!   whoever sends waits too. A command that was taken is never lost: it is carried out before the next
//!   tick, and before the task ends.
//! - **Plans** go out through a [`watch`] channel, which holds the latest: what is published of a plan
//!   is the caller's choice, as a plan borrows the scene.
//! - **Ticks** come at a rate of their own ([`Pace::Every`]) or when somebody asks ([`Pace::OnDemand`],
//!   [`Handle::tick`]).
//! - **The end** is [`Handle::stop`], or the drop of the last handle. The commands that wait are carried
//!   out, a last tick shows their effect, and the future returns the scene.

use std::fmt;
use std::future::Future;
use std::num::NonZeroUsize;
use std::time::Duration;

use lodger_core::Real;
use tokio::sync::{mpsc, oneshot, watch};
use tokio::time::{Interval, MissedTickBehavior, interval};

use crate::plan::Plan;
use crate::scene::Scene;

/// A longer pace is that: a century.
const LONGEST: Duration = Duration::from_secs(60 * 60 * 24 * 365 * 100);

/// When a task ticks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pace {
    /// At a rate of its own, once in so much time. A tick that comes late moves none of the others.
    Every(Duration),
    /// When a [`Handle`] asks for it.
    OnDemand,
}

/// The task has ended, or its end was asked for: the command was not carried out and never will be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ended;

impl fmt::Display for Ended {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the task of the scene has ended")
    }
}

impl std::error::Error for Ended {}

type Command<N> = Box<dyn FnOnce(&mut Scene<N>) + Send>;

/// What waits in the queue.
enum Message<N: Real> {
    Command(Command<N>),
    /// Tick, and say so.
    Tick(oneshot::Sender<()>),
    Stop,
}

/// Sends commands to a scene's task, and sees what was published of its plans.
#[derive(Debug)]
pub struct Handle<N: Real, T> {
    queue: mpsc::Sender<Message<N>>,
    plans: watch::Receiver<T>,
}

impl<N: Real, T> Clone for Handle<N, T> {
    fn clone(&self) -> Self {
        Self { queue: self.queue.clone(), plans: self.plans.clone() }
    }
}

impl<N: Real, T> Handle<N, T> {
    /// Has the task do something with the scene. Waits while the queue is full.
    ///
    /// A command that panics ends the task.
    ///
    /// # Errors
    /// [`Ended`].
    pub async fn command(
        &self,
        command: impl FnOnce(&mut Scene<N>) + Send + 'static,
    ) -> Result<(), Ended> {
        self.send(Message::Command(Box::new(command))).await
    }

    /// Has the task do something with the scene, and waits for what comes of it.
    ///
    /// # Errors
    /// [`Ended`].
    pub async fn ask<A: Send + 'static>(
        &self,
        question: impl FnOnce(&mut Scene<N>) -> A + Send + 'static,
    ) -> Result<A, Ended> {
        let (answer, answered) = oneshot::channel();
        self.command(move |scene| {
            // Whoever does not wait for the answer still wants it done.
            let _ = answer.send(question(scene));
        })
        .await?;
        answered.await.map_err(|_| Ended)
    }

    /// Has the task tick, after all commands that were sent before, and waits until it has.
    ///
    /// # Errors
    /// [`Ended`].
    pub async fn tick(&self) -> Result<(), Ended> {
        let (done, ticked) = oneshot::channel();
        self.send(Message::Tick(done)).await?;
        ticked.await.map_err(|_| Ended)
    }

    /// Has the task end, after all commands that were sent before; those that other handles sent until
    /// then are carried out as well.
    ///
    /// # Errors
    /// [`Ended`], which is what was wanted.
    pub async fn stop(&self) -> Result<(), Ended> {
        self.send(Message::Stop).await
    }

    /// What was published of the plans: the latest, and whether there is a newer one.
    #[must_use]
    pub fn plans(&self) -> watch::Receiver<T> {
        self.plans.clone()
    }

    async fn send(&self, message: Message<N>) -> Result<(), Ended> {
        self.queue.send(message).await.map_err(|_| Ended)
    }
}

/// Makes a task of a scene; see [`task`](crate::task). At most `queue` commands wait at a time.
///
/// `publish` makes of each plan what [`Handle::plans`] shows; of the plan that the scene has now, too.
///
/// # Examples
/// ```
/// use std::num::NonZeroUsize;
/// use std::time::Duration;
/// use lodger_scheduler::task::{Pace, drive};
/// use lodger_scheduler::{Actor, BenefitValue, Budget, Module, Scene, UnitCost, View};
///
/// # tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build()?.block_on(async {
/// let mut scene = Scene::<f32>::new(Budget::from_ms(2.0)?);
/// scene.add_view(View::eye([0.0; 3])?)?;
/// let cloth = Module::new("cloth", UnitCost::from_ns(500.0)?, BenefitValue::from_ms(3.0)?);
/// let cloth = scene.add_module(cloth)?;
/// let queue = NonZeroUsize::new(64).ok_or("no queue")?;
///
/// let pace = Pace::Every(Duration::from_millis(16));
/// let (handle, task) = drive(scene, pace, queue, |plan| plan.assigned_ns());
/// let task = tokio::spawn(task);
/// let cape = handle.ask(move |scene| {
///     scene.spawn(cloth, Actor::seen([2.0, 0.0, 0.0], 1.0, &[0, 400, 2_000]))
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
    pace: Pace,
    queue: NonZeroUsize,
    publish: F,
) -> (Handle<N, T>, impl Future<Output = Scene<N>> + use<N, T, F>)
where
    N: Real,
    F: FnMut(&Plan<'_, N>) -> T,
{
    let (sender, messages) = mpsc::channel(queue.get());
    let mut publish = publish;
    let (latest, plans) = watch::channel(publish(&scene.plan()));
    let task = Task { scene, messages, latest, publish };
    (Handle { queue: sender, plans }, task.run(pace))
}

/// The scene, and the ends of its channels.
struct Task<N: Real, T, F> {
    scene: Scene<N>,
    messages: mpsc::Receiver<Message<N>>,
    latest: watch::Sender<T>,
    publish: F,
}

impl<N: Real, T, F: FnMut(&Plan<'_, N>) -> T> Task<N, T, F> {
    async fn run(mut self, pace: Pace) -> Scene<N> {
        let mut clock = match pace {
            Pace::Every(time) => Some(clock(time)),
            Pace::OnDemand => None,
        };
        loop {
            let due = async {
                match &mut clock {
                    Some(clock) => drop(clock.tick().await),
                    None => std::future::pending().await,
                }
            };
            // A tick that is due goes before what waits, or many commands would hold it up; but what
            // waits by then is in it.
            tokio::select! {
                biased;
                () = due => {
                    if self.carry_out_waiting() || self.is_alone() {
                        break;
                    }
                    self.tick();
                }
                message = self.messages.recv() => match message {
                    Some(Message::Stop) | None => break,
                    Some(message) => self.carry_out(message),
                },
            }
        }
        self.end().await
    }

    /// Carries out what waits now, and no more than that; returns whether the end was asked for.
    fn carry_out_waiting(&mut self) -> bool {
        for _ in 0..self.messages.len() {
            match self.messages.try_recv() {
                Ok(Message::Stop) => return true,
                Ok(message) => self.carry_out(message),
                Err(_) => break,
            }
        }
        false
    }

    /// Whether there is no handle left, and nothing that waits.
    fn is_alone(&self) -> bool {
        self.messages.sender_strong_count() == 0 && self.messages.is_empty()
    }

    fn carry_out(&mut self, message: Message<N>) {
        match message {
            Message::Command(command) => command(&mut self.scene),
            Message::Tick(done) => {
                self.tick();
                // Whoever does not wait for it has it nevertheless.
                let _ = done.send(());
            }
            Message::Stop => {}
        }
    }

    fn tick(&mut self) {
        let plan = self.scene.tick();
        self.latest.send_replace((self.publish)(&plan));
    }

    /// Takes no more, and does what was taken.
    async fn end(mut self) -> Scene<N> {
        self.messages.close();
        while let Some(message) = self.messages.recv().await {
            self.carry_out(message);
        }
        self.tick();
        self.scene
    }
}

/// The first tick is one period away.
fn clock(time: Duration) -> Interval {
    // tokio has no period of 0, nor one without end.
    let mut clock = interval(time.clamp(Duration::from_nanos(1), LONGEST));
    clock.reset();
    clock.set_missed_tick_behavior(MissedTickBehavior::Skip);
    clock
}
