//! The micro:bit v2: an nRF52833, a Cortex-M4 with a floating-point unit at 64 MHz.

use embedded_hal::digital::StatefulOutputPin;
use nrf52833_hal::clocks::{Clocks, HFCLK_FREQ};
use nrf52833_hal::gpio::{Level, p0, p1};
use nrf52833_hal::pac::{CorePeripherals, Peripherals};
use nrf52833_hal::twim::{Frequency, Pins, Twim};

pub use cortex_m_rt::entry;

use super::{Board, start_cycle_counter};
use lodger_firmware::clock::{Clock, TickRate, Ticks};
use lodger_firmware::display::{Display, Panel};

pub const NAME: &str = "microbit-v2";

pub type BoardNumber = f32;

/// Takes the hardware; `None` after the first call, or if the clock does not run.
///
/// The clock counts the processor's cycles and wraps after 67 s. The LED is the upper left of the 25. The display is on the
/// edge connector: 19 is SCL, 20 is SDA.
pub(super) fn take() -> Option<Board<impl Clock, impl StatefulOutputPin, impl Display>> {
    let core = CorePeripherals::take()?;
    let chip = Peripherals::take()?;
    let _crystal = Clocks::new(chip.CLOCK).enable_ext_hfosc();
    let cycles = start_cycle_counter(core)?;

    let (pins, others) = (p0::Parts::new(chip.P0), p1::Parts::new(chip.P1));
    // The LED is on while its row is high and its column is low.
    let _column = pins.p0_28.into_push_pull_output(Level::Low);
    let row = pins.p0_21.into_push_pull_output(Level::Low);
    let scl = pins.p0_26.into_floating_input().degrade();
    let sda = others.p1_00.into_floating_input().degrade();
    let bus = Twim::new(chip.TWIM0, Pins { scl, sda }, Frequency::K400);
    Some(Board {
        clock: Ticks::new(cycles, 32, TickRate::from_hz(HFCLK_FREQ)),
        led: row,
        display: Panel::new(bus),
    })
}
