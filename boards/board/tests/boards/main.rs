//! Tests of `lodger board` without hardware: the real binary, unmodified probe-rs, the flash algorithm of the nRF51,
//! and QEMU behind an emulated probe.
//!
//! `cargo xtask test --all` installs QEMU, builds the programs and runs these.

mod bench;
mod commands;
mod failures;
#[cfg(unix)]
mod screen;
mod text;
