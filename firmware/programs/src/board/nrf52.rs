//! Boards with a Cortex-M4 with a floating-point unit at 64 MHz: the micro:bit v2, an nRF52833, and the nRF52840-DK.

use embedded_hal::digital::StatefulOutputPin;
#[cfg(feature = "microbit-v2")]
use nrf52833_hal as hal;
#[cfg(feature = "nrf52840-dk")]
use nrf52840_hal as hal;

use hal::clocks::{Clocks, HFCLK_FREQ};
use hal::gpio::{Level, p0};
use hal::pac::{CorePeripherals, P0, P1, Peripherals};
use hal::twim::{Frequency, Pins, Twim};

pub use cortex_m_rt::entry;

use super::{Board, start_cycle_counter};
use lodger_firmware::clock::{Clock, TickRate, Ticks};
use lodger_firmware::display::{Display, Panel};

pub type BoardNumber = f32;

/// Takes the hardware; `None` after the first call, or if the clock does not run.
///
/// The clock counts the processor's cycles and wraps after 67 s.
pub(super) fn take() -> Option<Board<impl Clock, impl StatefulOutputPin, impl Display>> {
    let core = CorePeripherals::take()?;
    let chip = Peripherals::take()?;
    let _crystal = Clocks::new(chip.CLOCK).enable_ext_hfosc();
    let cycles = start_cycle_counter(core)?;
    let (led, pins) = led_and_pins(chip.P0, chip.P1);
    let bus = Twim::new(chip.TWIM0, pins, Frequency::K400);
    Some(Board {
        clock: Ticks::new(cycles, 32, TickRate::from_hz(HFCLK_FREQ)),
        led,
        display: Panel::new(bus),
    })
}

/// The LED is the upper left of the 25, which is on while its row is high and its column is low. The display is on the edge
/// connector: 19 is SCL, 20 is SDA.
#[cfg(feature = "microbit-v2")]
fn led_and_pins(port: P0, other: P1) -> (impl StatefulOutputPin, Pins) {
    let (pins, others) = (p0::Parts::new(port), hal::gpio::p1::Parts::new(other));
    let _column = pins.p0_28.into_push_pull_output(Level::Low);
    let row = pins.p0_21.into_push_pull_output(Level::Low);
    let scl = pins.p0_26.into_floating_input().degrade();
    let sda = others.p1_00.into_floating_input().degrade();
    (row, Pins { scl, sda })
}

/// The LED is LED1. The display is on P0.27 (SCL) and P0.26 (SDA), which the Arduino header names so.
#[cfg(feature = "nrf52840-dk")]
fn led_and_pins(port: P0, _: P1) -> (impl StatefulOutputPin, Pins) {
    let pins = p0::Parts::new(port);
    let led = lodger_firmware::led::ActiveLow::new(pins.p0_13.into_push_pull_output(Level::High));
    let scl = pins.p0_27.into_floating_input().degrade();
    let sda = pins.p0_26.into_floating_input().degrade();
    (led, Pins { scl, sda })
}
