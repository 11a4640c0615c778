//! The library behind `lodger`: the simulation that `lodger simulate` runs.
#![allow(missing_docs, reason = "not published")]
#![forbid(unsafe_code)]

pub mod simulation;
