//! A scene as a task, under paused time.

use std::future::Future;
use std::num::NonZeroUsize;
use std::time::Duration;

use lodger_scheduler::task::{TaskEnded, TaskHandle, TickSchedule, drive};
use lodger_scheduler::{Actor, Benefit, BenefitValue, Budget, Module, ModuleId, Scene, UnitCost};
use tokio::time::{advance, sleep, timeout};

const PERIOD: Duration = Duration::from_millis(16);

/// Runs a test with a clock that advances while all tasks wait for it.
fn paused<T>(test: impl Future<Output = T>) -> T {
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    runtime.enable_time().start_paused(true).build().unwrap().block_on(test)
}

fn scene() -> (Scene, ModuleId) {
    let mut scene = Scene::new(Budget::from_ms(1.0).unwrap());
    let unit_cost = UnitCost::from_ns(1.0).unwrap();
    let module = Module::new("cloth", unit_cost).benefit_value(BenefitValue::from_ms(1.0).unwrap());
    let module = scene.add_module(module).unwrap();
    (scene, module)
}

type Published = (u32, usize);

fn start(
    pace: TickSchedule,
    queue: usize,
) -> (TaskHandle<f32, Published>, ModuleId, impl Future<Output = Scene> + Send) {
    let (scene, module) = scene();
    let mut ticks = 0;
    let (handle, task) = drive(scene, pace, NonZeroUsize::new(queue).unwrap(), move |plan| {
        ticks += 1;
        (ticks - 1, plan.actors().count())
    });
    (handle, module, task)
}

fn spawn(module: ModuleId) -> impl FnOnce(&mut Scene) + Send {
    move |scene| {
        let benefit = Benefit::new(0.5_f32).unwrap();
        scene.spawn(module, Actor::from_benefit(benefit, &[0, 10])).unwrap();
    }
}

#[test]
fn a_task_ticks_at_its_rate() {
    paused(async {
        let (handle, _, task) = start(TickSchedule::Every(PERIOD), 4);
        let task = tokio::spawn(task);
        assert_eq!(*handle.plans().borrow(), (0, 0));
        sleep(PERIOD * 10 + PERIOD / 2).await;
        assert_eq!(handle.plans().borrow().0, 10);
        handle.stop().await.unwrap();
        task.await.unwrap();
        assert_eq!(handle.plans().borrow().0, 11, "a last plan before the end");
    });
}

#[test]
fn missed_ticks_are_skipped() {
    paused(async {
        let (handle, _, task) = start(TickSchedule::Every(PERIOD), 4);
        tokio::spawn(task);
        sleep(PERIOD / 2).await;
        advance(PERIOD * 7).await;
        sleep(PERIOD / 4).await;
        assert_eq!(handle.plans().borrow().0, 1);
        sleep(PERIOD).await;
        assert_eq!(handle.plans().borrow().0, 2);
    });
}

#[test]
fn a_tick_follows_the_commands_before_it() {
    paused(async {
        let (handle, module, task) = start(TickSchedule::OnDemand, 4);
        tokio::spawn(task);
        for actors in 1..5 {
            handle.command(spawn(module)).await.unwrap();
            handle.tick().await.unwrap();
            assert_eq!(*handle.plans().borrow(), (u32::try_from(actors).unwrap(), actors));
        }
        assert_eq!(handle.ask(|scene| scene.len()).await, Ok(4));
    });
}

#[test]
fn queued_commands_run_before_a_due_tick() {
    paused(async {
        let (handle, module, task) = start(TickSchedule::Every(PERIOD), 4);
        for _ in 0..3 {
            handle.command(spawn(module)).await.unwrap();
        }
        let task = tokio::spawn(task);
        tokio::task::yield_now().await;
        advance(PERIOD).await;
        let mut plans = handle.plans();
        plans.changed().await.unwrap();
        assert_eq!(*plans.borrow(), (1, 3));
        drop(handle);
        task.await.unwrap();
    });
}

#[test]
fn a_full_queue_makes_the_sender_wait() {
    paused(async {
        let (handle, module, task) = start(TickSchedule::OnDemand, 2);
        for _ in 0..2 {
            handle.command(spawn(module)).await.unwrap();
        }
        let third = timeout(PERIOD, handle.command(spawn(module)));
        assert!(third.await.is_err(), "the queue is full");
        tokio::spawn(task);
        handle.command(spawn(module)).await.unwrap();
        assert_eq!(
            handle.ask(|scene| scene.len()).await,
            Ok(3),
            "the command that timed out is not run"
        );
    });
}

#[test]
fn no_accepted_command_is_lost() {
    paused(async {
        let (handle, module, task) = start(TickSchedule::Every(PERIOD), 3);
        let task = tokio::spawn(task);
        let senders = (0..8).map(|_| {
            let handle = handle.clone();
            tokio::spawn(async move {
                let mut accepted = 0_usize;
                while handle.command(spawn(module)).await.is_ok() {
                    accepted += 1;
                    if accepted.is_multiple_of(5) {
                        sleep(PERIOD / 3).await;
                    }
                }
                accepted
            })
        });
        let senders: Vec<_> = senders.collect();
        sleep(PERIOD * 20).await;
        handle.stop().await.unwrap();
        let scene = task.await.unwrap();
        let mut accepted = 0;
        for sender in senders {
            accepted += sender.await.unwrap();
        }
        assert!(accepted > 100);
        assert_eq!(scene.len(), accepted);
        assert_eq!(handle.plans().borrow().1, accepted, "in the last plan, too");
        assert_eq!(handle.command(|_| ()).await, Err(TaskEnded));
        assert_eq!(handle.tick().await, Err(TaskEnded));
    });
}

#[test]
fn a_task_ends_with_its_last_handle() {
    paused(async {
        let (handle, module, task) = start(TickSchedule::OnDemand, 4);
        handle.command(spawn(module)).await.unwrap();
        let other = handle.clone();
        let task = tokio::spawn(task);
        drop(handle);
        other.command(spawn(module)).await.unwrap();
        drop(other);
        assert_eq!(task.await.unwrap().len(), 2);
    });
}

#[test]
fn a_command_that_panics_ends_the_task() {
    paused(async {
        let (handle, _, task) = start(TickSchedule::OnDemand, 4);
        let task = tokio::spawn(task);
        let result = handle.ask(|_| -> () { std::panic::panic_any("on purpose") });
        assert_eq!(result.await, Err(TaskEnded));
        assert!(task.await.unwrap_err().is_panic());
        assert_eq!(handle.tick().await, Err(TaskEnded));
    });
}
