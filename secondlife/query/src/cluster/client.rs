use std::io::ErrorKind;
use std::sync::Arc;

use async_trait::async_trait;
use ballista::prelude::SessionConfigExt;
use ballista_core::BALLISTA_VERSION;
use ballista_core::execution_plans::DistributedQueryExec;
use ballista_core::planner::BallistaQueryPlanner;
use datafusion::catalog::Session;
use datafusion::error::{DataFusionError, Result};
use datafusion::execution::context::QueryPlanner;
use datafusion::logical_expr::LogicalPlan;
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::empty::EmptyExec;
use datafusion::prelude::{SessionConfig, SessionContext};
use datafusion_proto::protobuf::LogicalPlanNode;

use super::address::{ALIVE, Address, ClusterError, health};
use super::session;
use super::submission::{Query, RunningQueries};
use super::watch::WatchedExec;

/// Returns a context whose plans go to the scheduler at `HOST:PORT`, with lodger's functions.
///
/// Tables are opened here, by the scheduler and by executors: their files must have the same paths
/// or URLs everywhere. If a query fails, the scheduler is lost, or there is no executor for 20
/// seconds, the query ends with one error, a [`ClusterError`] in a
/// [`DataFusionError::External`](datafusion::error::DataFusionError::External).
///
/// # Errors
///
/// There is no response within some seconds, or no scheduler of this version.
pub async fn connect(address: &str, config: SessionConfig) -> Result<SessionContext, ClusterError> {
    let address: Address = address.parse()?;
    check_scheduler(&address).await?;
    let fail = |error: datafusion::error::DataFusionError| {
        ClusterError::new(&address, error.strip_backtrace())
    };
    let running = Arc::new(RunningQueries::new(address.clone()));
    let config = session::agreed(config).with_extension(Arc::clone(&running));
    let ballista = BallistaQueryPlanner::with_extension(
        format!("http://{address}"),
        config.ballista_config(),
        config.ballista_logical_extension_codec(),
    );
    let planner = WatchedPlanner { ballista, address: address.clone(), running };
    let runtime = session::runtime(None).map_err(fail)?;
    let builder = session::builder(config, runtime).with_query_planner(Arc::new(planner));
    Ok(SessionContext::new_with_state(session::finished(builder).map_err(fail)?))
}

async fn check_scheduler(address: &Address) -> Result<(), ClusterError> {
    let fail = |problem: String| Err(ClusterError::new(address, problem));
    let response = match health(address, ALIVE).await {
        Ok(response) => response,
        Err(error) if error.kind() == ErrorKind::ConnectionRefused => {
            return fail(
                "no scheduler listens there; start one with `lodger grid scheduler`".into(),
            );
        }
        Err(error) => return fail(format!("no scheduler answers there: {error}")),
    };
    match response.server.as_deref().and_then(|server| server.strip_prefix("ballista/")) {
        Some(BALLISTA_VERSION) if response.status == 200 => Ok(()),
        Some(BALLISTA_VERSION) => fail(format!(
            "the scheduler is not healthy: it responds with status {}",
            response.status
        )),
        Some(version) => fail(format!(
            "the scheduler is of Ballista {version}, this program of {BALLISTA_VERSION}; both must be the same"
        )),
        None => fail("the program that listens there is no scheduler".into()),
    }
}

/// Ballista's planner, whose plans are watched while they run on the cluster.
#[derive(Debug)]
pub(super) struct WatchedPlanner {
    pub(super) ballista: BallistaQueryPlanner<LogicalPlanNode>,
    pub(super) address: Address,
    pub(super) running: Arc<RunningQueries>,
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
            // Ballista's empty relation has no columns.
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
