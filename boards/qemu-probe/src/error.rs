//! Errors of an emulation.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

/// Why there is no emulation, or not any more.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum EmulationError {
    /// QEMU is not installed.
    #[error(
        "{} is not installed, and without it there is no emulation\n  to install it:  \
         apt-get install --no-install-recommends qemu-system-arm",
        program.display()
    )]
    QemuMissing {
        /// The program that was looked for.
        program: PathBuf,
    },
    /// QEMU cannot be started.
    #[error("{} cannot be started: {source}", program.display())]
    QemuStart {
        /// The program.
        program: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
    /// QEMU has ended.
    #[error("QEMU has ended, which emulated {machine}{}", last_output(output))]
    QemuEnded {
        /// The machine that it emulated, or should have.
        machine: String,
        /// The end of its output.
        output: String,
    },
    /// QEMU gives a wrong answer, or none.
    #[error("QEMU does not answer as it should, which emulates {machine}: {source}")]
    QemuAstray {
        /// The machine that it emulates.
        machine: String,
        /// The problem of its answer.
        source: io::Error,
    },
    /// There is no memory where the machine's flash should be.
    #[error(
        "{machine} has no memory at {address:#010x}, where its flash should begin\n  \
         to say where it does:  Options::flash, or --flash"
    )]
    NoFlash {
        /// The machine.
        machine: String,
        /// Where its flash should begin.
        address: u32,
    },
    /// A port cannot be opened.
    #[error("port {port} of 127.0.0.1 cannot be opened: {source}")]
    Port {
        /// Its number; 0 for any.
        port: u16,
        /// The error of the operating system.
        source: io::Error,
    },
}

fn last_output(output: &str) -> String {
    if output.is_empty() { String::new() } else { format!("; it said:\n{output}") }
}
