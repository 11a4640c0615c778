//! The support library of the tests, without `lodger-core`.
//!
//! The [`oracle`] is a second, simple implementation of the same rules; [`guarantees`] hold for every plan;
//! [`vectors`] are known results; [`tolerance`] has the allowed errors; [`strategy`] and [`knapsack`] generate
//! unusual inputs.
#![allow(missing_docs, reason = "not published")]

pub mod guarantees;
pub mod knapsack;
pub mod strategy;
pub mod tolerance;
pub mod vectors;

/// The rules in their textbook form: `f64` for importance and costs, wide integers for budgets.
pub mod oracle {
    pub mod cost;
    pub mod decision;
    pub mod importance;
    pub mod ledger;
}
