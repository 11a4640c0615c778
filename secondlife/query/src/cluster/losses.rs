//! Executors that are lost, and the queries that they take with them.
//!
//! Ballista 55.0 goes on after a loss by running anew what is missing. It was seen to count rows twice then: an executor
//! of two was killed in a query of 8 partitions, and totals came out 14 % too large. A total that may be wrong is worse
//! than a query that takes twice as long. So a scheduler here never goes on: whoever has worked for a query and is lost
//! ends it, and [the client](super::connect) sends it again as a whole.

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use ballista_core::JobId;
use ballista_core::serde::protobuf::task_status::Status;
use ballista_core::serde::protobuf::{RunningTask, SuccessfulTask};
use ballista_scheduler::scheduler_server::SchedulerServer;
use ballista_scheduler::state::execution_graph::ExecutionGraphBox;
use ballista_scheduler::state::execution_stage::ExecutionStage;
use datafusion_proto::protobuf::{LogicalPlanNode, PhysicalPlanNode};
use tokio::time::sleep;

/// Ballista's scheduler.
pub(super) type Server = SchedulerServer<LogicalPlanNode, PhysicalPlanNode>;

/// Longer than any scheduler runs, in seconds: after that time, Ballista would go on by itself.
pub(super) const NEVER: u64 = 100 * 365 * 24 * 60 * 60;

/// How often it is looked.
const EVERY: Duration = Duration::from_secs(1);
/// How often it is looked whether a query is ended.
const SOON: Duration = Duration::from_millis(20);

/// Ends queries whose executors did not ask for work for so long, and forgets those executors. It never returns.
pub(super) async fn watch(server: &Server, timeout: Duration) {
    loop {
        sleep(EVERY).await;
        for executor in lost(server, timeout).await {
            let jobs = jobs_of(server, &executor).await;
            for job in &jobs {
                // An error says that the scheduler ends, and its queries with it.
                let _ = server.cancel_job(job.clone()).await;
            }
            while running(server, &jobs) {
                sleep(SOON).await;
            }
            let reason = format!("it did not ask for work for {} s", timeout.as_secs());
            // Nobody is left who would want to know.
            let _ = server.state.executor_manager.remove_executor(&executor, Some(reason)).await;
        }
    }
}

async fn lost(server: &Server, timeout: Duration) -> Vec<String> {
    let executors = server.state.executor_manager.get_executors_state().await.unwrap_or_default();
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    let is_lost = |seen: Option<Duration>| seen.is_some_and(|seen| seen + timeout < now);
    let lost = executors.into_iter().filter(|(_, seen, _)| is_lost(*seen));
    lost.map(|(executor, ..)| executor.id).collect()
}

/// The queries that run and for which an executor has worked.
async fn jobs_of(server: &Server, executor: &str) -> Vec<JobId> {
    let mut jobs = Vec::new();
    for (job, cached) in server.state.task_manager.get_running_job_cache().iter() {
        let graph = Arc::clone(&cached.execution_graph);
        if has_worked(executor, &*graph.read().await) {
            jobs.push(job.clone());
        }
    }
    jobs
}

fn has_worked(executor: &str, graph: &ExecutionGraphBox) -> bool {
    let mut tasks = graph.stages().values().flat_map(|stage| match stage {
        ExecutionStage::Running(stage) => stage.task_infos.as_slice(),
        ExecutionStage::Successful(stage) => stage.task_infos.as_slice(),
        _ => &[],
    });
    tasks.any(|task| match &task.task_status {
        Status::Running(RunningTask { executor_id })
        | Status::Successful(SuccessfulTask { executor_id, .. }) => executor_id == executor,
        Status::Failed(_) => false,
    })
}

fn running(server: &Server, jobs: &[JobId]) -> bool {
    let cache = server.state.task_manager.get_running_job_cache();
    jobs.iter().any(|job| cache.contains_key(job))
}
