//! A query that runs elsewhere, and whether it still can.
//!
//! Ballista fails a query whose executors are all gone, but lets one wait for ever that comes before the first of them.
//! So the scheduler is asked while nothing comes, and a query that cannot go on ends with one error. One that lost an
//! executor before any row came is sent again.

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use datafusion::arrow::array::RecordBatch;
use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::error::{DataFusionError, Result};
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::physical_expr::PhysicalExpr;
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use datafusion::physical_plan::{DisplayAs, DisplayFormatType, ExecutionPlan, PlanProperties};
use futures::{StreamExt as _, stream};

use super::address::Address;
use super::cause::{cause, is_memory};
use super::error::ClusterError;
use super::health::{READY, ask};
use super::job::Job;
use super::query::Query;
use super::sent::Sent;

/// How often the scheduler is asked while nothing comes.
const EVERY: Duration = Duration::from_secs(2);
/// How long a cluster may be without an executor, or a scheduler without an answer.
const PATIENCE: Duration = Duration::from_secs(20);

/// How often a query is sent at most.
const MOST: usize = 4;

/// A plan that runs on a cluster.
#[derive(Debug)]
pub(super) struct WatchedExec {
    query: Arc<Query>,
    sent: Arc<Sent>,
}

impl WatchedExec {
    pub(super) fn new(query: Query) -> Self {
        Self { sent: query.sent(), query: Arc::new(query) }
    }
}

impl DisplayAs for WatchedExec {
    fn fmt_as(&self, kind: DisplayFormatType, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.sent.fmt_as(kind, f)
    }
}

impl ExecutionPlan for WatchedExec {
    fn name(&self) -> &'static str {
        "WatchedExec"
    }

    fn properties(&self) -> &Arc<PlanProperties> {
        self.sent.properties()
    }

    fn children(&self) -> Vec<&Arc<dyn ExecutionPlan>> {
        Vec::new()
    }

    fn apply_expressions(
        &self,
        _: &mut dyn FnMut(&Arc<dyn PhysicalExpr>) -> Result<TreeNodeRecursion>,
    ) -> Result<TreeNodeRecursion> {
        Ok(TreeNodeRecursion::Continue)
    }

    fn with_new_children(
        self: Arc<Self>,
        _: Vec<Arc<dyn ExecutionPlan>>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        Ok(self)
    }

    fn execute(
        &self,
        partition: usize,
        context: Arc<TaskContext>,
    ) -> Result<SendableRecordBatchStream> {
        let (query, schema) = (Arc::clone(&self.query), self.schema());
        let sending = Sending { query, partition, context, sent: 0 };
        let watched = Watched::new(sending)?;
        let rows = stream::unfold(watched, |mut watched| async move {
            let item = watched.next().await?;
            Some((item, watched))
        });
        Ok(Box::pin(RecordBatchStreamAdapter::new(schema, rows)))
    }
}

/// A query that is sent for one partition.
struct Sending {
    query: Arc<Query>,
    partition: usize,
    context: Arc<TaskContext>,
    sent: usize,
}

impl Sending {
    fn send(&mut self) -> Result<(SendableRecordBatchStream, Job)> {
        self.sent += 1;
        let sent = self.query.sent();
        let rows = sent.execute(self.partition, Arc::clone(&self.context)).map_err(unsent)?;
        Ok((rows, Job::new(sent, self.query.address.clone())))
    }
}

/// Rows that come from elsewhere.
struct Watched {
    sending: Sending,
    rows: SendableRecordBatchStream,
    job: Job,
    trouble: Option<Trouble>,
    begun: bool,
    ended: bool,
}

impl Watched {
    fn new(mut sending: Sending) -> Result<Self> {
        let (rows, job) = sending.send()?;
        Ok(Self { sending, rows, job, trouble: None, begun: false, ended: false })
    }

    async fn next(&mut self) -> Option<Result<RecordBatch>> {
        loop {
            if self.ended {
                return None;
            }
            let item = tokio::select! {
                item = self.rows.next() => item,
                trouble = lasting(&self.job.address, &mut self.trouble) => {
                    self.ended = true;
                    let error = ClusterError::new(&self.job.address, trouble.to_string());
                    return Some(Err(error.into()));
                }
            };
            let error = match item {
                Some(Err(error)) => error,
                Some(Ok(rows)) => {
                    self.begun = true;
                    return Some(Ok(rows));
                }
                None => {
                    self.ended = true;
                    self.job.is_over();
                    return None;
                }
            };
            if self.begun || self.sending.sent >= MOST || !is_loss(&error.to_string()) {
                self.ended = true;
                return Some(Err(told(error, &self.job.address).await));
            }
            match self.sending.send() {
                Ok((rows, job)) => (self.rows, self.job) = (rows, job),
                Err(error) => {
                    self.ended = true;
                    return Some(Err(error));
                }
            }
        }
    }
}

/// Whether a query failed because an executor is gone: by what Ballista calls a query that was ended by the scheduler,
/// or whose rows on their way could not be fetched any more.
fn is_loss(text: &str) -> bool {
    let is_cancelled = text.trim_end().ends_with(" failed: Cancelled");
    is_cancelled || text.contains(" has failed 1 times") || text.contains("FetchFailed")
}

/// An error in one line; where the scheduler is gone, that is it.
async fn told(error: DataFusionError, address: &Address) -> DataFusionError {
    let text = error.strip_backtrace();
    let told = |problem: &str| ClusterError::new(address, problem);
    let told = match asked(address).await {
        Some(trouble @ What::NoScheduler) => told(&trouble.to_string()),
        _ if is_loss(&text) => told("an executor was lost while its rows were fetched; ask again"),
        _ => {
            let told = told(&format!("the query failed: {}", cause(&text)));
            ClusterError { is_memory: is_memory(&text), ..told }
        }
    };
    told.into()
}

/// An error of a plan that cannot be sent. Of tables that are not files, `DataFusion` has no encoding.
fn unsent(error: DataFusionError) -> DataFusionError {
    if error.to_string().contains("LogicalExtensionCodec is not provided") {
        let problem = "a function that makes a table works only in one process, without a cluster";
        return DataFusionError::Plan(problem.to_owned());
    }
    error
}

/// What keeps a query from going on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum What {
    NoExecutor,
    NoScheduler,
}

impl fmt::Display for What {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoExecutor => "the scheduler has no executor that could run the query; start one",
            Self::NoScheduler => "the scheduler does not answer any more",
        })
    }
}

/// Since when it has been so.
struct Trouble {
    what: What,
    since: Instant,
}

/// Waits for a trouble that lasts. It may be given up at any time: what was seen is kept.
async fn lasting(address: &Address, seen: &mut Option<Trouble>) -> What {
    loop {
        tokio::time::sleep(EVERY).await;
        let Some(what) = asked(address).await else {
            *seen = None;
            continue;
        };
        let trouble = seen.get_or_insert_with(|| Trouble { what, since: Instant::now() });
        trouble.what = what;
        if trouble.since.elapsed() >= PATIENCE {
            return what;
        }
    }
}

/// What the scheduler says.
async fn asked(address: &Address) -> Option<What> {
    match ask(address, READY).await {
        Ok(answer) if answer.status == 200 => None,
        Ok(_) => Some(What::NoExecutor),
        Err(_) => Some(What::NoScheduler),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_loss_is_told_from_other_errors() {
        assert!(is_loss("Execution error: Job 038 failed: Cancelled\n"));
        assert!(is_loss(
            "Job failed due to stage 3 failed: Stage 3 has failed 1 times, most recent failure reason: x"
        ));
        assert!(!is_loss("Job 038 failed: Job failed due to stage 1 failed: DivideByZero"));
    }
}
