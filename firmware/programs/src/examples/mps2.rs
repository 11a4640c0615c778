//! The board support of QEMU's `mps2-an386`, as far as the examples need it.
//!
//! Source: Arm Cortex-M System Design Kit (DDI 0479), timer and watchdog; Arm application note 386,
//! memory map and interrupts.

use cortex_m::interrupt::InterruptNumber;

/// The name that `#[interrupt]` needs.
pub use Interrupt as interrupt;

use crate::board::Register;

/// The clock of the processor and of the timers, in Hz.
pub const CLOCK: u32 = 25_000_000;
/// The number of implemented priority bits; RTIC needs this name.
pub const NVIC_PRIO_BITS: u8 = 3;

/// The timer that runs continuously; with the period of embassy it wraps after 134 s.
pub const CLOCK_TIMER: Timer = Timer::at(0x4000_0000);
pub const ALARM_TIMER: Timer = Timer::at(0x4000_1000);
pub const WATCHDOG: Watchdog = Watchdog::at(0x4000_8000);

const ENABLE: u32 = 1;
const INTERRUPT_ENABLE: u32 = 1 << 3;

/// A timer of 32 bits: it counts down at [`CLOCK`], and from 0 starts again.
#[derive(Debug, Clone, Copy)]
pub struct Timer {
    control: Register,
    value: Register,
    reload: Register,
    interrupt: Register,
}

impl Timer {
    const fn at(base: usize) -> Self {
        Self {
            control: Register::at(base),
            value: Register::at(base + 4),
            reload: Register::at(base + 8),
            interrupt: Register::at(base + 12),
        }
    }

    /// Counts down from `ticks` and requests an interrupt at 0, with a period of `ticks` + 1.
    pub fn start(self, ticks: u32) {
        self.control.write(0);
        self.acknowledge();
        self.reload.write(ticks);
        self.value.write(ticks);
        self.control.write(ENABLE | INTERRUPT_ENABLE);
    }

    pub fn stop(self) {
        self.control.write(0);
        self.acknowledge();
    }

    #[must_use]
    pub fn left(self) -> u32 {
        self.value.read()
    }

    /// Whether the timer has restarted since the last acknowledgement.
    #[must_use]
    pub fn has_started_again(self) -> bool {
        self.interrupt.read() != 0
    }

    pub fn acknowledge(self) {
        self.interrupt.write(1);
    }
}

const UNLOCK: u32 = 0x1acc_e551;
const WARN: u32 = 1;
const RESET: u32 = 1 << 1;

/// Resets the machine if it is not fed in time.
#[derive(Debug, Clone, Copy)]
pub struct Watchdog {
    load: Register,
    control: Register,
    lock: Register,
}

impl Watchdog {
    const fn at(base: usize) -> Self {
        Self {
            load: Register::at(base),
            control: Register::at(base + 0x8),
            lock: Register::at(base + 0xc00),
        }
    }

    /// Restarts the watchdog: it must be fed again within `ticks` of [`CLOCK`], and resets the machine after twice as many.
    pub fn feed(self, ticks: u32) {
        self.lock.write(UNLOCK);
        self.load.write(ticks);
        self.control.write(WARN | RESET);
        self.lock.write(0);
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(non_camel_case_types)] // usual names
#[repr(u16)]
pub enum Interrupt {
    PORT0_ALL = 6,
    PORT1_ALL = 7,
    /// [`CLOCK_TIMER`] started again.
    TIMER0 = 8,
    /// [`ALARM_TIMER`] started again.
    TIMER1 = 9,
}

// SAFETY: the numbers are those of the machine, and all below 32.
#[allow(unsafe_code)]
unsafe impl InterruptNumber for Interrupt {
    fn number(self) -> u16 {
        self as u16
    }
}

type InterruptVector = Option<unsafe extern "C" fn()>;

// The linker resolves them, or uses cortex-m-rt's default handler (device.x, by build.rs).
#[allow(unsafe_code)]
unsafe extern "C" {
    fn PORT0_ALL();
    fn PORT1_ALL();
    fn TIMER0();
    fn TIMER1();
}

/// The vector table for cortex-m-rt; all other interrupts are never enabled.
#[allow(unsafe_code)]
#[unsafe(link_section = ".vector_table.interrupts")]
#[unsafe(no_mangle)]
static __INTERRUPTS: [InterruptVector; 32] = {
    let mut vectors: [InterruptVector; 32] = [None; 32];
    vectors[Interrupt::PORT0_ALL as usize] = Some(PORT0_ALL);
    vectors[Interrupt::PORT1_ALL as usize] = Some(PORT1_ALL);
    vectors[Interrupt::TIMER0 as usize] = Some(TIMER0);
    vectors[Interrupt::TIMER1 as usize] = Some(TIMER1);
    vectors
};
