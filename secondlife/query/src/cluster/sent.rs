//! A query that was sent.

use ballista_core::execution_plans::DistributedQueryExec;
use datafusion_proto::protobuf::LogicalPlanNode;

/// What Ballista does with a query.
pub(super) type Sent = DistributedQueryExec<LogicalPlanNode>;
