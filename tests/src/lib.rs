//! What the tests of the workspace share: an oracle, tolerances, vectors and generators.
//!
//! Nothing here knows `lodger-core`. The [`oracle`] is a second reading of the same rules, written for obviousness;
//! the [`vectors`] are numbers that any number type and any processor can be held against; [`tolerance`] is the one
//! place that says how close is close enough; [`strategy`] makes the inputs nobody would write by hand.

pub mod guarantees;
pub mod knapsack;
pub mod oracle;
pub mod strategy;
pub mod tolerance;
pub mod vectors;
