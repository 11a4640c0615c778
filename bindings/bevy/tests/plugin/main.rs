//! The plugin in apps without a window, frame by frame.
#![allow(clippy::needless_pass_by_value)] // systems are so

mod allocations;
mod basics;
mod batch;
mod changes;
mod clock;
mod disabling;
mod errors;
mod in_step;
mod lifetimes;
#[cfg(feature = "overlay")]
mod overlay;
mod reflection;
mod settings;
mod stage;
mod swap;
mod views;
