//! The SQL functions against core and pricing.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod batches;
mod mesh;
mod plan;
mod pricing;
mod random;
mod sample;
