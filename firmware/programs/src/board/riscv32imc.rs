//! QEMU's `virt` with an RV32IMC: no atomic instructions and no floating-point unit.

pub use super::emulated::entry;
pub(super) use super::emulated::take;
#[cfg(feature = "uart")]
pub(super) use super::ns16550::{Port, open_port};
pub use super::retired::TICKS_PER_1000_INSTRUCTIONS;

/// The board's name in boards.toml.
pub const NAME: &str = "riscv32imc";

/// The number type of the app: there is no floating-point unit.
pub type Number = lodger_core::Fixed;
