//! A Black Magic Probe in front of QEMU: unmodified probe-rs flashes, resets and debugs an emulated Cortex-M.
//!
//! **This is an emulation.** A test that passes here has not passed on hardware: say so wherever the result is shown.
//! Every memory access stops the virtual machine, so times measured through it are meaningless.
//!
//! The README lists emulated and missing registers and features.
//!
//! # Important terms
//!
//! - **probe**: the device that a debugger connects to, with the remote protocol of the Black Magic Probe
//! - **chip**: the core, its memory and its debug registers, as the probe sees them
//! - **target**: QEMU's gdbstub, on which the debug registers are emulated
//!
//! # Files
//!
//! | file | concept |
//! |---|---|
//! | `remote`, `probe` | the protocol of the probe; its responses and connections |
//! | `port` | the debug port, its access port, and the wire |
//! | `core_debug` | the debug registers of a Cortex-M, on any `target` |
//! | `gdb`, `qemu` | the target: the client of QEMU's gdbstub; the process of QEMU |
//!
//! # Trust
//!
//! Bytes from both sockets are untrusted: they are checked before use, and buffers are bounded. An invalid request
//! gets an error of the protocol, and an invalid response of QEMU ends the connection.
//!
//! # Examples
//! ```no_run
//! use lodger_qemu_probe::{Emulation, QemuOptions};
//!
//! let board = Emulation::start(&QemuOptions::new("microbit"))?;
//! println!("probe-rs info --protocol swd --probe {}", board.selector());
//! # Ok::<(), lodger_qemu_probe::EmulationError>(())
//! ```
#![allow(missing_docs, reason = "not published")]
#![forbid(unsafe_code)]
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod core_debug;
mod emulation;
mod gdb;
mod port;
mod probe;
mod qemu;
mod remote;
mod target;

pub use emulation::Emulation;
pub use qemu::{EmulationError, QemuOptions};
