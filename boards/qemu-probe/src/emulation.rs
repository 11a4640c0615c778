//! QEMU, the probe in front of it, and the thread of the probe.

use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::thread::{self, JoinHandle};

use crate::core_debug::CoreDebug;
use crate::gdb::Gdb;
use crate::port::DebugPort;
use crate::probe::{Cable, EmulatedProbe, serve};
use crate::qemu::{EmulationError, Qemu, QemuOptions};
use crate::target::{TargetAccess, TargetError};

/// The USB vendor and product of a Black Magic Probe.
const VID_PID: &str = "1d50:6018";

/// An emulated Cortex-M with a probe. Dropping it ends both.
///
/// The chip always has power: it runs the program in its flash, or an idle loop. While no debugger is connected, QEMU
/// is stopped. One debugger can be connected at a time; another one waits.
#[derive(Debug)]
pub struct Emulation {
    qemu: Qemu,
    address: SocketAddr,
    cable: Arc<Cable>,
    server: Option<JoinHandle<()>>,
}

impl Emulation {
    /// Starts QEMU and the probe.
    ///
    /// # Errors
    /// Any [`EmulationError`].
    pub fn start(options: &QemuOptions) -> Result<Self, EmulationError> {
        let port_error = |source| EmulationError::Port { port: options.port, source };
        let listener =
            TcpListener::bind((Ipv4Addr::LOCALHOST, options.port)).map_err(port_error)?;
        let address = listener.local_addr().map_err(port_error)?;

        let (qemu, stream) = Qemu::start(options)?;
        let power_up = || {
            let mut gdb = Gdb::connect(stream)?;
            fill(&mut gdb, options.flash.start)?;
            let core = CoreDebug::power_up(gdb, options.flash.clone())?;
            let mut probe = EmulatedProbe::new(DebugPort::new(core));
            probe.detach()?;
            Ok(probe)
        };
        let mut probe = power_up().map_err(|error| match error {
            TargetError::Gone(error) => qemu.astray(error),
            TargetError::Refused => {
                let machine = options.machine.clone();
                EmulationError::NoFlash { machine, address: options.flash.start }
            }
        })?;
        let cable = Arc::new(Cable::default());
        let server = thread::Builder::new()
            .name("qemu-probe".to_owned())
            .spawn({
                let cable = Arc::clone(&cable);
                move || serve(&listener, &cable, &mut probe)
            })
            .map_err(|error| qemu.astray(error))?;
        Ok(Self { qemu, address, cable, server: Some(server) })
    }

    /// The selector of the probe for probe-rs; the protocol must be SWD.
    #[must_use]
    pub fn selector(&self) -> String {
        format!("{VID_PID}:{}", self.address)
    }

    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// Closes the connection, and every new one until [`plug_in`](Self::plug_in). The chip does not notice.
    pub fn unplug(&self) {
        self.cable.unplug();
    }

    /// Accepts connections again after [`unplug`](Self::unplug).
    pub fn plug_in(&self) {
        self.cable.plug_in();
    }

    /// Kills QEMU. The connection is closed at the next request, and no new one is accepted.
    pub fn kill(&self) {
        self.qemu.kill();
    }

    /// The reason why QEMU ended, or `None` while it runs. It also ends when the core locks up; the connection may be
    /// closed shortly before.
    #[must_use]
    pub fn ended(&self) -> Option<EmulationError> {
        self.qemu.ended()
    }
}

impl Drop for Emulation {
    fn drop(&mut self) {
        self.cable.cut();
        self.qemu.kill();
        // Wakes the server if it waits for a debugger; an error says that it has returned already.
        drop(TcpStream::connect(self.address));
        if let Some(server) = self.server.take() {
            // Its panic was reported when it happened.
            let _ = server.join();
        }
    }
}

/// `b .`
const LOOP: u16 = 0xE7FE;
const VECTORS: u32 = 16;
/// The initial stack pointer, unused: RAM on most chips.
const STACK: u32 = 0x2000_1000;

/// Fills an empty flash: a core without a program locks up, which ends QEMU.
fn fill<T: TargetAccess>(target: &mut T, flash: u32) -> Result<(), TargetError> {
    let reset_vector = target.read_word(flash.wrapping_add(4))?;
    if matches!(reset_vector, 0 | u32::MAX) {
        target.write(flash, &program(flash))?;
        target.reset()?;
    }
    Ok(())
}

/// A vector table and two loops, so that a caught fault is not at the address of the program.
fn program(flash: u32) -> Vec<u8> {
    let reset = flash.wrapping_add(4 * VECTORS) | 1;
    let fault = reset.wrapping_add(2);
    let vectors = [STACK, reset].into_iter().chain((2..VECTORS).map(|_| fault));
    vectors
        .flat_map(u32::to_le_bytes)
        .chain([LOOP, LOOP].into_iter().flat_map(u16::to_le_bytes))
        .collect()
}
