//! The counter of the processor's cycles.

use cortex_m::Peripherals;
use cortex_m::peripheral::DWT;

/// Starts the counter, of 32 bits, and returns what reads it; `None` if it stands still.
pub(super) fn start(mut core: Peripherals) -> Option<fn() -> u32> {
    core.DCB.enable_trace();
    core.DWT.enable_cycle_counter();
    // Some processors say that they have the counter, and it stands still.
    let first = DWT::cycle_count();
    cortex_m::asm::delay(16);
    (DWT::cycle_count() != first).then_some(DWT::cycle_count)
}
