//! QEMU, the probe in front of it, and the thread between them.

use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::thread::{self, JoinHandle};

use crate::core_debug::CoreDebug;
use crate::error::EmulationError;
use crate::gdb::Gdb;
use crate::port::DebugPort;
use crate::probe::{Cable, Probe, serve};
use crate::qemu::{Options, Qemu};
use crate::target::{Target, TargetError};

/// The USB vendor and product of a Black Magic Probe.
const VID_PID: &str = "1d50:6018";

/// An emulated Cortex-M with a probe. Dropping it ends both.
///
/// The chip has power all the time: it runs what is in its flash, or an idle loop if that is empty. Time
/// stands still for it while no debugger is connected, and QEMU rests. One debugger can be connected at
/// a time; another one waits until the first has gone.
#[derive(Debug)]
pub struct Emulation {
    qemu: Qemu,
    address: SocketAddr,
    cable: Arc<Cable>,
    server: Option<JoinHandle<()>>,
}

impl Emulation {
    /// Starts QEMU and the probe in front of it.
    ///
    /// # Errors
    /// Any [`EmulationError`].
    pub fn start(options: &Options) -> Result<Self, EmulationError> {
        let port_error = |source| EmulationError::Port { port: options.port, source };
        let listener =
            TcpListener::bind((Ipv4Addr::LOCALHOST, options.port)).map_err(port_error)?;
        let address = listener.local_addr().map_err(port_error)?;

        let (qemu, stream) = Qemu::start(options)?;
        let power_up = || {
            let mut gdb = Gdb::connect(stream)?;
            fill(&mut gdb, options.flash.start)?;
            let core = CoreDebug::power_up(gdb, options.flash.clone())?;
            let mut probe = Probe::new(DebugPort::new(core));
            probe.detach()?;
            Ok(probe)
        };
        let mut probe = power_up().map_err(|fault| match fault {
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

    /// What probe-rs selects the probe by; the protocol must be SWD.
    #[must_use]
    pub fn selector(&self) -> String {
        format!("{VID_PID}:{}", self.address)
    }

    /// Where the probe listens.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// Pulls the plug between debugger and probe: the connection is closed at once, and every new one
    /// until [`plug_in`](Self::plug_in). The chip does not notice.
    pub fn unplug(&self) {
        self.cable.unplug();
    }

    /// Puts the plug back in.
    pub fn plug_in(&self) {
        self.cable.plug_in();
    }

    /// Ends QEMU at once, as if it had crashed. The connection is closed at the next request, and no
    /// new one is accepted after that.
    pub fn kill(&self) {
        self.qemu.kill();
    }

    /// How QEMU ended, or `None` while it runs. It also ends by itself, when its core locks up; the
    /// debugger's connection may be closed a moment before.
    #[must_use]
    pub fn ended(&self) -> Option<EmulationError> {
        self.qemu.ended()
    }
}

impl Drop for Emulation {
    fn drop(&mut self) {
        self.cable.cut();
        self.qemu.kill();
        // Wakes the server if it waits for a debugger; if nobody listens, it has returned already.
        drop(TcpStream::connect(self.address));
        if let Some(server) = self.server.take() {
            // Its panic was reported when it happened.
            let _ = server.join();
        }
    }
}

/// `b .`
const LOOP: u16 = 0xE7FE;
/// How many vectors an Armv7-M has for the system.
const VECTORS: u32 = 16;
/// Where the main stack begins: RAM on most chips; the program does not use it.
const STACK: u32 = 0x2000_1000;

/// Puts a program that does nothing into an empty flash, and resets: a core without a program would lock up, and
/// QEMU with it.
fn fill<T: Target>(target: &mut T, flash: u32) -> Result<(), TargetError> {
    let reset_vector = target.read_word(flash.wrapping_add(4))?;
    if matches!(reset_vector, 0 | u32::MAX) {
        target.write(flash, &program(flash))?;
        target.reset()?;
    }
    Ok(())
}

/// A vector table and two loops, so that a caught fault does not look like the program itself.
fn program(flash: u32) -> Vec<u8> {
    let reset = flash.wrapping_add(4 * VECTORS) | 1;
    let fault = reset.wrapping_add(2);
    let vectors = [STACK, reset].into_iter().chain((2..VECTORS).map(|_| fault));
    vectors
        .flat_map(u32::to_le_bytes)
        .chain([LOOP, LOOP].into_iter().flat_map(u16::to_le_bytes))
        .collect()
}
