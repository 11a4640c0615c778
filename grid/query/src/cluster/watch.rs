//! A query that runs elsewhere, and whether it still can.
//!
//! Ballista fails a query whose executors are all gone, but lets one wait for ever that comes before the first of them.
//! So the scheduler is asked while nothing comes, and a query that cannot go on ends with one error.

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use datafusion::arrow::array::RecordBatch;
use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::error::{DataFusionError, Result};
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::physical_expr::PhysicalExpr;
use datafusion::physical_plan::metrics::MetricsSet;
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use datafusion::physical_plan::{DisplayAs, DisplayFormatType, ExecutionPlan, PlanProperties};
use futures::{StreamExt as _, stream};

use super::address::Address;
use super::error::ClusterError;
use super::health::{READY, ask};
use super::job::Job;

/// How often the scheduler is asked while nothing comes.
const EVERY: Duration = Duration::from_secs(2);
/// How long a cluster may be without an executor, or a scheduler without an answer.
const PATIENCE: Duration = Duration::from_secs(20);

/// A plan that runs on a cluster.
#[derive(Debug)]
pub(super) struct WatchedExec {
    sent: Arc<dyn ExecutionPlan>,
    address: Address,
}

impl WatchedExec {
    pub(super) fn new(sent: Arc<dyn ExecutionPlan>, address: Address) -> Self {
        Self { sent, address }
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
        let rows = self.sent.execute(partition, context)?;
        let schema = rows.schema();
        let job = Job::new(Arc::clone(&self.sent), self.address.clone());
        let watched = Watched { rows, job, trouble: None, ended: false };
        let rows = stream::unfold(watched, |mut watched| async move {
            let item = watched.next().await?;
            Some((item, watched))
        });
        Ok(Box::pin(RecordBatchStreamAdapter::new(schema, rows)))
    }

    fn metrics(&self) -> Option<MetricsSet> {
        self.sent.metrics()
    }
}

/// Rows that come from elsewhere.
struct Watched {
    rows: SendableRecordBatchStream,
    job: Job,
    trouble: Option<Trouble>,
    ended: bool,
}

impl Watched {
    async fn next(&mut self) -> Option<Result<RecordBatch>> {
        if self.ended {
            return None;
        }
        let item = tokio::select! {
            item = self.rows.next() => match item {
                Some(Err(error)) => Some(Err(told(error, &self.job.address).await)),
                item => item,
            },
            trouble = lasting(&self.job.address, &mut self.trouble) => {
                Some(Err(ClusterError::new(&self.job.address, trouble.to_string()).into()))
            }
        };
        self.ended = !matches!(item, Some(Ok(_)));
        if item.is_none() {
            self.job.is_over();
        }
        item
    }
}

/// An error in one line; where the scheduler is gone, that is it.
async fn told(error: DataFusionError, address: &Address) -> DataFusionError {
    let problem = match asked(address).await {
        Some(trouble @ What::NoScheduler) => trouble.to_string(),
        _ => one_line(&error.strip_backtrace()),
    };
    ClusterError::new(address, problem).into()
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

/// A message without line breaks.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
