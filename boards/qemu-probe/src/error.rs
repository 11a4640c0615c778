//! What can go wrong.

use std::fmt;
use std::io;
use std::path::PathBuf;

/// Why there is no emulation, or not any more.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// QEMU is not installed.
    QemuMissing {
        /// The program that was looked for.
        program: PathBuf,
    },
    /// QEMU cannot be started.
    QemuStart {
        /// The program.
        program: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// QEMU has ended.
    QemuEnded {
        /// The machine that it emulated, or should have.
        machine: String,
        /// The last that it said.
        output: String,
    },
    /// QEMU does not answer as it should.
    QemuAstray {
        /// The machine that it emulates.
        machine: String,
        /// What is wrong with its answer.
        error: io::Error,
    },
    /// There is no memory where the machine's flash should be.
    NoFlash {
        /// The machine.
        machine: String,
        /// Where its flash should begin.
        address: u32,
    },
    /// A port cannot be opened.
    Port {
        /// Its number; 0 for any.
        port: u16,
        /// What the system says.
        error: io::Error,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::QemuMissing { program } => write!(
                f,
                "{} is not installed, and without it there is no emulation\n  to install it:  \
                 apt-get install --no-install-recommends qemu-system-arm",
                program.display()
            ),
            Self::QemuStart { program, error } => {
                write!(f, "{} cannot be started: {error}", program.display())
            }
            Self::QemuEnded { machine, output } => {
                write!(f, "QEMU has ended, which emulated {machine}")?;
                if output.is_empty() { Ok(()) } else { write!(f, "; it said:\n{output}") }
            }
            Self::QemuAstray { machine, error } => {
                write!(f, "QEMU does not answer as it should, which emulates {machine}: {error}")
            }
            Self::NoFlash { machine, address } => write!(
                f,
                "{machine} has no memory at {address:#010x}, where its flash should begin\n  \
                 to say where it does:  Options::flash, or --flash"
            ),
            Self::Port { port, error } => {
                write!(f, "port {port} of 127.0.0.1 cannot be opened: {error}")
            }
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::QemuStart { error, .. }
            | Self::QemuAstray { error, .. }
            | Self::Port { error, .. } => Some(error),
            Self::QemuMissing { .. } | Self::QemuEnded { .. } | Self::NoFlash { .. } => None,
        }
    }
}
