//! A query that can be sent, more than once.

use std::sync::Arc;

use ballista_core::config::BallistaConfig;
use datafusion::logical_expr::LogicalPlan;
use datafusion_proto::logical_plan::LogicalExtensionCodec;

use super::address::Address;
use super::running::Running;
use super::sent::Sent;

/// A query, and where it goes.
#[derive(Debug)]
pub(super) struct Query {
    pub(super) plan: LogicalPlan,
    pub(super) session: String,
    pub(super) config: BallistaConfig,
    pub(super) codec: Arc<dyn LogicalExtensionCodec>,
    pub(super) address: Address,
    pub(super) running: Arc<Running>,
}

impl Query {
    /// The query for another time: a job of its own.
    pub(super) fn sent(&self) -> Arc<Sent> {
        let sent = Arc::new(Sent::with_extension(
            format!("http://{}", self.address),
            self.config.clone(),
            self.plan.clone(),
            Arc::clone(&self.codec),
            self.session.clone(),
        ));
        self.running.add(&sent);
        sent
    }
}
