//! The host through the serial port of the machine. The log stays on semihosting's console.

use core::convert::Infallible;

use lodger_wire::Transport;

use super::faults;
use port::{Port, open_port};

#[derive(Debug)]
pub struct HostLink(Port);

impl HostLink {
    /// Opens the connection before the first log line; `None` after the first call.
    #[must_use]
    pub fn open() -> Option<Self> {
        faults::set_fault_handler(|fault| semihosting::eprintln!("{fault}"))?;
        Some(Self(open_port()))
    }
}

impl Transport for HostLink {
    type Error = Infallible;

    fn receive(&mut self, buffer: &mut [u8]) -> Result<usize, Infallible> {
        let mut received = 0;
        for place in buffer {
            // Waits only for the first byte.
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

/// The serial port of Arm's MPS2 machines: the CMSDK's APB UART.
#[cfg(all(target_arch = "arm", not(feature = "microbit")))]
mod port {
    use super::super::register::Register;

    const TRANSMITTER_IS_FULL: u32 = 1 << 0;
    const RECEIVER_IS_FULL: u32 = 1 << 1;
    const BOTH_DIRECTIONS: u32 = 0b11;
    const DIVISOR: u32 = 16;

    #[derive(Debug)]
    pub(super) struct Port {
        data: Register,
        state: Register,
    }

    impl Port {
        fn open(base: usize) -> Self {
            let [data, state, control, divisor] =
                [0x00, 0x04, 0x08, 0x10].map(|offset| Register::at(base + offset));
            divisor.write(DIVISOR);
            control.write(BOTH_DIRECTIONS);
            Self { data, state }
        }

        pub(super) fn receive(&mut self) -> Option<u8> {
            let has_come = self.state.read() & RECEIVER_IS_FULL != 0;
            has_come.then(|| self.data.read().to_le_bytes()[0])
        }

        pub(super) fn send(&mut self, byte: u8) {
            while self.state.read() & TRANSMITTER_IS_FULL != 0 {}
            self.data.write(byte.into());
        }
    }

    pub(super) fn open_port() -> Port {
        Port::open(if cfg!(feature = "mps2-an505") { 0x5020_0000 } else { 0x4000_4000 })
    }
}

/// The serial port of an nRF51.
#[cfg(feature = "microbit")]
mod port {
    use super::super::register::Register;

    const ENABLED: u32 = 4;

    #[derive(Debug)]
    pub(super) struct Port {
        has_received: Register,
        has_sent: Register,
        received: Register,
        to_send: Register,
    }

    impl Port {
        fn open(base: usize) -> Self {
            let [
                start_receiver,
                start_transmitter,
                has_received,
                has_sent,
                enable,
                received,
                to_send,
            ] = [0x000, 0x008, 0x108, 0x11c, 0x500, 0x518, 0x51c]
                .map(|offset| Register::at(base + offset));
            enable.write(ENABLED);
            start_receiver.write(1);
            start_transmitter.write(1);
            Self { has_received, has_sent, received, to_send }
        }

        pub(super) fn receive(&mut self) -> Option<u8> {
            if self.has_received.read() == 0 {
                return None;
            }
            self.has_received.write(0);
            Some(self.received.read().to_le_bytes()[0])
        }

        pub(super) fn send(&mut self, byte: u8) {
            self.has_sent.write(0);
            self.to_send.write(byte.into());
            while self.has_sent.read() == 0 {}
        }
    }

    pub(super) fn open_port() -> Port {
        Port::open(0x4000_2000)
    }
}

/// The serial port of QEMU's `virt`: an NS16550.
#[cfg(target_arch = "riscv32")]
mod port {
    use super::super::register::Register;

    const HAS_RECEIVED: u8 = 1 << 0;
    const CAN_SEND: u8 = 1 << 5;

    #[derive(Debug)]
    pub(super) struct Port {
        data: Register<u8>,
        state: Register<u8>,
    }

    /// The serial port of the machine needs no set-up after a reset.
    pub(super) fn open_port() -> Port {
        let [data, state] = [0x1000_0000, 0x1000_0005].map(Register::at);
        Port { data, state }
    }

    impl Port {
        pub(super) fn receive(&mut self) -> Option<u8> {
            let has_come = self.state.read() & HAS_RECEIVED != 0;
            has_come.then(|| self.data.read())
        }

        pub(super) fn send(&mut self, byte: u8) {
            while self.state.read() & CAN_SEND == 0 {}
            self.data.write(byte);
        }
    }
}
