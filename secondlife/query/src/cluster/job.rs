//! A query, as a scheduler knows it.

use std::sync::Arc;

use ballista_core::serde::protobuf::CancelJobParams;
use ballista_core::serde::protobuf::scheduler_grpc_client::SchedulerGrpcClient;
use tokio::runtime::Handle;

use super::address::Address;
use super::sent::Sent;

/// A query that was sent. Where it is dropped before it is over, the scheduler is told that nobody waits for it.
pub(super) struct Job {
    sent: Arc<Sent>,
    over: bool,
    /// Where it was sent to.
    pub(super) address: Address,
}

impl Job {
    pub(super) fn new(sent: Arc<Sent>, address: Address) -> Self {
        Self { sent, over: false, address }
    }

    /// All of it was received.
    pub(super) fn is_over(&mut self) {
        self.over = true;
    }

    fn id(&self) -> Option<String> {
        self.sent.job_id().map(String::from)
    }
}

impl Drop for Job {
    fn drop(&mut self) {
        if let (false, Some(job_id), Ok(runtime)) = (self.over, self.id(), Handle::try_current()) {
            runtime.spawn(cancel(format!("http://{}", self.address), job_id));
        }
    }
}

/// Asks for an end of the work. Where that fails, the work goes on for nobody.
pub(super) async fn cancel(url: String, job_id: String) {
    if let Ok(mut scheduler) = SchedulerGrpcClient::connect(url).await {
        let _ = scheduler.cancel_job(CancelJobParams { job_id }).await;
    }
}
