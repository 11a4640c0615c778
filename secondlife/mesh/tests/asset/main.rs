//! Whole assets, built here: round trips, corruption, and what lint says.
// A test that meets `None` has failed, and its modules are seen by nobody else.
#![allow(clippy::unwrap_used, unreachable_pub)]

mod bounds;
mod corruption;
mod lint;
mod round_trip;
mod sample;
