//! Tests of `lodger board` against emulated boards: the real binary, unmodified probe-rs, the real
//! flash algorithm of the nRF51, and QEMU behind an emulated probe. No hardware was tested here.
//!
//! `cargo xtask test --all` installs QEMU, builds the programs and runs these.

mod bench;
mod conform;
mod flash;
mod interrupt;
mod mistakes;
mod monitor;
mod run;
#[cfg(unix)]
mod screen;
mod text;
