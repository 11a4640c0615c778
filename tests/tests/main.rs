//! The one integration binary: the libraries against vectors, oracle and guarantees, the oracle against the same, and
//! the tolerances against themselves.

// What is exact is compared exactly.
#![allow(clippy::float_cmp)]

mod benefit_vectors;
mod core_budget;
mod core_importance;
mod core_vectors;
mod cost;
mod importance_properties;
mod importance_vectors;
mod ledger_properties;
mod ledger_vectors;
mod pinning;
mod scheduler_handles;
mod scheduler_ledger;
mod scheduler_tick;
mod tolerances;
