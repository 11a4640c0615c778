//! The SQL functions against core, lint and the rows of meshes. That prices of objects have the bits of
//! `lodger_opensim::pricing` is a test of lodger-grid, in `tests/grid/queries/prices.rs`.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod batches;
mod mesh;
mod plan;
mod random;
mod sample;
