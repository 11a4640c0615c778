//! Plans that go to a scheduler.

use std::sync::Arc;

use async_trait::async_trait;
use ballista_core::execution_plans::DistributedQueryExec;
use ballista_core::planner::BallistaQueryPlanner;
use datafusion::catalog::Session;
use datafusion::error::Result;
use datafusion::execution::context::QueryPlanner;
use datafusion::logical_expr::LogicalPlan;
use datafusion::physical_plan::ExecutionPlan;
use datafusion_proto::protobuf::LogicalPlanNode;

use super::address::Address;
use super::watch::WatchedExec;

/// Ballista's planner, whose plans are watched while they run elsewhere.
#[derive(Debug)]
pub(super) struct WatchedPlanner {
    pub(super) ballista: BallistaQueryPlanner<LogicalPlanNode>,
    pub(super) address: Address,
}

#[async_trait]
impl QueryPlanner for WatchedPlanner {
    async fn create_physical_plan(
        &self,
        plan: &LogicalPlan,
        session: &dyn Session,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let plan = self.ballista.create_physical_plan(plan, session).await?;
        let is_sent = plan.downcast_ref::<DistributedQueryExec<LogicalPlanNode>>().is_some();
        Ok(if is_sent { Arc::new(WatchedExec::new(plan, self.address.clone())) } else { plan })
    }
}
