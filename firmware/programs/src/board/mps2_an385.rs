//! QEMU's `mps2-an385`: a Cortex-M3.

#[cfg(feature = "uart")]
pub(super) use super::cmsdk_uart::Port;
pub use super::emulated::entry;
pub(super) use super::emulated::take;

/// The board's name in boards.toml.
pub const NAME: &str = "mps2-an385";

/// The number type of the app: there is no floating-point unit.
pub type Number = lodger_core::Fixed;

/// How far `SysTick` gets in 1 000 instructions of 64 ns (`-icount shift=6`): it runs at 25 MHz.
pub const TICKS_PER_1000_INSTRUCTIONS: u32 = 1_600;

/// The first of the machine's serial ports.
#[cfg(feature = "uart")]
pub(super) fn open_port() -> Port {
    Port::open(0x4000_4000)
}
