//! The micro:bit v1: an nRF51822, a Cortex-M0 with 16 KiB of memory.

use embedded_hal::digital::StatefulOutputPin;
use nrf51_hal::gpio::{Level, p0};
use nrf51_hal::pac::{Peripherals, TIMER0};
use nrf51_hal::twi::{Frequency, Pins, Twi};
use nrf51_hal::{Clocks, Timer};

pub use cortex_m_rt::entry;

use super::Board;
use lodger_firmware::clock::{Clock, TickRate, Ticks};
use lodger_firmware::display::{Display, Panel};

pub type BoardNumber = lodger_core::Fixed;

/// Takes the hardware; `None` after the first call.
///
/// The clock is TIMER0, of microseconds: this chip has no `SysTick`. The LED is the upper left of
/// the 25. The display is on the edge connector: 19 is SCL, 20 is SDA, and their pull-ups are on the
/// board.
pub(super) fn take() -> Option<Board<impl Clock, impl StatefulOutputPin, impl Display>> {
    let chip = Peripherals::take()?;
    let _crystal = Clocks::new(chip.CLOCK).enable_ext_hfosc();
    let mut timer = Timer::periodic(chip.TIMER0);
    // A tick less than 32 bits, which loses a microsecond in 71 minutes.
    timer.start(u32::MAX);
    let rate = TickRate::from_hz(Timer::<TIMER0>::TICKS_PER_SECOND);

    let pins = p0::Parts::new(chip.GPIO);
    // The LED is on while its row is high and its column is low.
    let _column = pins.p0_04.into_push_pull_output(Level::Low);
    let row = pins.p0_13.into_push_pull_output(Level::Low);
    let scl = pins.p0_00.into_floating_input().degrade();
    let sda = pins.p0_30.into_floating_input().degrade();
    let bus = Twi::new(chip.TWI0, Pins { scl, sda }, Frequency::K400);
    Some(Board {
        clock: Ticks::new(move || timer.read(), 32, rate),
        led: row,
        display: Panel::new(bus),
    })
}
