//! The library behind `lodger`: the simulation that `lodger simulate` runs.
#![forbid(unsafe_code)]

pub mod simulation;
