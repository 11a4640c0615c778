//! The board of the build: the only module that names hardware.
//!
//! A board is a feature, a row of boards.toml and a file here, or a case in the file of a similar board, with:
//!
//! - `BoardNumber`, the number type of its app;
//! - `entry`, the attribute of `main`: of cortex-m-rt or riscv-rt, unless the chip needs another one;
//! - `take()`, which sets up clocks and pins and returns the [`Board`], or `None` after the first call. It never waits for
//!   hardware that may be missing.
//!
//! [`HostLink`] connects to the host: through semihosting in QEMU, the machine's serial port (feature `uart`) or a debug
//! probe (feature `rtt`, always on real boards).

#[cfg(any(feature = "microbit-v2", feature = "nrf52840-dk"))]
mod debug_port;
#[cfg(feature = "emulated")]
mod emulated;
#[cfg(all(not(feature = "rtt"), target_arch = "riscv32"))]
mod exceptions;
#[cfg(target_arch = "arm")]
mod faults;
#[cfg(feature = "microbit-v1")]
mod microbit_v1;
#[cfg(any(feature = "microbit-v2", feature = "nrf52840-dk"))]
mod nrf52;
#[cfg(feature = "nucleo-f401re")]
mod nucleo_f401re;
#[cfg(any(feature = "pico", feature = "pico-2"))]
mod pico;
#[cfg(feature = "rtt")]
mod probe;
#[cfg(feature = "uart")]
mod serial;

use embedded_hal::digital::StatefulOutputPin;

#[cfg(feature = "emulated")]
use emulated as chosen;
#[cfg(all(not(feature = "rtt"), target_arch = "riscv32"))]
use exceptions as faults;
#[cfg(feature = "microbit-v1")]
use microbit_v1 as chosen;
#[cfg(any(feature = "microbit-v2", feature = "nrf52840-dk"))]
use nrf52 as chosen;
#[cfg(feature = "nucleo-f401re")]
use nucleo_f401re as chosen;
#[cfg(any(feature = "pico", feature = "pico-2"))]
use pico as chosen;

pub use chosen::{BoardNumber, entry};
#[cfg(not(any(feature = "rtt", feature = "uart")))]
pub use console::HostLink;
#[cfg(feature = "emulated")]
pub use emulated::{InstructionCounter, TICKS_PER_1000_INSTRUCTIONS};
#[cfg(target_arch = "arm")]
pub use faults::StackUse;
#[cfg(feature = "rtt")]
pub use probe::HostLink;
#[cfg(feature = "examples")]
pub(crate) use register::Register;
#[cfg(feature = "uart")]
pub use serial::HostLink;

use crate::static_buffer::bytes;
use lodger_firmware::clock::Clock;
use lodger_firmware::display::Display;
use lodger_firmware::scene::{DemoScene, Setup};

/// The name of the board in boards.toml; the build script knows it by the feature.
pub const NAME: &str = env!("LODGER_BOARD");

/// Whether the clock counts instructions, equally in every run under `-icount`. Otherwise it measures time, interrupts and
/// probe accesses included.
pub const COUNTS_INSTRUCTIONS: bool = cfg!(not(feature = "rtt"));

#[derive(Debug)]
pub struct Board<C, L, D> {
    /// The running clock that measures work.
    pub clock: C,
    /// An LED that is on while the pin is high, initially off.
    pub led: L,
    /// The display. A missing one returns one error, when it is first shown.
    pub display: D,
}

#[must_use]
pub fn take() -> Option<Board<impl Clock, impl StatefulOutputPin, impl Display>> {
    let Board { clock, led, display } = chosen::take()?;
    #[cfg(feature = "rtt")]
    let clock = probe::LogTime(clock);
    Some(Board { clock, led, display })
}

/// Makes the constants of the demo scene and takes the hardware; `None` after the first call, or if a constant is invalid,
/// which is logged.
#[must_use]
pub fn demo_parts()
-> Option<(Setup<BoardNumber>, Board<impl Clock, impl StatefulOutputPin, impl Display>)> {
    match Setup::new() {
        Ok(setup) => Some((setup, take()?)),
        Err(error) => {
            defmt::error!("{}", error);
            None
        }
    }
}

/// The size of the demo scene with the clock and the LED of the board, in bytes.
pub const DEMO_SCENE_SIZE: usize = bytes(demo_parts, |(_, Board { clock, led, .. })| {
    DemoScene::<BoardNumber, _, _>::new(clock, led)
});

/// Reports the used stack of a Cortex-M to the host: in the log through a debug probe; in QEMU beside it, because logs are
/// the same on every board.
pub fn report_stack() {
    #[cfg(target_arch = "arm")]
    report(StackUse::measure());
}

#[cfg(target_arch = "arm")]
fn report(StackUse { used, left }: StackUse) {
    #[cfg(feature = "rtt")]
    defmt::info!("stack: {=usize} bytes used, {=usize} left", used, left);
    #[cfg(not(feature = "rtt"))]
    semihosting::eprintln!("stack: {used} bytes used, {left} left");
}

/// Ends the program with a code for the probe or QEMU. Without either, a board stops in a fault.
pub fn exit(code: u8) -> ! {
    semihosting::process::exit(code.into())
}

/// Ends the program: code 0 for success, 1 for failure.
pub fn finish<T, E>(outcome: &Result<T, E>) -> ! {
    exit(outcome.is_err().into())
}

/// Starts the cycle counter of 32 bits, and returns a function that reads it; `None` if it does not count.
#[cfg(any(feature = "microbit-v2", feature = "nrf52840-dk", feature = "nucleo-f401re"))]
fn start_cycle_counter(mut core: cortex_m::Peripherals) -> Option<fn() -> u32> {
    use cortex_m::peripheral::DWT;

    core.DCB.enable_trace();
    core.DWT.enable_cycle_counter();
    // Some processors claim to have the counter, but it does not count.
    let first = DWT::cycle_count();
    cortex_m::asm::delay(16);
    (DWT::cycle_count() != first).then_some(DWT::cycle_count)
}

/// The host through semihosting's console. Logs and sent bytes are mixed there, so a program uses only one of both.
#[cfg(not(any(feature = "rtt", feature = "uart")))]
mod console {
    use lodger_wire::Transport;
    use semihosting::io::{self, Read, Stdin, Stdout, Write};

    use super::faults;

    #[derive(Debug)]
    pub struct HostLink {
        input: Stdin,
        output: Stdout,
    }

    impl HostLink {
        /// Opens the connection before the first log line; `None` after the first call.
        #[must_use]
        pub fn open() -> Option<Self> {
            faults::set_fault_handler(|fault| semihosting::eprintln!("{fault}"))?;
            Some(Self { input: io::stdin().ok()?, output: io::stdout().ok()? })
        }
    }

    impl Transport for HostLink {
        type Error = io::Error;

        fn receive(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.input.read(buffer)
        }

        fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
            self.output.write_all(bytes)
        }
    }
}

/// Memory-mapped registers that are in no other crate.
#[cfg(any(
    feature = "uart",
    feature = "microbit-v2",
    feature = "nrf52840-dk",
    feature = "examples"
))]
mod register {
    use core::marker::PhantomData;

    /// A register of the width of `T`, an integer type.
    #[derive(Debug, Clone, Copy)]
    pub(crate) struct Register<T = u32> {
        address: usize,
        width: PhantomData<T>,
    }

    impl<T> Register<T> {
        pub(crate) const fn at(address: usize) -> Self {
            Self { address, width: PhantomData }
        }

        // The addresses are constants of boards and examples from the memory maps of the machines: registers are
        // aligned, can be accessed at any time, and are not memory of Rust.
        #[allow(unsafe_code)]
        pub(crate) fn read(self) -> T {
            // SAFETY: see above.
            unsafe { core::ptr::with_exposed_provenance::<T>(self.address).read_volatile() }
        }

        #[allow(unsafe_code)] // as for reading
        pub(crate) fn write(self, value: T) {
            // SAFETY: see above.
            unsafe {
                core::ptr::with_exposed_provenance_mut::<T>(self.address).write_volatile(value);
            }
        }
    }
}
