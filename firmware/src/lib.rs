//! lodger on a Cortex-M.
#![cfg_attr(target_os = "none", no_std)]
// Tests of exact arithmetic compare exactly, and count in small numbers.
#![cfg_attr(test, allow(clippy::float_cmp, clippy::cast_precision_loss))]

pub mod app;
#[cfg(target_os = "none")]
pub mod board;
pub mod clock;
pub mod cloth;
pub mod display;
pub mod lamp;
pub mod measured;
pub mod particles;
pub mod report;
pub mod scene;
mod telemetry;
