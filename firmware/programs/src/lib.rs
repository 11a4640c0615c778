//! The boards that lodger's own programs run on, and what those programs share: the part of the
//! firmware that owns a panic handler, a memory map and a critical section. [`examples`] is firmware of other people.
#![cfg_attr(target_os = "none", no_std)]
// Tests of exact arithmetic compare exactly, and count in small numbers.
#![cfg_attr(test, allow(clippy::float_cmp, clippy::cast_precision_loss))]

pub mod access_port;
#[cfg(target_os = "none")]
pub mod board;
#[cfg(any(test, feature = "examples"))]
pub mod examples;
pub mod fault;
pub mod ledgers;
pub mod measured;
pub mod place;
