//! QEMU's `mps2-an505`: a Cortex-M33 with a floating-point unit.

#[cfg(feature = "uart")]
pub(super) use super::cmsdk_uart::Port;
pub use super::emulated::entry;
pub(super) use super::emulated::take;

/// The board's name in boards.toml.
pub const NAME: &str = "mps2-an505";

/// The number type of the app: the floating-point unit computes with it.
pub type Number = f32;

/// How far `SysTick` gets in 1 000 instructions of 64 ns (`-icount shift=6`): it runs at 20 MHz.
pub const TICKS_PER_1000_INSTRUCTIONS: u32 = 1_280;

/// The first of the machine's serial ports.
#[cfg(feature = "uart")]
pub(super) fn open_port() -> Port {
    Port::open(0x5020_0000)
}
