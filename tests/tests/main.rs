//! The only integration test binary of this package, as each binary is linked separately.

#![allow(
    clippy::float_cmp,
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    reason = "exact results are compared exactly, and generators cast small numbers"
)]

mod architecture;
mod board_table;
mod core_budget;
mod core_importance;
mod cost;
mod exhaustive;
mod files;
mod fuzz;
#[path = "../fuzz/src/lib.rs"]
#[allow(unreachable_pub, reason = "a separate crate for libFuzzer")]
mod fuzz_entry;
mod oracle;
mod scheduler_bulk;
mod scheduler_ledger;
mod scheduler_measured;
mod scheduler_plan;
mod scheduler_record;
mod scheduler_settings;
mod scheduler_task;
mod scheduler_tick;
mod scheduler_views;
mod simulation;
mod template;
mod tolerances;
mod wide;

mod linkability {
    mod ball;
    mod brute;
    mod rules;
}

mod optimal {
    mod hysteresis;
    #[allow(dead_code, reason = "`examples/optimal.rs` prints all of it")]
    mod instance_views;
    mod instances;
}
