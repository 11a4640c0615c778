//! The serial port of an nRF51.

use super::register::Register;

const BASE: usize = 0x4000_2000;
const START_RECEIVER: Register = Register::at(BASE);
const START_TRANSMITTER: Register = Register::at(BASE + 0x008);
const RECEIVED: Register = Register::at(BASE + 0x108);
const SENT: Register = Register::at(BASE + 0x11c);
const ENABLE: Register = Register::at(BASE + 0x500);
const RECEIVED_BYTE: Register = Register::at(BASE + 0x518);
const BYTE_TO_SEND: Register = Register::at(BASE + 0x51c);
const ENABLED: u32 = 4;

/// The port.
#[derive(Debug)]
pub(super) struct Port;

impl Port {
    /// Opens it.
    pub(super) fn open() -> Self {
        ENABLE.write(ENABLED);
        START_RECEIVER.write(1);
        START_TRANSMITTER.write(1);
        Self
    }

    /// The next byte, if one has come.
    pub(super) fn receive(&mut self) -> Option<u8> {
        if RECEIVED.read() == 0 {
            return None;
        }
        RECEIVED.write(0);
        Some(RECEIVED_BYTE.read().to_le_bytes()[0])
    }

    /// Sends a byte.
    pub(super) fn send(&mut self, byte: u8) {
        SENT.write(0);
        BYTE_TO_SEND.write(byte.into());
        while SENT.read() == 0 {}
    }
}
