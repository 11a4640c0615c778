//! Whole assets, built here: round trips, corruption, and what lint says.
#![allow(clippy::unwrap_used, unreachable_pub)]

mod corruption;
mod lint;
mod memory;
mod round_trip;
mod sample;
