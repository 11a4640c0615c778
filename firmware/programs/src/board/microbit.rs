//! QEMU's `microbit`: a Cortex-M0 with 16 KiB of memory, as on the micro:bit v1.

pub use super::emulated::entry;
pub(super) use super::emulated::take;
#[cfg(feature = "uart")]
pub(super) use super::nrf51_uart::Port;

/// The board's name in boards.toml.
pub const NAME: &str = "microbit";

/// The number type of the app: there is no floating-point unit.
pub type Number = lodger_core::Fixed;

/// How far `SysTick` gets in 1 000 instructions of 64 ns (`-icount shift=6`): it runs at 16 MHz.
pub const TICKS_PER_1000_INSTRUCTIONS: u32 = 1_024;

/// The machine's serial port.
#[cfg(feature = "uart")]
pub(super) fn open_port() -> Port {
    Port::open(0x4000_2000)
}
