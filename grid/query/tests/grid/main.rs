//! The whole way through lodger-grid, from outside.

mod cluster;
mod questions;
