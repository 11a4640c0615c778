//! The serial port of an nRF51.

use super::register::Register;

const ENABLED: u32 = 4;

/// A port.
#[derive(Debug)]
pub(super) struct Port {
    has_received: Register,
    has_sent: Register,
    received: Register,
    to_send: Register,
}

impl Port {
    /// Opens the port whose registers begin at that address.
    pub(super) fn open(base: usize) -> Self {
        let [start_receiver, start_transmitter, has_received, has_sent, enable, received, to_send] =
            [0x000, 0x008, 0x108, 0x11c, 0x500, 0x518, 0x51c]
                .map(|offset| Register::at(base + offset));
        enable.write(ENABLED);
        start_receiver.write(1);
        start_transmitter.write(1);
        Self { has_received, has_sent, received, to_send }
    }

    /// The next byte, if one has come.
    pub(super) fn receive(&mut self) -> Option<u8> {
        if self.has_received.read() == 0 {
            return None;
        }
        self.has_received.write(0);
        Some(self.received.read().to_le_bytes()[0])
    }

    /// Sends a byte.
    pub(super) fn send(&mut self, byte: u8) {
        self.has_sent.write(0);
        self.to_send.write(byte.into());
        while self.has_sent.read() == 0 {}
    }
}
