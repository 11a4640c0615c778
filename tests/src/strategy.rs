//! Inputs that nobody would write by hand, for proptest.

mod importance;
mod ledger;
mod staircase;

pub use importance::{ageing_inputs, angular_inputs, moving_inputs, sights, solid_angle_inputs};
pub use ledger::{orders, scenes};
pub use staircase::{RUNGS, staircase};
