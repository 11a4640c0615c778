//! The test kit of the workspace: what the tests of more than one package use.

mod random;
pub mod script;

pub use random::SplitMix64;
