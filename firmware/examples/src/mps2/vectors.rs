//! Which interrupts there are, and where they go.

use cortex_m::interrupt::InterruptNumber;

/// The interrupts that the examples use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(non_camel_case_types)] // as they are called elsewhere
#[repr(u16)]
pub enum Interrupt {
    /// Something changed at the first port.
    PORT0_ALL = 6,
    /// Something changed at the second port.
    PORT1_ALL = 7,
    /// [`CLOCK_TIMER`](super::CLOCK_TIMER) started again.
    TIMER0 = 8,
    /// [`ALARM_TIMER`](super::ALARM_TIMER) started again.
    TIMER1 = 9,
}

// SAFETY: the numbers are those of the machine, and all below 32.
#[allow(unsafe_code)]
unsafe impl InterruptNumber for Interrupt {
    fn number(self) -> u16 {
        self as u16
    }
}

type Vector = Option<unsafe extern "C" fn()>;

// The linker finds them, or cortex-m-rt's default in their place (device.x).
#[allow(unsafe_code)]
unsafe extern "C" {
    fn PORT0_ALL();
    fn PORT1_ALL();
    fn TIMER0();
    fn TIMER1();
}

/// Where cortex-m-rt looks for them; all others are never enabled.
#[allow(unsafe_code)]
#[unsafe(link_section = ".vector_table.interrupts")]
#[unsafe(no_mangle)]
static __INTERRUPTS: [Vector; 32] = {
    let mut vectors: [Vector; 32] = [None; 32];
    vectors[Interrupt::PORT0_ALL as usize] = Some(PORT0_ALL);
    vectors[Interrupt::PORT1_ALL as usize] = Some(PORT1_ALL);
    vectors[Interrupt::TIMER0 as usize] = Some(TIMER0);
    vectors[Interrupt::TIMER1 as usize] = Some(TIMER1);
    vectors
};
