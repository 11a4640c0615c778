//! What a mesh costs, as SQL functions for `DataFusion`.
#![forbid(unsafe_code)]
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod linkset_cost;
mod mesh;

use std::sync::Arc;

use datafusion_expr::ScalarUDF;

pub use mesh::{MeshColumns, MeshRow};

/// All functions, to be registered where SQL is planned and wherever parts of a plan are run.
#[must_use]
pub fn all() -> Vec<Arc<ScalarUDF>> {
    vec![Arc::new(ScalarUDF::new_from_impl(linkset_cost::LinksetCost::new()))]
}
