use std::sync::{Arc, Mutex, PoisonError, Weak};

use ballista_core::config::BallistaConfig;
use ballista_core::execution_plans::DistributedQueryExec;
use ballista_core::serde::protobuf::CancelJobParams;
use ballista_core::serde::protobuf::scheduler_grpc_client::SchedulerGrpcClient;
use datafusion::logical_expr::LogicalPlan;
use datafusion::prelude::SessionContext;
use datafusion_proto::logical_plan::LogicalExtensionCodec;
use datafusion_proto::protobuf::LogicalPlanNode;
use tokio::runtime::Handle;

use super::address::Address;

pub(super) type SubmittedQuery = DistributedQueryExec<LogicalPlanNode>;

#[derive(Debug)]
pub(super) struct Query {
    pub(super) plan: LogicalPlan,
    pub(super) session: String,
    pub(super) config: BallistaConfig,
    pub(super) codec: Arc<dyn LogicalExtensionCodec>,
    pub(super) address: Address,
    pub(super) running: Arc<RunningQueries>,
}

impl Query {
    pub(super) fn submit(&self) -> Arc<SubmittedQuery> {
        let submitted = Arc::new(SubmittedQuery::with_extension(
            format!("http://{}", self.address),
            self.config.clone(),
            self.plan.clone(),
            Arc::clone(&self.codec),
            self.session.clone(),
        ));
        self.running.add(&submitted);
        submitted
    }
}

/// The queries that a context has submitted to its scheduler.
#[derive(Debug)]
pub struct RunningQueries {
    address: Address,
    queries: Mutex<Vec<Weak<SubmittedQuery>>>,
}

impl RunningQueries {
    pub(super) fn new(address: Address) -> Self {
        Self { address, queries: Mutex::default() }
    }

    /// The queries of a context that [`connect`](super::connect) created.
    #[must_use]
    pub fn from_context(context: &SessionContext) -> Option<Arc<Self>> {
        context.copied_config().get_extension()
    }

    /// Cancels all queries; their results end with an error.
    pub async fn cancel(&self) {
        let jobs: Vec<_> = self.present().iter().filter_map(|query| query.job_id()).collect();
        for job in jobs {
            cancel(format!("http://{}", self.address), job.into()).await;
        }
    }

    pub(super) fn add(&self, query: &Arc<SubmittedQuery>) {
        let mut queries = self.queries.lock().unwrap_or_else(PoisonError::into_inner);
        queries.retain(|query| query.strong_count() > 0);
        queries.push(Arc::downgrade(query));
    }

    fn present(&self) -> Vec<Arc<SubmittedQuery>> {
        let queries = self.queries.lock().unwrap_or_else(PoisonError::into_inner);
        queries.iter().filter_map(Weak::upgrade).collect()
    }
}

pub(super) struct QueryGuard {
    submitted: Arc<SubmittedQuery>,
    is_finished: bool,
    pub(super) address: Address,
}

impl QueryGuard {
    pub(super) fn new(submitted: Arc<SubmittedQuery>, address: Address) -> Self {
        Self { submitted, is_finished: false, address }
    }

    pub(super) fn finish(&mut self) {
        self.is_finished = true;
    }

    fn id(&self) -> Option<String> {
        self.submitted.job_id().map(String::from)
    }
}

impl Drop for QueryGuard {
    fn drop(&mut self) {
        if let (false, Some(job_id), Ok(runtime)) =
            (self.is_finished, self.id(), Handle::try_current())
        {
            runtime.spawn(cancel(format!("http://{}", self.address), job_id));
        }
    }
}

/// Cancels a job. If that fails, the job runs on without a client.
pub(super) async fn cancel(url: String, job_id: String) {
    if let Ok(mut scheduler) = SchedulerGrpcClient::connect(url).await {
        let _ = scheduler.cancel_job(CancelJobParams { job_id }).await;
    }
}
