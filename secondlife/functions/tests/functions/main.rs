//! The SQL functions against what they stand for.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod fuzz;
mod mesh;
mod plan;
mod pricing;
mod random;
mod reference;
mod sample;
