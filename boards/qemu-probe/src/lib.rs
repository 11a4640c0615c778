//! A Black Magic Probe in front of QEMU: probe-rs, as it is, flashes, resets and debugs an emulated
//! Cortex-M.
//!
//! **This is an emulation.** A test that passes here was not passed by hardware: say so wherever its
//! result is shown. Every look into memory stops the virtual machine for a moment, so no time that is
//! measured through it means anything.
//!
//! [`Emulation::start`] starts QEMU and listens on a TCP port of 127.0.0.1, which probe-rs opens by
//! [`Emulation::selector`]. Which registers and features there are, and which not, is in the README.
//!
//! # Important terms
//!
//! - **probe**: what a debugger is connected to. It speaks the remote protocol of the Black Magic Probe.
//! - **chip**: the core, its memory and its debug registers, as the probe sees them.
//! - **target**: what the debug registers are emulated on, QEMU's gdbstub. It can run, stop and step,
//!   and read and write memory and registers.
//!
//! # Who owns what
//!
//! | file | concept |
//! |---|---|
//! | `remote`, `probe` | the probe's protocol; its answers and connections |
//! | `port` | the debug port, its access port, and the wire as far as a debugger needs it |
//! | `core_debug` | the debug registers of a Cortex-M, on any `target` |
//! | `gdb`, `qemu` | the target that QEMU is; its process |
//!
//! # Trust
//!
//! What arrives on either socket is checked before it is used, and no buffer grows without bound. A bad
//! request gets the protocol's error, a QEMU that goes astray ends the connection. Nothing panics.
//!
//! # Examples
//! ```no_run
//! use lodger_qemu_probe::{Emulation, Options};
//!
//! let board = Emulation::start(&Options::new("microbit"))?;
//! println!("probe-rs info --protocol swd --probe {}", board.selector());
//! # Ok::<(), lodger_qemu_probe::EmulationError>(())
//! ```
#![forbid(unsafe_code)]
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod core_debug;
mod emulation;
mod error;
mod gdb;
mod hex;
mod port;
mod probe;
mod qemu;
mod remote;
mod target;

pub use emulation::Emulation;
pub use error::EmulationError;
pub use qemu::Options;
