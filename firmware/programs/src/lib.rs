//! The boards of lodger's own programs, and code that these programs share: the part of the firmware that owns a panic
//! handler, a memory map and a critical section. [`examples`] is example firmware.
#![cfg_attr(target_os = "none", no_std)]
#![allow(missing_docs, reason = "not published")]
// Tests of exact arithmetic compare exactly, and count in small numbers.
#![cfg_attr(test, allow(clippy::float_cmp, clippy::cast_precision_loss))]

pub mod access_port;
pub mod bench_scene;
#[cfg(target_os = "none")]
pub mod board;
#[cfg(any(test, feature = "examples"))]
pub mod examples;
pub mod fault;
pub mod static_buffer;
#[cfg(all(target_os = "none", feature = "emulated"))]
pub mod tick_counts;
pub mod tick_scene;
