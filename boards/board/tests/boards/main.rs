//! Tests of `lodger board` with emulated boards: the real binary, unmodified probe-rs, the real flash algorithm of the nRF51,
//! and QEMU behind an emulated probe. No hardware is tested.
//!
//! `cargo xtask test --all` installs QEMU, builds the programs and runs these.

mod bench;
mod commands;
mod failures;
#[cfg(unix)]
mod screen;
mod text;
