//! To the host through the machine's serial port. The log stays on semihosting's console.

use core::convert::Infallible;

use lodger_wire::Transport;

use super::chosen::{Port, open_port};
use super::faults;

/// The way to the host and back.
#[derive(Debug)]
pub struct Host(Port);

impl Host {
    /// Opens both directions; once, before anything is logged. `None` if it was opened before.
    #[must_use]
    pub fn open() -> Option<Self> {
        faults::tell_by(|fault| semihosting::eprintln!("{fault}"))?;
        Some(Self(open_port()))
    }
}

impl Transport for Host {
    type Error = Infallible;

    fn receive(&mut self, buffer: &mut [u8]) -> Result<usize, Infallible> {
        let mut received = 0;
        for place in buffer {
            // It waits for the first byte, not for more.
            let byte = loop {
                match self.0.receive() {
                    Some(byte) => break byte,
                    None if received > 0 => return Ok(received),
                    None => {}
                }
            };
            *place = byte;
            received += 1;
        }
        Ok(received)
    }

    fn send(&mut self, bytes: &[u8]) -> Result<(), Infallible> {
        for &byte in bytes {
            self.0.send(byte);
        }
        Ok(())
    }
}
