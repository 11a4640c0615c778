//! The board that the build is for: the only place that names hardware.
//!
//! A board is a feature, a row of boards.toml and a file here, or a case in `emulated`, which has:
//!
//! - `NAME`, as in boards.toml;
//! - `Number`, the number type of its app;
//! - `entry`, the attribute of `main`: that of cortex-m-rt or riscv-rt, unless the chip wants more;
//! - `take()`, which makes the [`Board`]: sets clocks and pins up, and returns `None` when it was
//!   called before. It does not wait for anything that may not be there.
//!
//! Programs talk to the host through [`Host`]: through semihosting in QEMU, through the machine's
//! serial port with the feature `uart`, through a debug probe with the feature `rtt`, which every real
//! board has.

#[cfg(not(any(feature = "rtt", feature = "uart")))]
mod console;
#[cfg(feature = "emulated")]
mod emulated;
#[cfg(all(not(feature = "rtt"), target_arch = "riscv32"))]
mod exceptions;
#[cfg(target_arch = "arm")]
mod faults;
#[cfg(feature = "microbit-v1")]
mod microbit_v1;
#[cfg(feature = "nrf52840-dk")]
mod nrf52840_dk;
#[cfg(feature = "nucleo-f401re")]
mod nucleo_f401re;
#[cfg(feature = "pico")]
mod pico;
#[cfg(feature = "pico-2")]
mod pico_2;
#[cfg(feature = "rtt")]
mod probe;
#[cfg(any(feature = "uart", feature = "nrf52840-dk", feature = "examples"))]
mod register;
#[cfg(feature = "uart")]
mod serial;
#[cfg(target_arch = "arm")]
mod stack;

use embedded_hal::digital::StatefulOutputPin;

#[cfg(feature = "emulated")]
use emulated as chosen;
#[cfg(all(not(feature = "rtt"), target_arch = "riscv32"))]
use exceptions as faults;
#[cfg(feature = "microbit-v1")]
use microbit_v1 as chosen;
#[cfg(feature = "nrf52840-dk")]
use nrf52840_dk as chosen;
#[cfg(feature = "nucleo-f401re")]
use nucleo_f401re as chosen;
#[cfg(feature = "pico")]
use pico as chosen;
#[cfg(feature = "pico-2")]
use pico_2 as chosen;

pub use chosen::{NAME, Number, entry};
#[cfg(not(any(feature = "rtt", feature = "uart")))]
pub use console::Host;
#[cfg(feature = "emulated")]
pub use emulated::{InstructionCounter, TICKS_PER_1000_INSTRUCTIONS};
#[cfg(feature = "rtt")]
pub use probe::Host;
#[cfg(feature = "examples")]
pub(crate) use register::Register;
#[cfg(feature = "uart")]
pub use serial::Host;
#[cfg(target_arch = "arm")]
pub use stack::StackUse;

use lodger_firmware::clock::Clock;
use lodger_firmware::display::Display;

/// Whether the clock counts instructions, the same ones in every run under `-icount`; if not,
/// it measures time, and other things steal some of it now and then.
pub const COUNTS_INSTRUCTIONS: bool = cfg!(not(feature = "rtt"));

/// What a board has for the app.
#[derive(Debug)]
pub struct Board<C, L, D> {
    /// Measures work. It runs from here on.
    pub clock: C,
    /// Is lit when it is high, and dark now.
    pub lamp: L,
    /// Shows the scene. Where none is attached, it says so once, when it is first shown.
    pub display: D,
}

/// The parts of the board; `None` if they were taken before.
#[must_use]
pub fn take() -> Option<Board<impl Clock, impl StatefulOutputPin, impl Display>> {
    let Board { clock, lamp, display } = chosen::take()?;
    #[cfg(feature = "rtt")]
    let clock = probe::LogTime(clock);
    Some(Board { clock, lamp, display })
}

/// Tells the host how much of the stack was used until now: in the log through a debug probe, in QEMU
/// beside it, as a log is the same on every board. Only a Cortex-M's is painted, and told of.
pub fn tell_stack() {
    #[cfg(target_arch = "arm")]
    tell(StackUse::measure());
}

#[cfg(target_arch = "arm")]
fn tell(StackUse { used, left }: StackUse) {
    #[cfg(feature = "rtt")]
    defmt::info!("stack: {=usize} bytes used, {=usize} left", used, left);
    #[cfg(not(feature = "rtt"))]
    semihosting::eprintln!("stack: {used} bytes used, {left} left");
}

/// Ends the program with a code, which a probe and QEMU pass on. Without either, a board stops in a
/// fault.
pub fn exit(code: u8) -> ! {
    semihosting::process::exit(code.into())
}

/// Ends the program: code 0 for success, 1 for failure.
pub fn finish<T, E>(outcome: &Result<T, E>) -> ! {
    exit(outcome.is_err().into())
}

/// Starts the counter of the processor's cycles, of 32 bits, and returns a function that reads it; `None` if it
/// stands still.
#[cfg(any(feature = "nrf52840-dk", feature = "nucleo-f401re"))]
fn start_cycle_counter(mut core: cortex_m::Peripherals) -> Option<fn() -> u32> {
    use cortex_m::peripheral::DWT;

    core.DCB.enable_trace();
    core.DWT.enable_cycle_counter();
    // Some processors say that they have the counter, and it stands still.
    let first = DWT::cycle_count();
    cortex_m::asm::delay(16);
    (DWT::cycle_count() != first).then_some(DWT::cycle_count)
}
