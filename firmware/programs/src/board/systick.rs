//! The timer of a Cortex-M, which counts down with the processor's clock.

use cortex_m::peripheral::SYST;
use cortex_m::peripheral::syst::SystClkSource;

/// How many bits it has.
pub(super) const BITS: u32 = 24;
const TOP: u32 = (1 << BITS) - 1;

/// Starts it; `None` if it belongs to somebody already.
pub(super) fn start() -> Option<()> {
    let mut timer = cortex_m::Peripherals::take()?.SYST;
    timer.set_clock_source(SystClkSource::Core);
    timer.set_reload(TOP);
    timer.clear_current();
    timer.enable_counter();
    Some(())
}

/// How far it got, modulo 2^[`BITS`] with any bits above.
pub(super) fn ticks() -> u32 {
    !SYST::get_current()
}
