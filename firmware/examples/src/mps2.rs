//! The board that QEMU emulates as `mps2-an386`, as far as the examples need it: what a board's crate is
//! elsewhere.
//!
//! Source: Arm Cortex-M System Design Kit (DDI 0479), timer and watchdog; Arm application note 386,
//! memory map and interrupts.

mod register;
mod timer;
mod vectors;
mod watchdog;

pub use timer::Timer;
pub use vectors::Interrupt;
/// As `#[interrupt]` wants it.
pub use vectors::Interrupt as interrupt;
pub use watchdog::Watchdog;

/// The processor's clock, and that of the timers, in Hz.
pub const CLOCK: u32 = 25_000_000;
/// So many bits of a priority count, which RTIC asks for.
pub const NVIC_PRIO_BITS: u8 = 3;

/// The timer that counts on, in microseconds once round in 134 s.
pub const CLOCK_TIMER: Timer = Timer::at(0x4000_0000);
/// The timer that wakes somebody.
pub const ALARM_TIMER: Timer = Timer::at(0x4000_1000);
/// The watchdog.
pub const WATCHDOG: Watchdog = Watchdog::at(0x4000_8000);
