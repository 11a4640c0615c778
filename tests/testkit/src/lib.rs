//! The test kit of the workspace: what the tests of more than one package use.
#![allow(
    clippy::missing_panics_doc,
    clippy::must_use_candidate,
    clippy::return_self_not_must_use,
    reason = "only tests call these functions: a panic is a failed test, and a test that drops a result tests nothing"
)]

pub mod build;
#[cfg(target_os = "linux")]
pub mod campaign;
mod case;
mod output;
pub mod page;
pub mod promises;
mod random;
pub mod run;
#[cfg(target_os = "linux")]
mod save_case;
pub mod script;

pub use random::SplitMix64;
