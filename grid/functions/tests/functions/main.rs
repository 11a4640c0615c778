//! The SQL functions against what they stand for.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod mesh;
mod sample;
