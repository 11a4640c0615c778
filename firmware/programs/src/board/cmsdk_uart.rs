//! The serial port of Arm's MPS2 machines: the CMSDK's APB UART.

use super::register::Register;

const TRANSMITTER_IS_FULL: u32 = 1 << 0;
const RECEIVER_IS_FULL: u32 = 1 << 1;
const BOTH_DIRECTIONS: u32 = 0b11;
/// The least divisor that there is; nothing is slower for it in QEMU.
const DIVISOR: u32 = 16;

/// A port.
#[derive(Debug)]
pub(super) struct Port {
    data: Register,
    state: Register,
}

impl Port {
    /// Opens the port whose registers begin at that address.
    pub(super) fn open(base: usize) -> Self {
        let [data, state, control, divisor] =
            [0x00, 0x04, 0x08, 0x10].map(|offset| Register::at(base + offset));
        divisor.write(DIVISOR);
        control.write(BOTH_DIRECTIONS);
        Self { data, state }
    }

    /// The next byte, if one has come.
    pub(super) fn receive(&mut self) -> Option<u8> {
        let has_come = self.state.read() & RECEIVER_IS_FULL != 0;
        has_come.then(|| self.data.read().to_le_bytes()[0])
    }

    /// Sends a byte, after those before it.
    pub(super) fn send(&mut self, byte: u8) {
        while self.state.read() & TRANSMITTER_IS_FULL != 0 {}
        self.data.write(byte.into());
    }
}
