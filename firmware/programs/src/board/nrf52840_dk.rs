//! The nRF52840-DK: a Cortex-M4 with a floating-point unit at 64 MHz.

use embedded_hal::digital::StatefulOutputPin;
use nrf52840_hal::clocks::{Clocks, HFCLK_FREQ};
use nrf52840_hal::gpio::{Level, p0};
use nrf52840_hal::pac::{CorePeripherals, Peripherals};
use nrf52840_hal::twim::{Frequency, Pins, Twim};

pub use cortex_m_rt::entry;

use super::{Board, start_cycle_counter};
use lodger_firmware::clock::{Clock, TickRate, Ticks};
use lodger_firmware::display::{Display, Panel};
use lodger_firmware::led::ActiveLow;

pub const NAME: &str = "nrf52840-dk";

pub type BoardNumber = f32;

/// Takes the hardware; `None` after the first call, or if the clock does not run.
///
/// The clock counts the processor's cycles and wraps after 67 s. The LED is LED1. The display is on
/// P0.27 (SCL) and P0.26 (SDA), which the Arduino header names so.
pub(super) fn take() -> Option<Board<impl Clock, impl StatefulOutputPin, impl Display>> {
    let core = CorePeripherals::take()?;
    let chip = Peripherals::take()?;
    let _crystal = Clocks::new(chip.CLOCK).enable_ext_hfosc();
    let cycles = start_cycle_counter(core)?;

    let pins = p0::Parts::new(chip.P0);
    let led = ActiveLow::new(pins.p0_13.into_push_pull_output(Level::High));
    let scl = pins.p0_27.into_floating_input().degrade();
    let sda = pins.p0_26.into_floating_input().degrade();
    let bus = Twim::new(chip.TWIM0, Pins { scl, sda }, Frequency::K400);
    Some(Board {
        clock: Ticks::new(cycles, 32, TickRate::from_hz(HFCLK_FREQ)),
        led,
        display: Panel::new(bus),
    })
}
