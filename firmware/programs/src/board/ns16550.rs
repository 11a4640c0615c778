//! The serial port of QEMU's `virt`: an NS16550.

use super::register::Register;

const HAS_RECEIVED: u8 = 1 << 0;
const CAN_SEND: u8 = 1 << 5;

/// A port.
#[derive(Debug)]
pub(super) struct Port {
    data: Register<u8>,
    state: Register<u8>,
}

/// The machine's serial port. It works as it is after a reset.
pub(super) fn open_port() -> Port {
    let [data, state] = [0x1000_0000, 0x1000_0005].map(Register::at);
    Port { data, state }
}

impl Port {
    /// The next byte, if one has come.
    pub(super) fn receive(&mut self) -> Option<u8> {
        let has_come = self.state.read() & HAS_RECEIVED != 0;
        has_come.then(|| self.data.read())
    }

    /// Sends a byte, after those before it.
    pub(super) fn send(&mut self, byte: u8) {
        while self.state.read() & CAN_SEND == 0 {}
        self.data.write(byte);
    }
}
