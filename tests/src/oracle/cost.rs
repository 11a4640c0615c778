//! Costs in `f64`, as the documents tell them: one step after the other, and no constant from elsewhere.

pub mod physics;
pub mod prims;
pub mod simulator;
pub mod streaming;
