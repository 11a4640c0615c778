//! To the host through semihosting's console: QEMU's standard input and output. What defmt logs and
//! what is sent come out mixed, so a program does one or the other.

use lodger_wire::Transport;
use semihosting::io::{self, Read, Stdin, Stdout, Write};

use super::faults;

/// The way to the host and back.
#[derive(Debug)]
pub struct Host {
    input: Stdin,
    output: Stdout,
}

impl Host {
    /// Opens both directions; once, before anything is logged. `None` if it was opened before.
    #[must_use]
    pub fn open() -> Option<Self> {
        faults::tell_by(|fault| semihosting::eprintln!("{fault}"))?;
        Some(Self { input: io::stdin().ok()?, output: io::stdout().ok()? })
    }
}

impl Transport for Host {
    type Error = io::Error;

    fn receive(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.input.read(buffer)
    }

    fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.output.write_all(bytes)
    }
}
