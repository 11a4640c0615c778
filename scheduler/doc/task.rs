// The scene of the examples as a task that ticks on demand and publishes the cost of its plans.
{
    use lodger_scheduler::task::{TickSchedule, drive};

    let (scene, near, far, cloth, _) = include!("scene.rs");
    let queue = std::num::NonZeroUsize::MIN;
    let (handle, task) = drive(scene, TickSchedule::OnDemand, queue, |plan| plan.assigned_ns());
    (handle, tokio::spawn(task), near, far, cloth)
}
