//! SQL on all mesh assets and objects of a grid.
#![forbid(unsafe_code)]
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

pub mod cluster;
pub mod dataset;
pub mod ingest;
pub mod query;
pub mod report;
