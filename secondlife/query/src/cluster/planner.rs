//! Plans that go to a scheduler.

use std::sync::Arc;

use async_trait::async_trait;
use ballista::prelude::SessionConfigExt;
use ballista_core::execution_plans::DistributedQueryExec;
use ballista_core::planner::BallistaQueryPlanner;
use datafusion::catalog::Session;
use datafusion::error::{DataFusionError, Result};
use datafusion::execution::context::QueryPlanner;
use datafusion::logical_expr::LogicalPlan;
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::empty::EmptyExec;
use datafusion_proto::protobuf::LogicalPlanNode;

use super::address::Address;
use super::query::Query;
use super::running::Running;
use super::watch::WatchedExec;

/// Ballista's planner, whose plans are watched while they run elsewhere.
#[derive(Debug)]
pub(super) struct WatchedPlanner {
    pub(super) ballista: BallistaQueryPlanner<LogicalPlanNode>,
    pub(super) address: Address,
    pub(super) running: Arc<Running>,
}

#[async_trait]
impl QueryPlanner for WatchedPlanner {
    async fn create_physical_plan(
        &self,
        plan: &LogicalPlan,
        session: &dyn Session,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        match plan {
            LogicalPlan::Analyze(_) => {
                let problem = "EXPLAIN ANALYZE works only in one process, without a cluster";
                return Err(DataFusionError::Plan(problem.to_owned()));
            }
            // Ballista's has no columns.
            LogicalPlan::EmptyRelation(nothing) if !nothing.produce_one_row => {
                return Ok(Arc::new(EmptyExec::new(Arc::clone(nothing.schema.inner()))));
            }
            _ => {}
        }
        let planned = self.ballista.create_physical_plan(plan, session).await?;
        if planned.downcast_ref::<DistributedQueryExec<LogicalPlanNode>>().is_none() {
            return Ok(planned);
        }
        let query = Query {
            plan: plan.clone(),
            session: session.session_id().to_owned(),
            config: session.config().ballista_config(),
            codec: session.config().ballista_logical_extension_codec(),
            address: self.address.clone(),
            running: Arc::clone(&self.running),
        };
        Ok(Arc::new(WatchedExec::new(query)))
    }
}
