//! The one integration binary: the libraries against vectors, oracle and guarantees, the oracle against the same, and
//! the tolerances against themselves.

// What is exact is compared exactly, and generators cast small numbers.
#![allow(clippy::float_cmp, clippy::cast_precision_loss, clippy::cast_possible_truncation)]

mod core_budget;
mod core_importance;
mod core_vectors;
mod cost;
mod exhaustive;
mod files;
mod fuzz;
#[path = "../fuzz/src/lib.rs"]
#[allow(unreachable_pub)] // a crate of its own when it fuzzes
mod fuzz_entry;
mod house;
mod linkability;
mod optimal;
mod oracle_properties;
mod oracle_vectors;
mod pinning;
mod scheduler_bulk;
mod scheduler_changes;
mod scheduler_closed_loop;
mod scheduler_handles;
mod scheduler_ledger;
mod scheduler_load;
mod scheduler_measured;
mod scheduler_plan;
mod scheduler_record;
mod scheduler_settings;
mod scheduler_task;
mod scheduler_tick;
mod simulation;
mod threads;
mod tolerances;
mod wide;
