//! What the tests of the workspace share.

pub mod cost_oracle;
pub mod cost_tolerance;
pub mod cost_vectors;
